/* The time strip: a lane for each kind of actor, a mark for each entry, quiet stretches folded, a slider named "Time". */
import { el, svg } from "./dom.js";
import { LANES, hasFailed, laneOf } from "./model.js";
import { clockOf, dayOf, instantText, spanText } from "./words.js";

const TOP = 20;
const LANE = 17;
const LEFT = 92;
const MARK = 8;
const FOLD = 1.6; // units of an entry
const MOST_FOLDS = 40;
const MOST_ZOOM = 4_000;

export class Strip {
  constructor(model, onMove) {
    this.model = model;
    this.onMove = onMove;
    this.lanes = new Set(LANES.map(([lane]) => lane));
    this.zoom = 1;
    this.from = 0; // in units
    this.place();
    this.names = el("div", { class: "lane-names", role: "group", "aria-label": "Lanes" });
    this.drawing = svg("svg", { class: "drawing", height: TOP + LANES.length * LANE + 4 });
    this.node = el("section", { class: "strip", "aria-label": "Time strip" }, this.names, this.drawing);
    this.drawing.addEventListener("pointerdown", (event) => this.drag(event));
    this.drawing.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /* The place of each entry in units: one for each entry, and more where much time passes. */
  place() {
    const { times } = this.model;
    const gaps = times.slice(1).map((at, n) => [at - times[n], n + 1]).filter(([gap]) => gap >= 1_000);
    gaps.sort((one, other) => other[0] - one[0]);
    this.folds = new Map(gaps.slice(0, MOST_FOLDS).map(([gap, n]) => [n, gap]));
    let unit = 0.5;
    this.units = times.map((_, n) => (unit += this.folds.has(n) ? 1 + FOLD : 1) - 1);
    this.total = unit + 0.5;
  }

  x(unit) {
    return LEFT + ((unit - this.from) / this.total) * this.zoom * this.width;
  }

  unitAt(x) {
    return this.from + ((x - LEFT) / (this.zoom * this.width)) * this.total;
  }

  nearest(x) {
    const unit = this.unitAt(x);
    let [low, high] = [0, this.units.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.units[middle] < unit) low = middle + 1;
      else high = middle;
    }
    const closer = low > 0 && unit - this.units[low - 1] < this.units[low] - unit;
    return (closer ? low - 1 : low) + 1;
  }

  show(n) {
    this.n = n;
    if (this.zoom > 1) {
      const [span, unit] = [this.total / this.zoom, this.units[n - 1]];
      if (unit < this.from || unit > this.from + span) return this.scroll(unit - span / 2);
    }
    this.moveKnob();
  }

  scroll(from) {
    this.from = Math.max(0, Math.min(from, this.total - this.total / this.zoom));
    this.draw();
  }

  zoomBy(factor, at = this.units[this.n - 1]) {
    const share = ((at - this.from) / this.total) * this.zoom;
    this.zoom = Math.max(1, Math.min(this.zoom * factor, Math.min(MOST_ZOOM, Math.max(1, this.units.length / 4))));
    this.scroll(at - (share * this.total) / this.zoom);
  }

