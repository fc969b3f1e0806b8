/* Texts and data as literals, whatever is in them: one writer for each language in which steps are copied (G341). */

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const SHORT = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const MAX_KEY = 1000; // characters: YAML's keys on one line are not longer
const MAX_DEPTH = 40; // beyond which languages refuse nested literals

const bytes = (text) => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0"));
const digits = (n, width) => n.toString(16).padStart(width, "0");
const backslashed = (n) => (n > 0xffff ? `\\U${digits(n, 8)}` : `\\u${digits(n, 4)}`);

/* A text between such quotes; `unprintable` writes a character by its number. */
function between(quote, text, unprintable) {
  const shown = [...text].map((each) => SHORT[each] ?? (each === quote ? `\\${quote}` : UNPRINTABLE.test(each) ? unprintable(each.codePointAt(0), each) : each));
  return `${quote}${shown.join("")}${quote}`;
}

/* A word of a shell. Characters that a terminal would act on are written as bytes. */
export function shell(text) {
  if (/^(?!=)[\w@%+=:,./-]+$/.test(text)) return text;
  if (!UNPRINTABLE.test(text.replaceAll("\n", ""))) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$${between("'", text, (_, each) => bytes(each).map((byte) => `\\x${byte}`).join("")).replaceAll("!", "\\x21")}`;
}

/* A text as the format of printf, for one with a NUL, which no argument of a program can hold. */
export const printfFormat = (text) => shell(text.replace(/[\\%]/g, "$&$&").replaceAll("\0", "\\000"));

export function python(value) {
  return literal(value, {
    text: (text) => between('"', text, backslashed),
    words: { null: "None", true: "True", false: "False" },
    member: (name) => `${python(name)}: `,
    braces: (inside) => `{${inside}}`,
  });
}

export function javascript(value) {
  return literal(value, {
    text: (text) => between("'", text, (n) => `\\u{${n.toString(16)}}`),
    words: { null: "null", true: "true", false: "false" },
    member: (name) => (name === "__proto__" ? "['__proto__']: " : `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : javascript(name)}: `),
    braces: (inside) => (inside ? `{ ${inside} }` : "{}"),
  });
}

/* A value of a scenario, in which `${` is a variable unless it is written `$${`. */
export function yaml(value) {
  return literal(value, {
    text: (text) => (/^([A-Z]+ \/[\w/.~-]*|[a-z]\w*(\.[a-z]\w*)+)$/.test(text) ? text : between('"', text.replaceAll("${", () => "$${"), backslashed)),
    words: { null: "null", true: "true", false: "false" },
    member: (name) => `${between('"', name, backslashed)}: `,
    braces: (inside) => `{${inside}}`,
  });
}

function literal(value, language) {
  if (typeof value === "string") return language.text(value);
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, language)).join(", ")}]`;
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return language.words[value ?? null];
  return language.braces(Object.entries(value).map(([name, each]) => language.member(name) + literal(each, language)).join(", "));
}

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
  const encoded = (text) => bytes(text).map((byte) => `%${byte.toUpperCase()}`).join("");
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
