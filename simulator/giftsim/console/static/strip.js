// The time strip: dragged to the right it shows what would happen, and goes there when it is released. To the left it
// says what would be undone, and waits for a press of its button, since going back cannot be undone.
import { parse } from "./patch.js";

const SNAP = 0.9; // percent
const MOVED = 0.4; // percent: less is a click
const PREVIEW_MS = 120;
const DAY_MS = 86_400_000;
const strip = () => document.getElementById("strip");
const knob = () => document.getElementById("strip-knob");
const bubble = () => document.getElementById("strip-bubble");
let goal = null; // {x, at, n}: where the strip was dragged to
let isDragged = false;
let asked = 0;
let timer = 0;

const scale = () => JSON.parse(strip().dataset.scale);
const present = () => Number(strip().dataset.now);

function between(value, from, to) {
  const points = scale();
  const last = points.length - 2;
  const at = Math.min(Math.max(points.findIndex((point) => point[from] > value) - 1, 0), last);
  const i = value >= points.at(-1)[from] ? last : at;
  const [one, two] = [points[i], points[i + 1]];
  return one[to] + ((two[to] - one[to]) * (value - one[from])) / (two[from] - one[from]);
}

const instantAt = (x) => Math.round(between(x, 0, 1) / 1000) * 1000;
const placeOf = (ms) => between(ms, 1, 0);
const marks = () => [...strip().querySelectorAll(".mark")].map(({ dataset }) => ({ x: Number(dataset.x), at: dataset.at, n: Number(dataset.n) })).sort((one, two) => one.x - two.x);

function near(x, free) {
  const { left, right } = { left: scale()[0][0], right: scale().at(-1)[0] };
  const held = Math.min(Math.max(x, left), right);
  const closest = free ? null : marks().reduce((best, mark) => (Math.abs(mark.x - held) < Math.abs((best?.x ?? 1e9) - held) ? mark : best), null);
  if (closest && Math.abs(closest.x - held) < SNAP) return closest;
  const before = marks().filter((mark) => mark.n && mark.x <= held).at(-1);
  return { x: held, at: new Date(instantAt(held)).toISOString().replace(".000", ""), n: before?.n ?? 0 };
}

// Drawing.

// As the server writes it: `Mon 4 Jan, 09:00`.
function instantText(at) {
  const parts = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" }).formatToParts(new Date(at));
  const of = (type) => parts.find((part) => part.type === type).value;
  return `${of("weekday")} ${of("day")} ${of("month")}, ${of("hour")}:${of("minute")}`;
}

function show(next) {
  goal = next;
  isDragged &&= next !== null;
  const now = present();
  const [x, back] = [next?.x ?? now, next !== null && next.x < now];
  strip().toggleAttribute("data-keep", next !== null); // an update of the page waits
  const ghost = document.getElementById("strip-ghost");
  const range = document.getElementById("strip-range");
  ghost.setAttribute("visibility", next ? "visible" : "hidden");
  ghost.setAttribute("x1", `${x}%`);
  ghost.setAttribute("x2", `${x}%`);
  range.setAttribute("x", `${Math.min(x, now)}%`);
  range.setAttribute("width", `${Math.abs(x - now)}%`);
  for (const each of [ghost, range, knob()]) each.classList.toggle("back", back);
  knob().classList.toggle("moved", next !== null);
  knob().style.left = `clamp(3.75rem, ${x}%, 100% - 3.75rem)`; // all of it is seen
  knob().setAttribute("aria-valuenow", Math.round(x));
  knob().textContent = next ? instantText(next.at) : knob().dataset.now;
  for (const mark of strip().querySelectorAll(".mark")) {
    const [place, n] = [Number(mark.dataset.x), Number(mark.dataset.n)];
    mark.classList.toggle("soon", next !== null && !back && n === 0 && place <= x);
    mark.classList.toggle("undone", back && n > 0 && place > x);
  }
  if (next) tell();
  else hideBubble();
}

