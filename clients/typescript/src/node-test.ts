/** A fresh world per test for `node:test`, and for any other runner whose tests are functions. */
import { explain, openWorld, type TestWorldOptions } from './test-world.js'
import { machineMs } from './trace.js'
import type { World } from './world.js'

export type { TestWorldOptions } from './test-world.js'

/**
 * Wrap a test function so that it gets a fresh world, which is deleted afterwards:
 * `test('name', withWorld(async (world, t) => { ... }))`. If the test fails, its error says why, and shows the
 * world's latest calls and a link to its trace. The runner's arguments follow the world.
 */
export function withWorld<Arguments extends unknown[]>(
  run: (world: World, ...args: Arguments) => unknown,
  options: TestWorldOptions = {},
): (...args: Arguments) => Promise<void> {
  return async (...args) => {
    const startedMs = machineMs()
    const world = await openWorld(options, nameOf(args[0]))
    try {
      await run(world, ...args)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error), { cause: error })
      await explain(failure, world, nameOf(args[0]), startedMs)
      throw failure
    } finally {
      await world.end()
    }
  }
}

/** The name of a test, of the context that `node:test` passes. */
function nameOf(context: unknown): string {
  const { name } = Object(context) as { name?: unknown }
  return typeof name === 'string' ? name : 'test'
}
