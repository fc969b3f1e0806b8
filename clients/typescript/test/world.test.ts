import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  ConnectionFailed,
  connect,
  ControlRefused,
  type Delivery,
  TimedOut,
  UnexpectedStatus,
  UnknownCredential,
  WaitTimedOut,
} from 'giftsim'
import { withWorld } from 'giftsim/node-test'
import { verify } from 'giftsim/verify'
import { order, orderMug } from './orders.js'

test('a simulator says that it is ready', async () => {
  const { status, version } = await connect().health()
  assert.equal(status, 'ready')
  assert.match(version, /^\d+\.\d+/)
})

test('two worlds share nothing', async () => {
  const simulator = connect()
  const [one, two] = await Promise.all([simulator.world(), simulator.world({ seed: 7 })])
  await orderMug(one)
  assert.equal((await one.listed('orders')).length, 1)
  assert.deepEqual(await two.listed('orders'), [])
  await Promise.all([one.end(), two.end(), two.end()])
  await assert.rejects(one.now(), (error) => error instanceof ControlRefused && error.code === 'world_not_found')
})

test(
  'an order is claimed, shipped and announced by a signed webhook',
  withWorld(async (world) => {
    assert.equal(world.description.name, 'an order is claimed, shipped and announced by a signed webhook')
    const { secret } = await world.subscribe(['team_order.shipped'])
    const id = await orderMug(world)
    const parcel = await world.simulate('claim', { team_order_id: id, recipient: 0 })
    assert.equal(parcel.team_order_id, id)
    const advance = await world.advance('3d')
    assert.equal(advance.delivery_count, 1)
    const [delivery, ...others] = await world.deliveries({ type: 'team_order.shipped' })
    assert.deepEqual(others, [])
    assert.ok(delivery)
    assert.equal((delivery.data['team_order'] as { id: number }).id, id)
    const now = Date.parse(delivery.at) / 1000
    verify(Buffer.from(delivery.request.body), delivery.request.headers['X-Service-Signature'], secret, { now })
    assert.deepEqual(await world.deliveries({ host: 'elsewhere.example' }), [])
    assert.equal((await world.events('team_order.shipped')).length, 1)
  }),
)

test(
  'a situation is rehearsed by its name',
  withWorld(async (world) => {
    const id = await orderMug(world)
    const { done, check } = await world.rehearse('parcel-lost', { team_order_id: id, recipient: 0 })
    assert.deepEqual(
      done.map((each) => each.call),
      ['POST /simulate/shipment', 'POST /simulate/parcel'],
    )
    assert.match(check, /cancels/)
    await world.rehearse('card-closed', { key: 'partner.prepaid' })
    await assert.rejects(world.rehearse('parcel-lost', { team_order_id: 9 }), ControlRefused)
  }),
)

test(
  'an app gets each webhook once, signed now, and its answers count',
  withWorld(async (world) => {
    const { secret } = await world.subscribe(['team_order.claimed', 'team_order.shipped'])
    await world.simulate('claim', { team_order_id: await orderMug(world), recipient: 0 })
    await world.advance('2h')
    const met = async () => (await world.coverage()).areas.events.met
    assert.deepEqual(await met(), [])
    const refused = await world.deliverTo(() => new Response('no', { status: 400 }))
    assert.deepEqual(
      refused.map(({ webhook, status, body }) => [webhook.type, status, body]),
      [['team_order.claimed', 400, 'no']],
    )
    assert.deepEqual(await met(), [])
    await world.advance('10d')
    await assert.rejects(
      world.deliverTo(() => {
        throw new Error('a bug')
      }),
      /^Error: a bug$/,
    )
    const receive = ({ type, request, data }: Delivery) => {
      verify(Buffer.from(request.body), request.headers['X-Service-Signature'], secret)
      assert.ok(data['team_order'])
      assert.equal(type, 'team_order.shipped')
    }
    assert.deepEqual(
      (await world.deliverTo(receive)).map(({ status }) => status),
      [200],
    )
    assert.deepEqual(await met(), ['team_order.shipped'])
    assert.deepEqual(await world.deliverTo(receive), [])
  }),
)