  wheel(event) {
    event.preventDefault();
    const at = this.unitAt(event.offsetX);
    if (event.ctrlKey || Math.abs(event.deltaY) > Math.abs(event.deltaX)) this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, at);
    else this.scroll(this.from + (event.deltaX / this.width) * (this.total / this.zoom));
  }

  drag(event) {
    const move = (each) => this.onMove(this.nearest(each.offsetX));
    this.drawing.setPointerCapture(event.pointerId);
    this.drawing.addEventListener("pointermove", move);
    this.drawing.addEventListener("pointerup", () => this.drawing.removeEventListener("pointermove", move), { once: true });
    move(event);
    this.slider.focus({ preventScroll: true });
    event.preventDefault();
  }

  draw() {
    this.width = Math.max(100, this.drawing.clientWidth - LEFT - 16);
    this.height = TOP + LANES.length * LANE;
    this.after = svg("rect", { class: "future", y: 0, height: this.height });
    this.chain = svg("g", {});
    this.drawing.replaceChildren(this.after, ...this.axis(), ...this.laneLines(), this.chain, ...this.marks(), this.knob());
    if (this.n) this.moveKnob();
  }

  /* Instants where time has passed; between them, as far as there is room, how much. */
  axis() {
    const [parts, folds] = [[], []];
    let [free, day] = [0, ""];
    for (const [n, unit] of this.visible()) {
      const [at, x] = [this.model.times[n - 1], this.x(unit)];
      const gap = this.folds.get(n - 1);
      if (gap) folds.push([this.x(unit - (1 + FOLD) / 2), gap, free]);
      if (x < free || (!gap && free)) continue;
      if (folds.length) folds.at(-1).push(x);
      const text = dayOf(at) === day ? clockOf(at) : `${(day = dayOf(at))}, ${clockOf(at)}`;
      parts.push(svg("line", { class: "tick", x1: x - 6, x2: x - 6, y1: 4, y2: this.height }));
      parts.push(svg("text", { x: x - 2, y: 13 }, text));
      free = x + text.length * 6.4 + 14;
    }
    return [...parts, ...folds.flatMap((each) => this.fold(...each))];
  }

  fold(x, gap, free, next = Infinity) {
    const zigzag = Array.from({ length: LANES.length * 2 }, (_, n) => `${n ? "L" : "M"}${x + (n % 2 ? 3 : -3)} ${TOP + n * LANE / 2}`);
    const half = spanText(gap).length * 3.2 + 4;
    const label = x - half > free - 14 && x + half < next ? svg("text", { class: "middle", x, y: 13 }, spanText(gap)) : null;
    return [svg("path", { class: "fold", d: zigzag.join("") }, svg("title", {}, `${spanText(gap)} pass`)), label].filter(Boolean);
  }

  laneLines() {
    return LANES.map((_, n) => svg("line", { class: "lane", x1: LEFT, x2: LEFT + this.width + 16, y1: this.y(n), y2: this.y(n) }));
  }

  y(lane) {
    return TOP + lane * LANE + LANE / 2;
  }

  *visible() {
    const last = this.from + this.total / this.zoom;
    for (let n = Math.max(1, this.nearest(LEFT) - 1); n <= this.units.length && this.units[n - 1] <= last; n += 1) {
      yield [n, this.units[n - 1]];
    }
  }

  /* A mark for each entry; those that would touch join in one with their number. */
  marks() {
    const drawn = [];
    const open = new Map();
    const close = (lane) => {
      if (open.has(lane)) drawn.push(this.mark(lane, open.get(lane)));
      open.delete(lane);
    };
    for (const [n, unit] of this.visible()) {
      const entry = this.model.entry(n);
      const lane = laneOf(entry);
      if (!this.lanes.has(lane)) continue;
      const x = this.x(unit);
      const group = open.get(lane);
      if (group && x - group.last < MARK) Object.assign(group, { last: x, count: group.count + 1, failed: group.failed || hasFailed(entry) });
      else {
        close(lane);
        open.set(lane, { entry, first: x, last: x, count: 1, failed: hasFailed(entry) });
      }
    }
    for (const lane of [...open.keys()]) close(lane);
    return drawn;
  }

  mark(lane, { entry, first, last, count, failed }) {
    const [x, y] = [(first + last) / 2, this.y(LANES.findIndex(([name]) => name === lane))];
    const group = svg("g", { class: `mark ${failed ? "bad" : lane}`, transform: `translate(${x} ${y})` });
    const width = last - first + 10;
    if (count > 2 && width > 14) {
      group.append(svg("rect", { x: -width / 2, y: -6, width, height: 12, rx: 6 }));
      if (width > 22) group.append(svg("text", { class: "pill", y: 3.5 }, String(count)));
    } else group.append(...shape(lane, failed, entry));
    group.append(svg("title", {}, count > 1 ? `${count} entries from ${entry.n} on` : `${entry.n}: ${this.model.titleOf(entry)}`));
    return group;
  }

  knob() {
    this.line = svg("line", { class: "nowline", y1: TOP - 2, y2: this.height });
    this.text = svg("text", { class: "knob-text", y: 13.5 });
    this.slider = svg(
      "g",
      { role: "slider", tabindex: 0, "aria-label": "Time", "aria-valuemin": 1, "aria-valuemax": this.units.length },
      this.line, svg("rect", { class: "knob", x: -21, y: 1, width: 42, height: 17, rx: 8.5 }), this.text,
    );
    return this.slider;
  }

  moveKnob() {
    const [n, x] = [this.n, this.x(this.units[this.n - 1])];
    this.slider.setAttribute("transform", `translate(${x} 0)`);
    this.slider.setAttribute("aria-valuenow", n);
    this.slider.setAttribute("aria-valuetext", `${n} of ${this.units.length}, ${instantText(this.model.times[n - 1])}`);
    this.text.textContent = String(n);
    this.after.setAttribute("x", x);
    this.after.setAttribute("width", Math.max(0, LEFT + this.width + 16 - x));
    this.drawChain();
  }

  /* Lines from the entry to what caused it, and to what it caused. */
  drawChain() {
    const entry = this.model.entry(this.n);
    const linked = [...(entry.causes ?? []), ...this.model.effects[this.n - 1].slice(0, 60)];
    const point = (n) => [this.x(this.units[n - 1]), this.y(LANES.findIndex(([lane]) => lane === laneOf(this.model.entry(n))))];
    const [x1, y1] = point(this.n);
    this.chain.replaceChildren(...linked.map(({ n }) => {
      const [x2, y2] = point(n);
      return svg("line", { class: hasFailed(entry) || hasFailed(this.model.entry(n)) ? "ladder bad" : "ladder", x1, y1, x2, y2 });
    }));
  }
}

function shape(lane, failed, entry) {
  if (failed) return [svg("circle", { r: 5 }), svg("path", { class: "cross", d: "m-2-2 4 4m0-4-4 4" })];
  if (lane === "app") return [svg("rect", { x: -3.5, y: -3.5, width: 7, height: 7, rx: 1.5 })];
  if (lane === "people") return [svg("path", { d: "M0-5 5 0 0 5-5 0z" })];
  if (entry.kind === "event") return [svg("circle", { class: "ring", r: 3.5 })];
  if (lane === "webhooks") return [svg("circle", { r: 4 })];
  if (lane === "mail") return [svg("path", { d: "M-5-3.5h10v7h-10z" })];
  if (lane === "faults") return [svg("path", { d: "M1-5-4 1h3l-1 4 5-6h-3z" })];
  if (entry.kind === "advance") return [svg("path", { d: "m-3-4 6 4-6 4z" })];
  return [svg("path", { class: "bar", d: "M0-5v10" })];
}
