/* Elements. Texts are always set as text, never as HTML: a trace holds what anybody sent. */
const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

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
