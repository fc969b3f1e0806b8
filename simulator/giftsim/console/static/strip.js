// The time strip: dragged to the right it shows what would happen, and goes there when it is released. To the left it
// says what would be undone, and waits for a press of its button. It is zoomed by the wheel, + and -, and its choice.
import { onEscape } from "./escape.js";
import { parse } from "./patch.js";
import { ticks } from "./shared/calendar.js";
import { svg } from "./shared/elements.js";
import { folded } from "./shared/folding.js";
import { instantText } from "./shared/instants.js";
import { even } from "./shared/scale.js";
import { Strip } from "./shared/strip.js";
import { about } from "./strip_about.js";

const SNAP = 9; // pixels
const MOVED = 4; // pixels: less is a click
const PREVIEW_MS = 120;
const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const MINUTE_MS = 60_000;
const LEAST_MS = 10_000; // that are seen
const PAST = 0.6; // of what is chosen to be seen
const world = document.getElementById("live")?.dataset.world;
const VIEW = `giftsim-strip-${world}`;
const LANES = "giftsim-strip-lanes";
const bubble = () => document.getElementById("strip-bubble");
const read = (path) => fetch(path).catch(() => null); // the page may be left meanwhile
const isoOf = (ms) => new Date(Math.round(ms / 1000) * 1000).toISOString().replace(".000", "");

class TimeStrip extends Strip {
  constructor(section) {
    super(section);
    // `goal` is where it was dragged to: {place, n, moment}; `detail` is what a view shows of its stretch.
    Object.assign(this, { goal: null, isDragged: false, asked: 0, timer: 0, detail: null, own: null, isAlone: false });
    for (const lane of JSON.parse(localStorage.getItem(LANES) ?? "[]")) this.off.add(lane);
    this.kept = JSON.parse(localStorage.getItem(VIEW) ?? "null"); // {span, ahead}: how wide, and how far it reaches beyond now
    section.querySelector(".strip-zoom").addEventListener("change", ({ target }) => this.choose(Number(target.value)));
  }

  // All of the world's time, and a week to go: everything that is drawn is something, so that no fold leaves it out.
  whole(width) {
    const { entries, bands, moments, ghost, now } = this.content;
    const ends = [...bands.flatMap(({ from, to }) => [from, to]), ...moments.map(({ at }) => at), ghost?.to].filter((at) => at != null);
    if (!entries.some(({ at }) => at > now + WEEK_MS) && !ends.some((at) => at > now + WEEK_MS)) ends.push(now + WEEK_MS);
    return folded(now, [...entries.map(({ from, at }) => [from ?? at, at]), ...ends.map((at) => [at, at])], width);
  }

  viewOf({ from, to }, width) {
    return even(from, to, width);
  }

  get limits() {
    return [LEAST_MS, this.all.to - this.all.from];
  }

  get taken() {
    return this.own ? 110 : 0; // by "Only this campaign"
  }

  ticks() {
    return ticks(this.scale, this.content.now);
  }

  update() {
    this.content = JSON.parse(this.section.dataset.content);
    const { now } = this.content;
    if (this.kept) this.view = { from: now + this.kept.ahead - this.kept.span, to: now + this.kept.ahead };
    this.follow();
    about(this);
  }

  // The whole content, or of a view what is known in detail.
  follow() {
    const { detail, content } = this;
    const isKnown = this.view && detail && detail.from <= this.view.from && detail.to >= this.view.to && detail.now === content.now;
    const entries = isKnown ? detail.entries : content.entries;
    this.draw({ ...content, entries: this.isAlone ? this.own : entries });
    if (this.view && !isKnown) this.detailSoon();
    this.section.querySelector(".strip-zoom").value = String(this.choice());
    if (!this.goal) this.lead(null);
  }

  choice() {
    const span = this.view ? this.view.to - this.view.from : 0;
    return [...this.section.querySelectorAll(".strip-zoom option")].map(({ value }) => Number(value)).find((value) => value === Math.round(span)) ?? -1;
  }

  choose(span) {
    const { now } = this.content;
    if (span > 0) this.lookAt(now - PAST * span, span);
    else this.lookAt(this.all.from, Infinity);
  }

  viewed() {
    this.kept = this.view && { span: this.view.to - this.view.from, ahead: this.view.to - this.content.now };
    if (this.kept) localStorage.setItem(VIEW, JSON.stringify(this.kept));
    else localStorage.removeItem(VIEW);
    this.follow();
  }

  toggle(id) {
    super.toggle(id);
    localStorage.setItem(LANES, JSON.stringify([...this.off]));
  }

