// The partner API: its calls are repeated until they have a final answer, which is safe for all that the shop makes. An
// order has its idempotency key, a settlement too, and a second cancellation finds nothing left to cancel.

const ANSWER_MS = 3000 // how long the shop waits for an answer
const PATIENCE_MS = 8000 // how long its customers wait
const PAUSES_MS = [50, 100, 200, 400, 400] // before it tries again, where the service does not say how long to wait
const PAGE = 100

export class Unavailable extends Error {}

export class PartnerApi {
  constructor(origin, key) {
    this.base = `${origin}/api/external`
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' }
  }

  // Makes one call; its status, JSON and milliseconds to wait. Throws Unavailable without an answer.
  async once(method, path, body, timeout = ANSWER_MS) {
    try {
      const signal = AbortSignal.timeout(Math.max(1, timeout))
      const content = body === undefined ? undefined : JSON.stringify(body)
      const response = await fetch(this.base + path, { method, headers: this.headers, body: content, signal })
      const wait = response.headers.get('retry-after')
      const text = await response.text()
      const json = response.status < 500 ? JSON.parse(text) : {}
      return { status: response.status, json, wait: /^\d+$/.test(wait ?? '') ? Number(wait) * 1000 : undefined }
    } catch (error) {
      throw new Unavailable(`${method} ${path}: ${error.message}`)
    }
  }

  // Makes a call until it has a final answer; its status and JSON. Throws Unavailable if that takes too long.
  async call(method, path, body) {
    const until = Date.now() + PATIENCE_MS
    let uncertain = false // whether an attempt may have done its work: then 401 and 403 are no answer to the call
    for (const pause of [...PAUSES_MS, Infinity]) {
      const answer = await this.once(method, path, body, Math.min(ANSWER_MS, until - Date.now())).catch(() => undefined)
      if (answer === undefined) uncertain = true
      else if (isFinal(answer) && !(uncertain && [401, 403].includes(answer.status))) return answer
      const wait = Number.isFinite(pause) ? (answer?.wait ?? pause) : Infinity
      if (Date.now() + wait >= until) break
      await new Promise((done) => setTimeout(done, wait))
    }
    throw new Unavailable(`${method} ${path}`)
  }

  // Reads something until that works. Throws Unavailable.
  async read(path) {
    const { status, json } = await this.call('GET', path)
    if (status === 200) return json
    throw new Unavailable(`${path} answered ${status}`)
  }

  // One page of orders, newest first and without their recipients.
  async page(query) {
    return (await this.read(`/team-orders?${new URLSearchParams(query)}`)).team_orders
  }

  // All orders of a query, by id. Pages move while others write, so they are read until two readings agree.
  async all(query = {}, limit = PAGE) {
    let [before, found] = [undefined, await this.list(query, limit)]
    while (before === undefined || ids(before) !== ids(found)) [before, found] = [found, await this.list(query, limit)]
    return [...found.values()]
  }

  async list(query, limit) {
    const found = new Map()
    for (let offset = 0; ;) {
      const page = await this.page({ ...query, limit, offset })
      if (page.length === 0) return found
      for (const row of page) found.set(row.id, row)
      offset += page.length
    }
  }

  // One order with its recipients.
  async order(id) {
    return this.read(`/team-orders/${id}`)
  }
}

// The code of an error: it is in `error`, or beside the message at the top.
export function codeOf(json) {
  return typeof json?.error === 'object' ? json.error?.code : json?.code
}

// Whether the same call would be answered in the same way a moment later.
function isFinal({ status, json }) {
  return status < 500 && ![408, 429].includes(status) && codeOf(json) !== 'idempotency_outcome_unknown'
}

const ids = (orders) => [...orders.keys()].join()
