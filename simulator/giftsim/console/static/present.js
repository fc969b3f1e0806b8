// Present by keys: Space for what comes next, 0 begins again, Escape leaves. The page follows its world as others do.
import "./live.js";
import { parse, patch } from "./patch.js";

const stage = () => document.getElementById("main");
const frame = () => document.getElementById("phone-page");
const isField = (element) => element.matches?.("input, select, textarea, button, a, summary, [contenteditable]");
let isSending = false;

async function send(form) {
  if (!form || isSending) return;
  isSending = true;
  stage().setAttribute("aria-busy", "true");
  const shown = frame()?.getAttribute("src");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const page = parse(await answer.text());
    if (!page.getElementById("live")) return form.submit(); // an error has a page of its own
    history.replaceState(null, "", answer.url);
    patch(page, ["live"]);
    if (shown && frame()?.getAttribute("src") === shown) frame().contentWindow.location.replace(shown);
  } catch {
    location.reload();
  } finally {
    isSending = false;
    stage().removeAttribute("aria-busy");
    document.dispatchEvent(new Event("acted"));
  }
}

const KEYS = {
  " ": () => send(document.getElementById("present-next")),
  0: () => send(document.getElementById("present-again")),
  Escape: () => location.assign(document.getElementById("present-leave").href),
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !KEYS[event.key]) return;
  if (event.key !== "Escape" && isField(event.target)) return;
  event.preventDefault();
  if (!event.repeat) KEYS[event.key]();
}

document.addEventListener("keydown", press);
document.addEventListener("submit", (event) => {
  event.preventDefault();
  send(event.target);
});

// Keys that are pressed in the phone count too, outside of its fields.
document.addEventListener("load", ({ target }) => target === frame() && target.contentDocument?.addEventListener("keydown", press), true);
frame()?.contentDocument?.addEventListener("keydown", press);
document.body.dataset.keys = "on"; // from now on no press is lost
