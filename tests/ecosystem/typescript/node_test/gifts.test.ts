import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { World } from 'giftsim'
import { withWorld } from 'giftsim/node-test'

async function orderMug(world: World) {
  const answer = await world.partner().post('/team-orders', {
    body: {
      idempotency_key: 'mug',
      gift_sender: 'Ada',
      items: [{ sku_code: 'MUG-01' }],
      recipients: [{ name: 'Bo', email: 'bo@example.com' }],
    },
  })
  return answer.expect(201).team_order
}

test('a claimed mug is shipped', withWorld(async (world) => {
  const { id } = await orderMug(world)
  await world.simulate('claim', { team_order_id: id, recipient: 0 })
  await world.advance('3d')
  assert.equal((await world.listed('parcels'))[0]?.status, 'shipped')
}))

test('fails on purpose', withWorld(async (world, t) => {
  assert.equal(t.name, 'fails on purpose')
  await world.call('GET', '/api/external/skus/1%0Aforged%1B[1A%E2%80%A8')
  const { status } = await orderMug(world)
  assert.equal(status, 'delivered')
}))

test('the compiler refuses what the contracts do not have', withWorld(async (world) => {
  const partner = world.partner()
  // @ts-expect-error: no such path
  await partner.get('/team-order')
  // @ts-expect-error: a member is misspelt
  await partner.post('/team-orders', { body: { idempotency_key: 'a', items: [], recipients: [], gift_sendr: 'Ada' } })
  // @ts-expect-error: no such action
  await assert.rejects(world.simulate('clam', {}))
  // @ts-expect-error: an action without what it acts on
  await assert.rejects(world.simulate('price', { product: 'MUG-01' }))
  // @ts-expect-error: no such list
  await assert.rejects(world.listed('parcel'))
  // @ts-expect-error: no such effect
  await assert.rejects(world.fault({ drop: 'sometimes' }))
}))
