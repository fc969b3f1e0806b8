// A gift shop in Express that uses the partner API, with three bugs to switch on: an app for `explore`.
//
//     npm ci
//     node shop.mjs PORT [--bug NAME]...
//     giftsim explore --app http://127.0.0.1:PORT --seeds 200
//
// It is correct unless a bug is switched on. It places its customers' orders, pays those later that could not be paid,
// gives the money back for gifts that nobody claims, and 100 points for each parcel that ships. The endpoints under
// /giftsim/ are for tests: a real shop would have them in its test setup only.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseArgs } from 'node:util'
import express from 'express'

const BUGS = {
  'page-missed': 'the list of unpaid orders gets shorter while the shop pays them page by page',
  'expiry-early': 'the days until a claim link expires are rounded down, and the money goes back on its last day',
  'answered-early': 'a webhook is answered before it is stored',
}
const PATIENCE = 60 // calls until the shop gives up for now
const POINTS = 100
const PAGE = 1 // orders on a page of the unpaid ones: few, so that two orders are two pages
const DAY_MS = 24 * 60 * 60 * 1000
const STAGES = ['submitted', 'in_production', 'labeled', 'shipped', 'delivered']
const EVENTS = ['team_order.claimed', 'team_order.shipped', 'team_order.delivered', 'team_order.needs_attention']

class Unavailable extends Error {}

// The partner API.
class Service {
  constructor(origin, key) {
    this.base = `${origin}/api/external`
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' }
  }

  // Makes one call; its status, JSON and seconds to wait. Throws Unavailable without an answer.
  async once(method, path, body) {
    try {
      const response = await fetch(this.base + path, { method, headers: this.headers, body: body && JSON.stringify(body) })
      return { status: response.status, json: await response.json(), wait: Number(response.headers.get('retry-after')) }
    } catch (error) {
      throw new Unavailable(error.message)
    }
  }

  // Reads something once. Throws Unavailable if that fails for now.
  async read(path) {
    const { status, json } = await this.once('GET', path)
    if (status === 200) return json
    throw new Unavailable(`${path} answered ${status}`)
  }

  // Makes a call until it is answered, which is safe for a read and for an order with its key.
  async call(method, path, body) {
    for (let attempt = 0; attempt < PATIENCE; attempt++) {
      const answer = await this.once(method, path, body).catch(() => undefined)
      if (answer === undefined) continue
      if (![409, 429, 503].includes(answer.status)) return answer
      await new Promise((done) => setTimeout(done, answer.wait * 1000))
    }
    throw new Unavailable(path)
  }

  // One page of orders, without their recipients.
  async page(query) {
    return (await this.call('GET', `/team-orders?${new URLSearchParams(query)}`)).json.team_orders
  }

  // All orders with this status, read to the end before anything is done with them.
  async all(status, limit) {
    const found = []
    for (;;) {
      const page = await this.page({ status, limit, offset: found.length })
      if (page.length === 0) return found
      found.push(...page)
    }
  }

  // One order with its recipients.
  async order(id) {
    return (await this.call('GET', `/team-orders/${id}`)).json
  }
}

class Shop {
  constructor(bugs) {
    this.bugs = new Set(bugs)
    this.pending = Promise.resolve()
  }

  // Deletes all records and uses this service.
  start({ simulator, key, secret, now }) {
    this.service = new Service(simulator, key)
    this.secret = secret
    this.now = new Date(now)
    this.orders = new Map() // by reference: { body, state, id, charged, due, returned: emails, stages and points by email }
    this.seen = new Set()
  }

  // What customers ask for. A known reference means the same order again.
  async order({ reference, recipient, recipients }) {
    const known = this.orders.get(reference)
    const order = known ?? { state: 'unknown', due: false, returned: new Set(), stages: {}, points: {} }
    order.body ??= {
      idempotency_key: `express-${reference}`,
      reference,
      gift_sender: 'The Express shop',
      items: [{ sku_code: 'MUG-01', quantity: 1 }],
      recipients: recipients ?? [recipient],
    }
    this.orders.set(reference, order)
    if (['unknown', 'unpaid'].includes(order.state)) await this.place(order)
  }

  // Sends an order until the service has answered it.
  async place(order) {
    const { status, json } = await this.service.call('POST', '/team-orders', order.body)
    order.due = false
    order.state = status === 201 ? 'placed' : status === 402 ? 'unpaid' : 'refused'
    if (status !== 201) return
    order.id = json.team_order.id
    order.charged = json.totals.charged_cents
  }

