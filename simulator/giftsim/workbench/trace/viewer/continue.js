/* "Continue": the running console opens this trace after an entry; until one asks for it, the commands that start one. */
import { TRACE_ID } from "./data.js";
import { el } from "./shared/elements.js";
import { shell } from "./shared/literals.js";

const CONSOLE = "http://127.0.0.1:8080"; // where `giftsim serve` listens, unless it is told otherwise
const ASKS = "giftsim: a trace?"; // the console's page of worlds, of who opened it
const WAIT_MS = 2_000;

export async function continueAt(n, shown) {
  const file = decodeURIComponent(location.pathname.split("/").pop()) || "trace.html";
  const address = (shown.querySelector("input")?.value || CONSOLE).replace(/\/+$/, "");
  const opened = (await isRunning(address)) && open(`${address}/w/default/worlds`);
  const said = el("p", { role: "status" }, opening(opened, address, n));
  if (opened) give(opened, { trace: document.getElementById(TRACE_ID).outerHTML, name: file, at: n }, () => shown.replaceChildren(el("p", { role: "status" }, `The console at ${address} has the trace: press “Open the trace” there.`)));
  shown.replaceChildren(said, ...ways(n, shown, address, shell(file)));
  shown.hidden = false;
  shown.focus();
}

function opening(opened, address, n) {
  const start = `This starts a console that is as it was after entry ${n}:`;
  if (opened === false) return `No console answers at ${address}. ${start}`;
  if (opened === null) return "The browser blocked the window of the console. Allow it, and continue again.";
  return `Opened ${address}. It has not asked for the trace: another program may be there. ${start}`;
}

/* Whether anything answers at an address; a page of another origin cannot read what. */
const isRunning = (address) => fetch(address, { mode: "no-cors", signal: AbortSignal.timeout(WAIT_MS) }).then(() => true, () => false);

function give(opened, message, then) {
  const listen = (event) => {
    if (event.source !== opened || event.data !== ASKS) return;
    removeEventListener("message", listen);
    opened.postMessage(message, event.origin);
    then();
  };
  addEventListener("message", listen);
}

function ways(n, shown, address, file) {
  const commands = `giftsim serve --trace ${file} --at ${n}\n# or replay it all and compare every byte:\ngiftsim play --exact ${file}`;
  return [
    el("div", { class: "code-to-copy" }, el("pre", { tabindex: 0 }, commands), el("button", { type: "button", "data-copy": "" }, "Copy")),
    el("p", { class: "row" }, el("label", {}, "A console elsewhere on this machine ", el("input", { value: address })), el("button", { type: "button", onclick: () => continueAt(n, shown) }, "Continue there")),
  ];
}
