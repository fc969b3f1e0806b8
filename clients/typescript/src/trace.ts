import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { oneLine } from './summary.js'
import type { Verdict } from './types.js'
import { type FailedError, failureOf } from './user-code.js'
import type { World } from './world.js'

const FOLDER = join('.giftsim', 'traces')
const IGNORE = '# Written by giftsim: traces of failed tests.\n*\n'
/** How the line begins that says why. */
export const WHY = 'why: '
/** The kind of the verdict that no cause is known. */
export const UNKNOWN = 'unknown'
const MachineDate = Date // before a test replaces it by a clock of its own
const [beganMs, passedMs] = [performance.timeOrigin, performance.now.bind(performance)]
const DATA = /id="giftsim-trace"[^>]*>([^<]*)</

/** What a failed test leaves: a link to its trace, unless none was written, and why it failed. */
export interface Explained {
  readonly trace?: string
  readonly verdict?: Verdict
}

/** When a test began and ended, by the machine's clock. */
export interface Ran {
  readonly startedMs: number
  readonly endedMs: number
}

/** Return the time that goes on as the machine's, also while a test or a world holds or moves the clock of the process. */
export const machineMs = (): number => beganMs + passedMs()

/**
 * Trace the world of a failed test. The page is written into `.giftsim/traces`, unless GIFTSIM_TRACE is `off`. Nothing
 * is returned if the simulator does not answer.
 */
export async function traceFailure(
  world: World,
  test: string,
  error: FailedError,
  { startedMs, endedMs }: Ran,
): Promise<Explained> {
  try {
    const { failure, sources } = failureOf(error)
    const page = await world.trace({
      test: {
        id: test,
        outcome: 'failed',
        seconds: (endedMs - startedMs) / 1000,
        ran: { from: instantOf(startedMs), to: instantOf(endedMs) },
        failure,
        sources,
      },
      calls: world.notes(),
    })
    const verdict = verdictIn(page)
    const found = verdict ? { verdict } : {}
    return process.env['GIFTSIM_TRACE'] === 'off' ? found : { ...found, trace: await write(page, test, world.id) }
  } catch {
    return {} // the test has failed for another reason, which its own error says
  }
}

function instantOf(ms: number): string {
  return new MachineDate(ms).toISOString()
}

async function write(page: string, test: string, world: string): Promise<string> {
  const folder = join(process.cwd(), FOLDER)
  await mkdir(folder, { recursive: true })
  await writeFile(join(process.cwd(), '.giftsim', '.gitignore'), IGNORE)
  const path = join(folder, `${test.replace(/[^\w.-]+/g, '_').slice(0, 120) || 'test'}-${world}.html`)
  await writeFile(path, page)
  return pathToFileURL(path).href
}

/** Return the first verdict in the data of a trace; an older simulator has none. */
function verdictIn(page: string): Verdict | undefined {
  const data = gunzipSync(Buffer.from(DATA.exec(page)?.[1] ?? '', 'base64'))
  return (JSON.parse(data.toString()) as { verdicts?: Verdict[] }).verdicts?.[0]
}

/** Return the lines that say why: the sentence and the line that mends it. */
export function whyLines({ sentence, mend }: Verdict): string[] {
  return [`${WHY}${oneLine(sentence)}`, ...(mend.vitest?.split('\n').map((line) => `mend: ${line}`) ?? [])]
}

/** Move the traces of the run before into `earlier-1`, and those that are there into `earlier-2`. */
export function putTracesAside(): void {
  const [folder, latest, oldest] = [FOLDER, join(FOLDER, 'earlier-1'), join(FOLDER, 'earlier-2')]
  const traces = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.html')) : []
  if (traces.length === 0) return
  if (existsSync(latest)) {
    rmSync(oldest, { recursive: true, force: true })
    renameSync(latest, oldest)
  }
  mkdirSync(latest)
  for (const name of traces) renameSync(join(folder, name), join(latest, name))
}
