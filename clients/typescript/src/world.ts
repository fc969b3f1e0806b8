import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryResult, WebhookHandler } from './app-endpoint.js'
import { CapturedWebhooks, deliveryOf } from './captured-webhooks.js'
import { ControlRefused, UnknownCredential, WaitTimedOut } from './errors.js'
import type { paths as MuseumPaths } from './generated/museum.js'
import type { paths as PartnerPaths } from './generated/partner.js'
import type { paths as TeamPaths } from './generated/team.js'
import type { Answer, Connection, RequestOptions } from './http.js'
import { type InterfaceClient, interfaceClient, queryText } from './interface-client.js'
import { summarize } from './summary.js'
import { machineMs, whyLines } from './trace.js'
import type {
  ActionBody,
  ActionResult,
  Advance,
  AdvanceGoal,
  Body,
  Delivery,
  Effect,
  Fault,
  FaultChoices,
  ListName,
  RehearsalName,
  Result,
  Row,
  Verb,
  Verdict,
  WorldDescription,
} from './types.js'
import { CallNotes, type FailureFacts, type Note } from './user-code.js'

/** Options of a call: those of any request, and the name of the credential. */
export interface CallOptions extends RequestOptions {
  readonly credential?: string
}

/**
 * Options of `waitFor`: how long and how often it looks, in real milliseconds, what its error says is missing, and the
 * type of the event or the status that it waits for.
 */
export interface WaitOptions {
  readonly timeoutMs?: number
  readonly intervalMs?: number
  readonly what?: string
  readonly expected?: string
}

const PARTNER = '/api/external'
const TEAM = '/api/teams/v1'
const MUSEUM = '/v1.1'
const CONTROL = '/_sim/v1'

/**
 * A world with its own records, clock and credentials. `call` and the clients act as your application. The other
 * methods act as the world around it.
 */
export class World {
  /** The world's id. */
  readonly id: string
  readonly #forks: World[] = []
  readonly #notes = new CallNotes()
  readonly #webhooks = new CapturedWebhooks(this)
  #snapshots = 0
  #missed: readonly string[] = []

  constructor(
    private readonly connection: Connection,
    /** The world as it was created, with its credentials and URLs. */
    readonly description: WorldDescription,
  ) {
    this.id = description.id
  }

  /** The origin of the simulator. */
  get url(): string {
    return this.connection.origin
  }

  /** The base URL of each interface: `team`, `partner`, `museum`, `claim` and `control`. */
  get urls(): Readonly<Record<string, string>> {
    return this.description.urls
  }

  /** Return the headers of a credential such as `partner.prepaid`. Throws UnknownCredential, which lists the names. */
  headers(credential: string): Record<string, string> {
    const found = this.description.credentials[credential]
    if (found) return { ...found.headers }
    const names = Object.keys(this.description.credentials).join(', ')
    throw new UnknownCredential(`world ${this.id} has no credential ${JSON.stringify(credential)}; there are ${names}`)
  }

  /** Send one request to any path of the simulator. Without a credential, it only names the world. */
  async call(method: string, path: string, { credential, headers, ...options }: CallOptions = {}): Promise<Answer> {
    const own = credential === undefined ? { 'x-sim-world': this.id } : this.headers(credential)
    const note = this.#notes.begin(method, path)
    const answer = await this.connection.send(method, path, { ...options, headers: { ...own, ...headers } })
    const requestId = answer.headers.get('x-request-id')
    if (requestId !== null) note.request_id = requestId
    return answer
  }

  /** Return a client of the partner API with a credential. */
  partner(credential = 'partner.prepaid'): InterfaceClient<PartnerPaths> {
    return this.#client(PARTNER, credential)
  }

  /** Return a client of the team API with a credential. */
  team(credential = 'team.live_approver'): InterfaceClient<TeamPaths> {
    return this.#client(TEAM, credential)
  }

  /** Return a client of the museum API. */
  museum(): InterfaceClient<MuseumPaths> {
    return this.#client(MUSEUM, 'museum')
  }

