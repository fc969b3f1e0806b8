// The clock in the time bar goes on between two updates while the world's clock runs.
const shown = () => document.querySelector(".clock[data-now]");
let loaded = performance.now();
let last = shown()?.dataset.now;

function tick() {
  const clock = shown();
  if (!clock) return;
  if (clock.dataset.now !== last) [last, loaded] = [clock.dataset.now, performance.now()];
  const rate = Number(clock.dataset.rate);
  if (!rate) return;
  const now = new Date(Date.parse(last) + (performance.now() - loaded) * rate);
  clock.querySelector("time").textContent = now.toISOString().slice(0, 19).replace("T", " ");
}

if (last) setInterval(tick, 500);
