/**
 * Runs the command in its arguments until its own standard input is closed, which happens at the latest when the process
 * that started it ends, for any reason. So no simulator is left behind.
 */
import { spawn, spawnSync } from 'node:child_process'

const GRACE_MS = 5000
const [command = '', ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true })

child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(127)
})
child.once('exit', (status, signal) => process.exit(signal ? 1 : (status ?? 1)))

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.stdin.resume().once('close', () => {
  signalAll('SIGTERM')
  setTimeout(() => signalAll('SIGKILL'), GRACE_MS).unref()
})

/** Signal the command and what it started, such as the Python below `uvx`: they share this process's group. */
function signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'])
  else process.kill(-process.pid, signal)
}
