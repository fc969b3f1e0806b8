// Plays a scenario one step at a time, so that its page follows and a click pauses it. Without scripts the form plays it whole.
import { refresh } from "./live.js";

let paused = false;

async function play(form) {
  const action = form.action;
  const answer = { over: false };
  paused = false;
  while (!answer.over && !paused) {
    document.querySelector("[data-pause]")?.removeAttribute("hidden"); // an update of the page hides it again
    const headers = { Accept: "application/json" };
    const response = await fetch(action, { method: "POST", headers, body: new URLSearchParams({ count: "1" }) });
    if (!response.ok) break;
    Object.assign(answer, await response.json());
    const progress = document.getElementById("progress");
    if (progress && answer.played) progress.value = answer.played;
  }
  await refresh();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-play]")) return;
  event.preventDefault();
  play(event.target);
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-pause]")) paused = true;
});
