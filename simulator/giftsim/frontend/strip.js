/* The time strip of the console and of traces: a lane for each kind of actor, a mark for each entry, bands for what
   lasts, and a slider named "Time". What is a place on it is up to whose it is: an instant in ms, or a number.

   {
     lanes: [[id, name]],
     entries: [{n, at, lane, shape, title, from, count, failed}], // in order of `at`; `from` where `count` begin
     bands: [{lane, from, to, kind, title}],   // kind: outage or fault; `to` is null for what goes on
     moments: [{name, at}],                    // flags
     ghost: {from, to},                        // what was undone, or null
     now,                                      // the present; without it the present is what is shown
   }
*/
import { el, svg } from "./elements.js";
import { instantText, spanText } from "./instants.js";
import { fill, joined, markOf } from "./marks.js";

const [TOP, LANE] = [20, 17];
const [NARROW, RIGHT] = [640, 16];
const CHARACTER = 6.4;
const FOLDED = "folded"; // the row of lanes that are folded

export class Strip {
  constructor(section) {
    Object.assign(this, { section, view: null, marks: [], off: new Set() });
    section.addEventListener("pointerdown", (event) => this.drag(event));
    section.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => this.draw()).observe(section);
  }

  /* What is in the section: the server sends it, or a page that has no server makes it. */
  static parts() {
    return [
      el("div", { class: "lane-names", role: "group", "aria-label": "Lanes" }), svg("svg", { class: "strip-drawing", width: "100%", "aria-hidden": "true" }),
      el("div", { class: "strip-knob", role: "slider", tabindex: 0, "aria-label": "Time" }),
    ];
  }

  part(name) {
    return this.section.querySelector(`.${name}`);
  }

  /* For those who extend it: the slider is dragged to a place, let go, or taken away; the strip is drawn, or zoomed. */
  moved() {}
  released() {}
  canceled() {}
  drawn() {}
  viewed() {}

  /* And what it must have: the scale `whole(width)`, the one that is a `viewOf(view, width)`, how narrow and wide a view
     can be (`limits`), and the names above the scale: `ticks()`, as {x, text, end}. */

  x(place) {
    return this.left + this.scale.x(place);
  }

  placeAt(clientX) {
    return this.scale.value(clientX - this.section.getBoundingClientRect().left - this.left);
  }

  rows() {
    const open = this.data.lanes.filter(([id]) => !this.off.has(id));
    return open.length < this.data.lanes.length ? [...open, [FOLDED, `${this.off.size} folded`]] : open;
  }

  y(lane) {
    const i = this.rowIds.indexOf(this.off.has(lane) ? FOLDED : lane);
    return TOP + (i + 0.5) * LANE;
  }

  /* The index of the first entry at a place or after it. */
  indexAt(place) {
    let [low, high] = [0, this.data.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.data.entries[middle].at < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  nearest(place) {
    const { entries } = this.data;
    const i = Math.min(this.indexAt(place), entries.length - 1);
    return i > 0 && place - entries[i - 1].at < entries[i].at - place ? entries[i - 1] : entries[i];
  }

  drag(event) {
    if (event.button || !event.target.closest(".strip-drawing, .strip-knob")) return;
    event.preventDefault();
    const ended = new AbortController();
    const [begin, onKnob] = [event.clientX, Boolean(event.target.closest(".strip-knob"))];
    const move = (each) => this.moved(this.placeAt(each.clientX), { event: each, by: each.clientX - begin, onKnob });
    const listen = (name, listener) => this.section.addEventListener(name, listener, { signal: ended.signal });
    this.section.setPointerCapture(event.pointerId);
    this.part("strip-knob").focus({ preventScroll: true });
    listen("pointermove", move);
    listen("pointerup", (each) => (ended.abort(), this.released({ by: each.clientX - begin })));
    listen("pointercancel", () => (ended.abort(), this.canceled()));
    move(event);
  }

  wheel(event) {
    if (!this.data || !event.target.closest(".strip-drawing, .strip-knob")) return;
    event.preventDefault();
    if (event.ctrlKey || Math.abs(event.deltaY) > Math.abs(event.deltaX)) this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, this.placeAt(event.clientX));
    else if (this.view) this.lookAt(this.view.from + event.deltaX * this.scale.perPixel(0), this.view.to - this.view.from);
  }

  /* Look at a part of the time, or at all of it. */
  lookAt(from, span) {
    const [least, most] = this.limits;
    const held = Math.max(least, span);
    const begin = Math.max(this.all.from, Math.min(from, this.all.to - held));
    this.view = held < most ? { from: begin, to: begin + held } : null;
    this.draw();
    this.viewed();
  }

  /* Zoom so that a place stays where it is; from all of the time, so that what is around it becomes so much wider. */
  zoomBy(factor, at) {
    const x = Math.max(0, Math.min(this.scale.x(at), this.width));
    const span = Math.min(this.scale.perPixel(x) * this.width, this.limits[1]) / factor;
    if (this.view || factor > 1) this.lookAt(at - (span * x) / this.width, span);
  }

  draw(data = this.data) {
    if (!data) return;
    this.data = data;
    this.left = this.section.clientWidth < NARROW ? 68 : 92;
    this.width = Math.max(100, this.section.clientWidth - this.left - RIGHT);
    const rows = this.rows();
    this.rowIds = rows.map(([id]) => id);
    this.height = TOP + rows.length * LANE;
    this.all = this.whole(this.width);
    this.scale = this.view ? this.viewOf(this.view, this.width) : this.all;
    const drawing = this.part("strip-drawing");
    drawing.setAttribute("height", this.height + 4);
    if (!drawing.firstElementChild) drawing.append(svg("rect", { class: "future" }), ...Array.from({ length: 6 }, () => svg("g")), svg("line", { class: "nowline", y1: TOP - 2 }));
    const [future, bands, axis, lanes, layer, marks, flags, line] = drawing.children;
    Object.assign(this, { future, layer, line, marks: joined(this.visible(), this.x(data.now ?? this.scale.to), this.left - 4) });
    future.setAttribute("height", this.height + 4);
    line.setAttribute("y2", this.height + 4);
    fill(bands, this.bands());
    const texts = fill(axis, this.axis()).filter(({ tagName }) => tagName === "text");
    this.names.forEach((name, i) => (name.node = texts[i]));
    fill(lanes, rows.map(([id]) => this.lane(id)));
    fill(marks, this.marks.map((mark) => markOf(mark, this.y(mark.entry.lane), this.titleOf(mark)))).forEach((node, i) => (this.marks[i].node = node));
    fill(flags, (data.moments ?? []).flatMap((moment) => this.flag(moment)));
    this.nameRows(rows);
    this.drawn();
  }

  /* The names of the rows, made anew only if others are shown: one may have the focus. */
  nameRows(rows) {
    const [names, key] = [this.part("lane-names"), rows.flat().join()];
    if (names.dataset.rows !== key) names.replaceChildren(...rows.map((row) => this.name(row)));
    names.dataset.rows = key;
  }

  /* A lane is folded by a press on its name; those that are folded share a row, a press on whose name unfolds them. */
  name([id, name]) {
    const [isOpen, names] = [id !== FOLDED, this.data.lanes.filter(([each]) => this.off.has(each)).map(([, each]) => each)];
    return el("button", {
      type: "button", "data-lane": id, "aria-expanded": String(isOpen), title: isOpen ? `Fold ${name}` : `Unfold ${names.join(", ")}`,
      onclick: () => this.toggle(id),
    }, name);
  }

  toggle(id) {
    if (id === FOLDED) this.off.clear();
    else this.off.add(id);
    this.draw();
    this.section.querySelector(`[data-lane="${id === FOLDED ? this.data.lanes[0][0] : FOLDED}"]`)?.focus();
  }

  lane(id) {
    return svg("line", { class: "lane", x1: this.left, x2: this.left + this.width + RIGHT, y1: TOP + (this.rowIds.indexOf(id) + 0.5) * LANE, y2: TOP + (this.rowIds.indexOf(id) + 0.5) * LANE });
  }

  /* Put the knob at a place, with a text, and what a screen reader is told of it. */
  show(place, text, { value, told }) {
    const [knob, x, present] = [this.part("strip-knob"), this.x(place), this.x(this.data.now ?? place)];
    knob.textContent = text;
    knob.setAttribute("aria-valuenow", value);
    if (told) knob.setAttribute("aria-valuetext", told);
    const half = knob.offsetWidth / 2 + 2; // all of it is seen
    knob.style.left = `${Math.max(half, Math.min(x, this.section.clientWidth - half))}px`;
    const begin = Math.max(this.left, present);
    this.future.setAttribute("x", begin);
    this.future.setAttribute("width", Math.max(0, this.section.clientWidth - begin));
    this.line.classList.toggle("under", present < this.left);
    const [from, to] = [knob.offsetLeft - knob.offsetWidth / 2, knob.offsetLeft + knob.offsetWidth / 2];
    for (const name of this.names) name.node.classList.toggle("under", name.from < to && name.to > from);
    for (const end of ["x1", "x2"]) this.line.setAttribute(end, present);
  }

  *visible() {
    const { entries } = this.data;
    for (let i = Math.max(0, this.indexAt(this.scale.from)); i < entries.length && entries[i].at <= this.scale.to; i += 1) {
      if (this.shows(entries[i])) yield { entry: entries[i], row: this.y(entries[i].lane), x: this.x(entries[i].at) };
    }
  }

  /* Whether an entry is drawn. */
  shows() {
    return true;
  }

  titleOf({ entry, count, failed }) {
    const time = `${instantText(entry.at)}: ${entry.title}`;
    if (count < 2) return time;
    return `${count.toLocaleString("en")} things${failed ? `, ${failed.toLocaleString("en")} failed` : ""}; the last on ${time}`;
  }

  /* Names of instants, and the folds with what each leaves out, as far as there is room. `names` are the texts of both. */
  axis() {
    const parts = [];
    this.names = [];
    for (const { x, text, end } of this.ticks()) {
      const at = this.left + x;
      parts.push(svg("line", { class: "tick", x1: at, x2: at, y1: 4, y2: this.height + 4 }));
      if (this.left + end - 8 < this.section.clientWidth - this.taken) parts.push(this.axisName(text, at + 5, this.left + end - 8));
    }
    return [...parts, ...this.scale.folds.flatMap((fold) => this.fold(fold))];
  }

  /* Pixels at the right end that something else takes. */
  get taken() {
    return 0;
  }

  axisName(text, from, to, attributes = { x: from }) {
    this.names.push({ from, to });
    return svg("text", { ...attributes, y: 14 }, text);
  }

  fold({ x, width, fold }) {
    const [middle, text] = [this.left + x + width / 2, spanText(fold.span)];
    const zigzag = Array.from({ length: this.rowIds.length * 2 + 1 }, (_, n) => `${n ? "L" : "M"}${middle + (n % 2 ? 3 : -3)} ${TOP + (n * LANE) / 2}`);
    const half = text.length * CHARACTER / 2 + 4;
    const hasRoom = this.names.every(({ from, to }) => middle + half < from - 5 || middle - half > to);
    const area = svg("rect", { class: "fold-area", x: this.left + x, y: TOP - 2, width, height: this.height - TOP + 6 });
    const drawn = svg("g", {}, area, svg("path", { class: "fold", d: zigzag.join("") }), svg("title", {}, `fold: ${text} left out, ${this.leftOut(fold)}`));
    return hasRoom ? [drawn, this.axisName(text, middle - half, middle + half, { class: "middle", x: middle })] : [drawn];
  }

  leftOut({ ratio }) {
    if (ratio === 1) return "in which nothing happens";
    const times = (ratio < 10 ? Math.round(ratio * 10) / 10 : Math.round(ratio)).toLocaleString("en");
    return `in which nothing happens; the side away from now shows ${times} times as much time in the same width`;
  }

  /* What lasts: outages and faults in their lanes, and the stretch that was undone. */
  bands() {
    const { bands = [], ghost, now } = this.data;
    const [least, most] = [this.left, this.left + this.width + RIGHT];
    const shown = bands.map(({ lane, from, to, kind, title }) => {
      const [begin, end] = [from ?? this.scale.from, to ?? this.scale.to].map((at) => Math.max(least, Math.min(this.x(at), most)));
      if (end <= begin) return svg("rect");
      return svg("rect", { class: `band ${kind}`, x: begin, width: Math.max(2, end - begin), y: this.y(lane) - 6, height: 12, rx: 3 }, svg("title", {}, title));
    });
    if (ghost) {
      const [begin, end] = [Math.max(ghost.from, now), ghost.to].map((at) => Math.max(least, Math.min(this.x(at), most)));
      const title = svg("title", {}, "This was undone. Redo (U) brings it back.");
      shown.push(svg("g", { class: "undone-time" }, svg("rect", { x: begin, width: Math.max(3, end - begin), y: TOP, height: this.height - TOP }), svg("path", { d: hatched(begin, end, TOP, this.height) }), title));
    }
    return shown;
  }

  flag({ name, at }) {
    if (at < this.scale.from || at > this.scale.to) return [];
    const x = this.x(at);
    return [svg("g", { class: "flag", transform: `translate(${x} 0)`, "data-moment": name }, svg("line", { y1: 6, y2: this.height }), svg("path", { d: "M0 6h9l-2 3.5 2 3.5h-9z" }), svg("title", {}, `${name}, ${instantText(at)}`))];
  }
}

/* Slanting lines within a box. */
function hatched(left, right, top, bottom) {
  const lines = [];
  for (let x = left - (bottom - top); x < right; x += 6) {
    const [begin, end] = [Math.max(x, left), Math.min(x + bottom - top, right)];
    lines.push(`M${begin} ${bottom - (begin - x)}L${end} ${bottom - (end - x)}`);
  }
  return lines.join("");
}
