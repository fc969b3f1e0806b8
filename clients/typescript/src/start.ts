import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { NotStarted } from './errors.js'
import { Giftsim } from './giftsim.js'

/** What to start, and how long to wait for it. */
export interface StartOptions {
  /** Where `uvx` finds the package: a wheel, a folder or `git+https://...`. Default: `GIFTSIM_FROM`. */
  readonly from?: string
  /** The command that runs giftsim instead of `uvx`, for example `['python3', '../giftsim/run_sim.py']`. */
  readonly command?: readonly string[]
  /** Keep what is met in all worlds, also in those that tests delete, for `simulator.coverage()`. */
  readonly coverage?: boolean
  /** Further options of `giftsim serve`. */
  readonly args?: readonly string[]
  /** Real milliseconds to wait. The first start with `uvx` downloads packages. */
  readonly timeoutMs?: number
}

const SUPERVISOR = fileURLToPath(new URL('./supervisor.js', import.meta.url))
const LINES_KEPT = 20

/** A simulator that `start` started. It runs until `stop` is called or this process ends, for any reason. */
export class StartedGiftsim extends Giftsim {
  constructor(
    url: string,
    private readonly supervisor: ChildProcess,
  ) {
    super(url)
  }

  /** Stop the simulator and wait until it has ended. A second call does nothing. */
  async stop(): Promise<void> {
    await ended(this.supervisor)
  }

  /** `await using simulator = await start()` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/**
 * Start a simulator on a free port of this machine and wait until it is ready. By default this runs the package that
 * `GIFTSIM_FROM` names, or else the `giftsim` in PATH. Throws NotStarted with what the simulator printed.
 */
export async function start(options: StartOptions = {}): Promise<StartedGiftsim> {
  const serve = [
    ...commandOf(options),
    'serve',
    '--port',
    '0',
    '--json',
    ...(options.coverage ? ['--coverage'] : []),
    ...(options.args ?? []),
  ]
  const supervisor = spawn(process.execPath, [SUPERVISOR, ...serve], {
    detached: true, // so that Ctrl-C reaches only this process, which then stops the simulator
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const printed = lastLines(supervisor.stderr)
  try {
    const origin = await bannerOf(supervisor, options.timeoutMs ?? 120_000)
    const simulator = new StartedGiftsim(origin, supervisor)
    await simulator.health()
    letGo(supervisor)
    return simulator
  } catch (error) {
    await ended(supervisor)
    const reason = error instanceof Error ? error.message : String(error)
    throw new NotStarted([`${serve.join(' ')}: ${reason}`, ...printed].join('\n'), { cause: error })
  }
}

/** The command that runs giftsim. */
export function commandOf({ command, from = process.env['GIFTSIM_FROM'] }: StartOptions): readonly string[] {
  if (command) return command
  return from ? ['uvx', '--from', from, 'giftsim'] : ['giftsim']
}

/** Return the origin from the line that the simulator prints when it listens. */
function bannerOf(supervisor: ChildProcess, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it is not ready after ${timeoutMs} ms`)), timeoutMs)
    const lines = createInterface({ input: supervisor.stdout as Readable })
    lines.once('line', (line) => {
      clearTimeout(timer)
      try {
        resolve((JSON.parse(line) as { origin: string }).origin)
      } catch {
        reject(new Error(`it printed ${JSON.stringify(line)} instead of its address`))
      }
    })
    supervisor.once('close', (status) => {
      clearTimeout(timer)
      reject(new Error(`it ended with status ${status}`))
    })
  })
}

/** Collect the last lines of a stream. The stream is read to its end, so that the simulator never blocks on it. */
function lastLines(stream: Readable): readonly string[] {
  const kept: string[] = []
  createInterface({ input: stream }).on('line', (line) => {
    kept.push(line)
    kept.splice(0, kept.length - LINES_KEPT)
  })
  return kept
}

/** Let this process end while the simulator runs. */
function letGo(supervisor: ChildProcess): void {
  supervisor.unref()
  for (const pipe of [supervisor.stdin, supervisor.stdout, supervisor.stderr])
    (pipe as unknown as { unref?(): void } | null)?.unref?.() // Bun's pipes have none and need none
}

async function ended(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return
  supervisor.ref()
  const exit = new Promise((resolve) => supervisor.once('exit', resolve))
  supervisor.stdin?.end()
  await exit
}
