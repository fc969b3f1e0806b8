/**
 * Runs the command in its arguments until its own standard input is closed, which happens at the latest when the process
 * that started it ends, for any reason. So no simulator is left behind.
 */
import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const GRACE_MS = 5000
const IS_WINDOWS = process.platform === 'win32'
/** What brings a command that has another name. */
const INSTALLS: Readonly<Record<string, string>> = { uvx: 'uv' }

const [command = '', ...args] = process.argv.slice(2)
// In a group of its own, which what it starts is in too, such as the Python below `uvx`.
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
process.stdin.resume().once('close', () => void end(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(1))

/** End the command and all that it started, the hard way if it takes too long, and then this process. */
async function end(status: number): Promise<void> {
  const start = Date.now()
  for (signalAll('SIGTERM'); signalAll(0) && Date.now() < start + 2 * GRACE_MS; await sleep(20))
    if (Date.now() > start + GRACE_MS) signalAll('SIGKILL')
  process.exit(status)
}

/** Signal the command and what it started; whether there was anything. */
function signalAll(signal: NodeJS.Signals | 0): boolean {
  try {
    if (IS_WINDOWS && signal !== 0) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    return process.kill(IS_WINDOWS ? Number(child.pid) : -Number(child.pid), signal)
  } catch {
    return false
  }
}