  detailSoon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.fetchDetail(), PREVIEW_MS);
  }

  async fetchDetail() {
    const { view, content } = this;
    if (!view) return;
    const [from, to] = [view.from - (view.to - view.from), view.to + (view.to - view.from)];
    const answer = await read(`${this.section.dataset.stretch}?${new URLSearchParams({ from: isoOf(from), to: isoOf(to) })}`);
    if (!answer?.ok || this.content !== content) return;
    this.detail = { from, to, now: content.now, entries: (await answer.json()).entries };
    this.follow();
  }

  goals() {
    const marks = this.marks.map(({ entry }) => ({ place: entry.at, n: entry.n ?? 0 }));
    const moments = this.data.moments.filter(({ at }) => at >= this.scale.from && at <= this.scale.to).map(({ name, at }) => ({ place: at, n: 0, moment: name }));
    return [...marks, ...moments].sort((one, other) => one.place - other.place);
  }

  near(place, isFree, isFlag = false) {
    const held = Math.min(Math.max(place, this.scale.from), this.scale.to);
    const distance = (goal) => Math.abs(this.x(goal.place) - this.x(held));
    const goals = this.goals().filter(({ moment }) => Boolean(moment) === isFlag);
    const closest = isFree ? null : goals.sort((one, other) => distance(one) - distance(other))[0];
    if (closest && distance(closest) < SNAP) return closest;
    const before = this.content.entries.filter((entry) => entry.n && entry.at <= held).at(-1);
    return { place: held, n: before?.n ?? 0 };
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
    const [knob, { now }] = [this.part("strip-knob"), this.data];
    const [place, back] = [this.goal?.place ?? now, this.isBack ? " back" : ""];
    const share = Math.round((100 * Math.max(0, Math.min(this.scale.x(place), this.width))) / this.width);
    this.show(place, instantText(place - (place % MINUTE_MS)), { value: share });
    const [x, present] = [this.x(place), this.x(now)];
    this.layer.replaceChildren(...(this.goal ? [
      svg("rect", { class: `range${back}`, x: Math.min(x, present), y: 20, width: Math.abs(x - present), height: this.height }),
      svg("line", { class: `ghost${back}`, x1: x, x2: x, y1: 18, y2: this.height + 4 }),
    ] : []));
    knob.classList.toggle("moved", this.goal !== null);
    knob.classList.toggle("back", this.isBack);
    for (const mark of this.marks) {
      mark.node.classList.toggle("soon", this.goal !== null && !back && mark.entry.shape === "due" && mark.entry.at <= place);
      mark.node.classList.toggle("undone", this.isBack && mark.entry.shape !== "due" && mark.entry.at > place);
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
    const query = new URLSearchParams({ at: isoOf(goal.place), change: goal.n, moment: goal.moment ?? "", then: location.pathname + location.search });
    const answer = await read(`${this.isBack || goal.moment ? behind : ahead}?${query}`);
    if (mine !== this.asked || !answer?.ok) return;
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
    if (event.type === "pointerdown") [this.isDragged, this.isFar, this.isFlag] = [true, !onKnob, Boolean(event.target.closest(".flag"))];
    this.isFar ||= Math.abs(by) > MOVED;
    if (this.isFar && this.isDragged) this.lead(this.near(place, event.shiftKey, this.isFlag && Math.abs(by) <= MOVED));
  }

  released({ by }) {
    if (!this.isDragged) return;
    this.isDragged = false;
    if (!this.goal || (!this.goal.moment && Math.abs(this.x(this.goal.place) - this.x(this.data.now)) < 1)) this.lead(null);
    else if (!this.isBack && Math.abs(by) > MOVED) this.go(); // a drag; a click only looks
  }

  canceled() {
    this.lead(null);
  }

  step(event) {
    const place = this.goal?.place ?? this.data.now;
    const forward = event.key === "ArrowRight";
    if (event.shiftKey) return this.near(place + (forward ? DAY_MS : -DAY_MS), true);
    const all = this.goals().filter((goal) => (forward ? goal.place > place : goal.place < place));
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

const isTyping = (element) => element.matches("input, select, textarea, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.(".strip-knob")) strip?.key(event);
  if (strip && (event.key === "+" || event.key === "-")) strip.zoomBy(event.key === "+" ? 1.6 : 1 / 1.6, strip.goal?.place ?? strip.content.now);
});

onEscape(5, () => {
  if (!strip?.goal) return false;
  strip.lead(null);
  return true;
});

// On a phone the strip is a sheet, from the clock in the bar.
function openSheet(isOpen) {
  strip.section.toggleAttribute("open", isOpen);
  strip.draw();
  (isOpen ? strip.part("strip-knob") : document.querySelector("[data-strip-sheet]"))?.focus();
}

onEscape(4, () => strip?.section.hasAttribute("open") && (openSheet(false), true));

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-stay]")) strip.lead(null);
  else if (target.closest("[data-strip-sheet]")) openSheet(!strip.section.hasAttribute("open"));
  else if (strip?.section.hasAttribute("open") && (target.closest(".strip-close") || !target.closest(".strip"))) openSheet(false);
});

document.addEventListener("submit", (event) => {
  if (!event.target.closest("#strip-bubble")) return;
  strip.section.removeAttribute("data-keep");
  setTimeout(() => strip.lead(null));
});

document.addEventListener("patched", begin);
addEventListener("switched", begin); // to another time zone, say
begin();
