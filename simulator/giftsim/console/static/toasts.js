// Notices in the corner. One that tells of a success goes after a while, unless it is looked at; a failure stays.
const SHOWN_MS = 20000;
let timer = 0;

const toasts = () => document.getElementById("toasts");

function leaveSoon() {
  clearTimeout(timer);
  if (toasts()?.querySelector(".toast:not(.failed)")) timer = setTimeout(leave, SHOWN_MS);
}

function leave() {
  if (toasts().matches(":hover, :focus-within")) leaveSoon();
  else toasts().replaceChildren();
}

// A notice that a script has made: why something failed.
export function say(text) {
  const toast = document.createElement("div");
  toast.className = "toast failed";
  toast.role = "alert";
  const [words, close] = [document.createElement("p"), document.createElement("button")];
  words.textContent = text;
  Object.assign(close, { type: "button", className: "icon", textContent: "×", ariaLabel: "Close the notice" });
  close.dataset.close = "";
  toast.append(words, close);
  toasts().replaceChildren(toast);
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-close]")) return;
  toasts().replaceChildren();
  document.getElementById("main").focus({ preventScroll: true });
});
document.addEventListener("acted", leaveSoon);
leaveSoon();
