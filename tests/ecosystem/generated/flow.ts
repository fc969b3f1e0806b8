// The main flows with clients made of the published descriptions: node flow.js ORIGIN
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { paths as Control } from './control.js'
import type { paths as Museum } from './museum.js'
import type { paths as Partner } from './partner.js'
import type { paths as Team } from './team.js'

const origin = process.argv[2]!

const serverOf = async (name: string): Promise<string> => {
  const description = await (await fetch(`${origin}/openapi/${name}.json`)).json() as { servers: [{ url: string }] }
  return description.servers[0].url
}

const control = createClient<Control>({ baseUrl: await serverOf('control') })
const { data: world } = await control.POST('/worlds', { body: { fixture: 'empty' } })
assert.ok(world)
const path = { w: world.id }
const headersOf = (name: string): Record<string, string> => {
  const credential = world.credentials[name]
  assert.ok(credential)
  return credential.headers
}

const partner = createClient<Partner>({ baseUrl: await serverOf('partner'), headers: headersOf('partner.prepaid') })
const ordered = await partner.POST('/team-orders', {
  body: {
    idempotency_key: 'generated', gift_sender: 'Ada', items: [{ sku_code: 'MUG-01' }],
    recipients: [{ name: 'Bo', email: 'bo@example.com' }],
  },
})
assert.equal(ordered.response.status, 201, JSON.stringify(ordered.error))
const id = ordered.data!.team_order.id
const claimed = await control.POST('/worlds/{w}/simulate/claim', { params: { path }, body: { team_order_id: id, recipient: 0 } })
assert.equal(claimed.data?.status, 'submitted', JSON.stringify(claimed.error))
const advanced = await control.POST('/worlds/{w}/clock/advance', { params: { path }, body: { by: '10d' } })
assert.ok(advanced.data, JSON.stringify(advanced.error))
const read = await partner.GET('/team-orders/{id}', { params: { path: { id } } })
assert.equal(read.data?.team_order.status, 'delivered')
const refused = await partner.GET('/team-orders/{id}', { params: { path: { id: 999 } } })
assert.equal(refused.error?.error.code, 'team_order_not_found')

const team = createClient<Team>({ baseUrl: await serverOf('team'), headers: headersOf('team.live_approver') })
const upserted = await team.POST('/people', {
  params: { header: { 'Idempotency-Key': 'generated' } },
  body: { people: [{ work_email: 'bo@example.com', first_name: 'Bo' }] },
})
assert.equal(upserted.response.status, 201, JSON.stringify(upserted.error))
const people = await team.GET('/people', { params: { query: { limit: 1 } } })
assert.equal(people.data?.data.length, 1)

const museum = createClient<Museum>({ baseUrl: await serverOf('museum'), headers: headersOf('museum') })
const ticket = await museum.POST('/tickets', { body: { ticketType: 'general', ticketDate: '2027-01-05', email: 'bo@example.com' } })
assert.equal(ticket.response.status, 201, JSON.stringify(ticket.error))
assert.match(ticket.data!.confirmationCode, /^ticket-general-/)

await control.DELETE('/worlds/{w}', { params: { path } })
console.log('all flows')
