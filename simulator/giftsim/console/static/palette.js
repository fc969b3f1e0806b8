// The palette: every page, and every action of this page, found by typing part of its name.
const dialog = document.getElementById("palette");
const text = document.getElementById("palette-text");
const list = document.getElementById("palette-list");
let entries = [];
let chosen = 0;

function collect() {
  const pages = [...document.querySelectorAll(".side nav a")].map((link) => [`Go to ${link.textContent}`, link]);
  const buttons = [...document.querySelectorAll("main button:not([disabled], [data-copy]), .bar button:not([data-palette]), [data-preview]")];
  return [...pages, ...buttons.map((button) => [name(button), button])];
}

function name(element) {
  return element.dataset.preview ? `Preview: ${element.dataset.preview}` : element.textContent.trim();
}

function show() {
  const wanted = text.value.trim().toLowerCase();
  entries = collect().filter(([title]) => title.toLowerCase().includes(wanted));
  chosen = Math.min(chosen, Math.max(entries.length - 1, 0));
  list.replaceChildren(...entries.map(([title], at) => option(title, at)));
  text.setAttribute("aria-activedescendant", entries.length ? `palette-${chosen}` : "");
}

function option(title, at) {
  const item = document.createElement("li");
  item.id = `palette-${at}`;
  item.role = "option";
  item.ariaSelected = String(at === chosen);
  item.textContent = title;
  item.addEventListener("click", () => run(at));
  return item;
}

function run(at) {
  const element = entries[at]?.[1];
  dialog.close();
  element?.click();
}

export function openPalette() {
  text.value = "";
  chosen = 0;
  show();
  dialog.showModal();
}

text.addEventListener("input", () => ((chosen = 0), show()));
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
