/* The time strip of the console and of traces: a lane for each kind of actor, a mark for each entry, quiet stretches cut
   short, and a slider named "Time". A place is a number from 0 to `end`; how instants become places is up to whose it is.

   {
     end,
     lanes: [[id, name]],
     entries: [{n, place, at, lane, shape, failed, title}],   // in the order of their places
     folds: [{place, span}],                                  // what was cut, and how many ms
     ticks: [{place, text}],                                  // or `at`, an instant in ms, in place of the text
     now,                                                     // the present; without it the present is what is shown
   }
*/
import { el, svg } from "./elements.js";
import { clockOf, dayOf, spanText } from "./instants.js";

const [TOP, LANE] = [20, 17];
const [NARROW, RIGHT] = [640, 16];
const NEAR = 8; // pixels between marks; nearer ones join
const CHARACTER = 6.4;
const MOST_ZOOM = 4_000;

export class Strip {
  constructor(section) {
    Object.assign(this, { section, zoom: 1, from: 0, marks: [], off: new Set() });
    section.addEventListener("pointerdown", (event) => this.drag(event));
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

  /* For those who extend it: the slider is dragged to a place, let go, or taken away; the strip is drawn. */
  moved() {}
  released() {}
  canceled() {}
  drawn() {}

  x(place) {
    return this.left + ((place - this.from) / this.data.end) * this.zoom * this.width;
  }

  placeAt(clientX) {
    const x = clientX - this.section.getBoundingClientRect().left - this.left;
    return this.from + (x / (this.zoom * this.width)) * this.data.end;
  }

  y(lane) {
    return TOP + (this.data.lanes.findIndex(([id]) => id === lane) + 0.5) * LANE;
  }

  /* The index of the first entry at a place or after it. */
  indexAt(place) {
    let [low, high] = [0, this.data.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.data.entries[middle].place < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  nearest(place) {
    const { entries } = this.data;
    const i = Math.min(this.indexAt(place), entries.length - 1);
    return i > 0 && place - entries[i - 1].place < entries[i].place - place ? entries[i - 1] : entries[i];
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

  scroll(from) {
    this.from = Math.max(0, Math.min(from, this.data.end * (1 - 1 / this.zoom)));
    this.draw();
  }

  zoomBy(factor, at) {
    const share = ((at - this.from) / this.data.end) * this.zoom;
    this.zoom = Math.max(1, Math.min(this.zoom * factor, MOST_ZOOM, Math.max(1, this.data.entries.length / 4)));
    this.scroll(at - (share * this.data.end) / this.zoom);
  }

  draw(data = this.data) {
    if (!data) return;
    this.data = data;
    this.left = this.section.clientWidth < NARROW ? 68 : 92;
    this.width = Math.max(100, this.section.clientWidth - this.left - RIGHT);
    this.height = TOP + data.lanes.length * LANE;
    const drawing = this.part("strip-drawing");
    drawing.setAttribute("height", this.height + 4);
    if (!drawing.firstElementChild) drawing.append(svg("rect", { class: "future" }), svg("g"), svg("g"), svg("g"), svg("g"), svg("line", { class: "nowline", y1: TOP - 2 }));
    const [future, axis, lanes, layer, marks, line] = drawing.children;
    Object.assign(this, { future, layer, line, marks: this.joined().sort((one, other) => one.place - other.place) });
    future.setAttribute("height", this.height + 4);
    line.setAttribute("y2", this.height + 4);
    fill(axis, this.axis());
    fill(lanes, data.lanes.map(([id]) => this.lane(id)));
    fill(marks, this.marks.map((mark) => this.mark(mark))).forEach((node, i) => (this.marks[i].node = node));
    const names = this.part("lane-names");
    if (names.childElementCount !== data.lanes.length) names.replaceChildren(...data.lanes.map((lane) => this.name(lane)));
    this.drawn();
  }

  name([, name]) {
    return el("span", {}, name);
  }

  lane(id) {
    return svg("line", { class: "lane", x1: this.left, x2: this.left + this.width + RIGHT, y1: this.y(id), y2: this.y(id) });
  }

  /* Put the knob at a place, with a text, and what a screen reader is told of it. */
  show(place, text, { value, told }) {
    const [knob, x, present] = [this.part("strip-knob"), this.x(place), this.x(this.data.now ?? place)];
    knob.textContent = text;
    knob.setAttribute("aria-valuenow", value);
    if (told) knob.setAttribute("aria-valuetext", told);
    const half = knob.offsetWidth / 2 + 2; // all of it is seen
    knob.style.left = `${Math.max(half, Math.min(x, this.section.clientWidth - half))}px`;
    this.future.setAttribute("x", present);
    this.future.setAttribute("width", Math.max(0, this.section.clientWidth - present));
    for (const end of ["x1", "x2"]) this.line.setAttribute(end, present);
  }

  *visible() {
    const { entries, end } = this.data;
    for (let i = Math.max(0, this.indexAt(this.from) - 1); i < entries.length && entries[i].place <= this.from + end / this.zoom; i += 1) yield entries[i];
  }

  /* Names of instants, and how much was cut, as far as there is room. */
  axis() {
    const [parts, taken] = [[], []];
    let day = "";
    for (const { place, at, text } of this.ticks()) {
      const x = this.x(place) - (text ? 0 : 6);
      if (x < this.left - 14 || x < (taken.at(-1)?.[1] ?? 0)) continue;
      const shown = text ?? (dayOf(at) === day ? clockOf(at) : `${(day = dayOf(at))}, ${clockOf(at)}`);
      taken.push([x, x + shown.length * CHARACTER + 14]);
      parts.push(svg("line", { class: "tick", x1: x, x2: x, y1: 4, y2: this.height + 4 }), svg("text", { x: x + 5, y: 14 }, shown));
    }
    return [...parts, ...this.data.folds.flatMap((fold) => this.fold(fold, taken))];
  }

  /* Of a stretch, its first entry has a name too. */
  ticks() {
    const first = this.zoom > 1 && this.data.entries[this.indexAt(this.from)];
    return first ? [first, ...this.data.ticks.filter(({ place }) => place > first.place)] : this.data.ticks;
  }

  fold({ place, span }, taken) {
    const [x, text] = [this.x(place), spanText(span)];
    if (x < this.left || x > this.left + this.width) return [];
    const zigzag = Array.from({ length: this.data.lanes.length * 2 }, (_, n) => `${n ? "L" : "M"}${x + (n % 2 ? 3 : -3)} ${TOP + (n * LANE) / 2}`);
    const half = text.length * CHARACTER / 2 + 4;
    const hasRoom = taken.every(([from, to]) => x + half < from || x - half > to - 10);
    const drawn = svg("path", { class: "fold", d: zigzag.join("") }, svg("title", {}, `${text} pass`));
    return hasRoom ? [drawn, svg("text", { class: "middle", x, y: 14 }, text)] : [drawn];
  }

  /* Marks of a lane that would touch join in one, but not what was with what will be. */
  joined() {
    const [done, open] = [[], new Map()];
    for (const entry of this.visible()) {
      if (this.off.has(entry.lane)) continue;
      const [key, x] = [`${entry.lane} ${entry.shape === "due"}`, this.x(entry.place)];
      const group = open.get(key);
      if (group && x - group.edge < NEAR) {
        Object.assign(group, { entry, place: entry.place, last: x, count: group.count + 1, failed: group.failed || entry.failed });
        group.edge = Math.max(x, (group.first + x + pillWidth(group)) / 2 - 4);
      } else {
        open.set(key, { entry, place: entry.place, first: x, last: x, edge: x, count: 1, failed: entry.failed });
        done.push(open.get(key));
      }
    }
    return done;
  }

  mark(mark) {
    const { entry, first, last, count, failed } = mark;
    const [x, width] = [(first + last) / 2, pillWidth(mark)];
    const node = svg("g", { class: `mark ${entry.lane} ${failed ? "bad" : entry.shape}`, transform: `translate(${x} ${this.y(entry.lane)})`, "data-at": entry.at });
    if (count > 1) node.append(svg("rect", { x: -width / 2, y: -7, width, height: 14, rx: 7 }), svg("text", { class: "pill", y: 3.5 }, String(count)));
    else node.append(...shape(failed ? "failed" : entry.shape));
    node.append(svg("title", {}, count > 1 ? `${count} things up to ${entry.title}` : entry.title));
    return node;
  }
}

const pillWidth = ({ first, last, count }) => Math.max(last - first + 10, 10 + 6 * String(count).length);

/* Fill a group with nodes. One that is made like the node in its place gives it its attributes, so that a page that follows its world changes little. */
function fill(group, nodes) {
  while (group.children.length > nodes.length) group.lastElementChild.remove();
  return nodes.map((node, i) => {
    const old = group.children[i];
    if (old && isAlike(old, node)) return takeOver(old, node);
    old ? old.replaceWith(node) : group.append(node);
    return node;
  });
}

function isAlike(old, node) {
  return old.tagName === node.tagName && old.children.length === node.children.length && [...old.children].every((child, i) => isAlike(child, node.children[i]));
}

function takeOver(old, node) {
  for (const name of new Set([...old.getAttributeNames(), ...node.getAttributeNames()])) {
    const value = node.getAttribute(name);
    if (value === null) old.removeAttribute(name);
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (node.children.length) [...node.children].forEach((child, i) => takeOver(old.children[i], child));
  else if (old.textContent !== node.textContent) old.textContent = node.textContent;
  return old;
}

function shape(kind) {
  if (kind === "failed") return [svg("circle", { r: 5 }), svg("path", { class: "cross", d: "m-2-2 4 4m0-4-4 4" })];
  if (kind === "call") return [svg("rect", { x: -3.5, y: -3.5, width: 7, height: 7, rx: 1.5 })];
  if (kind === "sent") return [svg("circle", { r: 4 })];
  if (kind === "person") return [svg("path", { d: "M0-5 5 0 0 5-5 0z" })];
  if (kind === "mail") return [svg("path", { d: "M-5-3.5h10v7h-10z" })];
  if (kind === "fault") return [svg("path", { d: "M1-5-4 1h3l-1 4 5-6h-3z" })];
  if (kind === "advance") return [svg("path", { d: "m-3-4 6 4-6 4z" })];
  if (kind === "due" || kind === "event") return [svg("circle", { class: "ring", r: 3.75 })];
  return [svg("path", { class: "tick-mark", d: "M0-5v10" })];
}
