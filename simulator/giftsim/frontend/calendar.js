/* The names of instants along a scale of instants: clock times, days, months and years, each where it changes. */
import { clockOf, dayNameOf, monthOf, shownAt } from "./instants.js";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const STEPS = [1_000, 10_000, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY];
const MONTH_STEPS = [1, 3, 6, 12, 60, 120, 1200];
const ROOM = 68; // pixels from one name to the next
const NAME_CHARACTER = 6.4;
const MONDAY = 4 * DAY; // the first after the epoch

/* What is written above a scale: {x, text, end}. A piece that is too narrow for two names has one, of its middle. */
export function ticks(scale, now) {
  const found = [];
  const last = { year: new Date(shownAt(now)).getUTCFullYear(), month: -1, day: "" };
  let end = -Infinity;
  for (const piece of scale.pieces) {
    if (piece.fold || piece.width < 24) continue;
    const perPixel = (piece.to - piece.from) / piece.width;
    const marks = instantsIn(piece, perPixel);
    const hasDay = marks.some(isMidnight);
    if (!marks.length) marks.push(piece.from + (piece.to - piece.from) / 2);
    marks.forEach((at, i) => {
      const x = piece.x + (at - piece.from) / perPixel;
      const full = nameOf(at, marks.step, last);
      const isShort = hasDay && !isMidnight(at) && (i || endOf(x, full) > piece.x + (marks[1] - piece.from) / perPixel);
      const text = isShort ? clockOf(at) : full;
      if (x < end) return;
      end = endOf(x, text);
      if (!isShort) remember(at, last);
      found.push({ x, text, end });
    });
  }
  return found;
}

const isMidnight = (at) => shownAt(at) % DAY === 0;
const endOf = (x, text) => x + 13 + text.length * NAME_CHARACTER;

/* The instants of a piece that have room for a name: `step` is the ms between them. */
function instantsIn(piece, perPixel) {
  const offset = shownAt(piece.from) - piece.from;
  const marks = fieldsIn({ from: piece.from + offset, to: piece.to + offset }, perPixel);
  const instants = marks.map((fields) => fields - (shownAt(fields - offset) - (fields - offset))); // summer time may begin between
  return Object.assign(instants, { step: marks.step });
}

function fieldsIn({ from, to }, perPixel) {
  const step = STEPS.find((each) => each >= ROOM * perPixel);
  if (step) {
    const origin = step === 7 * DAY ? MONDAY : 0;
    const first = Math.ceil((from - origin) / step) * step + origin;
    const count = Math.max(0, Math.floor((to - first) / step) + 1);
    return Object.assign(Array.from({ length: count }, (_, i) => first + i * step), { step });
  }
  const months = MONTH_STEPS.find((each) => each * 30 * DAY >= ROOM * perPixel) ?? MONTH_STEPS.at(-1);
  const begin = new Date(from);
  const found = [];
  for (let n = Math.ceil((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / months) * months; ; n += months) {
    const at = new Date(0).setUTCFullYear(Math.floor(n / 12), n % 12, 1);
    if (at > to) return Object.assign(found, { step: months * 30 * DAY });
    if (at >= from) found.push(at);
  }
}

/* The name of an instant beside the last one: a day has its month, and a month its year, if that is another. */
function nameOf(at, step, last) {
  const date = new Date(shownAt(at));
  const year = date.getUTCFullYear() === last.year ? "" : ` ${date.getUTCFullYear()}`;
  if (step >= 28 * DAY) return `${monthOf(at)}${year}`;
  const day = `${dayNameOf(at)}${date.getUTCMonth() === last.month && !year ? "" : ` ${monthOf(at)}${year}`}`;
  if (step >= DAY) return day;
  return Math.floor(shownAt(at) / DAY) === last.day ? clockOf(at) : date.getUTCHours() || date.getUTCMinutes() ? `${day}, ${clockOf(at)}` : day;
}

function remember(at, last) {
  const date = new Date(shownAt(at));
  Object.assign(last, { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: Math.floor(shownAt(at) / DAY) });
}
