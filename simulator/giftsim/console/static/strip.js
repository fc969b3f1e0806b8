// The time strip: dragged to the right it shows what would happen, and goes there when it is released. To the left it
// says what would be undone, and waits for a press of its button, since going back cannot be undone.
import { onEscape } from "./escape.js";
import { parse } from "./patch.js";
import { svg } from "./shared/elements.js";
import { instantText } from "./shared/instants.js";
import { Strip } from "./shared/strip.js";

const SNAP = 9; // pixels
const MOVED = 4; // pixels: less is a click
const PREVIEW_MS = 120;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const bubble = () => document.getElementById("strip-bubble");

class TimeStrip extends Strip {
  constructor(section) {
    super(section);
    Object.assign(this, { goal: null, isDragged: false, asked: 0, timer: 0 }); // {place, at, n}: where it was dragged to
  }

  update() {
    this.draw(JSON.parse(this.section.dataset.content));
    if (!this.goal) this.lead(null);
  }

  // Time is even between two points.
  between(value, from, to) {
    const { points } = this.data;
    const i = Math.min(Math.max(points.findIndex((point) => point[from] > value) - 1, 0), points.length - 2);
    const [one, two] = value >= points.at(-1)[from] ? points.slice(-2) : [points[i], points[i + 1]];
    return one[to] + ((two[to] - one[to]) * (value - one[from])) / (two[from] - one[from]);
  }

  goals() {
    return this.marks.map(({ place, entry }) => ({ place, at: entry.at, n: entry.n }));
  }

  near(place, isFree) {
    const held = Math.min(Math.max(place, 0), this.data.end);
    const distance = (goal) => Math.abs(this.x(goal.place) - this.x(held));
    const closest = isFree ? null : this.goals().sort((one, other) => distance(one) - distance(other))[0];
    if (closest && distance(closest) < SNAP) return closest;
    const before = this.goals().filter((goal) => goal.n && goal.place <= held).at(-1);
    const at = new Date(Math.round(this.between(held, 0, 1) / 1000) * 1000).toISOString().replace(".000", "");
    return { place: held, at, n: before?.n ?? 0 };
  }

  get isBack() {
    return this.goal !== null && this.goal.place < this.data.now;
  }

  // Shows a goal, and asks what it would mean.
  lead(goal) {
    this.goal = goal;
    this.isDragged &&= goal !== null;
    this.section.toggleAttribute("data-keep", goal !== null); // an update of the page waits
    this.drawn();
    if (goal) this.tell();
    else this.hideBubble();
  }

  drawn() {
    const [knob, { now, end }] = [this.part("strip-knob"), this.data];
    const [place, back] = [this.goal?.place ?? now, this.isBack ? " back" : ""];
    const at = this.goal && Date.parse(this.goal.at);
    this.show(place, at ? instantText(at - (at % MINUTE_MS)) : knob.dataset.now, { value: Math.round((100 * place) / end) });
    const [x, present] = [this.x(place), this.x(now)];
    this.layer.replaceChildren(...(this.goal ? [
      svg("rect", { class: `range${back}`, x: Math.min(x, present), y: 20, width: Math.abs(x - present), height: this.height }),
      svg("line", { class: `ghost${back}`, x1: x, x2: x, y1: 18, y2: this.height + 4 }),
    ] : []));
    knob.classList.toggle("moved", this.goal !== null);
    knob.classList.toggle("back", this.isBack);
    for (const mark of this.marks) {
      mark.node.classList.toggle("soon", this.goal !== null && !back && !mark.entry.n && mark.place <= place);
      mark.node.classList.toggle("undone", this.isBack && mark.entry.n > 0 && mark.place > place);
    }
  }

  hideBubble() {
    clearTimeout(this.timer);
    this.asked += 1;
    bubble().hidden = true;
    bubble().replaceChildren();
  }

  tell() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PREVIEW_MS);
  }

  async ask() {
    const [mine, goal] = [(this.asked += 1), this.goal];
    const { ahead, behind } = this.section.dataset;
    const query = new URLSearchParams({ at: goal.at, change: goal.n, then: location.pathname + location.search });
    const answer = await fetch(`${this.isBack ? behind : ahead}?${query}`);
    if (mine !== this.asked || !answer.ok) return;
    const found = parse(await answer.text()).querySelector(".ahead");
    bubble().replaceChildren(found);
    bubble().hidden = false;
    this.part("strip-knob").setAttribute("aria-valuetext", found.querySelector("h2").innerText);
    const [width, own] = [this.section.clientWidth, bubble().offsetWidth];
    bubble().style.left = `${Math.min(Math.max(this.x(goal.place) - own / 2, 8), width - own - 8)}px`;
  }

  async go() {
    if (!this.goal) return;
    const here = this.goal;
    if (bubble().hidden) {
      clearTimeout(this.timer);
      await this.ask();
    }
    const form = here === this.goal ? bubble().querySelector("form") : null;
    if (!form) return;
    this.section.removeAttribute("data-keep");
    form.requestSubmit();
    this.lead(null);
  }

  moved(place, { event, by, onKnob }) {
    if (event.type === "pointerdown") [this.isDragged, this.isFar] = [true, !onKnob];
    this.isFar ||= Math.abs(by) > MOVED;
    if (this.isFar && this.isDragged) this.lead(this.near(place, event.shiftKey));
  }

  released({ by }) {
    if (!this.isDragged) return;
    this.isDragged = false;
    if (!this.goal || Math.abs(this.x(this.goal.place) - this.x(this.data.now)) < 1) this.lead(null);
    else if (!this.isBack && Math.abs(by) > MOVED) this.go(); // a drag; a click only looks
  }

  canceled() {
    this.lead(null);
  }

  step(event) {
    const place = this.goal?.place ?? this.data.now;
    const forward = event.key === "ArrowRight";
    if (event.shiftKey) return this.near(this.between(this.between(place, 0, 1) + (forward ? DAY_MS : -DAY_MS), 1, 0), true);
    const all = this.goals().filter((goal) => (forward ? goal.place > place + 0.01 : goal.place < place - 0.01));
    return (forward ? all[0] : all.at(-1)) ?? this.goal;
  }

  key(event) {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.lead(this.step(event));
    else if (event.key === "Home") this.lead(this.goals()[0] ?? null);
    else if (event.key === "Enter" && event.target === this.part("strip-knob")) this.go();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

let strip = null;

// The page may have another strip than before: it was patched.
function begin() {
  const section = document.getElementById("strip");
  if (!section) return;
  if (strip?.section !== section) strip = new TimeStrip(section);
  strip.update();
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.(".strip")) strip?.key(event);
});
onEscape(2, () => Boolean(strip?.goal) && (strip.lead(null), true));

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-stay]")) strip.lead(null);
});

document.addEventListener("submit", (event) => {
  if (!event.target.closest("#strip-bubble")) return;
  strip.section.removeAttribute("data-keep");
  setTimeout(() => strip.lead(null));
});

document.addEventListener("patched", begin);
begin();
