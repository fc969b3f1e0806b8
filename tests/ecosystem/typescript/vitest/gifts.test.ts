import { describe, expect } from 'vitest'
import { test as base } from 'vitest'
import { test, worldFixture } from 'giftsim/vitest'

const order = {
  idempotency_key: 'mug',
  gift_sender: 'Ada',
  items: [{ sku_code: 'MUG-01' }],
  recipients: [{ name: 'Bo', email: 'bo@example.com' }],
}

test('a claimed mug is shipped', async ({ world }) => {
  const answer = await world.partner().post('/team-orders', { body: order })
  const { id } = answer.expect(201).team_order
  await world.simulate('claim', { team_order_id: id, recipient: 0 })
  await world.advance('3d')
  expect(await world.listed('parcels')).toMatchObject([{ status: 'shipped' }])
})

describe('another fixture', () => {
  const test = base.extend({ world: worldFixture({ fixture: 'bare', seed: 7 }) })

  test('a world is made as the fixture says', async ({ world }) => {
    expect(world.description).toMatchObject({ fixture: 'bare', seed: 7 })
  })
})

test('fails on purpose', async ({ world }) => {
  await world.call('GET', '/api/external/skus/1%0Aforged%1B[1A%E2%80%A8')
  const answer = await world.partner().post('/team-orders', { body: order })
  expect(answer.expect(201).team_order.status).toBe('delivered')
})
