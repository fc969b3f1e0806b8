/* The list of entries. It draws only the rows in view, so that a hundred thousand cost no more than fifty. */
import { entryLink } from "./dom.js";
import { el } from "./shared/elements.js";
import { hasFailed, laneOf, statusText } from "./model.js";
import { clockOf, dayOf, instantText } from "./shared/instants.js";

const ROW = 44; // two lines
const MARGIN = 12;

export class EntryList {
  constructor(model) {
    this.model = model;
    this.shown = model.entries.map((entry) => entry.n);
    this.rows = el("ol", { class: "entries" });
    this.space = el("div", { class: "space" }, this.rows);
    this.node = el("nav", { "aria-label": "Entries", class: "list" }, this.space);
    this.node.addEventListener("scroll", () => this.draw());
  }

  filter(numbers) {
    this.shown = numbers;
    this.drawn = null;
    this.show(this.n, this.chain);
  }

  show(n, chain) {
    [this.n, this.chain] = [n, chain];
    this.space.style.height = `${this.shown.length * ROW}px`;
    const place = this.placeOf(n);
    const [top, height] = [this.node.scrollTop, this.node.clientHeight];
    if (place * ROW < top) this.node.scrollTop = place * ROW;
    else if ((place + 1) * ROW > top + height) this.node.scrollTop = (place + 1) * ROW - height;
    this.drawn = null;
    this.draw();
  }

  placeOf(n) {
    let [low, high] = [0, this.shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.shown[middle] < n) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.shown.length - 1));
  }

  draw() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / ROW) - MARGIN);
    const last = Math.min(this.shown.length, Math.ceil((this.node.scrollTop + this.node.clientHeight) / ROW) + MARGIN);
    if (this.drawn === `${first} ${last}`) return;
    this.drawn = `${first} ${last}`;
    this.rows.style.transform = `translateY(${first * ROW}px)`;
    this.rows.setAttribute("start", first + 1);
    this.rows.replaceChildren(...this.shown.slice(first, last).map((n) => this.row(n)));
  }

  row(n) {
    const entry = this.model.entry(n);
    const [at, before] = [this.model.times[n - 1], this.model.times[n - 2]];
    const when = at === before ? "" : before === undefined || dayOf(at) !== dayOf(before) ? dayOf(at).slice(0, -4) : clockOf(at);
    const link = entryLink(n, "", { "aria-current": n === this.n ? "true" : null });
    const [title, about] = [this.model.briefOf(entry), this.model.aboutOf(entry)];
    link.append(
      el("span", { class: "num" }, String(n)), el("span", { class: `dot ${hasFailed(entry) ? "bad" : laneOf(entry)}`, "aria-hidden": "true" }),
      el("span", { class: "what", title: `${this.model.titleOf(entry)}\n${about}` }, title, about && el("small", {}, about)),
      el("span", { class: hasFailed(entry) ? "code bad" : "code good" }, statusText(entry), el("span", { class: "when", title: instantText(at) }, when)),
    );
    return el("li", { class: this.model.proof.includes(n) ? "proves" : n !== this.n && this.chain.has(n) ? "linked" : null }, link);
  }
}