  /** Call the test-control API below this world's path and return the JSON. Throws ControlRefused unless it is 2xx. */
  control(method: string, path = '', body?: unknown): Promise<unknown> {
    const whole = `/worlds/${this.id}${path}`
    if (method !== 'GET') this.#notes.begin(method, CONTROL + whole)
    return this.connection.control(method, whole, body)
  }

  /** Return all rows of a list of the test-control API (`orders`, `events`, `timers` ...), from all its pages. */
  async listed<Name extends ListName>(name: Name, query: Readonly<Record<string, unknown>> = {}): Promise<Row<Name>[]> {
    const rows: Row<Name>[] = []
    for (let after: unknown = query['after'] ?? null; ;) {
      const page = (await this.control('GET', `/${name}${queryText({ limit: 1000, ...query, after })}`)) as {
        next: unknown
      }
      const [found] = Object.entries(page).flatMap(([member, value]) =>
        member !== 'groups' && Array.isArray(value) ? [value] : [],
      )
      rows.push(...(found ?? []))
      after = page.next
      if (after === null) return rows
    }
  }

  /** Return the world's current time. */
  async now(): Promise<Date> {
    return new Date(((await this.control('GET', '/clock')) as Result<'getClock'>).now)
  }

  /**
   * Move the clock by a duration (`'3d'`), to an instant, to the `'next'` event, until `'idle'`, or to a goal. When this
   * returns, everything due on the way has happened, and every due webhook was attempted.
   */
  async advance(goal: string | AdvanceGoal): Promise<Advance> {
    const { fired, to, ...rest } = typeof goal === 'string' ? goalOf(goal) : goal
    const body = { ...rest, ...(to === undefined ? {} : { to: to instanceof Date ? instantText(to) : to }) }
    const report = (await this.control('POST', `/clock/advance${queryText({ fired })}`, body)) as Advance
    this.#missed = report.app_clock?.problems ?? []
    return report
  }

  /** Save the world's state, including its clock, timers and webhooks. Returns the snapshot's name. */
  async snapshot(name = `moment-${++this.#snapshots}`): Promise<string> {
    await this.control('POST', '/snapshots', { name })
    return name
  }

  /** Restore a saved state. */
  async restore(name: string): Promise<void> {
    await this.control('POST', `/snapshots/${encodeURIComponent(name)}/restore`)
    await this.#webhooks.wentBack()
  }

  /** Undo the last writes of clients and everything after them. Returns the undone calls, newest first. */
  async undo(count = 1): Promise<Result<'undoWorld'>['undone']> {
    const { undone } = (await this.control('POST', '/undo', { count })) as Result<'undoWorld'>
    await this.#webhooks.wentBack()
    return undone
  }

  /** Bring back what the last undo took away, if nothing new has happened since. Returns the calls, newest first. */
  async redo(): Promise<Result<'redoWorld'>['redone']> {
    const { redone } = (await this.control('POST', '/redo')) as Result<'redoWorld'>
    await this.#webhooks.wentBack()
    return redone
  }

  /** Return the world to the state in which it was created. */
  async reset(): Promise<void> {
    await this.control('POST', '/reset')
    await this.#webhooks.wentBack()
  }

  /** Create a second world with the same state and future but its own credentials. It is deleted with this one. */
  async fork(): Promise<World> {
    const fork = new World(this.connection, (await this.control('POST', '/fork', {})) as WorldDescription)
    this.#forks.push(fork)
    return fork
  }

  /** Return the hash of the world's whole state. The same seed and calls give the same hash. */
  async fingerprint(): Promise<string> {
    return ((await this.control('GET', '/fingerprint')) as Result<'getFingerprint'>).sha256
  }

  /** Act as the outside world, for example `simulate('claim', { team_order_id, recipient: 0 })`. */
  simulate<Name extends Verb>(verb: Name, body: ActionBody<Name>): Promise<ActionResult<Name>> {
    return this.control('POST', `/simulate/${verb}`, body) as Promise<ActionResult<Name>>
  }

