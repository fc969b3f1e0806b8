import type { World } from './world.js'

const SHOWN = 12

/** The world's time, latest calls and webhooks as lines of text; the reason if it cannot be read. */
export async function summarize(world: World): Promise<string> {
  try {
    const [now, calls, deliveries] = await Promise.all([world.now(), world.listed('journal'), world.deliveries()])
    return [
      `world ${world.id} at ${now.toISOString().replace('.000', '')}, calls so far: ${calls.length}`,
      ...calls
        .slice(-SHOWN)
        .map(
          ({ at, request, response }) =>
            `  ${at}  ${request.method} ${request.path} -> ${response?.status ?? 'no response'}`,
        ),
      `webhooks sent: ${deliveries.length}`,
      ...deliveries
        .slice(-SHOWN)
        .map(
          ({ at, type, attempt, outcome, status, url }) =>
            `  ${at}  ${type} attempt ${attempt}  ${outcome ?? 'under way'}${status === null ? '' : ` ${status}`}  ${url}`,
        ),
    ].join('\n')
  } catch (error) {
    return `world ${world.id} cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
