/* Why the test failed: the sentence of the first verdict, the entries that prove it, and the line that would change it. */
import { entryLink } from "./dom.js";
import { el } from "./shared/elements.js";
import { KINDS } from "./shared/languages.js";
import { sentence } from "./model.js";

export function whyBanner({ data: { test, verdicts } }) {
  const [first, ...others] = verdicts ?? [];
  const failed = test?.failure;
  if (!failed && !first) return null;
  const message = failed && [failed.message.split("\n")[0], " ", failed.place && el("code", {}, `${failed.place.file}:${failed.place.line}`)];
  return el("section", { class: "failure", "aria-label": "Failure" }, el("div", {},
    el("p", {}, el("b", {}, ...(first ? [sentence(first.sentence)] : message))), first && marksOf(first), first && message && el("p", { class: "soft" }, ...message),
    others.length > 0 && el("details", {}, el("summary", {}, `Also true: ${others.length}`), others.map((each) => el("div", {}, el("p", {}, sentence(each.sentence)), marksOf(each))))),
  first && mendOf(first, test));
}

function marksOf({ marks }) {
  return marks.length > 0 && el("ol", { class: "proof", "aria-label": "What proves it" }, marks.map(({ entry, what }) => el("li", {}, entryLink(entry, `${entry} ${what}`, { class: "chip" }))));
}

/* The line that would change it, in each language that has one; the language of the test is shown first. */
function mendOf({ mend, why_not: whyNot }, test) {
  const kinds = Object.keys(KINDS).filter((kind) => mend[kind.toLowerCase()]);
  if (!kinds.length) return whyNot ? el("p", { class: "mend soft" }, sentence(whyNot)) : null;
  const own = /\.[cm]?[jt]sx?\b/.test(test?.id ?? "") ? "Vitest" : "pytest";
  const shown = el("pre", { tabindex: 0, "aria-label": "The line that mends it" });
  const tabs = kinds.map((kind) => el("button", { type: "button", onclick: () => choose(kind) }, kind));
  const choose = (kind) => {
    shown.textContent = mend[kind.toLowerCase()];
    for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.textContent === kind));
  };
  choose(kinds.includes(own) ? own : kinds[0]);
  return el("div", { class: "mend" }, el("p", {}, el("span", { class: "soft" }, "This would change it:"), tabs),
    el("div", { class: "code-to-copy" }, shown, el("button", { type: "button", "data-copy": "" }, "Copy")));
}