  // Our card is good again: pays every order that could not be paid before.
  async pay_order() {
    const unpaid = [...this.orders.values()].filter((order) => order.state === 'unpaid')
    for (const order of unpaid) order.due = true
    const pay = async (rows) => {
      for (const row of rows) {
        const order = this.orders.get(row.reference)
        if (order?.due) await this.place(order)
      }
    }
    if (!this.bugs.has('page-missed')) return pay(await this.service.all('unpaid', PAGE))
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.service.page({ status: 'unpaid', limit: PAGE, offset })
      if (page.length === 0) return
      await pay(page)
    }
  }

  // It is this instant: gives the money back for the gifts whose links have expired.
  async clock({ now }) {
    this.now = new Date(now)
    for (const order of this.orders.values()) {
      if (order.state !== 'placed') continue
      for (const row of (await this.service.order(order.id)).recipients) {
        if (row.claim.status !== 'submitted' && this.hasExpired(row.claim.expires_at)) order.returned.add(row.email)
      }
    }
  }

  hasExpired(text) {
    if (text === null) return false
    const left = new Date(text) - this.now
    return this.bugs.has('expiry-early') ? Math.floor(left / DAY_MS) <= 0 : left <= 0
  }

  // Processes a webhook once, one after the other, so that each sees what the one before it has done.
  receive(event) {
    const done = this.pending.then(() => this.store(event))
    this.pending = done.catch(() => undefined)
    return done
  }

  async store(event) {
    if (!EVENTS.includes(event.type) || this.seen.has(event.id)) return
    const order = this.orders.get(event.data.team_order.reference)
    const { recipients } = await this.service.read(`/team-orders/${event.data.team_order.id}`)
    for (const row of recipients) order.stages[row.email] = row.shipment.status
    const { email } = event.data.recipient
    if (event.type === 'team_order.shipped') order.points[email] = (order.points[email] ?? 0) + POINTS
    this.seen.add(event.id)
  }

  // Whether a webhook was signed with our secret. `body` is the raw body, as a Buffer.
  isGenuine(header, body) {
    const fields = Object.fromEntries((header ?? '').split(',').map((field) => field.split('=')))
    const expected = createHmac('sha256', this.secret).update(`${fields.t}.`).update(body).digest('hex')
    const given = Buffer.from(fields.v1 ?? '')
    return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected))
  }

  // What is wrong in our records; `ended` is whether nothing more is to come.
  async errors(ended) {
    await this.pending
    const wrong = []
    for (const [reference, order] of this.orders) {
      if (order.due) wrong.push(`${reference} could be paid, and was not`)
      if (order.state !== 'placed') continue
      const { recipients, team_order } = await this.service.order(order.id)
      if (team_order.totals.total_cents !== order.charged) wrong.push(`${reference} was charged ${order.charged}`)
      for (const row of recipients) {
        const { status } = row.shipment
        if (order.returned.has(row.email) && STAGES.includes(status)) {
          wrong.push(`a gift of ${reference} is ${status}, and we gave the money back`)
        }
        if (ended) wrong.push(...this.parcelErrors(reference, order, row.email, status))
      }
    }
    return wrong
  }

  * parcelErrors(reference, order, email, status) {
    const shipped = ['shipped', 'delivered'].includes(status)
    if (shipped && order.stages[email] !== status) {
      yield `a parcel of ${reference} is ${status}, and our records say ${order.stages[email]}`
    }
    if ((order.points[email] ?? 0) !== (shipped ? POINTS : 0)) {
      yield `${reference} earned ${order.points[email] ?? 0} points`
    }
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bug: { type: 'string', multiple: true, default: [] } },
})
for (const bug of values.bug) {
  if (!(bug in BUGS)) throw new Error(`--bug is one of ${Object.keys(BUGS).join(', ')}, not ${bug}`)
}
const shop = new Shop(values.bug)
const ACTIONS = ['order', 'pay_order', 'clock']
const app = express()

app.post('/giftsim/start', express.json(), (request, response) => {
  shop.start(request.body)
  response.json({ actions: ACTIONS, cheap_check: true })
})

app.post('/giftsim/do', express.json(), async (request, response) => {
  const { action, ...members } = request.body
  if (!ACTIONS.includes(action)) return response.status(400).json({ error: `we cannot ${action}` })
  await shop[action](members)
  return response.json({ ok: true })
})

app.post('/giftsim/webhooks', express.raw({ type: () => true }), async (request, response) => {
  if (!shop.isGenuine(request.get('x-service-signature'), request.body)) {
    return response.status(400).json({ error: 'not signed by the service' })
  }
  const stored = shop.receive(JSON.parse(request.body))
  if (shop.bugs.has('answered-early')) {
    stored.catch((error) => console.error(error.message))
    return response.json({ ok: true })
  }
  try {
    await stored
    return response.json({ ok: true })
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return response.status(503).json({ error: 'try again later' })
  }
})

app.get('/giftsim/check', async (request, response) => {
  const wrong = await shop.errors(request.query.step === undefined)
  response.json(wrong.length > 0 ? { wrong } : { ok: true })
})

app.listen(Number(positionals[0]), '127.0.0.1')
