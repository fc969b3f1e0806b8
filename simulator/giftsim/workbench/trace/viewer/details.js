/* One entry: what was sent and answered, what it changed, what caused it and what it caused. */
import { entryLink, region } from "./dom.js";
import { el } from "./shared/elements.js";
import { hasFailed, howText, laneOf, statusText } from "./model.js";
import { instantText, spanText } from "./shared/instants.js";
import { stateText } from "./shared/states.js";
import { memberName, moneyText, prettyText, valueText } from "./words.js";

const MOST_LINKS = 40;
const NOISE = new Set(["seen", "used", "sequence"]); // counters of giftsim's own

export function entryDetails(model, n) {
  const entry = model.entry(n);
  const parts = [heading(model, entry), ...exchange(model, entry)];
  if (entry.attempt) parts.push(signature(entry.attempt), ladder(model, entry));
  parts.push(changes(model, entry));
  return parts.filter(Boolean);
}

function heading(model, entry) {
  const call = entry.call ?? entry.control;
  const path = entry.call ? `${entry.call.request.method} ${entry.call.request.path}`
    : entry.control ? `${entry.control.method} ${entry.control.path}` : entry.attempt ? `POST ${entry.attempt.url}` : "";
  const place = entry.source && el("span", {}, " · made at ", el("code", {}, `${entry.source.file}:${entry.source.line}`));
  const status = statusText(entry);
  return el(
    "section", { class: "entry-head", "aria-label": "Entry" },
    el("h2", {}, `${entry.n}. ${model.titleOf(entry)} `, status && el("span", { class: hasFailed(entry) ? "code bad" : "code good" }, status)),
    el("p", { class: "tiny soft" }, path && el("code", {}, path), path && " · ", instantText(model.times[entry.n - 1]),
      entry.call?.credential && ` · as ${entry.call.credential}`, entry.call?.fault && ` · changed by ${entry.call.fault}`, place, traced(call ?? entry.attempt)),
    ...notes(model, entry).map((note) => el("p", { class: "hint" }, ...note)),
    sources(model, call),
  );
}

/* The app's own trace (W3C trace context) that the call is part of, and that its webhooks carry on. */
function traced({ traceparent } = {}) {
  const [, trace, span] = traceparent?.split("-") ?? [];
  return trace && el("span", {}, " · trace ", el("code", {}, trace), ", span ", el("code", {}, span));
}

/* What the verdicts say of the entry, and what no other part of the page shows of it. */
function notes(model, entry) {
  const found = (model.marks.get(entry.n) ?? []).map(({ what }) => [el("b", {}, what)]);
  if (entry.call?.near) found.push([el("b", {}, "No operation has this path."), ` The nearest one is ${entry.call.near}.`]);
  for (const { n } of (entry.causes ?? []).filter(({ how }) => how === "repeats")) found.push(["Entry ", entryLink(n, String(n)), " had the same method, path and body."]);
  if (entry.changes_unknown) found.push(["What this entry changed is not known: its history is no longer kept."]);
  return found;
}

function sources(model, call) {
  const operation = model.data.operations[call?.operation];
  if (!operation?.sources?.length) return null;
  const items = operation.sources.map((id) => el("li", {}, el("code", {}, id), " ", model.data.statements[id] ?? "a decision of giftsim"));
  return el("details", { class: "sources" }, el("summary", {}, `Documented as ${call.operation}, ${items.length} ${items.length === 1 ? "source" : "sources"}`), el("ul", {}, items));
}

