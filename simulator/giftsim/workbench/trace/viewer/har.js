/* A trace's calls and webhooks as HAR 1.2, as `giftsim calls --har` writes them: startedDateTime is the world's time. */
const NOT_KNOWN = -1;
const TYPE_HEADER = "content-type";

/* The HAR of entry `n`, or of all up to it; null without a call or a webhook among them. */
export function harOf(model, n, onlyThis) {
  const entries = (onlyThis ? [model.entry(n)] : model.entries.slice(0, n)).map(harEntry).filter(Boolean);
  if (!entries.length) return null;
  const creator = { name: "giftsim", version: model.data.giftsim };
  return `${JSON.stringify({ log: { version: "1.2", creator, _simulated: true, entries } }, null, 2)}\n`;
}

function harEntry(entry) {
  const { call, attempt } = entry;
  if (call) {
    const { seq, operation, credential, fault, request, response } = call;
    return harExchange(entry.at, request, response, { kind: "call", seq, operation, credential, fault });
  }
  if (!attempt) return null;
  const { seq, event_id: event, number, outcome, fault, url, headers, body, base64, took_ms: took } = attempt;
  const answer = attempt.status === null ? null : { status: attempt.status, headers: {}, body: attempt.answer };
  return harExchange(entry.at, { method: "POST", url, headers, body, base64 }, answer, { kind: "webhook", seq, event, attempt: number, outcome, fault }, took);
}

function harExchange(at, request, response, own, took = 0) {
  const url = request.url ?? `http://127.0.0.1:8080${request.path}`;
  const extra = Object.entries(own).filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [`_${name}`, value]);
  return {
    startedDateTime: new Date(Date.parse(at)).toISOString(), time: took,
    request: harRequest(request, url), response: harResponse(response), cache: {}, timings: { send: 0, wait: took, receive: 0 },
    ...Object.fromEntries(extra),
  };
}

function harRequest(request, url) {
  const query = [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? "")].map(([name, value]) => ({ name, value }));
  const posted = harText(request) === undefined ? {} : { postData: { mimeType: harType(request.headers) || "application/json", ...harText(request) } };
  return { method: request.method, url, httpVersion: "HTTP/1.1", cookies: [], headers: harHeaders(request.headers), queryString: query, headersSize: NOT_KNOWN, bodySize: harSize(request), ...posted };
}

function harResponse(response) {
  const { status = 0, headers = {} } = response ?? {};
  const content = { size: Math.max(0, harSize(response ?? {})), mimeType: harType(headers), ...harText(response ?? {}) };
  return { status, statusText: "", httpVersion: "HTTP/1.1", cookies: [], headers: harHeaders(headers), content, redirectURL: "", headersSize: NOT_KNOWN, bodySize: NOT_KNOWN };
}

/* A body that was cut, of which `bytes` is the whole size, is left out: a part of it is another body. */
function harText({ body, base64, bytes }) {
  if (bytes !== undefined) return undefined;
  return base64 ? { text: base64, encoding: "base64" } : body ? { text: String(body) } : undefined;
}

const harSize = ({ body, base64, bytes }) => bytes ?? (base64 ? NOT_KNOWN : new TextEncoder().encode(body ?? "").length);
const harHeaders = (headers) => Object.entries(headers ?? {}).map(([name, value]) => ({ name, value: String(value) }));
const harType = (headers) => Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === TYPE_HEADER)?.[1] ?? "";
