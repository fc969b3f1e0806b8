/* The scale of a whole world: what is quiet for long is folded, and where one scale is not enough, another begins. */
import { Scale, even } from "./scale.js";

const FOLD = 22; // the width of a fold in pixels
const SPARED = 12; // pixels that are left of a quiet stretch on both sides
const TAKEN = FOLD + 2 * SPARED;
const EDGE = 14; // pixels between the last thing and the end
const MOST_FOLDS = 3; // on each side of now
const LONG = 0.35; // of what is shown: a longer quiet stretch can be folded
const [CROWDED, MANY] = [16, 1 / 3]; // and is, if that share of the other gaps is narrower than so many pixels
const ALIKE = 1.5; // scales that differ by less are one
const FEWEST = 3; // instants, with which a world has a past
const [PAST, YOUNG] = [0.6, 0.2]; // the share of the width
const NEAR = [0.15, 0.5]; // of a side: where its scale may change
const LEAST_PER_PIXEL = 50;
const WEEK = 7 * 86_400_000; // of a world in which nothing happened and nothing is due


/* The scale of a whole world around `now`, for the stretches [from, to] in which something is, in any order. About 60 %
   of the width is past if there is one. Both sides have one scale if theirs are alike; else the wider stretches to the
   finer one near now, and changes where nothing is. */
export function folded(now, stretches, width) {
  const past = merged(stretches.filter(([from]) => from <= now).map(([from, to]) => [now - Math.min(to, now), now - from]));
  const ahead = merged(stretches.filter(([, to]) => to > now).map(([from, to]) => [Math.max(from, now) - now, to - now]));
  const isLived = past.length >= FEWEST || past.some(([from, to]) => to > from);
  const left = Math.round(width * (isLived ? PAST : YOUNG));
  const sides = [fit(past, 0, left), fit(ahead, 0, width - left)];
  const [fine, coarse] = sides.map(({ perPixel }) => Math.max(LEAST_PER_PIXEL, perPixel)).sort((one, other) => one - other);
  if (!past.length && !ahead.length) return even(now - WEEK * YOUNG, now + WEEK * (1 - YOUNG), width);
  const wide = sides[0].perPixel > sides[1].perPixel ? 0 : 1;
  const isOne = !isLived || !ahead.length || coarse < ALIKE * fine;
  const changed = isOne ? null : changing([past, ahead][wide], fine, sides[wide].width);
  const [before, after] = sides.map((side, i) => (changed && i === wide ? changed : pieces(side, changed ? fine : coarse)));
  return new Scale([
    ...before.reverse().map(({ from, to, ...piece }) => ({ ...piece, from: now - to, to: now - from })),
    ...after.map(({ from, to, ...piece }) => ({ ...piece, from: now + from, to: now + to })),
  ]);
}

/* Stretches in order, those that touch as one. On a side of now they are distances from it. */
function merged(stretches) {
  const found = [];
  for (const [from, to] of stretches.sort((one, other) => one[0] - other[0])) {
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

const lengthOf = ([from, to]) => to - from;
const gapsOf = (stretches, start) => stretches.map(([to], i) => [i ? stretches[i - 1][1] : start, to]).filter(([from, to]) => to > from);

/* One scale for a side from `start` on, and the gaps to fold: the longest, as long as the others are crowded. */
function fit(stretches, start, width) {
  const end = stretches.at(-1)?.[1] ?? start;
  const gaps = gapsOf(stretches, start).sort((one, other) => lengthOf(other) - lengthOf(one));
  let [folds, shown, room] = [0, end - start, width - EDGE];
  while (folds < Math.min(MOST_FOLDS, gaps.length - 1) && room > 2 * TAKEN && isCrowded(gaps, folds, shown, room)) {
    shown -= lengthOf(gaps[folds]);
    room -= TAKEN;
    folds += 1;
  }
  return { start, width, folds: gaps.slice(0, folds).sort((one, other) => one[0] - other[0]), perPixel: shown / room };
}

/* Whether gap `i`, the longest one that is not folded, takes so much of what is shown that the others have too little. */
function isCrowded(gaps, i, shown, room) {
  const others = gaps.slice(i + 1);
  const narrow = others.filter((gap) => (lengthOf(gap) / shown) * room < CROWDED);
  return lengthOf(gaps[i]) > LONG * shown && narrow.length >= MANY * others.length;
}

/* The pieces of a side outward from its start, up to its width. A fold that would not save room is left open. */
function pieces({ start, width, folds }, perPixel) {
  const found = [];
  let [at, left] = [start, width];
  for (const [begin, end] of folds) {
    const [from, to] = [begin + SPARED * perPixel, end - SPARED * perPixel];
    if (to - from <= FOLD * perPixel) continue;
    found.push({ from: at, to: from, width: (from - at) / perPixel }, { from, to, width: FOLD, fold: { span: to - from, ratio: 1 } });
    left -= (from - at) / perPixel + FOLD;
    at = to;
  }
  return [...found, { from: at, to: at + left * perPixel, width: left }];
}

/* The pieces of a side whose scale is `perPixel` up to a gap, and beyond it the one that shows all. Null without such a gap. */
function changing(stretches, perPixel, width) {
  const [least, most] = NEAR.map((share) => share * width * perPixel);
  const [gap] = gapsOf(stretches, 0).filter(([from, to]) => to > least && from < most).sort((one, other) => lengthOf(other) - lengthOf(one) || other[0] - one[0]);
  if (!gap) return null;
  const from = Math.min(gap[0] + Math.min(SPARED * perPixel, lengthOf(gap) / 4), most);
  const rest = width - from / perPixel - FOLD;
  const beyond = fit(stretches.filter(([begin]) => begin >= gap[1]), gap[1], rest - SPARED);
  const coarse = Math.max(perPixel, beyond.perPixel);
  const to = Math.max(gap[1] - SPARED * coarse, (from + gap[1]) / 2);
  const near = { from: 0, to: from, width: from / perPixel };
  return [near, { from, to, width: FOLD, fold: { span: to - from, ratio: coarse / perPixel } }, ...pieces({ ...beyond, start: to, width: rest }, coarse)];
}
