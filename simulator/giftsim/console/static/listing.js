// A list with its detail: another row is fetched and put in the place of the detail, and the list stays as it is. On a
// narrow window, where one of the two is shown, a link of the list is a link.
import { protectEdits } from "./edits.js";
import { parse, patch } from "./patch.js";

const PATCHED = ["bar", "strip", "detail"];
const ROWS = "#entries .entry, #entries .alike:not([open]) > summary";
const list = () => document.getElementById("list");
const detail = () => document.getElementById("detail");
const isBeside = () => Boolean(list()?.checkVisibility() && detail()?.checkVisibility());
const addressOf = (link) => link.pathname + link.search;
const shownRow = () => list()?.querySelector(".entry[aria-current]");

let wanted = null; // the row to show next, while one is fetched
let shown = location.pathname + location.search;
let isFetching = false;

function mark(row) {
  for (const each of list().querySelectorAll(".entry[aria-current]")) each.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
}

// Shows a row. Of several in a row only the last is fetched.
async function show(row) {
  mark(row);
  wanted = addressOf(row);
  if (isFetching) return;
  isFetching = true;
  detail().setAttribute("aria-busy", "true");
  while (wanted) {
    const address = wanted;
    wanted = null;
    if (!(await fetchDetail(address))) return location.assign(address);
  }
  isFetching = false;
  detail().removeAttribute("aria-busy");
}

async function fetchDetail(address) {
  try {
    const headers = { "Giftsim-Update": "true", "Giftsim-Part": "detail" };
    const answer = await fetch(address, { headers });
    if (!answer.ok) return false;
    const page = parse(await answer.text());
    if (wanted) return true;
    protectEdits(document.getElementById("live"), null);
    patch(page, PATCHED);
    detail().scrollTo(0, 0);
    return true;
  } catch {
    return false;
  }
}

function open(row, { remember }) {
  const address = addressOf(row);
  if (address !== shown) history[remember ? "pushState" : "replaceState"](null, "", address);
  shown = address;
  show(row);
}

// One row down or up. A group that is closed is one row; behind the last row comes the next page.
function walk(step) {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.checkVisibility() || !list().checkVisibility());
  const focused = rows.indexOf(document.activeElement);
  const at = focused < 0 ? rows.indexOf(shownRow()) : focused;
  const row = rows[Math.max(at + step, 0)];
  if (!row) return list().querySelector(".pager [rel=next]")?.click();
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  if (row.matches("a") && detail().checkVisibility()) open(row, { remember: false });
}

document.addEventListener("walk", (event) => {
  if (!list()) return;
  event.preventDefault();
  walk(event.detail);
});

document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !event.target.closest("#entries")) return;
  event.preventDefault();
  walk(step);
});

document.addEventListener("click", (event) => {
  const row = event.target.closest("#entries .entry");
  if (!row || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !isBeside()) return;
  event.preventDefault();
  open(row, { remember: true });
});

// The cross of the field is pressed: the whole list again.
document.addEventListener("search", ({ target }) => target.id === "search" && !target.value && target.form.matches(".finder") && target.form.submit());

addEventListener("popstate", () => {
  if (shown === location.pathname + location.search) return; // another part of the same page
  shown = location.pathname + location.search;
  const row = [...(list()?.querySelectorAll(".entry") ?? [])].find((each) => addressOf(each) === shown);
  if (row) show(row);
  else location.reload();
});

// Beside its list a detail has an address of its own: what happens later, or is done here, leaves it in its place.
const address = detail()?.dataset.shown;
if (address && isBeside()) {
  history.replaceState(null, "", address + location.hash);
  shown = address;
}
shownRow()?.scrollIntoView({ block: "nearest" });
