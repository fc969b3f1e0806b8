// The console's scripts. Every page works without them: they add keys, copying, a ticking clock and live updates.
import "./clock.js";
import "./shared/copy.js";
import "./keys.js";
import "./live.js";
import "./sheets.js";
import "./sort.js";
import "./actions.js";
import "./toasts.js";

// What only some pages have.
if (document.querySelector("form[data-drop]")) import("./drop.js");
if (document.querySelector("[data-play]")) import("./scenario.js");

// The writers of code are loaded for the first press of "Copy as".
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-code]");
  if (!button) return;
  button.closest("[data-steps]").querySelector("[role=status]").textContent = ""; // so that the same words are announced again
  (await import("./copy_as.js")).copyAs(button);
});

// Links to claim pages open a panel, whose script is loaded for the first of them.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-claim]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { open } = await import("./panel.js");
  open(link);
});

// The documentation has no world: what leads back from it leads to the page that was left.
const homes = document.querySelectorAll("[data-home]");
if (document.getElementById("live").dataset.world) sessionStorage.setItem("giftsim-left", location.pathname + location.search);
for (const link of homes) link.setAttribute("href", sessionStorage.getItem("giftsim-left") ?? "/");
