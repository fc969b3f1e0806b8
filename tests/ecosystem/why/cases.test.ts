/**
 * Small apps with a mistake each, and a test of each that fails. `first` is the kind of the verdict, `says` are words
 * that its sentence must have, and `// mend` is where its line goes.
 */
import assert from 'node:assert/strict'
import { afterEach, expect, vi } from 'vitest'
import { test, worldFixture } from 'giftsim/vitest'
import { claimed, order, place, reminderDay, sendGift, statusOf } from './shop.js'

const testIn2040 = test.extend({ world: worldFixture({ now: '2040-01-04T09:00:00Z' }) })

afterEach(() => {
  vi.useRealTimers()
})

// first: not_subscribed
// says: team_order.claimed
test('not_subscribed_1', async ({ world }) => {
  // mend
  await claimed(world)
  await world.advance('1h')
  const types = (await world.deliveries()).map(({ type }) => type)
  expect(types).toContain('team_order.claimed')
})

// first: not_subscribed
// says: team_order.shipped
test('not_subscribed_2', async ({ world }) => {
  const seen: string[] = []
  // mend
  await claimed(world)
  await world.advance('4d')
  await world.deliverTo(({ type }) => void seen.push(type))
  assert.deepEqual(seen, ['team_order.shipped'])
})

// first: subscribed_late
// says: team_order.claimed
test('subscribed_late_1', async ({ world }) => {
  // mend
  await claimed(world)
  await world.subscribe(['team_order.claimed'])
  await world.advance('1h')
  expect((await world.deliveries({ type: 'team_order.claimed' })).length).toBe(1)
})

// first: not_due
// says: delivered of order 1001
test('not_due_1', async ({ world }) => {
  const id = await claimed(world)
  await world.advance('4d')
  // mend
  expect(await statusOf(world, id)).toBe('delivered')
})

// first: not_due
// says: team_order.shipped
test('not_due_2', async ({ world }) => {
  const shipped: unknown[] = []
  await world.subscribe(['team_order.shipped'])
  await claimed(world)
  // mend
  await world.deliverTo(({ data }) => void shipped.push((data['team_order'] as { id: number }).id))
  expect(shipped).toEqual([1001])
})

// first: not_sourced
// says: team_order.claimed
test('not_sourced_1', async ({ world }) => {
  await world.subscribe(['team_order.claimed'])
  await claimed(world)
  // mend
  await world.waitFor(() => world.deliveries(), { timeoutMs: 50, what: 'the webhook team_order.claimed' })
})

// first: not_claimed
// says: order 1001
test('not_claimed_1', async ({ world }) => {
  const id = await place(world)
  // mend
  await world.advance('5d')
  expect(await statusOf(world, id)).toBe('delivered')
})

// first: not_claimed
// says: order 1001
test('not_claimed_2', async ({ world }) => {
  await world.subscribe(['team_order.shipped'])
  await place(world)
  // mend
  await world.advance('3d')
  expect(await world.deliveries({ type: 'team_order.shipped' })).toHaveLength(1)
})

// first: not_approved
// says: gift
test('not_approved_1', async ({ world }) => {
  await world.subscribe(['gift.sent'], undefined, 'team.live_approver')
  await sendGift(world, 'team.live_requester')
  // mend
  const types = (await world.deliveries()).map(({ type }) => type)
  assert.deepEqual(types, ['gift.sent'])
})

// first: not_paid
// says: order 1001
test('not_paid_1', async ({ world }) => {
  await world.simulate('account', { key: 'partner.prepaid', wallet_cents: 0, card: 'none' })
  // mend
  const answer = await world.partner().post('/team-orders', { body: order('poor') })
  expect(answer.status).toBe(201)
})

// first: expired
// says: order 1001
test('expired_1', async ({ world }) => {
  const id = await place(world)
  // mend
  await world.advance('40d')
  expect(await statusOf(world, id)).toBe('delivered')
})

// first: canceled
// says: order 1001
test('canceled_1', async ({ world }) => {
  const id = await claimed(world)
  ;(await world.partner().post('/team-orders/{id}/cancel', { path: { id } })).expect(200)
  await world.advance('5d')
  expect(await statusOf(world, id)).toBe('delivered')
})

