// Actions: a form of the page is sent, and what it changed is patched into the page. An action that leads to another page
// goes there. Without scripts the forms work as forms do.
import { protectEdits } from "./edits.js";
import { parse, patch } from "./patch.js";
import { say } from "./toasts.js";

const PATCHED = ["side", "live", "toasts"];
let sending = Promise.resolve(); // one action after the other: a button that is pressed three times acts three times

let waiting = 0;
let isLeaving = false;

const live = () => document.getElementById("live");

function isOurs(form, submitter) {
  const method = submitter?.getAttribute("formmethod") ?? form.method;
  return method === "post" && live()?.dataset.world && !form.matches("[data-play], [data-native]");
}

async function send(form, action, body) {
  try {
    const here = location.pathname + location.search;
    const answer = await fetch(action, { method: "POST", body, headers: { Accept: "text/html", "Giftsim-Page": here } });
    await show(form, answer);
  } catch {
    say("The simulator cannot be reached. Nothing was changed, or its answer was lost.");
  } finally {
    waiting -= 1;
    if (!waiting && !isLeaving) live().removeAttribute("aria-busy");
    document.dispatchEvent(new Event("acted"));
  }
}

function leave(path) {
  isLeaving = true;
  location.assign(path);
}

async function show(form, answer) {
  const target = answer.headers.get("Giftsim-Goes-To");
  if (target) return leave(target);
  const page = parse(await answer.text());
  if (page.getElementById("live")?.dataset.world !== live().dataset.world && !answer.redirected)
    return say(page.querySelector("main").textContent.trim().replace(/\s+/g, " "));
  if (new URL(answer.url).pathname !== location.pathname && answer.redirected) return leave(answer.url);
  if (answer.redirected) history.replaceState(null, "", answer.url + location.hash);
  const failed = !answer.ok || page.querySelector(".toast.failed");
  if (!failed) form.reset();
  protectEdits(live(), failed ? null : form);
  form.closest("details.menu")?.removeAttribute("open");
  patch(page, PATCHED);
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !isOurs(form, submitter)) return;
  event.preventDefault();
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  const data = new FormData(form, submitter);
  if (data.get("then") === live().dataset.here) data.set("then", location.pathname + location.search); // which scripts change
  const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
  waiting += 1;
  live().setAttribute("aria-busy", "true");
  sending = sending.then(() => send(form, action, body));
});
