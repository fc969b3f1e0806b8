// Keys: off inside fields and while a modifier is held; the help dialog lists them and switches them off.
import { openPalette } from "./palette.js";

const STORED = "giftsim-keys";
const help = document.getElementById("help");
const box = document.getElementById("keys-on");
let first = "";

const isOn = () => localStorage.getItem(STORED) !== "off";
const isField = (element) => element.matches("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]");

box.checked = isOn();
box.addEventListener("change", () => localStorage.setItem(STORED, box.checked ? "on" : "off"));

function click(selector) {
  const element = document.querySelector(selector);
  element?.click();
  return Boolean(element);
}

function focusSearch() {
  const field = document.getElementById("search");
  if (field) field.focus();
  else openPalette();
}

function move(step) {
  if (!document.dispatchEvent(new CustomEvent("walk", { detail: step, cancelable: true }))) return; // a list with its detail
  const rows = [...document.querySelectorAll("main tbody tr, main .rows > li")].filter((row) => row.querySelector("a"));
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.hasAttribute("data-selected"));
  const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
  rows[at]?.removeAttribute("data-selected");
  next.setAttribute("data-selected", "");
  next.querySelector("a").focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help]")) help.showModal();
});

// A page that was patched in place knows where it is now.
function present() {
  const link = document.querySelector("[data-present]");
  if (link) location.assign(`${link.pathname}?back=${encodeURIComponent(location.pathname + location.search)}`);
}

const ALONE = {
  "?": () => help.showModal(),
  "/": focusSearch,
  n: () => click("main button.primary, .bar [data-time=n][data-kbd=n]"),
  N: () => click("main [data-to-the-end]"),
  p: openPalette,
  u: () => click("[data-undo]"),
  U: () => click("[data-redo]"),
  f: present,
  j: () => move(1),
  k: () => move(-1),
};
const AFTER = {
  g: (key) => click(`.side [data-key="${CSS.escape(key)}"]`),
  t: (key) => click(`[data-time="${CSS.escape(key)}"]`),
};

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "k" && isOn() && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    return openPalette();
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!isOn() && event.key !== "?") return;
  if (isField(event.target) || document.querySelector("dialog[open]")) return;
  const second = AFTER[first];
  first = !second && AFTER[event.key] ? event.key : "";
  if (second ? second(event.key) : first || ALONE[event.key]) event.preventDefault();
  if (!second && !first) ALONE[event.key]?.();
});
