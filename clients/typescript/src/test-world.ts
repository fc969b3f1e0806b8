import { ConnectionFailed } from './errors.js'
import { Giftsim } from './giftsim.js'
import { keepTrace } from './trace.js'
import type { WorldOptions } from './types.js'
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
 * Append the world's latest calls, and the path of its trace, to the message of a failed test's error, because every
 * report shows that message. `startedMs` is when the test began.
 */
export async function explain(
  error: { message: string; stack?: string },
  world: World,
  test: string,
  startedMs: number,
): Promise<void> {
  const trace = await keepTrace(world, { test, error, seconds: (performance.now() - startedMs) / 1000 })
  const message = `${error.message}\n\n${await world.summary()}\n${trace ? `trace: ${trace}\n` : ''}`
  const stack = error.stack?.replace(error.message, () => message)
  error.message = message
  if (stack) error.stack = stack
}
