import type { World } from 'giftsim'

/** A shop that sends mugs, and the office that sends gifts. */
export const order = (key: string, name = 'Bo') => ({
  idempotency_key: key,
  gift_sender: 'Ada',
  items: [{ sku_code: 'MUG-01' }],
  recipients: [{ name, email: `${key}@example.com` }],
})

/** Place an order and return its id. */
export async function place(world: World, key = 'mug', name = 'Bo'): Promise<number> {
  const answer = await world.partner().post('/team-orders', { body: order(key, name) })
  return answer.expect(201).team_order.id
}

/** Place an order that its recipient claims, and return its id. */
export async function claimed(world: World, key = 'mug', name = 'Bo'): Promise<number> {
  const id = await place(world, key, name)
  await world.simulate('claim', { team_order_id: id, recipient: 0 })
  return id
}

/** The status of an order, as the shop shows it. */
export async function statusOf(world: World, id: number): Promise<string> {
  return (await world.partner().get('/team-orders/{id}', { path: { id } })).expect(200).team_order.status
}

/** Send a gift of the team and return its id. */
export async function sendGift(world: World, credential = 'team.live_approver'): Promise<string> {
  const answer = await world.call('POST', '/api/teams/v1/gifts', {
    credential,
    headers: { 'Idempotency-Key': `gift-${credential}` },
    body: { gift: { collection_slug: 'welcome-kit' }, recipients: [{ name: 'Bo', email: 'bo@example.com' }] },
  })
  return String((answer.body as { id: unknown }).id)
}

/** The day on which the shop sends the next reminder. */
export const reminderDay = () => new Date().toISOString().slice(0, 10)