function exchange(model, entry) {
  const { call, control, attempt, answer, mail, event } = entry;
  if (call) return [el("div", { class: "pair" }, message("Request", call.request, ""), message("Response", call.response, lostText(entry)))];
  if (control) return [el("div", { class: "pair" }, message("Request", { headers: {}, body: control.body }, ""),
    message("Response", { status: control.status, headers: {} }, "", control.status ? "" : "Done."))];
  if (attempt) {
    const { status, outcome, headers, body, base64, next, took_ms: took } = attempt;
    const how = status ? `Answered with ${status}${took === undefined ? "" : ` after ${took} ms`}` : outcome ? `No answer: ${stateText(outcome)}` : "Under way";
    const then = next ? `; the next attempt is due ${instantText(Date.parse(next))}.` : ".";
    return [el("div", { class: "pair" }, message("Request", { headers, body, base64 }, ""), message("Response", { status, headers: {}, body: attempt.answer }, "", how + then))];
  }
  if (answer) return [message("Response", { status: answer.status, headers: {}, body: answer.body }, "", `${stateText(answer.outcome)} after ${answer.took_ms} ms`)];
  if (mail) return [facts("Mail", [["To", mail.to], ["Subject", mail.subject], ["Kind", mail.kind.replaceAll("_", " ")], ["Links", mail.links]])];
  if (event) return [facts("Event", [["Type", event.type], ["Id", event.id], ["About", model.calledOf(event.about) || event.subject], ["Sent to", event.audience ? `${event.audience} ${event.audience === 1 ? "endpoint" : "endpoints"}` : "no endpoint: none was subscribed"]])];
  if (entry.kind === "failure" && model.data.test?.failure) return [region("Failure", null, el("pre", { class: "bad", tabindex: 0 }, model.data.test.failure.text ?? model.data.test.failure.message))];
  return [];
}

/* A claim page that worked has no answer here either. */
function lostText({ kind, changes }) {
  if (kind !== "call") return "The page is not kept.";
  return `No answer: the connection was closed. The call was ${changes?.length ? "carried out all the same" : "not carried out"}.`;
}

function message(name, sent, missing, note = "") {
  if (!sent) return region(name, null, el("p", { class: "soft" }, missing));
  const headers = Object.entries(sent.headers ?? {});
  const text = sent.body !== undefined && sent.body !== null ? prettyText(sent.body) : sent.base64 ? `base64: ${sent.base64}` : "";
  const shown = headers.length > 0 && el("details", {}, el("summary", {}, `Headers ${headers.length}`),
    el("pre", { tabindex: 0 }, headers.map(([header, value]) => `${header}: ${value}`).join("\n")));
  return region(name, sent.status ? el("span", { class: "code" }, String(sent.status)) : null, note && el("p", { class: "soft" }, note), shown,
    text ? el("pre", { tabindex: 0, "aria-label": `${name} body` }, text) : !note && el("p", { class: "faint" }, "no body"));
}

function facts(name, rows) {
  return region(name, null, el("dl", { class: "facts" }, rows.flatMap(([term, text]) => [el("dt", {}, term), el("dd", {}, String(text))])));
}

/* The signature taken apart: who checks it can compare each step. */
function signature(attempt) {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)/.exec(attempt.headers["X-Service-Signature"] ?? "") ?? [];
  if (!t) return null;
  return facts("Signature", [
    ["t", `${t}, which is ${instantText(Number(t) * 1000)}`], ["v1", v1],
    ["Signed text", `${t}.${attempt.body.slice(0, 60)}${attempt.body.length > 60 ? "…" : ""}`],
    ["How", "HMAC-SHA256 of the signed text with the endpoint's secret, in hexadecimal. Refuse a t more than 300 s away."],
  ]);
}

/* All attempts of one event to one endpoint, with the time between them. */
function ladder(model, entry) {
  const { event_id: id, endpoint } = entry.attempt;
  const rows = model.entries.filter((each) => each.attempt?.event_id === id && each.attempt.endpoint === endpoint);
  const first = model.times[rows[0].n - 1];
  return region("Attempts", null, el("ol", { class: "ladder-rows" }, rows.map((each) => el(
    "li", { "aria-current": each.n === entry.n ? "true" : null },
    el("span", { class: "soft" }, each === rows[0] ? "at once" : `after ${spanText(model.times[each.n - 1] - first)}`),
    entryLink(each.n, `attempt ${each.attempt.number}`), el("span", { class: hasFailed(each) ? "code bad" : "code good" }, statusText(each)),
    el("span", { class: "faint" }, instantText(model.times[each.n - 1])),
  ))));
}

