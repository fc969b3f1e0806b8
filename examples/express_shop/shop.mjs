// A gift shop in Express that uses the partner API, with three bugs to switch on.
//
//     npm ci
//     node shop.mjs PORT [--bug NAME]...
//     giftsim exam --app http://127.0.0.1:PORT
//     giftsim explore --app http://127.0.0.1:PORT --seeds 200
//
// It is correct unless a bug is switched on. It places its customers' orders, pays those later that could not be paid,
// gives the money back for gifts that nobody claims, and 100 points for each parcel that ships. The endpoints under
// /giftsim/ are for tests: a real shop would have them in its test setup only.

import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import express from 'express'
import { PartnerApi, Unavailable, codeOf } from './partner_api.mjs'
import { EVENTS, isGenuine, isLater, stageOf } from './webhooks.mjs'

const BUGS = {
  'page-missed': 'the list of unpaid orders gets shorter while the shop pays them page by page',
  'expiry-early': 'the days until a claim link expires are rounded down, and the money goes back on its last day',
  'answered-early': 'a webhook is answered before it is stored',
}
const POINTS = 100
const PAGE = 1 // orders on a page of the unpaid ones: few, so that two orders are two pages
const DAY_MS = 24 * 60 * 60 * 1000
const ON_THE_WAY = ['submitted', 'in_production', 'labeled', 'shipped', 'delivered']

class Shop {
  constructor(bugs) {
    this.bugs = new Set(bugs)
    this.start({})
  }

  // Deletes all records and uses this service.
  start({ simulator, key, secret = '', now }) {
    this.service = new PartnerApi(simulator, key)
    this.secrets = [secret]
    this.now = new Date(now)
    this.orders = new Map() // by reference
    this.seen = new Set() // the ids of the events that were stored
    this.pending = undefined // what is stored after its webhook was answered
    this.isBroken = false
    this.settlement = undefined // the key of a settlement of which we do not know what became of it
  }

  // What customers ask for. A known reference means the same order again, corrected if it was refused.
  async order({ reference, items, gift_sender, recipients, recipient }) {
    let order = this.orders.get(reference)
    if (order === undefined || order.state === 'refused') {
      order = newOrder({
        idempotency_key: `express-${reference}`,
        reference,
        gift_sender: gift_sender ?? 'The Express shop',
        items: items ?? [{ sku_code: 'MUG-01', quantity: 1 }],
        recipients: recipients ?? [recipient],
      })
      this.orders.set(reference, order)
    }
    if (['unknown', 'unpaid'].includes(order.state)) await this.place(order)
    return { state: order.state }
  }

  // Sends an order until the service has answered it. Its state stays unknown if that takes too long.
  async place(order) {
    const wasTried = order.tried
    order.tried = true
    const answer = await this.service.call('POST', '/team-orders', order.body).catch(() => undefined)
    if (answer === undefined) {
      if (order.state !== 'placed') order.state = 'unknown' // a webhook may have told us
      return
    }
    order.due = false
    const { status, json } = answer
    if (status < 300) {
      this.belongs(order, json.team_order.id)
      order.charged = json.totals.charged_cents
      this.keepRows(order, json.recipients)
      const made = json.team_order.status
      if (order.state !== 'canceled') order.state = ['canceled', 'unpaid'].includes(made) ? made : 'placed'
    } else if (status === 402) {
      this.belongs(order, json.team_order_id)
      order.state = 'unpaid'
    } else if (codeOf(json) === 'idempotency_payload_mismatch') {
      await this.find(order).catch(() => undefined) // we have ordered this before, and forgot it
    } else if (!(wasTried && [401, 403].includes(status))) { // which say nothing of the attempt before
      order.state = 'refused'
    }
  }

  // The customer can pay now. What was to be paid before and was declined is tried again.
  async pay({ reference }) {
    const order = this.orders.get(reference)
    if (order === undefined) return { state: 'unknown' }
    order.wanted = true
    if (order.state === 'unknown') await this.place(order)
    const due = [...this.orders.values()].filter(({ wanted, state }) => wanted && state === 'unpaid')
    for (const each of due) each.due = true
    if (this.bugs.has('page-missed')) await this.payPages()
    else for (const each of due) await this.place(each)
    return { state: order.state }
  }