// first: rejected
// says: gift
test('rejected_1', async ({ world }) => {
  const gift = await sendGift(world, 'team.live_requester')
  await world.simulate('approval', { gift_id: gift, decision: 'reject' })
  expect((await world.events('gift.sent')).length).toBe(1)
})

// first: captured
// says: team_order.claimed
test('captured_1', async ({ world }) => {
  const seen: string[] = []
  const app = ({ type }: { type: string }) => void seen.push(type)
  await world.subscribe(['team_order.claimed'])
  await claimed(world)
  await world.advance('1h')
  // mend
  expect(seen).toEqual(['team_order.claimed'])
  void app
})

// first: refused_by_app
// says: 500; outside ASCII
test('refused_by_app_1', async ({ world }) => {
  const names: string[] = []
  await world.subscribe(['team_order.claimed'])
  for (const [key, name] of Object.entries({ a: 'Bo', b: 'Zoë', c: 'Cy', d: 'Łukasz' })) await claimed(world, key, name)
  await world.advance('1h')
  await world.deliverTo(({ data }) => {
    const { name } = data['recipient'] as { name: string }
    // eslint-disable-next-line no-control-regex
    if (!/^[\x00-\x7f]*$/.test(name)) return new Response('not ASCII', { status: 500 })
    names.push(name)
    return new Response(null, { status: 204 })
  })
  expect(names).toEqual(['Bo', 'Zoë', 'Cy', 'Łukasz'])
})

// first: refused_by_app
// says: 400; team_order.claimed
test('refused_by_app_2', async ({ world }) => {
  const seen: string[] = []
  await world.subscribe(['team_order.claimed'])
  await claimed(world)
  await world.advance('1h')
  await world.deliverTo(() => new Response('bad signature', { status: 400 }))
  expect(seen).toEqual(['team_order.claimed'])
})

// first: charged_twice
// says: order 1001; order 1002
test('charged_twice_1', async ({ world }) => {
  await world.fault({ drop: 'after' }, { when: { first: 1 } })
  for (const key of ['first', 'second']) {
    const answer = await world
      .partner()
      .post('/team-orders', { body: { ...order('mug'), idempotency_key: key } })
      .catch(() => undefined)
    if (answer) break
  }
  expect(await world.listed('orders')).toHaveLength(1)
})

// first: replayed
// says: same answer
test('replayed_1', async ({ world }) => {
  const placed = [await place(world, 'ada'), await place(world, 'ada')]
  expect(new Set(placed).size).toBe(2)
})

// first: other_type
// says: order.shipped; team_order.shipped
test('other_type_1', async ({ world }) => {
  await world.subscribe(['order.shipped', 'order.delivered'])
  // mend
  const id = await claimed(world)
  await world.simulate('shipment', { team_order_id: id, to: 'shipped' })
  await world.advance('2h')
  expect((await world.deliveries()).map(({ type }) => type)).toContain('team_order.shipped')
})

// first: changed_by_fault
// says: 503
test('changed_by_fault_1', async ({ world }) => {
  await world.fault({ status: 503 }, { when: { first: 1 } })
  // mend
  await place(world)
})

// first: other_account
// says: 404
test('other_account_1', async ({ world }) => {
  const id = await place(world)
  const answer = await world.partner('partner.net_terms').get('/team-orders/{id}', { path: { id } })
  assert.equal(answer.status, 200)
})

// first: clock_frozen
// says: 2040-01-14; did not follow
testIn2040('clock_frozen_1', async ({ world }) => {
  await world.advance('10d')
  // mend
  expect(reminderDay()).toBe('2040-01-14')
})

// first: clock_frozen
// says: 2040-01-14; did not follow
testIn2040('clock_frozen_2', async ({ world }) => {
  await world.advance('10d')
  // mend
  assert.deepEqual({ reminders: 1, day: reminderDay() }, { reminders: 1, day: '2040-01-14' })
})

// first: unknown
// says: no cause is known
test('unknown_1', async ({ world }) => {
  expect(await world.mail()).toHaveLength(1)
})