function hideBubble() {
  clearTimeout(timer);
  asked += 1;
  bubble().hidden = true;
  bubble().replaceChildren();
}

function tell() {
  clearTimeout(timer);
  timer = setTimeout(ask, PREVIEW_MS);
}

async function ask() {
  const [mine, wanted] = [(asked += 1), goal];
  const { ahead, behind } = strip().dataset;
  const query = new URLSearchParams({ at: wanted.at, change: wanted.n, then: location.pathname + location.search });
  const answer = await fetch(`${wanted.x < present() ? behind : ahead}?${query}`);
  if (mine !== asked || !answer.ok) return;
  const found = parse(await answer.text()).querySelector(".ahead");
  bubble().replaceChildren(found);
  bubble().hidden = false;
  knob().setAttribute("aria-valuetext", found.querySelector("h2").innerText);
  const [width, own] = [strip().clientWidth, bubble().offsetWidth];
  bubble().style.left = `${Math.min(Math.max((wanted.x / 100) * width - own / 2, 8), width - own - 8)}px`;
}

async function go() {
  if (!goal) return;
  const here = goal;
  if (bubble().hidden) {
    clearTimeout(timer);
    await ask();
  }
  const form = here === goal ? bubble().querySelector("form") : null;
  if (!form) return;
  strip().removeAttribute("data-keep");
  form.requestSubmit();
  show(null);
}

// Pointer and keys.

const percent = (event) => ((event.clientX - strip().getBoundingClientRect().left) / strip().clientWidth) * 100;

document.addEventListener("pointerdown", (event) => {
  if (event.button || !event.target.closest(".strip-drawing, .strip-knob")) return;
  event.preventDefault();
  const begin = percent(event);
  const ended = new AbortController();
  let isMoved = !event.target.closest(".strip-knob");
  isDragged = true;
  knob().focus({ preventScroll: true });
  const move = (each) => {
    isMoved ||= Math.abs(percent(each) - begin) > MOVED;
    if (isMoved && isDragged) show(near(percent(each), each.shiftKey));
  };
  const up = (each) => {
    ended.abort();
    if (!isDragged) return;
    move(each);
    isDragged = false;
    if (!goal || Math.abs(goal.x - present()) < MOVED / 4) show(null);
    else if (goal.x > present() && Math.abs(percent(each) - begin) > MOVED) go(); // a drag; a click only looks
  };
  const listen = (name, listener) => document.addEventListener(name, listener, { signal: ended.signal });
  listen("pointermove", move);
  listen("pointerup", up);
  listen("pointercancel", () => (ended.abort(), show(null)));
  move(event);
});

function step(event) {
  const x = goal?.x ?? present();
  const forward = event.key === "ArrowRight";
  if (event.shiftKey) return near(placeOf(between(x, 0, 1) + (forward ? DAY_MS : -DAY_MS)), true);
  const all = marks().filter((mark) => (forward ? mark.x > x + 0.01 : mark.x < x - 0.01));
  return (forward ? all[0] : all.at(-1)) ?? goal;
}

document.addEventListener("keydown", (event) => {
  if (!event.target.closest?.(".strip")) {
    if (event.key === "Escape" && goal) show(null);
    return;
  }
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") show(step(event));
  else if (event.key === "Home") show(marks()[0] ?? null);
  else if (event.key === "Escape") show(null);
  else if (event.key === "Enter" && event.target === knob()) go();
  else return;
  event.preventDefault();
  event.stopPropagation();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-stay]")) show(null);
});

function begin() {
  if (!strip()) return;
  knob().hidden = false;
  if (!goal) show(null);
}

document.addEventListener("patched", begin);
document.addEventListener("submit", (event) => {
  if (!event.target.closest("#strip-bubble")) return;
  strip().removeAttribute("data-keep");
  setTimeout(() => show(null));
});
begin();
