/* How instants and durations are written: in UTC, or in the zone that the console was told to show. */
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (number) => String(number).padStart(2, "0");

/* The instant whose UTC fields are those that a clock in the zone shows. */
export const shownAt = (ms) => globalThis.giftsim?.shifted?.(ms) ?? ms;

export const monthOf = (ms) => MONTHS[new Date(shownAt(ms)).getUTCMonth()];

export function dayNameOf(ms) {
  const date = new Date(shownAt(ms));
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()}`;
}

export const dayOf = (ms) => `${dayNameOf(ms)} ${monthOf(ms)}`;

export function clockOf(ms) {
  const date = new Date(shownAt(ms));
  const seconds = date.getUTCSeconds() || date.getUTCMilliseconds() ? `:${two(date.getUTCSeconds())}` : "";
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}${seconds}`;
}

export const instantText = (ms) => `${dayOf(ms)}, ${clockOf(ms)}`;

/* A duration in its two largest units: "1 d 3 h". */
export function spanText(ms) {
  const parts = [["d", 86_400_000], ["h", 3_600_000], ["min", 60_000], ["s", 1_000]];
  const found = [];
  let rest = ms;
  for (const [unit, size] of parts) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count) found.push(`${count} ${unit}`);
    if (found.length === 2 || (found.length === 1 && !count)) break;
  }
  return found.join(" ") || `${ms} ms`;
}
