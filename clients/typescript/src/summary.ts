import type { Delivery, Row } from './types.js'
import type { World } from './world.js'

const SHOWN = 12

/**
 * Return the world's time, latest calls and webhooks as lines of text, or why they cannot be read in time. `missed` is
 * what the app's clock did not show in the last advance.
 */
export function summarize(world: World, timeoutMs: number, missed: readonly string[]): Promise<string> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const late = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason)))
  return Promise.race([read(world, missed), late]).catch(
    (error: unknown) => `world ${world.id} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  )
}

async function read(world: World, missed: readonly string[]): Promise<string> {
  const [now, calls, deliveries] = await Promise.all([world.now(), world.listed('calls'), world.deliveries()])
  return [
    `world ${world.id} at ${now.toISOString().replace('.000', '')}, calls so far: ${calls.length}`,
    ...calls.slice(-SHOWN).map(callLine),
    `webhooks sent: ${deliveries.length}`,
    ...deliveries.slice(-SHOWN).map(deliveryLine),
    ...missed.map((problem) => `app clock: ${problem}`),
  ]
    .map(oneLine)
    .join('\n')
}

/** The line with every character escaped that breaks it or that a terminal acts on: callers may have sent any. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`)
}

function callLine({ at, request, response }: Row<'calls'>): string {
  return `  ${at}  ${request.method} ${request.path} -> ${response?.status ?? 'no response'}`
}

function deliveryLine({ at, type, attempt, outcome, status, url }: Delivery): string {
  const result = [outcome ?? 'under way', status].filter((part) => part !== null).join(' ')
  return `  ${at}  ${type} attempt ${attempt}  ${result}  ${url}`
}