  async payPages() {
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.service.page({ status: 'unpaid', limit: PAGE, offset })
      if (page.length === 0) return
      for (const { reference } of page) {
        const order = this.orders.get(reference)
        if (order?.due) await this.place(order)
      }
    }
  }

  // Cancels the parcels of the recipients with these emails, or all of the order.
  async cancel({ reference, recipients }) {
    const order = this.orders.get(reference)
    if (order === undefined || ['refused', 'canceled'].includes(order.state)) return { state: order?.state ?? 'unknown' }
    try {
      const rows = (await this.refresh(order))?.recipients ?? []
      const chosen = rows.filter((row) => recipients === undefined || recipients.includes(row.email))
      if (chosen.length === 0) return { state: order.state }
      const body = { recipient_ids: chosen.map((row) => row.recipient_id), reason: 'the customer asked for it' }
      const { json } = await this.service.call('POST', `/team-orders/${order.id}/cancel`, body)
      for (const row of json.canceled ?? []) order.refunds.set(row.recipient_id, row.refund.total_cents)
      await this.refresh(order) // has the refunds too if the first answer was lost
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error // the next check finds out
    }
    return { state: order.state }
  }

  // Pays what is owed on net terms.
  async settle() {
    this.settlement ??= randomUUID()
    const body = { idempotency_key: this.settlement }
    const answer = await this.service.call('POST', '/billing/settle', body).catch(() => undefined)
    if (answer !== undefined) this.settlement = undefined
    return { settled_cents: answer?.json.settled_cents ?? 0 }
  }

  // The references of all orders with a status.
  async read({ status, page_size }) {
    const rows = await this.service.all({ status }, Math.max(1, Math.min(100, page_size)))
    return { orders: rows.map((row) => row.reference).filter((reference) => reference) }
  }

  useSecrets({ secrets }) {
    this.secrets = secrets
    return {}
  }

  // From now on the shop fails to process webhooks, as if its database were down.
  breakDown() {
    this.isBroken = true
    return {}
  }

  mend() {
    this.isBroken = false
    return {}
  }

  // It is this instant: gives the money back for the gifts whose links have expired.
  async clock({ now }) {
    this.now = new Date(now)
    for (const order of this.orders.values()) {
      const isDue = ([email, { stage, expires }]) =>
        !order.returned.has(email) && ['ordered', 'expired'].includes(stage) && this.hasExpired(expires)
      if (order.state !== 'placed' || ![...order.parcels].some(isDue)) continue
      const found = await this.refresh(order).catch(() => undefined) // if that fails, they wait until the next time
      const open = found?.recipients.filter(({ claim }) => claim.status !== 'submitted').map(({ email }) => email)
      for (const [email, { expires }] of [...order.parcels].filter(isDue)) {
        if (open?.includes(email)) order.returned.set(email, { at: this.now, expires })
      }
    }
    return {}
  }

  hasExpired(expires) {
    const left = (expires ?? Infinity) - this.now
    return this.bugs.has('expiry-early') ? Math.floor(left / DAY_MS) <= 0 : left <= 0
  }

  // Stores a webhook once, without asking the service, which waits for the answer. Types that we do not know, and events
  // of orders that are not ours, change nothing.
  store(event) {
    if (this.isBroken) throw new Unavailable('our database is down')
    if (!EVENTS.includes(event.type)) return
    const { team_order, recipient, occurred_at } = event.data
    const order = this.orders.get(team_order.reference)
    const isOurs = order && order.state !== 'refused' && [undefined, team_order.id].includes(order.id) && recipient.email
    if (!isOurs || this.seen.has(event.id)) return
    if (['unknown', 'unpaid'].includes(order.state)) { // nothing happens before it is paid
      order.id = team_order.id
      order.state = 'placed'
    }
    const parcel = parcelOf(order, recipient.email)
    const told = { stage: stageOf(event), since: occurred_at }
    if (told.stage && parcel.stage !== 'canceled' && isLater(told, parcel)) Object.assign(parcel, told)
    parcel.booked[event.type] = (parcel.booked[event.type] ?? 0) + 1
    if (event.type === 'team_order.shipped') parcel.points += POINTS
    this.seen.add(event.id)
  }

  // What the bug does: the webhook was answered, and is lost if the service does not answer now.
  async storeLater(event) {
    const { status } = await this.service.once('GET', `/team-orders/${event.data?.team_order?.id}`)
    if (status === 200) this.store(event)
  }

  // The order has this id. What another one told us, by the same reference, is not about it.
  belongs(order, id) {
    if (order.id !== undefined && order.id !== id) order.parcels = newOrder(order.body).parcels
    order.id = id
  }

  // Looks for an order of which we do not know the id. Throws Unavailable.
  async find(order) {
    const found = (await this.service.all()).find((row) => row.reference === order.body.reference)
    if (found !== undefined) this.belongs(order, found.id)
  }

  // Takes over what the service knows of an order; its answer. Throws Unavailable.
  async refresh(order) {
    if (order.id === undefined) await this.find(order)
    if (order.id === undefined) return undefined
    const found = await this.service.order(order.id)
    const { status, totals } = found.team_order
    if (status !== 'unpaid') {
      order.state = status === 'canceled' ? 'canceled' : 'placed'
      order.charged ??= totals.total_cents
    }
    this.keepRows(order, found.recipients)
    return found
  }

  keepRows(order, rows) {
    for (const { recipient_id, email, claim, money, shipment } of rows) {
      const parcel = parcelOf(order, email)
      if (claim.expires_at) parcel.expires = new Date(claim.expires_at)
      if (shipment.status === 'canceled') parcel.stage = 'canceled'
      if (money?.refunded_cents !== undefined) order.refunds.set(recipient_id, money.refunded_cents)
    }
  }

  // What we know of each order, and what is wrong in our records; `ended` is whether nothing more is to come.
  async check(ended) {
    await this.pending
    const [orders, wrong] = [{}, []]
    let answers = true // until the service does not
    for (const [reference, order] of this.orders) {
      if (order.due) wrong.push(`${reference} could be paid, and was not`)
      const found = answers && order.state !== 'refused' && await this.refresh(order).catch(() => (answers = false))
      if (found && order.state === 'placed') wrong.push(...this.errors(reference, order, found, ended))
      orders[reference] = described(order)
    }
    return { ...(wrong.length > 0 ? { wrong } : { ok: true }), orders }
  }

  * errors(reference, order, { team_order, recipients }, ended) {
    if (team_order.totals.total_cents !== order.charged) yield `${reference} was charged ${order.charged}`
    for (const { email, shipment: { status } } of recipients) {
      const returned = order.returned.get(email)
      if (returned && returned.at < returned.expires && ON_THE_WAY.includes(status)) {
        yield `a gift of ${reference} is ${status}, and we gave the money back`
      }
      if (ended) yield* this.parcelErrors(reference, status, parcelOf(order, email))
    }
  }

  * parcelErrors(reference, status, { stage, points }) {
    const hasShipped = ['shipped', 'delivered'].includes(status)
    if (hasShipped && stage !== status) yield `a parcel of ${reference} is ${status}, and our records say ${stage}`
    if (points !== (hasShipped ? POINTS : 0)) yield `${reference} earned ${points} points`
  }
}