test(
  'a server on this machine gets webhooks at the path of the endpoint, and no other server does',
  withWorld(async (world, t: TestContext) => {
    const paths: unknown[] = []
    const server = createServer((request, response) => {
      paths.push(request.method, request.url)
      request.resume().on('end', () => response.writeHead(202).end('taken'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    await world.subscribe(['team_order.claimed'], 'https://hooks.partner.example/gifts?from=giftsim')
    await world.simulate('claim', { team_order_id: await orderMug(world), recipient: 0 })
    await world.advance('2h')
    await assert.rejects(world.deliverTo('http://shop.example'), TypeError)
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    assert.deepEqual(await world.deliverTo(origin, { type: 'team_order.shipped' }), [])
    const [result] = await world.deliverTo(origin)
    assert.deepEqual([result?.status, result?.body], [202, 'taken'])
    assert.deepEqual(paths, ['POST', '/gifts?from=giftsim'])
    assert.deepEqual((await world.coverage()).areas.events.met, ['team_order.claimed'])
  }),
)

test(
  'a world says why, also when a wait is in vain',
  withWorld(async (world) => {
    const id = await orderMug(world)
    const [first] = await world.why('order', id, { expected: 'team_order.shipped' })
    assert.equal(first?.kind, 'not_claimed')
    assert.match(first?.mend?.vitest ?? '', /^await world\./)
    await assert.rejects(world.why('ordr', id), /did you mean order/)
    await world.simulate('claim', { team_order_id: id, recipient: 0 })
    const options = { timeoutMs: 10, what: 'the webhook', expected: 'team_order.claimed' }
    await assert.rejects(
      world.waitFor(() => world.deliveries(), options),
      (error) =>
        error instanceof WaitTimedOut && /^the webhook is not .*\nwhy: .*team_order\.claimed/.test(error.message),
    )
    const made = world.notes().find(({ path }) => path.endsWith('/simulate/claim'))
    assert.match(made?.source?.file ?? '', /world\.test/)
  }),
)

test(
  'a team subscribes with its own key',
  withWorld(async (world) => {
    const { secret } = await world.subscribe(['gift.sent'], 'https://hooks.team.example/gifts', 'team.live_approver')
    assert.match(secret, /^whsec_/)
    assert.equal((await world.team().get('/webhooks')).expect(200).data.length, 1)
    await assert.rejects(world.subscribe(['gift.sent'], 'http://localhost'), UnexpectedStatus)
  }),
)

test(
  'the clock moves by, to and until',
  withWorld(async (world) => {
    assert.equal((await world.now()).toISOString(), '2027-01-04T09:00:00.000Z')
    await world.advance({ to: new Date('2027-01-05T09:00:00.500Z') })
    await world.advance({ to: '2027-01-06T09:00:00Z' })
    await world.advance({ by: '1h' })
    assert.equal((await world.now()).toISOString(), '2027-01-06T10:00:00.000Z')
    assert.ok((await world.advance({ until: 'next', fired: true })).fired)
    assert.equal((await world.advance('1h')).fired, undefined)
    const next = await world.advance('next')
    assert.equal((await world.now()).toISOString().replace('.000', ''), next.to)
    assert.equal((await world.advance('2027-02-01T09:00:00Z')).to, '2027-02-01T09:00:00Z')
    await world.advance('idle')
  }),
)

test(
  'typed clients know paths, parameters and bodies',
  withWorld(async (world) => {
    const id = await orderMug(world)
    const partner = world.partner()
    const found = await partner.get('/team-orders/{id}', { path: { id } })
    if (found.status !== 200) assert.fail(found.text)
    assert.equal(found.body.team_order.status, 'collecting_addresses')
    const page = await partner.get('/team-orders', { query: { limit: 1 } })
    assert.equal(page.expect(200).team_orders.length, 1)
    const missing = await partner.get('/team-orders/{id}', { path: { id: 999_999 } })
    assert.throws(
      () => missing.expect(200),
      (error) => error instanceof UnexpectedStatus && error.status === 404,
    )
    assert.equal((await world.team().get('/members')).status, 200)
    assert.equal((await world.museum().get('/museum-hours')).status, 200)
    assert.throws(() => (partner.get as unknown as (path: string) => void)('/team-orders/{id}'), TypeError)
  }),
)

test(
  'a call names its world, or sends a credential and its own headers',
  withWorld(async (world) => {
    const refused = await world.call('GET', '/api/external/team-orders')
    assert.equal(refused.status, 401)
    const path = '/api/external/team-orders'
    const created = await world.call('POST', path, {
      credential: 'partner.prepaid',
      body: JSON.stringify(order('text')),
      headers: { 'Content-Type': 'application/json' },
    })
    assert.equal(created.status, 201)
    assert.equal(created.headers.get('content-type')?.includes('json'), true)
    assert.deepEqual(JSON.parse(created.text), created.body)
    assert.throws(() => world.headers('partner.prepayed'), UnknownCredential)
    assert.throws(() => world.partner('nobody'), UnknownCredential)
  }),
)

test(
  'a fault breaks the connection after the work was done',
  withWorld(async (world) => {
    const fault = await world.fault({ drop: 'after' }, { when: { first: 1 } })
    await assert.rejects(orderMug(world), ConnectionFailed)
    assert.equal((await world.listed('orders')).length, 1)
    assert.deepEqual(
      (await world.faults()).map(({ id, hits }) => [id, hits]),
      [[fault.id, 1]],
    )
    await world.clearFaults(fault)
    await world.fault({ status: 429 })
    await world.clearFaults()
    assert.deepEqual(await world.faults(), [])
  }),
)

test(
  'a call without a response times out',
  withWorld(async (world) => {
    await world.fault({ hold: true })
    await assert.rejects(
      world.call('GET', '/api/external/team-orders', { credential: 'partner.prepaid', timeoutMs: 100 }),
      TimedOut,
    )
    await world.clearFaults()
  }),
)

test(
  'a state is saved, restored, undone, forked and reset',
  withWorld(async (world) => {
    const before = await world.fingerprint()
    const name = await world.snapshot()
    await orderMug(world)
    const fork = await world.fork()
    assert.deepEqual(
      (await world.undo()).map(({ method, path }) => `${method} ${path}`),
      ['POST /api/external/team-orders'],
    )
    assert.equal(await world.fingerprint(), before)
    assert.deepEqual(
      (await world.redo()).map(({ path }) => path),
      ['/api/external/team-orders'],
    )
    assert.equal((await world.listed('orders')).length, 1)
    await world.undo()
    assert.equal((await fork.listed('orders')).length, 1)
    await orderMug(fork, 'again')
    await orderMug(world)
    await world.restore(name)
    assert.deepEqual(await world.listed('orders'), [])
    await orderMug(world)
    await world.reset()
    assert.equal(await world.fingerprint(), before)
  }),
)

test(
  'people act on their own, accounts and settings change, and keys are made',
  withWorld(async (world) => {
    await world.actor('bo', { recipient: 'bo@example.com', claims: '1d' })
    await world.settings({ 'partner.lead_times.production': '1h' })
    assert.equal((await world.settings())['partner.lead_times.production'], '1h')
    const { headers, name } = await world.key({ interface: 'partner', account: { wallet_cents: 10_000 } })
    assert.match(name, /\w/)
    const created = await world.call('POST', '/api/external/team-orders', { headers, body: order('own-key') })
    assert.equal(created.status, 201)
    const { wallet_cents } = await world.simulate('account', { key: 'partner.prepaid', add_cents: 100 })
    assert.equal(wallet_cents, 500_100)
    assert.equal((await world.mail({ to: 'bo@example.com' })).length, 1)
    await world.advance('2d')
    assert.equal((await world.listed('parcels'))[0]?.status, 'in_production')
  }),
)

test(
  'lists are read to their end, whatever the size of a page',
  withWorld(async (world) => {
    for (const key of ['a', 'b', 'c']) await orderMug(world, key)
    const all = await world.listed('calls')
    assert.deepEqual(await world.listed('calls', { limit: 1 }), all)
    assert.deepEqual(await world.listed('journal'), all)
    assert.equal(all.length, 3)
  }),
)

test(
  'a wait ends when something is there, or shows the latest calls',
  withWorld(async (world) => {
    const later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => orderMug(world))
    const [row] = await world.waitFor(() => world.listed('orders'), { intervalMs: 5 })
    assert.equal(row?.id, await later)
    await assert.rejects(
      world.waitFor(() => undefined, { timeoutMs: 10, what: 'a second order' }),
      (error) =>
        error instanceof WaitTimedOut &&
        /^a second order is not there.*POST \/api\/external\/team-orders -> 201/s.test(error.message),
    )
  }),
)

test(
  'the control API says what it refuses',
  withWorld(async (world) => {
    await assert.rejects(world.advance({ by: 'soon' }), (error) => {
      assert.ok(error instanceof ControlRefused)
      assert.deepEqual([error.status, error.name], [400, 'ControlRefused'])
      return error.message.startsWith(`POST /_sim/v1/worlds/${world.id}/clock/advance answered 400`)
    })
  }),
)
