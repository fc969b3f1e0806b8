/* How money, members and bytes are written. */
import { instantText } from "./shared/instants.js";
import { stateText } from "./shared/states.js";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

export function moneyText(cents, signed = false) {
  const amount = (Math.abs(cents) / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
  return `${cents < 0 ? "−" : signed && cents > 0 ? "+" : ""}$${amount}`;
}

/* The name of a record's member: without its unit, as people say it. */
export const memberName = (name) => name.replace(/_cents$/, "").replaceAll("_", " ");

export function valueText(name, value) {
  if (value === null || value === undefined) return "none";
  if (name.endsWith("_cents") && typeof value === "number") return moneyText(value);
  if (typeof value === "string") return INSTANT.test(value) ? instantText(Date.parse(value)) : name === "status" ? stateText(value) : value;
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
