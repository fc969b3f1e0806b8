// Whether a webhook is the service's, and what it says of a parcel.

import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_S = 300
export const EVENTS = ['team_order.claimed', 'team_order.shipped', 'team_order.delivered', 'team_order.needs_attention']
const STAGES = { 'team_order.claimed': 'claimed', 'team_order.shipped': 'shipped', 'team_order.delivered': 'delivered' }
const REASONS = { claim_link_expired: 'expired', shipment_rejected: 'rejected' } // of team_order.needs_attention
const RANKS = ['ordered', 'expired', 'claimed', 'rejected', 'shipped', 'delivered'] // of stages of one instant

// Whether a webhook was signed with one of these secrets in the last five minutes. `body` is the raw body, a Buffer.
export function isGenuine(header, body, secrets, now = Date.now() / 1000, tolerance = TOLERANCE_S) {
  const fields = (header ?? '').split(',').map((field) => {
    const end = field.indexOf('=')
    return [field.slice(0, end), field.slice(end + 1)]
  })
  const times = fields.filter(([name]) => name === 't').map(([, value]) => value)
  if (times.length !== 1 || !/^(0|[1-9][0-9]{0,14})$/.test(times[0])) return false
  const given = fields.filter(([name]) => name === 'v1').map(([, value]) => Buffer.from(value))
  const matches = secrets.filter((secret) => secret.trim()).some((secret) => {
    const digest = Buffer.from(createHmac('sha256', secret).update(`${times[0]}.`).update(body).digest('hex'))
    return given.some((value) => value.length === digest.length && timingSafeEqual(value, digest))
  })
  return matches && Math.abs(now - Number(times[0])) <= tolerance
}

// The stage that an event brings a parcel to; undefined if it brings it to none.
export function stageOf({ type, data }) {
  return STAGES[type] ?? REASONS[data.reason]
}

// Whether a stage is later than another one: by when it began, whatever was told first.
export function isLater(one, other) {
  const [began, before] = [one, other].map(({ since }) => (since ? Date.parse(since) : -Infinity))
  return began > before || (began === before && RANKS.indexOf(one.stage) > RANKS.indexOf(other.stage))
}
