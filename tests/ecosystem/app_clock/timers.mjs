// Timers of each kind, what happens to them in a worker and while the process waits for a program; all with their instants.
import { execSync } from 'node:child_process'
import { setInterval as every, setTimeout as sleep, scheduler } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Worker, isMainThread } from 'node:worker_threads'

const started = Date.now()
const note = (...text) => console.log(isMainThread ? 'main' : 'worker', Date.now() - started, ...text)

function main() {
  new Worker(new URL(import.meta.url))
  const cleared = setTimeout(() => note('cleared'), 1_500)
  setTimeout((one, two) => note('arguments', one, two), 2_000, 1, 2)
  clearTimeout(cleared)
  clearInterval(+setInterval(() => note('cleared by its number'), 1_600))
  setTimeout(() => note('set later, due earlier'), 1_900)
  const late = setTimeout(() => note('refreshed'), 2_500)
  setTimeout(() => late.refresh(), 2_400)
  const free = setTimeout(() => note('unreferenced'), 3_000).unref()
  note(free.hasRef(), late.hasRef())
  sleep(3_100, 'value').then((value) => note('promise', value))
  promisify(setTimeout)(3_200, 'value').then((value) => note('promisified', value))
  scheduler.wait(3_300).then(() => note('waited'))
  const controller = new AbortController()
  sleep(3_500, null, { signal: controller.signal }).catch((error) => note(error.name, error.code))
  setTimeout(() => controller.abort(), 3_400)
  let turns = 0
  const repeated = setInterval(() => {
    note('interval')
    if (++turns === 3) clearInterval(repeated)
  }, 4_000)
  iterate()
  process.once('uncaughtException', (error) => note('uncaught', error.message))
  setTimeout(() => {
    throw new Error('of a timer')
  }, 17_000)
  setTimeout(() => {
    execSync('exit 0')
    note('after a program')
  }, 18_000)
  setTimeout(() => setTimeout(() => note('at once'), 0), 19_000)
}

async function iterate() {
  for await (const value of every(7_000, 'value')) {
    note('each', value)
    if (Date.now() - started > 13_000) break
  }
}

if (isMainThread) main()
else setTimeout(() => note('timer'), 2_100)
setInterval(() => {}, 3_600_000)
note('ready')
