// The clock in the time bar goes on between two updates while the world's clock runs.
const shown = () => document.querySelector(".clock[data-now]");
const narrow = matchMedia("(max-width: 40rem)"); // where seconds have no room
const NAMES = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" };
let loaded = performance.now();
let last = shown()?.dataset.now;

const text = (now) => now.toLocaleDateString("en-GB", NAMES).replace(",", "");

function tick() {
  const clock = shown();
  if (!clock) return;
  if (clock.dataset.now !== last) [last, loaded] = [clock.dataset.now, performance.now()];
  const rate = Number(clock.dataset.rate);
  if (!rate) return;
  const now = new Date(giftsim.shifted(Date.parse(last) + (performance.now() - loaded) * rate));
  clock.querySelector("time").textContent = `${text(now)}, ${now.toISOString().slice(11, narrow.matches ? 16 : 19)}`;
}

if (last) setInterval(tick, 500);
