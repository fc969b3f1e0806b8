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

const TITLED = /\b(team_order|gift|campaign) ([\w-]+)(?: recipient [\w-]+)?/g;
const SENT = /\b(evt_\w+) to https?:\/\/([^/]+)\S*/g;

/* A text with a capital letter, unless it begins with a name such as team_order.paid or an address. */
export const sentence = (text) => (/^[a-z]+([._/]\w|:)|@/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

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
    this.titles = new Map(Object.values(data.records).filter(({ title }) => title).map(({ kind, id, of, title }) => [`${of?.kind ?? kind} ${of?.id ?? id}`, title]));
    this.types = new Map(this.entries.filter(({ event }) => event).map(({ event }) => [event.id, event.type]));
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

  /* What people call the order, gift or campaign that a record is, or belongs to; "" if none. */
  calledOf(key) {
    const record = this.data.records[key];
    return record?.title ?? this.titles.get(`${record?.of?.kind} ${record?.of?.id}`) ?? "";
  }

  /* A record by its name: its title, its label, or its kind and id. */
  nameOf(key) {
    const record = this.data.records[key];
    if (!record) return key;
    if (record.title) return record.title;
    const [kind, called] = [record.kind.replaceAll("_", " "), this.calledOf(key)];
    if (record.kind === "parcel" && called) return `Parcel of ${called}`;
    const name = record.label && record.label !== `${record.kind} ${record.id}` ? record.label : `${kind} ${record.id ?? ""}`;
    return this.namesIn(sentence(name));
  }

  /* A text with the titles of orders, gifts and campaigns in place of their kinds and ids, and events by their types. */
  namesIn(text) {
    return text.replace(TITLED, (whole, kind, id) => this.titles.get(`${kind} ${id}`) ?? whole)
      .replace(SENT, (whole, id, host) => `${this.types.get(id) ?? "event"} to ${host}`);
  }

  /* What a timer does, and for what. */
  dueText({ because, subject, about }) {
    const what = this.calledOf(about) || this.namesIn(subject ?? "");
    return what ? `${because}: ${what}` : because;
  }

  titleOf(entry) {
    if (entry.kind === "call") return this.callTitle(entry);
    if (entry.kind === "claim") return entry.call.request.method === "GET" ? "The claim page was opened" : "Claimed on the claim page";
    if (entry.kind === "advance") return `Time goes on ${spanText(Date.parse(entry.advance.to) - this.times[entry.n - 1])}`;
    if (entry.kind === "attempt") return `${entry.attempt.type}, attempt ${entry.attempt.number}`;
    if (entry.kind === "timer") {
      const timer = this.timers.get(entry.timer.id);
      return sentence(timer ? this.dueText(timer) : entry.title);
    }
    if (entry.kind === "mail") return `Mail: ${entry.mail.subject}`;
    return sentence(entry.title);
  }

  /* The first line of an entry: its title, of a verb or a setting without what explains it. */
  briefOf(entry) {
    return entry.control ? this.titleOf(entry).split(", ")[0] : this.titleOf(entry);
  }

  /* The second line of an entry: what it is about and where it went, else the request. */
  aboutOf(entry) {
    const { call, control, attempt, event, mail } = entry;
    const changed = (entry.changes ?? []).map(({ record }) => this.calledOf(record)).find(Boolean);
    if (call) return changed || this.calledIn(call.request.path) || `${call.request.method} ${call.request.path}`;
    if (control) return changed || `${control.method} ${control.path}`;
    const told = event ?? this.entry(attempt?.event ?? 0)?.event;
    const about = told ? this.calledOf(told.about) || this.namesIn(told.subject ?? "") : changed;
    const where = attempt ? `to ${attempt.url.split("/")[2]}` : mail ? `to ${mail.to}` : "";
    return [about, where].filter(Boolean).join(" ");
  }

  /* The title of the order, gift or campaign that a path names. */
  calledIn(path) {
    const ids = new Set(path.split(/[/?]/));
    for (const [key, title] of this.titles) if (ids.has(key.split(" ")[1])) return title;
    return "";
  }

  /* What the call was for, and the record that it made: of ten orders each has its own title. */
  callTitle(entry) {
    const summary = this.data.operations[entry.call.operation]?.summary;
    if (!summary) return entry.title;
    const made = (entry.changes ?? []).find(({ record, what }) => what === "added" && NAMED.has(this.data.records[record]?.kind));
    return made ? `${this.calledOf(made.record) || this.nameOf(made.record)}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}` : summary;
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
