/* The time strip of a trace: each entry has a place of its own, and time that passes between two of them is a fold. */
import { el, svg } from "./shared/elements.js";
import { LANES, hasFailed, laneOf } from "./model.js";
import { clockOf, dayOf, instantText } from "./shared/instants.js";
import { Scale, magnified } from "./shared/scale.js";
import { Strip } from "./shared/strip.js";

const FOLD_PLACES = 1.6; // places of an entry
const LEAST_FOLD_MS = 1_000;
const MOST_TIME_FOLDS = 14;
const LEAST_PLACES = 8; // that are seen
const PIXELS = 6.4; // of a character
const SHAPES = { call: "call", resumed: "call", event: "event", attempt: "sent", answer: "sent", claim: "person", act: "person", mail: "mail", fault: "fault", advance: "advance" };

export class TraceStrip extends Strip {
  constructor(model, onMove, onToggle) {
    super(el("section", { class: "strip", "aria-label": "Time strip" }, Strip.parts()));
    Object.assign(this, { model, onMove, onToggle, data: contentOf(model) });
  }

  whole(width) {
    const { end, folds } = this.data;
    const ends = [0, ...folds.flatMap(({ place }) => [place - FOLD_PLACES / 2, place + FOLD_PLACES / 2]), end];
    return new Scale(ends.slice(1).map((to, i) => ({ from: ends[i], to, width: ((to - ends[i]) / end) * width, fold: i % 2 ? { span: folds[(i - 1) / 2].span, ratio: 1 } : null })));
  }

  viewOf({ from, to }, width) {
    return magnified(this.all, from, to, width);
  }

  get limits() {
    return [LEAST_PLACES, this.data.end];
  }

  /* The entries of a lane that is folded are in no list either. */
  shows({ lane }) {
    return !this.off.has(lane);
  }

  toggle(id) {
    super.toggle(id);
    this.onToggle();
  }

  titleOf({ entry, count, failed }) {
    return count < 2 ? entry.title : `${count} entries${failed ? `, ${failed} failed` : ""}, up to ${entry.title}`;
  }

  moved(place) {
    this.onMove(this.nearest(place).n);
  }

  placeOf(n) {
    return this.data.entries[n - 1].at;
  }

  goTo(n) {
    this.n = n;
    const place = this.placeOf(n);
    if (this.view && (place < this.view.from || place > this.view.to)) this.lookAt(place - (this.view.to - this.view.from) / 2, this.view.to - this.view.from);
    else if (this.line) this.drawn();
  }

  drawn() {
    if (!this.n) return;
    const last = this.data.entries.length;
    this.part("strip-knob").setAttribute("aria-valuemin", 1);
    this.part("strip-knob").setAttribute("aria-valuemax", last);
    this.show(this.placeOf(this.n), String(this.n), { value: this.n, told: `${this.n} of ${last}, ${instantText(this.model.times[this.n - 1])}` });
    this.drawChain();
  }

  /* The instants after folds, and that of the first entry that is seen, as far as they have room. */
  ticks() {
    const first = this.data.entries[this.indexAt(this.scale.from)];
    const all = this.view && first ? [{ place: first.at, at: first.ms }, ...this.data.ticks.filter(({ place }) => place > first.at)] : this.data.ticks;
    const found = [];
    let [end, day] = [-Infinity, ""];
    for (const { place, at } of all) {
      const x = this.scale.x(place) - 6;
      if (place < this.scale.from || place > this.scale.to || x < end) continue;
      const text = dayOf(at) === day ? clockOf(at) : `${(day = dayOf(at))}, ${clockOf(at)}`;
      found.push({ x, text, end: (end = x + 13 + text.length * PIXELS) });
    }
    return found;
  }

  /* Grey lines from the entry to what caused it and what it caused; red ones from mark to mark of what proves the verdict. */
  drawChain() {
    const { model, model: { proof } } = this;
    const linked = [...model.causesOf(model.entry(this.n)), ...model.effects[this.n - 1].slice(0, 60)].map(({ n }) => this.ladder("ladder", this.n, n));
    this.layer.replaceChildren(...linked, ...proof.slice(1).map((n, i) => this.ladder("ladder bad", proof[i], n)));
  }

  ladder(name, ...ends) {
    const [[x1, y1], [x2, y2]] = ends.map((n) => [this.x(this.placeOf(n)), this.y(laneOf(this.model.entry(n)))]);
    return svg("line", { class: name, x1, y1, x2, y2 });
  }
}

/* The longest stretches without an entry are folds, and the entry after one has its instant above it. */
function contentOf(model) {
  const { times } = model;
  const gaps = times.slice(1).map((at, i) => [at - times[i], i + 1]).filter(([span]) => span >= LEAST_FOLD_MS);
  const spans = new Map(gaps.sort((one, other) => other[0] - one[0]).slice(0, MOST_TIME_FOLDS).map(([span, i]) => [i, span]));
  const [entries, folds, instants] = [[], [], []];
  let place = -0.5;
  for (const [i, entry] of model.entries.entries()) {
    place += spans.has(i) ? 1 + FOLD_PLACES : 1;
    if (spans.has(i)) folds.push({ place: place - (1 + FOLD_PLACES) / 2, span: spans.get(i) });
    if (spans.has(i) || i === 0) instants.push({ place, at: times[i] });
    const [lane, failed] = [laneOf(entry), hasFailed(entry)];
    entries.push({ n: entry.n, at: place, ms: times[i], lane, shape: SHAPES[entry.kind] ?? "other", failed, get title() { return `${entry.n}: ${model.titleOf(entry)}`; } });
  }
  return { end: place + 0.5, lanes: LANES, entries, folds, ticks: instants, bands: bandsOf(model, entries) };
}

/* Faults from the entry that sets them to the one that ends them. */
function bandsOf(model, entries) {
  const [found, open] = [[], new Map()];
  const isFault = (key) => (model.data.records[key]?.kind ?? key.split("/")[0]) === "fault";
  const begin = (key, from) => found.push(open.set(key, { lane: "faults", kind: "fault", from, to: null, title: `Fault ${model.nameOf(key)}` }).get(key));
  for (const key of Object.keys(model.data.start.records).filter(isFault)) begin(key, 0);
  for (const entry of model.entries) {
    for (const { record, what } of (entry.changes ?? []).filter((change) => isFault(change.record))) {
      if (what === "added") begin(record, entries[entry.n - 1].at);
      else if (what === "removed" && open.has(record)) open.get(record).to = entries[entry.n - 1].at;
    }
  }
  return found;
}