  /** Let a situation happen, for example `rehearse('parcel-lost', { team_order_id })`. Returns what was done. */
  rehearse(name: RehearsalName, about: Omit<Body<'rehearse'>, 'name'> = {}): Promise<Result<'rehearse'>> {
    return this.control('POST', '/rehearse', { name, ...about }) as Promise<Result<'rehearse'>>
  }

  /** Add a person who acts on their own, for example `actor('bo', { recipient: 'bo@example.com', claims: '3d' })`. */
  actor(id: string, habit: Omit<Body<'createActor'>, 'id'>): Promise<Result<'createActor'>> {
    return this.control('POST', '/actors', { id, ...habit }) as Promise<Result<'createActor'>>
  }

  /** Add a fault, for example `fault({ drop: 'after' }, { when: { first: 1 } })`. */
  fault(effect: Effect, choices: FaultChoices = {}): Promise<Fault> {
    return this.control('POST', '/faults', { ...choices, effect }) as Promise<Fault>
  }

  /** Return the world's faults, each with the number of times it was injected. */
  faults(): Promise<Row<'faults'>[]> {
    return this.listed('faults')
  }

  /** Delete one fault, given the fault or its id, or all faults. Calls that they hold continue. */
  async clearFaults(fault?: string | Fault): Promise<void> {
    const id = typeof fault === 'object' ? fault.id : fault
    await this.control('DELETE', id === undefined ? '/faults' : `/faults/${id}`)
  }

  /** Subscribe a public URL to webhook events, by default as a partner. Returns the endpoint with its `secret`. */
  async subscribe(
    events: readonly string[],
    url = 'https://hooks.partner.example/gifts',
    credential = 'partner.prepaid',
  ): Promise<{ secret: string }> {
    const isTeam = /^(team|session)\./.test(credential)
    const headers: Record<string, string> = { 'x-sim-caller': 'test' } // its app has not called this
    if (isTeam) headers['idempotency-key'] = `subscribe-${url}-${events.join('-')}`.slice(0, 100)
    const path = isTeam ? TEAM : PARTNER
    const answer = await this.call('POST', `${path}/webhooks`, { credential, headers, body: { url, events } })
    return answer.expect(201) as { secret: string }
  }

  /** Set how a public host responds to webhooks, for example `{ mode: 'forward', to: 'http://127.0.0.1:9000' }`. */
  receiver(host: string, entry: Body<'putReceiver'>): Promise<Result<'putReceiver'>> {
    return this.control('PUT', `/receivers/${host}`, entry) as Promise<Result<'putReceiver'>>
  }

  /** Return all webhook delivery attempts so far, oldest first, or only those of an event type or to a host. */
  async deliveries(only: { readonly type?: string; readonly host?: string } = {}): Promise<Delivery[]> {
    return (await this.listed('deliveries', only)).map(deliveryOf)
  }

  /**
   * Deliver the webhooks that were captured since the last call to your app's endpoint, and return what it answered.
   * `app` is a function or the origin of a server on this machine, such as `http://127.0.0.1:9000`, which gets the path
   * of the endpoint's URL. Signatures carry the current second. Coverage and traces count the app's answers, and an
   * error, which is thrown, as a 500. Nothing is sent again, whatever the app answers.
   */
  deliverTo(
    app: string | WebhookHandler,
    only: { readonly type?: string; readonly host?: string } = {},
  ): Promise<DeliveryResult[]> {
    return this.#webhooks.deliverTo(app, only)
  }

  /** Return all webhook events, with or without subscribers, or only those of a type. */
  async events(type?: string): Promise<Row<'events'>[]> {
    return (await this.listed('events')).filter((event) => type === undefined || event.type === type)
  }

  /** Return the mail that the service would have sent, or only that to an address or of a kind. */
  mail(only: { readonly to?: string; readonly kind?: string } = {}): Promise<Row<'mail'>[]> {
    return this.listed('mail', only)
  }

  /** Change settings, if any are given. Returns all settings by their dotted names. */
  settings(changes?: Body<'changeSettings'>): Promise<Result<'changeSettings'>> {
    return this.control(changes ? 'PATCH' : 'GET', '/settings', changes) as Promise<Result<'changeSettings'>>
  }

