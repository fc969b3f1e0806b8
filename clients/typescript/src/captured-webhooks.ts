import { answerOf, type DeliveryResult, handlerOf, type WebhookHandler } from './app-endpoint.js'
import type { Delivery, Result, Row } from './types.js'
import type { World } from './world.js'

const LONGEST_ANSWER = 4096 // characters of what an app answered

/** The webhooks of a world that were captured, of which each is delivered to an app once. */
export class CapturedWebhooks {
  #delivered = 0

  constructor(private readonly world: World) {}

  /** Deliver what was captured since the last call, and return what the app answered. */
  async deliverTo(
    app: string | WebhookHandler,
    only: { readonly type?: string; readonly host?: string },
  ): Promise<DeliveryResult[]> {
    const handler = handlerOf(app)
    const results: DeliveryResult[] = []
    for (const row of await this.world.listed('deliveries', { ...only, after: this.#delivered })) {
      const path = `/deliveries/${row.seq}`
      const signed = (await this.world.control('GET', `${path}/request?sign=now`)) as Result<'getDeliveryRequest'>
      const startedMs = performance.now()
      const tell = (status: number, body: string) =>
        this.world.control('POST', `${path}/app-answer`, {
          status,
          body: body.slice(0, LONGEST_ANSWER),
          took_ms: Math.round(performance.now() - startedMs),
        })
      const result = await answerOf(handler, deliveryOf({ ...row, request: signed })).catch(async (error: unknown) => {
        await tell(500, String(error))
        throw error
      })
      this.#delivered = row.seq
      results.push(result)
      if (result.status !== null) await tell(result.status, result.body)
    }
    return results
  }

  /** Webhooks get the numbers again of those that have not been sent any more: the world went back. */
  async wentBack(): Promise<void> {
    if (this.#delivered === 0) return
    const left = (await this.world.listed('deliveries')).reduce((most, row) => Math.max(most, row.seq), 0)
    this.#delivered = Math.min(this.#delivered, left)
  }
}

/** A row of the list of deliveries with the `data` of its webhook. */
export function deliveryOf(row: Row<'deliveries'>): Delivery {
  return { ...row, data: (JSON.parse(row.request.body) as { data: Record<string, unknown> }).data }
}
