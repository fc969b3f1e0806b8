import { ConnectionFailed, ControlRefused, TimedOut, UnexpectedStatus } from './errors.js'

/** Options of a request. */
export interface RequestOptions {
  /** Text and bytes are sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Real milliseconds to wait for the response. Default: as long as `fetch` waits. */
  readonly timeoutMs?: number
}

/** A response. `Bodies` has the type of the body for each documented status. */
export class Answer<Bodies = Record<number, unknown>, Status extends keyof Bodies = keyof Bodies> {
  constructor(
    private readonly request: string,
    readonly status: Status,
    readonly headers: Headers,
    /** The body: parsed if it is JSON, a string if it is text, otherwise bytes. Undefined if it is empty. */
    readonly body: Bodies[Status],
    /** The body as it was received. */
    readonly bytes: Uint8Array,
  ) {}

  /** The body as text. */
  get text(): string {
    return new TextDecoder().decode(this.bytes)
  }

  /** Return the body if the response has this status. Otherwise throw UnexpectedStatus, which shows the response. */
  expect<Expected extends keyof Bodies>(status: Expected): Bodies[Expected] {
    if ((this.status as unknown) === status) return this.body as unknown as Bodies[Expected]
    throw new UnexpectedStatus(this.request, Number(status), Number(this.status), this.body)
  }
}

/** The connection to one simulator. */
export class Connection {
  readonly #authorization: Readonly<Record<string, string>>

  /** `token` is the token of the test-control API. It is needed if the simulator listens on more than loopback. */
  constructor(
    readonly origin: string,
    token?: string,
  ) {
    this.#authorization = token ? { authorization: `Bearer ${token}` } : {}
  }

  /** Send one request. Throws ConnectionFailed or TimedOut if there is no response. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const request = `${method} ${path}`
    try {
      const response = await fetch(this.origin + path, { method, redirect: 'manual', ...sent(options) })
      const bytes = new Uint8Array(await response.arrayBuffer())
      return new Answer(request, response.status, response.headers, parsed(response, bytes), bytes)
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError')
        throw new TimedOut(`${request} has no response after ${options.timeoutMs} ms`, { cause: error })
      throw new ConnectionFailed(`${request} got no response from ${this.origin}: ${rootOf(error)}`, {
        cause: error,
      })
    }
  }

  /** Call the test-control API and return the response's JSON. Throws ControlRefused unless the status is 2xx. */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.send(method, `/_sim/v1${path}`, { body, headers: this.#authorization })
    if (answer.status >= 200 && answer.status < 300) return answer.body
    const { error } = Object(answer.body) as { error?: { code: string; message: string; details?: unknown } }
    const { code, message, details } = error ?? { code: '', message: answer.text }
    throw new ControlRefused(`${method} /_sim/v1${path}`, answer.status, code, message, details)
  }
}

function sent({ body, headers, timeoutMs }: RequestOptions): RequestInit {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const type: Record<string, string> = isRaw ? {} : { 'content-type': 'application/json' }
  return {
    headers: { ...type, ...lowerCased(headers) },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    ...(timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
  }
}

/** The headers with names in lower case, so that the caller's headers replace those of this client. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function parsed(response: Response, bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (/\bjson\b/.test(type)) return JSON.parse(new TextDecoder().decode(bytes))
  return /^text\/|\byaml\b/.test(type) ? new TextDecoder().decode(bytes) : bytes
}

/** The innermost reason: `fetch` itself only reports that it failed. */
function rootOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return rootOf(cause)
  return error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
}
