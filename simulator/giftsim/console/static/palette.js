// The palette: every page, every action of this page, what the world has and the documentation, found by typing part of its name.
import { switches } from "./switches.js";

const dialog = document.getElementById("palette");
const text = document.getElementById("palette-text");
const list = document.getElementById("palette-list");
const none = document.getElementById("palette-none");
const noneSaid = none.textContent;
const WAIT_MS = 120;
let entries = []; // {title, hint, run}
let found = []; // the same, of the world, for the text `foundFor`
let foundFor = "";
let refused = ""; // why nothing is found, if a search was not understood
let chosen = 0;
let timer = 0;

const wanted = () => text.value.trim().toLowerCase();

function here() {
  const pages = [...document.querySelectorAll(".side nav:not(.contents) a")].map((link) => ["Pages", `Go to ${link.textContent.trim()}`, link]);
  const buttons = [...document.querySelectorAll("main button:not([disabled], [data-copy], .sort), .bar button:not([data-palette], [popovertarget], [data-strip-sheet]), [data-preview], [data-present]")];
  const all = [...pages, ...buttons.map((button) => ["Do", name(button), button])];
  const found = all.map(([group, title, element]) => ({ group, title, keys: keysOf(element), run: () => element.click() }));
  return wanted() ? [...found, ...switches()] : found;
}

const ALONE = { undo: "u", redo: "U", present: "f" };

function keysOf({ dataset }) {
  const alone = Object.keys(ALONE).find((each) => each in dataset);
  if (alone) return ALONE[alone];
  return dataset.key ? `g ${dataset.key}` : dataset.time ? `t ${dataset.time}` : "";
}

function name(element) {
  if ("present" in element.dataset) return "Present";
  if (element.dataset.preview) return `Preview: ${element.dataset.preview}`;
  return (element.ariaLabel || element.textContent).trim().replace(/\s+/g, " ");
}

async function ask() {
  const q = wanted();
  if (!q) return;
  const answer = await fetch(`${dialog.dataset.find}?q=${encodeURIComponent(q)}`);
  if (!answer.ok || q !== wanted()) return;
  foundFor = q;
  const told = await answer.json();
  refused = told.refused;
  found = told.found.map((row) => ({ ...row, run: () => location.assign(row.path) }));
  show();
}

function show() {
  const matching = here().filter(({ title }) => title.toLowerCase().includes(wanted()));
  entries = [...matching, ...(foundFor && foundFor === wanted() ? found : [])];
  chosen = Math.min(chosen, Math.max(entries.length - 1, 0));
  list.replaceChildren(...entries.map(option));
  const isAsking = wanted() && foundFor !== wanted();
  none.hidden = entries.length > 0 || isAsking;
  none.textContent = (!isAsking && foundFor === wanted() && refused) || noneSaid;
  text.setAttribute("aria-activedescendant", entries.length ? `palette-${chosen}` : "");
}

function option({ group, title, about, hint, keys }, at) {
  const item = document.createElement("li");
  item.id = `palette-${at}`;
  item.role = "option";
  item.ariaSelected = String(at === chosen);
  if (group !== entries[at - 1]?.group) item.dataset.group = group;
  item.append(part("span", "grow", ...marked(title)));
  if (about) item.firstChild.append(part("span", "about", about));
  if (hint) item.append(part("span", "soft", hint));
  if (keys) item.append(part("kbd", "", keys));
  item.addEventListener("click", () => run(at));
  return item;
}

function part(tag, className, ...content) {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...content);
  return element;
}

// A title in which what was typed is marked.
function marked(title) {
  const at = wanted() ? title.toLowerCase().indexOf(wanted()) : -1;
  if (at < 0) return [title];
  const to = at + wanted().length;
  return [title.slice(0, at), part("mark", "", title.slice(at, to)), title.slice(to)];
}

function run(at) {
  const entry = entries[at];
  dialog.close();
  entry?.run();
}

export function openPalette() {
  text.value = "";
  chosen = 0;
  show();
  dialog.showModal();
}

text.addEventListener("input", () => {
  chosen = 0;
  show();
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT_MS);
});
text.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    chosen = Math.min(Math.max(chosen + step, 0), Math.max(entries.length - 1, 0));
    show();
    document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  } else if (event.key === "Enter") {
    run(chosen);
    event.preventDefault();
  }
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-palette]")) openPalette();
});
