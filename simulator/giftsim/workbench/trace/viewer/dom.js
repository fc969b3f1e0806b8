/* Elements that only traces have. */
import { el } from "./shared/elements.js";

/* A link to an entry. */
export function entryLink(n, text, attributes = {}) {
  return el("a", { href: `#n=${n}`, ...attributes }, text);
}

/* A region with a heading; what it is called is its heading. */
export function region(name, aside, ...children) {
  const id = `h-${name.replace(/\W+/g, "-").toLowerCase()}`;
  const heading = el("h2", { id }, name);
  return el("section", { "aria-labelledby": id }, el("header", {}, heading, aside), ...children);
}
