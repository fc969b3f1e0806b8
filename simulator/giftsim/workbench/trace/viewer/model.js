/* What the trace says, in the terms of the page: lanes, titles, effects, and the state after any entry. */
import { spanText } from "./shared/instants.js";

export const LANES = [
  ["test", "Test"], ["app", "Your app"], ["webhooks", "Webhooks"], ["mail", "Mail"],
  ["people", "People"], ["faults", "Faults"], ["clock", "Clock"],
];
const LANE_OF = {
  world: "test", control: "test", snapshot: "test", reset: "test", failure: "test", call: "app", resumed: "app",
  claim: "people", act: "people", fault: "faults", advance: "clock", timer: "clock", clock: "clock",
  event: "webhooks", attempt: "webhooks", answer: "webhooks", mail: "mail",
};
const HOW = {
  made: "made it", timer: "set the timer", event: "is what it sends", retry: "failed, so it was tried again",
  answers: "is the attempt", during: "was under way: the app called back", fault: "set the fault",
  mail: "sent the link", resumes: "was held",
};

const NAMED = new Set(["order", "team_order", "gift", "campaign", "approval", "museum_ticket", "invoice", "preview"]);

export const laneOf = (entry) => LANE_OF[entry.kind] ?? "test";
export const howText = (how) => HOW[how] ?? how;
export const hasFailed = (entry) => {
  if (entry.kind === "failure") return true;
  if (entry.attempt) return entry.attempt.status === null ? entry.attempt.outcome !== null : entry.attempt.status >= 300;
  if (entry.answer) return !(entry.answer.status < 300) || entry.answer.status === null;
  if (entry.control?.status >= 400) return true;
  return entry.kind === "call" && (entry.call.response === null || entry.call.response?.status >= 400);
};

/* What stands at the right of an entry: a status, or what took its place. */
export function statusText(entry) {
  if (entry.call && entry.kind === "call") return entry.call.response ? String(entry.call.response.status) : "lost";
  if (entry.attempt) return String(entry.attempt.status ?? entry.attempt.outcome ?? "sent");
  if (entry.answer) return String(entry.answer.status ?? entry.answer.outcome);
  return entry.control?.status ? String(entry.control.status) : "";
}

/* What a timer does, and for what: a delivery is told by its host. */
export function dueText({ because, subject }) {
  return subject ? `${because}: ${subject.replace(/^evt_\w+ to https?:\/\/([^/]+).*/, "to $1")}` : because;
}

