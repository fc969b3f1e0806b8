// Prints as JSON what the public library `stripe` makes of each test vector: node stripe_verdicts.mjs VECTORS
import { readFileSync } from 'node:fs'
import Stripe from 'stripe'

const { vectors } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { signature } = new Stripe('sk_test_none').webhooks

const verdict = ({ body, body_base64, header, secret, tolerance, now }) => {
  const bytes = body_base64 === undefined ? Buffer.from(body) : Buffer.from(body_base64, 'base64')
  try {
    signature.verifyHeader(bytes, header, secret, tolerance, undefined, now * 1000)
    return 'accepted'
  } catch {
    return 'refused'
  }
}

console.log(JSON.stringify(Object.fromEntries(vectors.map((vector) => [vector.name, verdict(vector)]))))