  /** Create a key, for example `key({ interface: 'partner', account: { wallet_cents: 500 } })`: its `key` and `headers`. */
  key(choices: Body<'createKey'>): Promise<Result<'createKey'>> {
    return this.control('POST', '/keys', choices) as Promise<Result<'createKey'>>
  }

  /**
   * Call `look` until its result is neither falsy nor an empty list, and return that result. Use this if your
   * application works in the background. Throws WaitTimedOut, which says why and shows the world's latest calls.
   */
  async waitFor<T>(look: () => T | Promise<T>, options: WaitOptions = {}): Promise<NonNullable<T>> {
    const { timeoutMs = 5000, intervalMs = 50, what = 'what the test waits for', expected } = options
    for (const start = machineMs(); ; await sleep(intervalMs)) {
      const found = await look()
      if (found && !(Array.isArray(found) && found.length === 0)) return found
      if (machineMs() - start >= timeoutMs) {
        const message = `${what} is not there after ${timeoutMs} ms`
        const why = await this.#why({ message, text: message, ...(expected ? { expected: { event: expected } } : {}) })
        throw new WaitTimedOut([message, ...why, await this.summary()].join('\n'))
      }
    }
  }

  /**
   * Return why a record is as it is, or a call was answered so. The verdict that matters most is the first. `kind` is
   * `order`, `gift`, `campaign`, `event`, `approval`, or `call` with its number in the call log. `expected` is the type
   * of an event, a status, or the HTTP status of an answer.
   */
  async why(
    kind: string,
    id: string | number,
    { expected }: { readonly expected?: string | number } = {},
  ): Promise<Verdict[]> {
    const query = queryText({ about: `${kind}:${id}`, expected: expected ?? null })
    return ((await this.control('GET', `/why${query}`)) as Result<'explainWorld'>).verdicts
  }

  /** Return the lines that say why a wait failed; none if the simulator cannot say. */
  async #why(failure: FailureFacts): Promise<string[]> {
    const facts = { test: { id: 'waitFor', outcome: 'failed', seconds: 0, failure }, calls: this.notes() }
    const found = (await this.control('POST', '/why', facts).catch(() => undefined)) as
      Result<'explainTest'> | undefined
    return found?.verdicts[0] ? whyLines(found.verdicts[0]) : []
  }

  /** Return the lines of your code that made the calls so far, for a trace. */
  notes(): Note[] {
    return this.#notes.list()
  }

  /** Return what the app has met of the service in this world, and the next steps to what it has not met. */
  coverage(): Promise<Result<'getCoverage'>> {
    return this.control('GET', '/coverage') as Promise<Result<'getCoverage'>>
  }

  /** Return the world's time, latest calls and webhooks, and what your app's clock missed, for a failed test's report. */
  summary(timeoutMs = 5000): Promise<string> {
    return summarize(this, timeoutMs, this.#missed)
  }

  /** Return the world's trace: one HTML page with everything that happened. `facts` are what a test knows of it. */
  async trace(facts: Body<'makeTrace'> = {}): Promise<string> {
    return (await this.control('POST', '/trace', facts)) as string
  }

  /** Delete the world and its forks. A second call does nothing. */
  async end(): Promise<void> {
    await Promise.all(this.#forks.splice(0).map((fork) => fork.end()))
    await this.control('DELETE').catch((error: unknown) => {
      if (!(error instanceof ControlRefused && error.code === 'world_not_found')) throw error
    })
  }

  #client<Paths>(base: string, credential: string): InterfaceClient<Paths> {
    this.headers(credential)
    return interfaceClient((method, path, options) => this.call(method, base + path, { ...options, credential }))
  }
}

function instantText(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The goal of an advance as a person writes it: `next`, `idle`, an instant, or else a duration. */
function goalOf(text: string): AdvanceGoal {
  if (text === 'next' || text === 'idle') return { until: text }
  return /^\d{4}-\d\d-\d\dT/.test(text) ? { to: text } : { by: text }
}
