// A right webhook receiver in Express: `node express_receiver.mjs PORT SECRET`. `GET /counted` shows what it counted.
import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'

const [port, secret] = process.argv.slice(2)
const counted = {}

// Returns whether a request is genuine and recent. `body` is the raw body, as a Buffer.
function isGenuine(body, header, now = Date.now() / 1000, tolerance = 300) {
  const fields = (header ?? '').split(',').map((field) => {
    const end = field.indexOf('=')
    return [field.slice(0, end), field.slice(end + 1)]
  })
  const times = fields.filter(([name]) => name === 't').map(([, value]) => value)
  if (times.length !== 1 || !/^(0|[1-9][0-9]{0,14})$/.test(times[0])) return false
  const expected = createHmac('sha256', secret).update(`${times[0]}.`).update(body).digest('hex')
  const matches = ([name, value]) => name === 'v1' && Buffer.byteLength(value) === expected.length &&
    timingSafeEqual(Buffer.from(value), Buffer.from(expected))
  return fields.some(matches) && Math.abs(now - Number(times[0])) <= tolerance
}

const app = express()
app.post('/gifts', express.raw({ type: () => true }), (request, response) => {
  if (!isGenuine(request.body ?? Buffer.alloc(0), request.get('x-service-signature'))) return response.sendStatus(400)
  const event = JSON.parse(request.body)
  counted[event.id] ??= event.type
  return response.sendStatus(204)
})
app.get('/counted', (_, response) => response.json(counted))
app.listen(Number(port), '127.0.0.1')
