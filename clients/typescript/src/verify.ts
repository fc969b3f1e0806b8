/** Verifies webhooks that your application received. This module loads no other module of the package. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header that contains the signature. */
export const HEADER = 'X-Service-Signature'
/** The largest accepted difference, in seconds, between a webhook's time and this machine's clock. */
export const TOLERANCE_S = 300

/** Why a webhook is refused. */
export type Reason =
  | 'no_secret' // the secret is empty or blank
  | 'no_header' // the request has no signature header, or an empty one
  | 'malformed_header' // not exactly one `t`, or `t` is not a plain decimal number
  | 'no_signature' // the header has no `v1`
  | 'mismatch' // no `v1` is the digest of this body with this secret
  | 'too_old' // genuine, but signed more than the tolerance ago: perhaps somebody sent it again
  | 'too_new' // genuine, but signed more than the tolerance ahead of now: a clock is wrong

/** The webhook cannot be trusted. `reason` is for programs, and the message is for people. */
export class InvalidSignature extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message)
    this.name = 'InvalidSignature'
  }
}

/** Options for the check of a webhook's age. */
export interface VerifyOptions {
  /** In seconds, before and after `now`. Default: `TOLERANCE_S`. */
  readonly tolerance?: number
  /** In unix seconds. Default: this machine's clock. */
  readonly now?: number
}

/**
 * Throw InvalidSignature unless the webhook is genuine and recent.
 *
 * @param body - The request's body, byte for byte as received. A body that was parsed and serialized again fails.
 * @param header - The value of the request's `X-Service-Signature`.
 * @param secret - The endpoint's whole secret, including `whsec_`.
 */
export function verify(
  body: Uint8Array,
  header: string | null | undefined,
  secret: string,
  options: VerifyOptions = {},
): void {
  if (!(body instanceof Uint8Array))
    throw new TypeError('body is not bytes: pass the raw body of the request, before it is decoded or parsed')
  if (!secret?.trim())
    throw new InvalidSignature(
      'no_secret',
      'The secret is empty. Pass the secret that the service returned when you created the endpoint, `whsec_...`.',
    )
  if (!header) throw new InvalidSignature('no_header', `The request has no ${HEADER} header.`)
  const { t, signatures } = read(header)
  const expected = Buffer.from(digest(secret, t, body))
  if (!signatures.map((given) => isSame(expected, Buffer.from(given))).includes(true))
    throw new InvalidSignature(
      'mismatch',
      "No signature in the header matches this body and this secret. Pass the raw body, and this endpoint's secret.",
    )
  checkAge(Number(t), options.now ?? Date.now() / 1000, options.tolerance ?? TOLERANCE_S)
}

/** Return the header value `t=<t>,v1=<digest>`, to test your own endpoint. `t` is in unix seconds. */
export function sign(secret: string, t: number, body: Uint8Array): string {
  return `t=${t},v1=${digest(secret, String(t), body)}`
}

function digest(secret: string, t: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
}

function isSame(expected: Buffer, given: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(expected, given)
}

/** Return the `t` and every `v1` of the header, in any order. Fields with other names are ignored. */
function read(header: string): { t: string; signatures: string[] } {
  const fields = header.split(',').map((part) => part.split(/=(.*)/s))
  const valuesOf = (name: string) => fields.filter(([key]) => key === name).map(([, value]) => value ?? '')
  const [t, ...others] = valuesOf('t')
  if (t === undefined || others.length > 0 || !/^(0|[1-9][0-9]{0,14})$/.test(t))
    throw new InvalidSignature(
      'malformed_header',
      `The ${HEADER} header needs exactly one \`t\` in plain unix seconds, as in \`t=1798990800,v1=...\`.`,
    )
  const signatures = valuesOf('v1')
  if (signatures.length === 0) throw new InvalidSignature('no_signature', `The ${HEADER} header has no \`v1\`.`)
  return { t, signatures }
}

function checkAge(t: number, now: number, tolerance: number): void {
  const [age, limit] = [Math.round(Math.abs(now - t)), `tolerance ${tolerance}`]
  if (now - t > tolerance)
    throw new InvalidSignature('too_old', `Signed ${age} seconds ago, ${limit}. Perhaps an old request sent again.`)
  if (t - now > tolerance)
    throw new InvalidSignature('too_new', `Signed ${age} seconds in the future, ${limit}. Perhaps a clock is wrong.`)
}