// An order of which nothing is known yet.
function newOrder(body) {
  const order = { body, state: 'unknown', refunds: new Map(), returned: new Map(), parcels: new Map() }
  for (const { email } of body.recipients) parcelOf(order, email)
  return order
}

function parcelOf(order, email) {
  if (!order.parcels.has(email)) order.parcels.set(email, { stage: 'ordered', since: '', booked: {}, points: 0 })
  return order.parcels.get(email)
}

function described({ state, charged, refunds, parcels }) {
  const rows = [...parcels].map(([email, { stage, since, booked }]) => [email, { stage, since, booked }])
  const refunded = [...refunds.values()].reduce((sum, cents) => sum + cents, 0)
  return { state, charged_cents: charged ?? 0, refunded_cents: refunded, recipients: Object.fromEntries(rows) }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bug: { type: 'string', multiple: true, default: [] } },
})
for (const bug of values.bug) {
  if (!(bug in BUGS)) throw new Error(`--bug is one of ${Object.keys(BUGS).join(', ')}, not ${bug}`)
}
const shop = new Shop(values.bug)
const ACTIONS = {
  order: shop.order,
  cancel: shop.cancel,
  pay: shop.pay,
  settle: shop.settle,
  read: shop.read,
  secrets: shop.useSecrets,
  break: shop.breakDown,
  mend: shop.mend,
  clock: shop.clock,
}
const FORMER = { cancel_order: 'cancel', pay_order: 'pay' }
const app = express()
const json = express.json({ limit: '10mb' })

app.post('/giftsim/start', json, (request, response) => {
  shop.start(request.body)
  response.json({ actions: Object.keys(ACTIONS), cheap_check: true })
})

app.post('/giftsim/do', json, async (request, response) => {
  const { action, ...members } = request.body
  const act = ACTIONS[FORMER[action] ?? action]
  if (act === undefined) return response.status(501).json({ error: `we do not ${action}` })
  return response.json(await act.call(shop, members))
})

app.post('/giftsim/webhooks', express.raw({ type: () => true, limit: '10mb' }), (request, response) => {
  const body = request.body ?? Buffer.alloc(0)
  if (!isGenuine(request.get('x-service-signature'), body, shop.secrets)) {
    return response.status(400).json({ error: 'not signed by the service' })
  }
  const event = JSON.parse(body)
  if (shop.bugs.has('answered-early')) {
    shop.pending = Promise.allSettled([shop.pending, once(response, 'finish').then(() => shop.storeLater(event))])
    return response.json({ ok: true })
  }
  try {
    shop.store(event)
    return response.json({ ok: true })
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return response.status(503).json({ error: 'try again later' })
  }
})

app.get('/giftsim/check', async (request, response) => {
  response.json(await shop.check(request.query.step === undefined))
})

app.listen(Number(positionals[0]), '127.0.0.1')
