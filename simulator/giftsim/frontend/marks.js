/* The marks of a time strip: a shape for each entry, and a pill with counts for those that would touch. */
import { svg } from "./elements.js";

const APART = -1; // pixels between marks; nearer ones join
const DIGIT = 6;
const THOUSANDS = 10_000; // from which counts are rounded

/* Groups of entries that would touch, but not what was with what will be: these stand left and right of `present`. An
   entry can count for several: `count` of them, of which `failed` did. `placed` gives entries in order, each with its
   row and its x. */
export function joined(placed, present, left) {
  const [done, open] = [[], new Map()];
  for (const { entry, row, x } of placed) {
    const key = `${row} ${entry.shape === "due"}`;
    const one = { entry, row, first: x, last: x, count: entry.count ?? 1, failed: Number(entry.failed ?? 0) };
    const group = open.get(key);
    if (group && x - halfOf(one) - (middleOf(group, present, left) + halfOf(group)) < APART) {
      Object.assign(group, { entry, last: x, count: group.count + one.count, failed: group.failed + one.failed });
    } else {
      open.set(key, one);
      done.push(one);
    }
  }
  return done.map((group) => ({ ...group, x: middleOf(group, present, left) }));
}

function middleOf(group, present, left) {
  const [middle, half] = [Math.max((group.first + group.last) / 2, left + halfOf(group)), halfOf(group)];
  if (group.count < 2) return middle;
  return group.entry.shape === "due" ? Math.max(middle, present + half + 1) : group.last <= present ? Math.min(middle, present - half) : middle;
}

/* The drawing of a group: a shape if it is one thing, else a pill, in two parts if some failed and some did not. */
export function markOf(group, y, title) {
  const { entry, x, count, failed } = group;
  const look = failed && failed === count ? "bad" : entry.shape;
  const node = svg("g", { class: `mark ${entry.lane} ${look}`, transform: `translate(${x} ${y})`, "data-at": entry.at ?? null });
  node.append(...(count > 1 ? pill(group) : shape(failed ? "failed" : entry.shape)), svg("title", {}, title));
  return node;
}

const written = (count) => (count < THOUSANDS ? count.toLocaleString("en") : `${Math.round(count / 1000)}k`);
const partsOf = ({ count, failed }) => [count - failed, failed].map((each) => (each ? written(each) : ""));
const widthOf = (text) => (text ? 10 + DIGIT * text.length : 0);
const halfOf = (group) => (group.count < 2 ? 4.5 : pillWidth(group) / 2);
const pillWidth = (group) => widthOf(partsOf(group)[0]) + widthOf(partsOf(group)[1]);

function pill(group) {
  const [good, bad] = partsOf(group);
  const [end, split] = [pillWidth(group) / 2, widthOf(good) - pillWidth(group) / 2];
  const nodes = [];
  if (good) nodes.push(svg("path", { d: half(-end, split, true, !bad) }), svg("text", { class: "pill", x: (split - end) / 2, y: 3.5 }, good));
  if (bad) nodes.push(svg("path", { class: "part bad", d: half(split, end, !good, true) }), svg("text", { class: "pill", x: (split + end) / 2, y: 3.5 }, bad));
  return nodes;
}

/* A part of a pill, 14 pixels high, round at the ends that are its own. */
function half(from, to, isRoundLeft, isRoundRight) {
  const [left, right] = [isRoundLeft ? 7 : 0, isRoundRight ? 7 : 0];
  const arc = (size, x, y) => (size ? `a${size} ${size} 0 0 1 ${x} ${y}` : `l${x} ${y}`);
  return `M${from + left}-7H${to - right}${arc(right, right, 7)}${arc(right, -right, 7)}H${from + left}${arc(left, -left, -7)}${arc(left, left, -7)}z`;
}

function shape(kind) {
  if (kind === "failed") return [svg("circle", { r: 5 }), svg("path", { class: "cross", d: "m-2-2 4 4m0-4-4 4" })];
  if (kind === "call") return [svg("rect", { x: -3.5, y: -3.5, width: 7, height: 7, rx: 1.5 })];
  if (kind === "sent") return [svg("circle", { r: 4 })];
  if (kind === "person") return [svg("path", { d: "M0-5 5 0 0 5-5 0z" })];
  if (kind === "mail") return [svg("path", { d: "M-5-3.5h10v7h-10z" })];
  if (kind === "fault") return [svg("path", { d: "M1-5-4 1h3l-1 4 5-6h-3z" })];
  if (kind === "advance") return [svg("path", { d: "m-3-4 6 4-6 4z" })];
  if (kind === "due" || kind === "event") return [svg("circle", { class: "ring", r: 3.75 })];
  return [svg("path", { class: "tick-mark", d: "M0-5v10" })];
}

/* Fill a group with nodes. One that is made like the node in its place gives it its attributes, so that a page that
   follows its world changes little. */
export function fill(group, nodes) {
  while (group.children.length > nodes.length) group.lastElementChild.remove();
  return nodes.map((node, i) => {
    const old = group.children[i];
    if (old && isAlike(old, node)) return takeOver(old, node);
    old ? old.replaceWith(node) : group.append(node);
    return node;
  });
}

function isAlike(old, node) {
  return old.tagName === node.tagName && old.children.length === node.children.length && [...old.children].every((child, i) => isAlike(child, node.children[i]));
}

function takeOver(old, node) {
  for (const name of new Set([...old.getAttributeNames(), ...node.getAttributeNames()])) {
    const value = node.getAttribute(name);
    if (value === null) old.removeAttribute(name);
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (node.children.length) [...node.children].forEach((child, i) => takeOver(old.children[i], child));
  else if (old.textContent !== node.textContent) old.textContent = node.textContent;
  return old;
}
