import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { World } from './world.js'

const FOLDER = join('.giftsim', 'traces')
const IGNORE = '# Written by giftsim: traces of failed tests.\n*\n'

/** What a test knows of its failure. */
export interface Failure {
  readonly test: string
  readonly error: { readonly message: string; readonly stack?: string }
  readonly seconds: number
}

/**
 * Write the trace of a failed test's world into `.giftsim/traces` and return the path, or undefined if there is none:
 * with GIFTSIM_TRACE=off, or if the simulator does not answer.
 */
export async function keepTrace(world: World, { test, error, seconds }: Failure): Promise<string | undefined> {
  if (process.env['GIFTSIM_TRACE'] === 'off') return undefined
  const failure = { message: error.message.split('\n', 1)[0] ?? '', text: error.stack ?? error.message }
  try {
    const page = await world.trace({ test: { id: test, outcome: 'failed', seconds, failure } })
    const folder = join(process.cwd(), FOLDER)
    await mkdir(folder, { recursive: true })
    await writeFile(join(process.cwd(), '.giftsim', '.gitignore'), IGNORE)
    const path = join(folder, `${test.replace(/[^\w.-]+/g, '_').slice(0, 120) || 'test'}-${world.id}.html`)
    await writeFile(path, page)
    return relative(process.cwd(), path)
  } catch {
    return undefined // the test has failed for another reason, which its own error says
  }
}
