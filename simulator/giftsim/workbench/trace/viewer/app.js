/* The page: reads the trace, draws it, and follows keys, the slider, the search and the address. */
import { continueAt } from "./continue.js";
import { copyMenu } from "./copy.js";
import { readTrace } from "./data.js";
import { causeLinks, entryDetails } from "./details.js";
import { entryLink, region } from "./dom.js";
import { el } from "./shared/elements.js";
import { EntryList } from "./list.js";
import { Model } from "./model.js";
import { statePane } from "./state.js";
import { TraceStrip } from "./strip.js";
import { spanText } from "./shared/instants.js";
import { whyBanner } from "./why.js";

const PAGE = 10;
const MOST_MADE = 6;

class Page {
  constructor(model) {
    this.model = model;
    this.last = model.entries.length;
    this.base = null;
    this.strip = new TraceStrip(model, (n) => this.go(n), () => this.filter());
    this.list = new EntryList(model);
    this.main = el("main", { class: "entry", tabindex: -1 });
    this.aside = el("aside", { "aria-label": "Around this entry" });
    this.field = el("input", { type: "search", placeholder: "Search this trace", "aria-label": "Search this trace", "aria-keyshortcuts": "/", oninput: () => this.filter() });
    this.count = el("span", { class: "tiny soft", role: "status" });
    this.continue = el("button", { class: "primary", onclick: () => continueAt(this.n, this.how) });
    this.how = el("section", { class: "how", hidden: true, tabindex: -1, "aria-label": "How to continue" });
  }

  render() {
    const panes = el("div", { class: "panes" }, this.list.node, this.main, this.aside);
    document.getElementById("trace").replaceChildren(this.head(), this.how, whyBanner(this.model) ?? "", this.strip.section, panes);
    this.strip.draw();
    new ResizeObserver(() => this.list.draw()).observe(this.list.node);
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.key(event));
    this.follow();
  }

  head() {
    const { test, world } = this.model.data;
    const passed = Date.parse(world.now) - Date.parse(world.began);
    const about = `${this.last} entries, ${passed ? `${spanText(passed)} on the clock` : "all at one instant"}${test?.seconds ? `, ${Math.round(test.seconds * 1000)} ms real` : ""}`;
    const outcome = test && el("span", { class: test.outcome === "failed" ? "badge bad" : "badge good" }, test.outcome);
    return el("header", { class: "trace-head" }, document.getElementById("brand"), el("h1", {}, test?.id ?? world.name ?? `World ${world.id}`), outcome, el("span", { class: "faint tiny" }, about),
      el("span", { class: "gap" }), this.field, this.count, copyMenu(this.model, () => this.n), this.continue);
  }

  follow() {
    const first = this.model.data.verdicts?.[0]?.marks[0]?.entry ?? (this.model.data.test?.failure ? this.last : 1);
    const wanted = Number(/^#n=(\d+)$/.exec(location.hash)?.[1] ?? this.n ?? first);
    this.draw(Math.max(1, Math.min(this.last, wanted)));
  }

  go(n) {
    const to = Math.max(1, Math.min(this.last, n));
    if (to === this.n) return;
    history.replaceState(null, "", `#n=${to}`);
    this.wanted = to;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw(this.wanted);
    });
  }

  draw(n) {
    this.n = n;
    this.strip.goTo(n);
    this.list.show(n, this.model.chainOf(n));
    this.main.replaceChildren(...entryDetails(this.model, n));
    this.aside.replaceChildren(...causeLinks(this.model, n), statePane(this.model, n, this.base, (base) => this.compare(base)), ...this.test());
    this.continue.textContent = `Continue from ${n}`;
    this.how.hidden = true;
  }

  compare(base) {
    this.base = base;
    this.draw(this.n);
    this.aside.querySelector("button")?.focus();
  }

  test() {
    const { test } = this.model.data;
    if (!test) return [];
    const here = this.model.entry(this.n).source ?? test.failure?.place ?? test.place;
    const source = here && test.sources?.[here.file];
    const made = Map.groupBy(this.model.entries.filter((entry) => here && entry.source?.file === here.file), (entry) => entry.source.line);
    const lines = source?.lines.map((text, n) => {
      const number = source.first + n;
      const mark = number === here.line ? "here" : number === test.failure?.place?.line ? "failed" : null;
      return el("li", { class: mark, value: number }, el("span", { class: "num" }, String(number)), el("code", {}, text), ...(made.get(number) ?? []).slice(0, MOST_MADE).map(({ n: each }) => entryLink(each, `${each}`, { class: "made" })));
    });
    const output = Object.entries(test.output ?? {}).map(([title, text]) => el("details", {}, el("summary", {}, title), el("pre", { tabindex: 0 }, text)));
    if (!here && !output.length) return [];
    return [region("Test", here && el("code", { class: "tiny" }, here.file), lines && el("ol", { class: "source" }, lines), ...output)];
  }

  filter() {
    const found = this.model.search(this.field.value, this.strip.off);
    this.count.textContent = this.field.value || this.strip.off.size ? `${found.length} found` : "";
    this.list.filter(found);
  }

  /* The next entry that the filter shows. */
  next(step) {
    const { shown } = this.list;
    const place = this.list.placeOf(this.n);
    const from = shown[place] === this.n || step > 0 ? place : place + 1;
    return shown[Math.max(0, Math.min(shown.length - 1, from + step))] ?? this.n;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
    if (typing) {
      if (event.key === "Escape") event.target.blur();
      if (event.key === "Enter" && event.target === this.field && this.list.shown.length) this.go(this.list.shown.find((n) => n > this.n) ?? this.list.shown[0]);
      return;
    }
    const moves = { ArrowRight: 1, ArrowLeft: -1, PageDown: PAGE, PageUp: -PAGE };
    if (event.target.closest("pre") && event.key.startsWith("Arrow")) return;
    if (event.key in moves) this.go(this.next(moves[event.key]));
    else if (event.key === "Home") this.go(1);
    else if (event.key === "End") this.go(this.last);
    else if (event.key === "+" || event.key === "-") this.strip.zoomBy(event.key === "+" ? 1.6 : 1 / 1.6, this.strip.placeOf(this.n));
    else if (event.key === "/") this.field.focus();
    else return;
    event.preventDefault();
  }
}

new Page(new Model(await readTrace())).render();
