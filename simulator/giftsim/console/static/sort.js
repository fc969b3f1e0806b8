// Tables are sorted by a column: its heading is a button, which sorts up, then down, then as the page had it. What was
// chosen is kept for the tab, and a newer version of the page is sorted before it is patched in.
const TABLES = "table:not(.calendar, .differs, .source table)";
const NUMBER = /^[-−]?\$?\d[\d,]*(\.\d+)?/;
const EMPTY = ["", "–"];
const NEXT = { "": "ascending", ascending: "descending", descending: "" };
const texts = new Intl.Collator("en", { numeric: true });

const headsOf = (table) => [...table.querySelectorAll(":scope > thead th[scope=col]:not([data-fixed])")];
const placeOf = (table, at) => `giftsim-sort ${location.pathname} ${table.closest("[aria-label]")?.getAttribute("aria-label") ?? at}`;

// What a cell is sorted by: an instant, or the number that it begins with, and its text.
function keyOf(row, column) {
  const cell = row.cells[column];
  const text = (cell?.dataset.sort ?? cell?.textContent ?? "").trim().replace(/\s+/g, " ");
  const instant = cell?.querySelector("time")?.getAttribute("datetime");
  const number = NUMBER.exec(text)?.[0].replace(/[$,]/g, "").replace("−", "-");
  return { text, isEmpty: EMPTY.includes(text), number: instant ? Date.parse(instant) : number ? Number(number) : NaN };
}

// Numbers come before texts, and empty cells last in both directions.
function compare(one, other, sign) {
  if (one.isEmpty || other.isEmpty) return one.isEmpty - other.isEmpty;
  const [number, text] = [one.number - other.number, Number.isNaN(one.number) - Number.isNaN(other.number)];
  return sign * (text || number || texts.compare(one.text, other.text));
}

function order(table, heading, direction) {
  const [body] = table.tBodies;
  const rows = [...body.rows];
  const keys = new Map(rows.map((row) => [row, keyOf(row, heading.cellIndex)]));
  const sign = direction === "descending" ? -1 : 1;
  const placed = (one, other) => one.dataset.place - other.dataset.place;
  rows.sort((one, other) => (direction && compare(keys.get(one), keys.get(other), sign)) || placed(one, other));
  body.append(...rows);
  for (const each of headsOf(table)) each.removeAttribute("aria-sort");
  if (direction) heading.setAttribute("aria-sort", direction);
}

function addButton(heading) {
  const button = heading.ownerDocument.createElement("button");
  button.type = "button";
  button.className = "sort";
  button.append(...heading.childNodes);
  heading.append(button);
}

// Gives the tables of a document their buttons, and sorts them as was chosen before.
export function sortTables(root) {
  for (const [at, table] of [...root.querySelectorAll(TABLES)].entries()) {
    if (table.tBodies.length !== 1 || table.querySelector(".sort")) continue;
    for (const [place, row] of [...table.tBodies[0].rows].entries()) row.dataset.place = place;
    headsOf(table).forEach(addButton);
    table.dataset.sorted = placeOf(table, at);
    const [name, direction] = JSON.parse(sessionStorage.getItem(table.dataset.sorted) ?? "[]");
    const heading = direction && headsOf(table).find((each) => each.textContent === name);
    if (heading) order(table, heading, direction);
  }
}

document.addEventListener("click", ({ target }) => {
  const heading = target.closest(".sort")?.parentElement;
  if (!heading) return;
  const table = heading.closest("table");
  const direction = NEXT[heading.getAttribute("aria-sort") ?? ""];
  order(table, heading, direction);
  sessionStorage.setItem(table.dataset.sorted, JSON.stringify([heading.textContent, direction]));
});

sortTables(document);
