/**
 * Runs the command in its arguments until its own standard input is closed. That happens at the latest when the process
 * that started it ends, for any reason, so that no simulator keeps running.
 */
import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const GRACE_MS = 5000
const IS_WINDOWS = process.platform === 'win32'
/** The program to install for a command, where their names differ. */
const INSTALLS: Readonly<Record<string, string>> = { uvx: 'uv' }

const [command = '', ...args] = process.argv.slice(2)
// In its own process group, together with everything that it starts, such as the Python process of `uvx`.
const child = spawn(command, args, {
  detached: !IS_WINDOWS,
  stdio: ['ignore', 'inherit', 'inherit'],
  windowsHide: true,
})

child.once('error', (error: NodeJS.ErrnoException) => {
  const advice = `there is no command ${command} in PATH: install ${INSTALLS[command] ?? 'it'}, or choose another command`
  process.stderr.write(`${error.code === 'ENOENT' ? advice : error.message}\n`)
  process.exit(127)
})
child.once('exit', (status) => void end(status ?? 1))
process.stdin.resume()
for (const event of ['end', 'close']) process.stdin.once(event, () => void end(0)) // Deno emits only the first
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(1))

/** End the command and everything that it started, then this process. Kills them if they take too long. */
async function end(status: number): Promise<void> {
  const start = Date.now()
  for (signalAll('SIGTERM'); signalAll(0) && Date.now() < start + 2 * GRACE_MS; await sleep(20))
    if (Date.now() > start + GRACE_MS) signalAll('SIGKILL')
  process.exit(status)
}

/** Signal the command and everything that it started. Returns whether any of them was still running. */
function signalAll(signal: NodeJS.Signals | 0): boolean {
  try {
    if (IS_WINDOWS && signal !== 0) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    return process.kill(IS_WINDOWS ? Number(child.pid) : -Number(child.pid), signal)
  } catch {
    return false
  }
}
