import { ConnectionFailed } from './errors.js'
import { Giftsim } from './giftsim.js'
import { machineMs, traceFailure, UNKNOWN, WHY, whyLines } from './trace.js'
import type { WorldOptions } from './types.js'
import type { FailedError } from './user-code.js'
import type { World } from './world.js'

/** Options of a test's world: every option of `world`, and the simulator (default: the one at `GIFTSIM_URL`). */
export interface TestWorldOptions extends WorldOptions {
  readonly simulator?: Giftsim | Promise<Giftsim>
}

/** The characters that the name of a world may have. */
const LONGEST_NAME = 200

/** Create a world with the name of its test. If no simulator answers, throws a ConnectionFailed that says how to start one. */
export async function openWorld({ simulator, ...options }: TestWorldOptions, test: string): Promise<World> {
  const found = (await simulator) ?? new Giftsim()
  const name = test.slice(0, LONGEST_NAME) || 'test'
  return found.world({ name, ...options }).catch((error: unknown) => {
    if (!(error instanceof ConnectionFailed)) throw error
    const advice = 'start one with `giftsim serve`, or run the tests with `with-giftsim`'
    throw new ConnectionFailed(`no simulator answers at ${found.url}: ${advice}`, { cause: error.cause })
  })
}

/**
 * Say in the message of a failed test's error why it failed, below its first line, and append the world's latest calls
 * and a link to its trace, because every report shows that message. `startedMs` is when the test began, by `machineMs`.
 */
export async function explain(error: FailedError, world: World, test: string, startedMs: number): Promise<void> {
  const { trace, verdict } = await traceFailure(world, test, error, { startedMs, endedMs: machineMs() })
  const [first, ...rest] = error.message.split('\n')
  const isSaid = rest[0]?.startsWith(WHY) // by waitFor, with the summary
  const isNews = verdict && !isSaid && (verdict.kind !== UNKNOWN || isAssertion(error))
  const told = [first, ...(isNews ? whyLines(verdict) : []), ...rest].join('\n')
  const summary = isSaid ? '' : `\n${await world.summary()}\n`
  const message = `${told}\n${summary}${trace ? `trace: ${trace}\n` : ''}`
  const stack = error.stack?.replace(error.message, () => message)
  error.message = message
  if (stack) error.stack = stack
}

/** Whether an error is that of an assertion, of any library, and not of a mistake in the code. */
function isAssertion({ name, actual, expected }: FailedError): boolean {
  return actual !== undefined || expected !== undefined || /Assertion|WaitTimedOut/.test(name ?? '')
}
