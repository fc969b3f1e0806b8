/** A fresh world per test for Vitest. */
import { test as base } from 'vitest'
import { explain, openWorld, type TestWorldOptions } from './test-world.js'
import { machineMs } from './trace.js'
import type { FailedError } from './user-code.js'
import type { World } from './world.js'

export type { TestWorldOptions } from './test-world.js'

/** The part of Vitest's fixture context that is used here. */
interface FixtureContext {
  readonly task: {
    readonly name: string
    readonly result?: { readonly state: string; readonly errors?: FailedError[] } | undefined
  }
}

/**
 * Return a fixture with a fresh world, which is deleted after the test:
 * `test.extend({ world: worldFixture({ fixture: 'default' }) })`. If the test fails, its last error says why, and shows
 * the world's latest calls and a link to its trace.
 */
export function worldFixture(options: TestWorldOptions = {}) {
  return async ({ task }: FixtureContext, use: (world: World) => Promise<void>): Promise<void> => {
    const startedMs = machineMs()
    const world = await openWorld(options, task.name)
    try {
      await use(world)
      const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined
      if (error) await explain(error, world, task.name, startedMs)
    } finally {
      await world.end()
    }
  }
}

/** Vitest's `test` with a fresh world for each test: `test('name', async ({ world }) => { ... })`. */
export const test = base.extend<{ world: World }>({ world: worldFixture() })
