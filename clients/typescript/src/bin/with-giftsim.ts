#!/usr/bin/env node
/**
 * with-giftsim [OPTIONS] COMMAND...: starts a simulator, runs a command such as a test run with the simulator's address
 * in GIFTSIM_URL, and exits with the command's status. If GIFTSIM_URL is already set, it starts no simulator. Traces of
 * earlier runs are put aside. HELP says what the options do.
 * A terminal sends Ctrl-C to the command itself. All other signals are passed on.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { GiftsimError } from '../errors.js'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandOf, start } from '../start.js'
import { putTracesAside } from '../trace.js'

const USAGE =
  'usage: with-giftsim [--from PACKAGE] [--app-clock] [--coverage] [--coverage-fail-under N|AREA=N] COMMAND...'
const HELP = `${USAGE}

Starts a simulator, runs a command such as a test run with its address in GIFTSIM_URL, and exits with the command's
status. If GIFTSIM_URL is set already, it starts none.

  --from PACKAGE    the wheel, folder or git+https://... of giftsim, run by uvx (GIFTSIM_FROM); default: giftsim in PATH
  --app-clock       let the clocks of the command's processes follow the world that was made last
  --coverage        report what the tests met, into .giftsim/coverage.json and .html (GIFTSIM_COVERAGE=1)
  --coverage-fail-under N|AREA=N
                    the same, and fail if an area is below N percent; may be given several times
  --version         print the version
  --help            print this
`
const FLAGS = ['--app-clock', '--coverage', '--help', '-h', '--version']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function run(command: string, args: readonly string[], variables: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, ...variables },
      shell: process.platform === 'win32', // npm's commands are scripts there
    })
    for (const signal of SIGNALS)
      process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
    child.once('error', reject)
    child.once('exit', (status, signal) => resolve(signal ? 128 + constants.signals[signal] : (status ?? 1)))
  })
}

interface Options {
  readonly from?: string
  readonly 'app-clock'?: boolean
  readonly coverage?: boolean
  readonly 'coverage-fail-under'?: string[]
  readonly help?: boolean
  readonly version?: boolean
}

/** Split the arguments into the options of this program and the command, which begins with the first other word. */
function split(args: readonly string[]): { options: Options; command: string | undefined; rest: string[] } {
  let end = 0
  while (args[end]?.startsWith('-')) end += FLAGS.includes(args[end] ?? '') || args[end]?.includes('=') ? 1 : 2
  const [command, ...rest] = args.slice(end)
  return { options: read(args.slice(0, end)), command, rest }
}

function read(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        'app-clock': { type: 'boolean' },
        coverage: { type: 'boolean' },
        'coverage-fail-under': { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
    return values as Options
  } catch (error) {
    const [said = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
    throw new GiftsimError(`${said}\n${USAGE}`)
  }
}

async function main(args: readonly string[]): Promise<number> {
  const { options, command, rest } = split(args)
  if (options.help || options.version) {
    process.stdout.write(options.help ? HELP : `with-giftsim, version ${version()}\n`)
    return 0
  }
  if (!command) throw new GiftsimError(USAGE)
  const { from, 'coverage-fail-under': gates = [] } = options
  const coverage = options.coverage ?? (gates.length > 0 || process.env['GIFTSIM_COVERAGE'] === '1')
  if (options['app-clock']) return runMoved(args, coverage ? undefined : [command, ...rest], from)
  putTracesAside()
  const runAndReport = async (url: string) => {
    const status = await run(command, rest, { GIFTSIM_URL: url })
    const judged = coverage ? await report(url, from, gates) : 0
    return status || judged
  }
  const known = process.env['GIFTSIM_URL']
  if (known) return runAndReport(known)
  const simulator = await start({ ...(from ? { from } : {}), coverage })
  try {
    return await runAndReport(simulator.url)
  } finally {
    await simulator.stop()
  }
}

function version(): string {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url))
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

/**
 * Run a command by `giftsim run --app-clock`, which moves the time of its processes; its exit status. Without a command,
 * run this program again in there, with its other arguments, so that it reports while that simulator runs.
 */
function runMoved(args: readonly string[], command: string[] | undefined, from: string | undefined): Promise<number> {
  if (process.env['GIFTSIM_URL'])
    throw new GiftsimError(
      '--app-clock needs the simulator that with-giftsim starts: unset GIFTSIM_URL, or leave it out',
    )
  if (command) putTracesAside()
  const again = [
    process.execPath,
    fileURLToPath(import.meta.url),
    ...args.filter((_, n) => n !== args.indexOf('--app-clock')),
  ]
  const [program = '', ...first] = commandOf(from ? { from } : {})
  const options = ['--app-clock', '--quiet', ...(command ? [] : ['--coverage'])]
  return run(program, [...first, 'run', ...options, '--', ...(command ?? again)], {})
}

/** Report what was met in all worlds, into `.giftsim`; the exit status, 1 if an area is below its gate. */
function report(url: string, from: string | undefined, gates: readonly string[]): Promise<number> {
  const [program = '', ...first] = commandOf(from ? { from } : {})
  const options = ['--url', url, '--out', '.giftsim', ...gates.flatMap((gate) => ['--fail-under', gate])]
  return run(program, [...first, 'coverage', ...options], { GIFTSIM_URL: url })
}

main(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`with-giftsim: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  },
)
