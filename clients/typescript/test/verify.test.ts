import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { InvalidSignature, sign, verify } from 'giftsim/verify'
import { VECTORS } from './checkout.js'

interface Vector {
  readonly name: string
  readonly secret: string
  readonly header: string | null
  readonly body?: string
  readonly body_base64?: string
  readonly now: number
  readonly tolerance: number
  readonly verdict: 'accepted' | 'refused'
  readonly reason: string | null
}

const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { vectors: Vector[] }
const SECRET = 'whsec_4f9a'
const T = 1_798_990_800
const BODY = Buffer.from('{"id":"evt_1"}')

function reasonOf({ secret, header, body, body_base64, now, tolerance }: Vector): string | null {
  const bytes = body_base64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_base64, 'base64')
  try {
    verify(bytes, header, secret, { now, tolerance })
    return null
  } catch (error) {
    if (error instanceof InvalidSignature) return error.reason
    throw error
  }
}

for (const vector of vectors)
  test(`the vector ${vector.name} is ${vector.verdict}`, () => {
    assert.equal(reasonOf(vector), vector.reason)
    assert.equal(vector.verdict, vector.reason === null ? 'accepted' : 'refused')
  })

test('no vector is missing', () => {
  assert.ok(vectors.length > 80)
})

test('a header that was signed here is verified, until it is too old', () => {
  const header = sign(SECRET, T, BODY)
  verify(BODY, header, SECRET, { now: T + 300 })
  assert.throws(() => verify(BODY, header, SECRET, { now: T + 3600 }), {
    reason: 'too_old',
    message: 'Signed 3600 seconds ago, tolerance 300. Perhaps an old request sent again.',
  })
  assert.throws(() => verify(BODY, header, SECRET), { reason: /too_old|too_new/ })
})

test('no message shows the secret or a digest', () => {
  const expected = sign(SECRET, T, Buffer.from('{}')).split('v1=')[1] ?? ''
  const isDiscreet = (error: Error) => !error.message.includes(SECRET) && !error.message.includes(expected)
  assert.throws(() => verify(Buffer.from('{}'), sign(SECRET, T, BODY), SECRET, { now: T }), isDiscreet)
})

test('a decoded body is a mistake of the application and not a bad webhook', () => {
  assert.throws(() => verify(BODY.toString() as unknown as Uint8Array, sign(SECRET, T, BODY), SECRET), TypeError)
})

test('a header that a request does not have is refused', () => {
  assert.throws(() => verify(BODY, undefined, SECRET), { reason: 'no_header' })
})
