// Patches the page in place: a newer version of it is morphed into what is shown. Scroll and focus stay, and so do open
// details and forms that are being edited.
import { isKept } from "./edits.js";
import { sortTables } from "./sort.js";

const IGNORED = ["open", "data-selected", "aria-busy"]; // attributes that belong to the browser and not to the page
const isIgnored = (name, node) => IGNORED.includes(name) || (name === "hidden" && node.matches("[data-script], .copy-as *"));
const FOCUSABLE = "a[href], button:not([disabled]), input:not([type=hidden], [disabled]), select, summary, textarea";
const cursorOf = (element) => Number(element?.dataset.cursor ?? 0);

const callbacks = {
  beforeNodeMorphed: (old, newer) => !(old instanceof Element && (isKept(old) || old.isEqualNode(newer))), // equal: fast
  beforeAttributeUpdated: (name, node) => !isIgnored(name, node),
};

export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// Takes over the parts of a newer page with these ids. An older one, which a slow answer can be, is left out.
export function patch(next, ids) {
  if (cursorOf(next.getElementById("live")) < cursorOf(document.getElementById("live"))) return;
  sortTables(next);
  const focused = document.activeElement;
  const around = ancestors(focused);
  const [left, top] = [scrollX, scrollY];
  for (const id of ids) {
    const [shown, newer] = [document.getElementById(id), next.getElementById(id)];
    if (shown && newer && !shown.isEqualNode(newer)) Idiomorph.morph(shown, newer, { morphStyle: "outerHTML", restoreFocus: true, callbacks });
  }
  requestAnimationFrame(() => {
    if (scrollY < top) scrollTo({ left, top, behavior: "instant" }); // the page was shorter for a moment
  });
  document.title = next.title;
  document.dispatchEvent(new Event("patched"));
  if (focused !== document.body) keepFocus(focused, around);
}

function ancestors(element) {
  const all = [];
  for (let each = element?.parentElement; each && each !== document.body; each = each.parentElement) all.push(each);
  return all;
}

// Focus that went with its element goes to what is nearest to where it was.
function keepFocus(focused, around) {
  if (focused.isConnected && !focused.disabled && focused.checkVisibility()) return;
  for (const each of around.filter((element) => element.isConnected)) {
    const next = [...each.querySelectorAll(FOCUSABLE)].find((element) => element.checkVisibility());
    if (next) return next.focus({ preventScroll: true });
  }
  document.getElementById("main")?.focus({ preventScroll: true });
}
