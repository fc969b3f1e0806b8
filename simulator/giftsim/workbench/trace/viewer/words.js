/* How instants, durations, money and bytes are written. */
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

const two = (number) => String(number).padStart(2, "0");

export function dayOf(ms) {
  const date = new Date(ms);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

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

export function moneyText(cents, signed = false) {
  const amount = (Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  return `${cents < 0 ? "−" : signed && cents > 0 ? "+" : ""}$${amount}`;
}

/* The name of a record's member: without its unit, as people say it. */
export const memberName = (name) => name.replace(/_cents$/, "").replaceAll("_", " ");

export function valueText(name, value) {
  if (value === null || value === undefined) return "none";
  if (name.endsWith("_cents") && typeof value === "number") return moneyText(value);
  if (typeof value === "string") return INSTANT.test(value) ? instantText(Date.parse(value)) : value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/* JSON with indents, and any other text as it is. */
export function prettyText(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
