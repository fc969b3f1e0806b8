import { Connection } from './http.js'
import type { Delivery } from './types.js'

/**
 * Your app's webhook handler as a function. If it returns an object with a `status`, such as a `Response`, that is the
 * app's answer, and a status of null means that it did not answer. Any other result counts as 200.
 */
export type WebhookHandler = (webhook: Delivery) => unknown

/** What an app answered to a webhook. `status` is null if it did not answer. */
export interface DeliveryResult {
  readonly webhook: Delivery
  readonly status: number | null
  readonly body: string
}

const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/
const TIMEOUT_MS = 10_000 // as long as the service itself waits for an endpoint

/** Return the handler of an app: the function itself, or one that sends to the origin of a server on this machine. */
export function handlerOf(app: string | WebhookHandler): WebhookHandler {
  if (typeof app !== 'string') return app
  const { protocol, hostname, origin } = new URL(app)
  if (protocol !== 'http:' || !THIS_MACHINE.test(hostname))
    throw new TypeError(`deliverTo sends to this machine only, to a URL like http://127.0.0.1:9000, not ${app}`)
  const server = new Connection(origin)
  return ({ url, request }) => {
    const { pathname, search } = new URL(url)
    return server.send('POST', pathname + search, { ...request, timeoutMs: TIMEOUT_MS })
  }
}

/** Call a handler with a webhook. */
export async function answerOf(handler: WebhookHandler, webhook: Delivery): Promise<DeliveryResult> {
  const found: unknown = await handler(webhook)
  if (typeof found !== 'object' || found === null || !('status' in found)) return { webhook, status: 200, body: '' }
  const status = typeof found.status === 'number' ? found.status : null
  if (found instanceof Response) return { webhook, status, body: await found.clone().text() }
  return { webhook, status, body: 'text' in found && typeof found.text === 'string' ? found.text : '' }
}