/* A text with a capital letter, unless it begins with a name such as team_order.paid. */
export const sentence = (text) => (/^[a-z]+[._/]\w/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/* What was sent and answered, without what it changed: a name in that would find every record's every change. */
function sentText({ title, call, control, attempt, answer, mail, event }) {
  return `${title} ${JSON.stringify(call ?? control ?? attempt ?? answer ?? mail ?? event ?? "")}`;
}

export class Model {
  constructor(data) {
    this.data = data;
    this.entries = data.entries;
    this.times = data.entries.map((entry) => Date.parse(entry.at));
    this.effects = this.entries.map(() => []);
    const verdicts = data.verdicts ?? [];
    this.marks = Map.groupBy(verdicts.flatMap(({ marks }) => marks), ({ entry }) => entry);
    this.proof = [...new Set(verdicts[0]?.marks.map(({ entry }) => entry))].sort((one, other) => one - other);
    this.timers = new Map();
    for (const timer of data.start.timers) this.timers.set(timer.id, timer);
    for (const entry of this.entries) {
      for (const cause of this.causesOf(entry)) this.effects[cause.n - 1].push({ n: entry.n, how: cause.how });
      for (const timer of entry.set ?? []) this.timers.set(timer.id, timer);
    }
    this.rewind();
  }

  entry(n) {
    return this.entries[n - 1];
  }

  /* What led to an entry: not an earlier call that was the same, which its causes name too. */
  causesOf(entry) {
    return (entry.causes ?? []).filter(({ how }) => how !== "repeats");
  }

  /* A record by its name: its label, or its kind and id. */
  nameOf(key) {
    const record = this.data.records[key];
    if (!record) return key;
    const kind = record.kind.replaceAll("_", " ");
    const name = record.label && record.label !== `${record.kind} ${record.id}` ? record.label : `${kind} ${record.id ?? ""}`;
    return sentence(name);
  }

  titleOf(entry) {
    if (entry.kind === "call") return this.callTitle(entry);
    if (entry.kind === "advance") return `Time goes on ${spanText(Date.parse(entry.advance.to) - this.times[entry.n - 1])}`;
    if (entry.kind === "attempt") return `${entry.attempt.type}, attempt ${entry.attempt.number}`;
    if (entry.kind === "timer") {
      const timer = this.timers.get(entry.timer.id);
      return sentence(timer ? dueText(timer) : entry.title);
    }
    if (entry.kind === "mail") return `Mail: ${entry.title}`;
    return sentence(entry.title);
  }

  /* What the call was for, and the record that it made: of ten orders each has its own title. */
  callTitle(entry) {
    const summary = this.data.operations[entry.call.operation]?.summary;
    if (!summary) return entry.title;
    const made = (entry.changes ?? []).find(({ record, what }) => what === "added" && NAMED.has(this.data.records[record]?.kind));
    return made ? `${this.nameOf(made.record)}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}` : summary;
  }

  rewind() {
    this.at = 0;
    this.records = new Map(Object.entries(this.data.start.records).map(([key, members]) => [key, { ...members }]));
    this.settings = { ...this.data.start.settings };
    this.live = new Map(this.data.start.timers.map((timer) => [timer.id, timer]));
  }

  /* Make `records`, `settings` and `live` (the timers) those after an entry. */
  goTo(n) {
    while (this.at < n) this.step(this.entries[this.at++], true);
    while (this.at > n) this.step(this.entries[--this.at], false);
  }

  step(entry, forward) {
    for (const change of entry.changes ?? []) this.change(change, forward);
    for (const [name, pair] of Object.entries(entry.settings ?? {})) this.settings[name] = pair[forward ? 1 : 0];
    for (const timer of entry.set ?? []) forward ? this.live.set(timer.id, timer) : this.live.delete(timer.id);
    const gone = [...(entry.canceled ?? []), ...(entry.timer ? [entry.timer.id] : [])];
    for (const id of gone) forward ? this.live.delete(id) : this.live.set(id, this.timers.get(id));
  }

  change({ record, what, members }, forward) {
    if (what === "changed") {
      const known = this.records.get(record) ?? {};
      for (const [name, pair] of Object.entries(members)) known[name] = pair[forward ? 1 : 0];
      this.records.set(record, known);
    } else if ((what === "added") === forward) this.records.set(record, { ...members });
    else this.records.delete(record);
  }

  /* The state after an entry as rows of a name and a text; `n` is a count that is drawn as a bar. */
  summary(n) {
    this.goTo(n);
    const statuses = new Map();
    const [balances, faults] = [[], []];
    let open = 0;
    for (const [key, members] of this.records) {
      const kind = this.data.records[key]?.kind ?? key.split("/")[0];
      if (kind === "order" && members.status) statuses.set(members.status, (statuses.get(members.status) ?? 0) + 1);
      if ((kind === "gift" || kind === "team_order" || kind === "campaign") && members.status) {
        statuses.set(members.status, (statuses.get(members.status) ?? 0) + 1);
      }
      if (kind === "delivery" && members.status === "pending") open += 1;
      if (kind === "account") balances.push([members.label ?? this.nameOf(key), members.cash_cents ?? 0]);
      if (kind === "fault") faults.push(members);
    }
    const due = [...this.live.values()].sort((one, other) => one.due < other.due ? -1 : 1);
    return { statuses, balances, open, faults, due };
  }

  /* Everything that was caused by, or causes, an entry: the numbers of the whole chain. */
  chainOf(n) {
    const chain = new Set([n]);
    const follow = (start, next) => {
      const waiting = [start];
      while (waiting.length && chain.size < 200) for (const each of next(waiting.pop())) {
        if (!chain.has(each)) waiting.push(each);
        chain.add(each);
      }
    };
    follow(n, (each) => this.causesOf(this.entry(each)).map((cause) => cause.n));
    follow(n, (each) => this.effects[each - 1].map((effect) => effect.n));
    return chain;
  }

  /* The numbers of the entries in which a text stands, without those of the lanes that are off. */
  search(text, off) {
    const wanted = text.trim().toLowerCase();
    const found = [];
    for (const entry of this.entries) {
      if (off.has(laneOf(entry))) continue;
      if (!wanted || this.textOf(entry).includes(wanted)) found.push(entry.n);
    }
    return found;
  }

  textOf(entry) {
    this.texts ??= [];
    return (this.texts[entry.n] ??= `${this.titleOf(entry)} ${statusText(entry)} ${sentText(entry)}`.toLowerCase());
  }
}
