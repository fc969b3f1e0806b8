/** Orders that tests place. */
import type { partner, World } from 'giftsim'

/** A mug for Bo. */
export function order(key: string): partner.components['schemas']['TeamOrderRequest'] {
  return {
    idempotency_key: key,
    gift_sender: 'Ada',
    items: [{ sku_code: 'MUG-01' }],
    recipients: [{ name: 'Bo', email: 'bo@example.com' }],
  }
}

/** Order a mug for Bo; the order's id. */
export async function orderMug(world: World, key = 'mug'): Promise<number> {
  const answer = await world.partner().post('/team-orders', { body: order(key) })
  return answer.expect(201).team_order.id
}
