// A shop that reminds its staff each morning, looks at its order again an hour after each webhook, and polls in between.
// It lives through ten days, and prints what it did when.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cron } from 'croner'
import cron from 'node-cron'

const [orders, body, port] = process.argv.slice(2)
const log = []
const note = (text) => log.push(`${new Date().toISOString()} ${text}`)
const call = async (url, given) => (await fetch(url, given && { method: 'POST', headers: { 'content-type': 'application/json' }, body: given })).json()
const status = async () => (await call(`${orders}/${order.team_order.id}`)).team_order.status

const server = http.createServer((request, response) => {
  let text = ''
  request.on('data', (data) => (text += data))
  request.on('end', async () => {
    if (request.url !== '/hooks') return response.writeHead(404).end()
    const { type } = JSON.parse(text)
    note(`webhook ${type}`)
    response.end('ok')
    await sleep(3_600_000)
    note(`an hour after ${type}: ${await status()}`)
  })
})
await new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
const order = await call(orders, body)
cron.schedule('0 9 * * *', async () => note(`morning: ${await status()}`), { timezone: 'Europe/Berlin' })
new Cron('30 */12 * * *', () => note('half past'))
setInterval(async () => note(`at least every day: ${await status()}`), 86_400_000)
setInterval(() => {}, 60_000)
let retries = 0
const retry = async () => {
  note(`try ${retries}`)
  if (retries++ < 12) setTimeout(retry, 1_000 * 2 ** retries)
}
setTimeout(retry, 2_000)

const begun = performance.now()
const report = await call(`${process.env.GIFTSIM_CONTROL}/clock/advance`, JSON.stringify({ by: '10d' }))
console.log(JSON.stringify({ log, problems: report.app_clock.problems, took_ms: Math.round(performance.now() - begun) }))
process.exit(0)
