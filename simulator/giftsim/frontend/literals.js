/* Texts and data as literals, whatever is in them, as the table of languages says (G341). */
import { LANGUAGES } from "./languages.js";

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const MAX_KEY = 1000; // characters: YAML's keys on one line are not longer
const MAX_DEPTH = 40; // beyond which languages refuse nested literals

const bytes = (text) => [...new TextEncoder().encode(text)];
const digits = (n, width) => n.toString(16).padStart(width, "0");
const isAll = (pattern, text) => new RegExp(`^(?:${pattern})$`).test(text);

/* A text as it stands between quotes. */
function escaped(text, { quote, escapes, unprintable, beyond, as_bytes: asBytes }) {
  const byNumber = (each) => {
    const [before, width, after] = each.codePointAt(0) > 0xffff ? beyond : unprintable;
    return (asBytes ? bytes(each) : [each.codePointAt(0)]).map((n) => before + digits(n, width) + after).join("");
  };
  return [...text].map((each) => escapes[each] ?? (each === quote ? `\\${quote}` : UNPRINTABLE.test(each) ? byNumber(each) : each)).join("");
}

const quoted = (text, language) => `${language.quote}${escaped(text, language)}${language.quote}`;

function member(name, language) {
  if (Object.hasOwn(language.names, name)) return language.names[name];
  return isAll(language.name, name) ? name : quoted(name, language);
}

function text(value, language) {
  if (isAll(language.bare, value)) return value;
  return quoted(language.variable ? value.replaceAll(language.variable, () => `$${language.variable}`) : value, language);
}

function literal(value, language) {
  if (typeof value === "string") return text(value, language);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, language)).join(", ")}]`;
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return language.words[value === true ? 1 : value === false ? 2 : 0];
  const inside = Object.entries(value).map(([name, each]) => `${member(name, language)}: ${literal(each, language)}`).join(", ");
  return inside ? `${language.braces[0]}${inside}${language.braces[1]}` : "{}";
}

export const python = (value) => literal(value, LANGUAGES.python);
export const javascript = (value) => literal(value, LANGUAGES.javascript);
export const yaml = (value) => literal(value, LANGUAGES.yaml);

/* A word of a shell. */
export function shell(text) {
  if (isAll(LANGUAGES.shell.bare, text)) return text;
  if (!UNPRINTABLE.test(text.replaceAll("\n", ""))) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${escaped(text, LANGUAGES.shell)}'`;
}

/* A text as the format of printf, for one with a NUL, which no argument of a program can hold. */
export const printfFormat = (text) => shell(text.replace(/[\\%]/g, "$&$&").replaceAll("\0", "\\000"));

/* The data in a body, if its literals mean the same in every language; else undefined, and the body is a text. */
export function dataOf(body) {
  try {
    const value = JSON.parse(body);
    const tokens = body.match(/"(?:[^"\\]|\\.)*"|[^\s"]/g);
    const spelled = tokens.map((each) => (each[0] === '"' ? JSON.stringify(JSON.parse(each)) : each)).join("");
    return typeof value === "object" && spelled === JSON.stringify(value) && isPlain(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value, depth) {
  if (typeof value === "string") return value.isWellFormed?.() ?? !/\p{Cs}/u.test(value);
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  return depth < MAX_DEPTH && Object.entries(value).every(([name, each]) => name.length < MAX_KEY && isPlain(name, 0) && isPlain(each, depth + 1));
}

/* A path as it is sent, encoded but for `%`: in the log of calls it is decoded, except `%25`, `%2F` and `%3F`. The query is as it was. */
export function sentPath(logged) {
  const [path, ...rest] = logged.split("?");
  const encoded = (text) => bytes(text).map((byte) => `%${digits(byte, 2).toUpperCase()}`).join("");
  const target = [...path].map((each) => (/[A-Za-z0-9/:@!$&'()*+,;=~\-._%]/.test(each) ? each : encoded(each))).join("");
  const query = [...rest.join("?")].map((each) => {
    if (/[!-~]/.test(each) && each !== "#") return each;
    return each <= "\xff" ? `%${digits(each.charCodeAt(0), 2).toUpperCase()}` : encoded(each);
  });
  return (target.startsWith("/") ? "" : "/") + target + (rest.length ? `?${query.join("")}` : "");
}

/* Whether a path has segments `.` or `..`, which most clients resolve before they send it. */
export const hasDots = (path) => /\/\.\.?(\/|$)/.test(path.split("?")[0]);

/* A text as a comment's line. */
export const commentLine = (text) => [...text].map((each) => (UNPRINTABLE.test(each) ? " " : each)).join("");
