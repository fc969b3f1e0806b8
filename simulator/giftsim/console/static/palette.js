// The palette: every page, every action of this page, and what the world has, found by typing part of its name.
const dialog = document.getElementById("palette");
const text = document.getElementById("palette-text");
const list = document.getElementById("palette-list");
const WAIT_MS = 120;
let entries = []; // {title, hint, run}
let found = []; // the same, of the world, for the text `foundFor`
let foundFor = "";
let chosen = 0;
let timer = 0;

const wanted = () => text.value.trim().toLowerCase();

function here() {
  const pages = [...document.querySelectorAll(".side nav a")].map((link) => [`Go to ${link.textContent.trim()}`, link]);
  const buttons = [...document.querySelectorAll("main button:not([disabled], [data-copy]), .bar button:not([data-palette]), [data-preview]")];
  const all = [...pages, ...buttons.map((button) => [name(button), button])];
  return all.map(([title, element]) => ({ title, hint: element.dataset.key ? `g ${element.dataset.key}` : "", run: () => element.click() }));
}

function name(element) {
  if (element.dataset.preview) return `Preview: ${element.dataset.preview}`;
  return (element.ariaLabel || element.textContent).trim().replace(/\s+/g, " ");
}

async function ask() {
  const world = document.getElementById("live")?.dataset.world;
  const q = wanted();
  if (!world || !q) return;
  const answer = await fetch(`/w/${encodeURIComponent(world)}/find?q=${encodeURIComponent(q)}`);
  if (!answer.ok || q !== wanted()) return;
  foundFor = q;
  found = (await answer.json()).found.map(({ group, title, hint, path }) => ({ group, title, hint, run: () => location.assign(path) }));
  show();
}

function show() {
  const matching = here().filter(({ title }) => title.toLowerCase().includes(wanted()));
  entries = [...matching, ...(foundFor && foundFor === wanted() ? found : [])];
  chosen = Math.min(chosen, Math.max(entries.length - 1, 0));
  list.replaceChildren(...entries.map(option));
  document.getElementById("palette-none").hidden = entries.length > 0;
  text.setAttribute("aria-activedescendant", entries.length ? `palette-${chosen}` : "");
}

function option({ group, title, hint }, at) {
  const item = document.createElement("li");
  item.id = `palette-${at}`;
  item.role = "option";
  item.ariaSelected = String(at === chosen);
  item.textContent = title;
  if (group && group !== entries[at - 1]?.group) item.dataset.group = group;
  if (hint) item.append(Object.assign(document.createElement("span"), { className: "soft", textContent: hint }));
  item.addEventListener("click", () => run(at));
  return item;
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
