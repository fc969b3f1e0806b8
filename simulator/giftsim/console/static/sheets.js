// Menus, which are sheets on a phone, and the list of worlds in the sheet of pages.
import { onEscape } from "./escape.js";
import { parse } from "./patch.js";

const open = () => document.querySelectorAll("details.menu[open]");

onEscape(3, () => {
  const menu = [...open()].at(-1);
  if (!menu) return false;
  menu.open = false;
  menu.querySelector("summary").focus();
  return true;
});

// Beside a sheet is its own background, so that what lies behind it is not pressed.
document.addEventListener("click", ({ target }) => target.matches("details.menu[open]") && (target.open = false));
document.addEventListener("pointerdown", ({ target }) => {
  if (target.closest(".tools")) return; // the last line of the sheet of time
  for (const menu of open()) if (!menu.contains(target)) menu.open = false;
});

document.getElementById("side")?.addEventListener("toggle", async ({ newState }) => {
  const list = document.querySelector("[data-worlds]");
  if (newState !== "open" || !list) return;
  const answer = await fetch(list.dataset.worlds);
  if (answer.ok) list.replaceChildren(...parse(await answer.text()).body.children);
});
