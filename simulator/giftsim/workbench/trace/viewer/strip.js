/* The time strip of a trace: each entry has a place, and more where much time passes. */
import { el, svg } from "./shared/elements.js";
import { LANES, hasFailed, laneOf } from "./model.js";
import { instantText } from "./shared/instants.js";
import { Strip } from "./shared/strip.js";

const FOLD = 1.6; // places of an entry
const LEAST_FOLD_MS = 1_000;
const MOST_FOLDS = 40;
const SHAPES = { call: "call", resumed: "call", event: "event", attempt: "sent", answer: "sent", claim: "person", act: "person", mail: "mail", fault: "fault", advance: "advance" };

export class TraceStrip extends Strip {
  constructor(model, onMove, onToggle) {
    super(el("section", { class: "strip", "aria-label": "Time strip" }, Strip.parts()));
    Object.assign(this, { model, onMove, onToggle, data: contentOf(model) });
    this.section.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  name([lane, name]) {
    return el("button", { type: "button", "aria-pressed": "true", onclick: (event) => this.toggle(lane, event.currentTarget) }, name);
  }

  toggle(lane, button) {
    this.off.has(lane) ? this.off.delete(lane) : this.off.add(lane);
    button.setAttribute("aria-pressed", String(!this.off.has(lane)));
    this.draw();
    this.onToggle();
  }

  wheel(event) {
    event.preventDefault();
    if (event.ctrlKey || Math.abs(event.deltaY) > Math.abs(event.deltaX)) this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, this.placeAt(event.clientX));
    else this.scroll(this.from + (event.deltaX / this.width) * (this.data.end / this.zoom));
  }

  moved(place) {
    this.onMove(this.nearest(place).n);
  }

  placeOf(n) {
    return this.data.entries[n - 1].place;
  }

  goTo(n) {
    this.n = n;
    const [span, place] = [this.data.end / this.zoom, this.placeOf(n)];
    if (this.line && this.zoom > 1 && (place < this.from || place > this.from + span)) this.scroll(place - span / 2);
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
  const spans = new Map(gaps.sort((one, other) => other[0] - one[0]).slice(0, MOST_FOLDS).map(([span, i]) => [i, span]));
  const [entries, folds, ticks] = [[], [], []];
  let place = -0.5;
  for (const [i, entry] of model.entries.entries()) {
    place += spans.has(i) ? 1 + FOLD : 1;
    if (spans.has(i)) folds.push({ place: place - (1 + FOLD) / 2, span: spans.get(i) });
    if (spans.has(i) || i === 0) ticks.push({ place, at: times[i] });
    const [lane, failed] = [laneOf(entry), hasFailed(entry)];
    entries.push({ n: entry.n, place, at: times[i], lane, shape: SHAPES[entry.kind] ?? "other", failed, get title() { return `${entry.n}: ${model.titleOf(entry)}`; } });
  }
  return { end: place + 0.5, lanes: LANES, entries, folds, ticks };
}
