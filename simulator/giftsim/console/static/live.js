// Live updates: when something happens in the page's world, the page is fetched again and patched in place.
//
// One tab of a world leads: it holds a lock, reads the stream of changes, and passes it to the others. When it closes,
// another gets the lock and goes on where it was. Without locks or streams a tab asks every few seconds.
import { protectEdits } from "./edits.js";
import { parse, patch } from "./patch.js";

const ALWAYS = ["clock", "snapshot", "rewound", "dropped"]; // the time bar shows them, or all may be different
const KINDS = [...ALWAYS, "call", "claim", "control", "event", "delivery", "mail", "fault", "hold", "timer"];
const FIRST_MS = 100;
const BETWEEN_MS = 500;
const POLL_MS = 3000;
const STREAM_AGAIN_MS = 15000;
const LEAVING_MS = 3000;
const STATES = {
  live: ["live", "good", "The page follows its world as things happen."],
  polling: ["polling", "move", "The page asks every few seconds: no stream could be opened."],
  reconnecting: ["reconnecting", "wait", "The simulator cannot be reached; the page tries again."],
  gone: ["world gone", "bad", "This world does not exist any more."],
};

const live = document.getElementById("live");
const world = live?.dataset.world;
const path = `/w/${encodeURIComponent(world)}/changes`;
const channel = world && "BroadcastChannel" in window ? new BroadcastChannel(`giftsim-live-${world}`) : null;
let seen = Number(live?.dataset.cursor ?? 0); // the number of the last change that this tab knows of
let state = "";
let leads = false;

// The page.

let wanted = false;
let timer = 0;
let isFetching = false;
let fetchedAt = -Infinity;
let leavingAt = -Infinity;

function concerns(changes) {
  const kinds = live.dataset.kinds?.split(" ") ?? [];
  const shown = Number(live.dataset.cursor ?? 0); // the page has what happened before it was made
  return changes.some(
    ({ kind, n }) => (n > shown || n === 0) && (kinds.includes("all") || kinds.includes(kind) || ALWAYS.includes(kind)),
  );
}

function refreshSoon() {
  if (!wanted || timer || isFetching || document.hidden) return;
  timer = setTimeout(follow, Math.max(FIRST_MS, fetchedAt + BETWEEN_MS - performance.now()));
}

function follow() {
  timer = 0;
  if (document.hidden || !wanted) return;
  if (performance.now() - leavingAt < LEAVING_MS) {
    timer = setTimeout(follow, LEAVING_MS);
    return;
  }
  if (!protectEdits(live)) return; // it goes on when the user has finished
  wanted = false;
  refresh();
}

// Fetches the page again, and takes over what is new.
export async function refresh() {
  isFetching = true;
  fetchedAt = performance.now();
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html", "Giftsim-Update": "true" } });
    const page = parse(await answer.text());
    if (answer.ok && protectEdits(live)) patch(page, ["side", "live"]);
    else if (answer.ok) wanted = true;
  } catch {
    wanted = true;
    fetchedAt += POLL_MS;
  }
  isFetching = false;
  show(state);
  refreshSoon();
}

function show(next) {
  state = next;
  const badge = document.getElementById("live-state");
  if (!badge || !STATES[next]) return;
  const [text, look, title] = STATES[next];
  badge.textContent = text;
  badge.title = title;
  badge.className = `badge live ${look}`;
  badge.hidden = false;
}

function take(changes) {
  const { n } = changes.at(-1);
  seen = n;
  if (concerns(changes)) wanted = true;
  refreshSoon();
}

// The tabs of a world.

function tell(next) {
  if (next !== state) show(next);
  channel?.postMessage({ state: next, seen });
}

function pass(changes) {
  take(changes);
  channel?.postMessage({ changes });
}

function hear({ data }) {
  if (data.changes) take(data.changes);
  if (data.hello && leads) channel.postMessage({ state, seen });
  if (!data.state) return;
  show(data.state);
  if (data.seen > seen) {
    wanted = true; // the leader heard of changes since this page was made
    seen = data.seen;
    refreshSoon();
  }
}

// The tab that leads.

let source = null;

function openStream() {
  source = new EventSource(`${path}?after=${seen}`);
  source.addEventListener("open", () => tell("live"));
  for (const kind of KINDS) source.addEventListener(kind, ({ lastEventId }) => pass([{ kind, n: Number(lastEventId) }]));
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return tell("reconnecting");
    source = null;
    poll(performance.now() + STREAM_AGAIN_MS);
  });
}

async function poll(until) {
  if (window.EventSource && performance.now() > until) return openStream();
  tell(await ask());
  setTimeout(poll, POLL_MS, until);
}

async function ask() {
  try {
    const response = await fetch(`${path}?after=${seen}`, { headers: { Accept: "application/json" } });
    if (response.status === 404) return "gone";
    if (!response.ok) return "reconnecting";
    const { changes } = await response.json();
    if (changes.length) pass(changes.map(({ kind, n }) => ({ kind, n })));
    return "polling";
  } catch {
    return "reconnecting";
  }
}

function lead() {
  leads = true;
  if (window.EventSource) openStream();
  else poll(Infinity);
  return new Promise(() => {}); // for as long as the page is there
}

if (world) {
  document.addEventListener("visibilitychange", refreshSoon);
  for (const name of ["input", "change", "reset", "focusout"]) live.addEventListener(name, () => setTimeout(refreshSoon));
  document.addEventListener("submit", () => (leavingAt = performance.now()));
  document.addEventListener("acted", () => ((leavingAt = -Infinity), show(state), refreshSoon()));
  addEventListener("pagehide", () => source?.close());
  channel?.addEventListener("message", hear);
  channel?.postMessage({ hello: true });
  if (channel && navigator.locks) navigator.locks.request(`giftsim-live-${world}`, lead);
  else poll(Infinity);
}
