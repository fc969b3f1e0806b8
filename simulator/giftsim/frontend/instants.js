/* How instants and durations are written. */
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const two = (number) => String(number).padStart(2, "0");

export const monthOf = (ms) => MONTHS[new Date(ms).getUTCMonth()];

export function dayNameOf(ms) {
  const date = new Date(ms);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()}`;
}

export const dayOf = (ms) => `${dayNameOf(ms)} ${monthOf(ms)}`;

export function clockOf(ms) {
  const date = new Date(ms);
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