function changes(model, entry) {
  const blocks = (entry.changes ?? []).map((change) => recordChange(model, change)).filter(Boolean);
  for (const moved of entry.ledger ?? []) blocks.push(block(`Ledger: ${moved.kind}, ${moved.ref}`, "", moved.postings.map(([account, cents]) => [account, null, moneyText(cents, true)])));
  for (const timer of entry.set ?? []) blocks.push(block("Timer", "set", [[instantText(Date.parse(timer.due)), null, `${timer.because}${timer.subject ? `, ${model.calledOf(timer.about) || model.namesIn(timer.subject)}` : ""}`]]));
  for (const id of entry.canceled ?? []) {
    const timer = model.timers.get(id);
    blocks.push(block("Timer", "canceled", [[timer ? instantText(Date.parse(timer.due)) : "timer", timer?.because ?? String(id), null]]));
  }
  for (const [name, [before, after]] of Object.entries(entry.settings ?? {})) blocks.push(block("Setting", "", [[name, valueText(name, before), valueText(name, after)]]));
  const body = blocks.length ? el("div", { class: "diff" }, blocks) : el("p", { class: "faint" }, "It changed nothing.");
  return region("Changes", null, body);
}

const LABELS = { added: "new", removed: "removed", changed: "" };

export function recordChange(model, { record, what, members }) {
  const rows = [];
  for (const [name, value] of Object.entries(members)) {
    if (NOISE.has(name) || value === null) continue;
    if (what === "changed") rows.push([memberName(name), valueText(name, value[0]), valueText(name, value[1])]);
    else rows.push([memberName(name), ...(what === "added" ? [null, valueText(name, value)] : [valueText(name, value), null])]);
  }
  if (!rows.length) return null;
  const money = what === "changed" && members.cash_cents ? moneyText(members.cash_cents[1] - members.cash_cents[0], true) : LABELS[what];
  return block(model.nameOf(record), money, rows);
}

function block(title, badge, rows) {
  return el("div", {}, el("h3", {}, title, " ", badge && el("span", { class: "badge" }, badge)), el("dl", {}, rows.flatMap(([name, before, after]) => [
    el("dt", {}, name),
    el("dd", {}, before !== null && el("span", { class: "del" }, before), before !== null && after !== null && " → ", after !== null && el("span", { class: "ins" }, after)),
  ])));
}

export function causeLinks(model, n) {
  const links = (name, rows, arrow, none) => region(name, null, rows.length === 0 ? el("p", { class: "faint" }, none)
    : el("ol", { class: "links" }, rows.slice(0, MOST_LINKS).map(({ n: other, how }) => {
      const entry = model.entry(other);
      const span = Math.abs(model.times[n - 1] - model.times[other - 1]);
      return el("li", {}, el("span", { class: "num" }, String(other)), el("span", { "aria-hidden": "true", class: `arrow ${laneOf(entry)}` }, arrow),
        el("span", {}, entryLink(other, model.titleOf(entry)), " ", el("span", { class: "faint" }, arrow === "↰" ? howText(how) : "", span ? `${arrow === "↰" && howText(how) ? ", " : ""}${spanText(span)} ${arrow === "↰" ? "before" : "after"}` : "")));
    }), rows.length > MOST_LINKS && el("li", { class: "faint" }, `and ${rows.length - MOST_LINKS} more`)));
  return [
    links("Caused by", model.causesOf(model.entry(n)), "↰", "Nothing in this trace: it came from outside."),
    links("Causes", model.effects[n - 1], "↳", "Nothing."),
  ];
}
