#!/usr/bin/env node
/**
 * with-giftsim [--from PACKAGE] COMMAND...: starts a simulator, runs a command such as a test run with the simulator's
 * address in GIFTSIM_URL, and exits with the command's status. If GIFTSIM_URL is already set, it starts no simulator.
 * A terminal sends Ctrl-C to the command itself. All other signals are passed on.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { GiftsimError } from '../errors.js'
import { start } from '../start.js'

const USAGE = 'usage: with-giftsim [--from PACKAGE] COMMAND...'
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function run(command: string, args: readonly string[], url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, GIFTSIM_URL: url },
      shell: process.platform === 'win32', // npm's commands are scripts there
    })
    for (const signal of SIGNALS)
      process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)))
    child.once('error', reject)
    child.once('exit', (status, signal) => resolve(signal ? 128 + constants.signals[signal] : (status ?? 1)))
  })
}

async function main(args: readonly string[]): Promise<number> {
  const [first, from, ...others] = args
  const [command, ...rest] = first === '--from' ? others : args
  if (!command || command.startsWith('-')) throw new GiftsimError(USAGE)
  const known = process.env['GIFTSIM_URL']
  if (known) return run(command, rest, known)
  const simulator = await start(first === '--from' && from ? { from } : {})
  try {
    return await run(command, rest, simulator.url)
  } finally {
    await simulator.stop()
  }
}

main(process.argv.slice(2)).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(`with-giftsim: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  },
)
