/** Verify a webhook that your application received. This module needs nothing else of the package. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header that has the signature. */
export const HEADER = 'X-Service-Signature'
/** How old a webhook may be, in seconds, and how far ahead of this machine's clock. */
export const TOLERANCE_S = 300

/** Why a webhook is refused. */
export type Reason =
  | 'no_secret' // the secret is empty or blank
  | 'no_header' // the request has no signature header, or an empty one
  | 'malformed_header' // not exactly one `t`, or `t` is no plain decimal number
  | 'no_signature' // the header has no `v1`
  | 'mismatch' // no `v1` is the digest of this body with this secret
  | 'too_old' // genuine, but signed more than the tolerance ago: perhaps sent again by somebody
  | 'too_new' // genuine, but signed more than the tolerance ahead of now: a clock is wrong

/** The webhook is not to be trusted; `reason` is a word for programs, and the message a sentence for people. */
export class InvalidSignature extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message)
    this.name = 'InvalidSignature'
  }
}

/** The limits of age. */
export interface VerifyOptions {
  /** In seconds, before and after `now`. */
  readonly tolerance?: number
  /** In unix seconds; this machine's clock by default. */
  readonly now?: number
}

/**
 * Return if the webhook is genuine and recent; otherwise throw InvalidSignature.
 *
 * @param body - The request's body, byte for byte as received: parsed and written again it has another signature.
 * @param header - The value of the request's `X-Service-Signature`.
 * @param secret - The endpoint's whole secret with its `whsec_`.
 */
export function verify(
  body: Uint8Array,
  header: string | null | undefined,
  secret: string,
  options: VerifyOptions = {},
): void {
  if (!(body instanceof Uint8Array))
    throw new TypeError('body is no bytes: pass those of the request as received, before they are decoded or parsed')
  if (!secret?.trim())
    throw new InvalidSignature(
      'no_secret',
      "The secret is empty. Pass the one that the endpoint's creation returned, `whsec_...`.",
    )
  if (!header) throw new InvalidSignature('no_header', `The request has no ${HEADER} header.`)
  const { t, signatures } = read(header)
  const expected = Buffer.from(digest(secret, t, body))
  if (!signatures.map((given) => isSame(expected, Buffer.from(given))).includes(true))
    throw new InvalidSignature(
      'mismatch',
      "No signature in the header is that of this body with this secret. Pass the raw body, and this endpoint's secret.",
    )
  checkAge(Number(t), options.now ?? Date.now() / 1000, options.tolerance ?? TOLERANCE_S)
}

/** The header value `t=<t>,v1=<digest>`, for tests of your own endpoint; `t` is in unix seconds. */
export function sign(secret: string, t: number, body: Uint8Array): string {
  return `t=${t},v1=${digest(secret, String(t), body)}`
}

function digest(secret: string, t: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
}

function isSame(expected: Buffer, given: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(expected, given)
}

/** The `t` and every `v1` of the header, in any order; fields with other names are ignored. */
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
