/* The state of the world after an entry, or what changed between two of them. */
import { entryLink, region } from "./dom.js";
import { el } from "./shared/elements.js";
import { recordChange } from "./details.js";
import { sentence } from "./model.js";
import { stateText } from "./shared/states.js";
import { instantText } from "./shared/instants.js";
import { moneyText } from "./words.js";

const MOST_DUE = 4;

export function statePane(model, n, base, onCompare) {
  const button = el("button", { class: "link", onclick: () => onCompare(base ? null : n) }, base ? "Stop comparing" : "Compare");
  const aside = [el("span", { class: "tiny soft" }, base ? `between ${Math.min(base, n)} and ${Math.max(base, n)}` : `after entry ${n}`), button];
  return base ? region("State", el("span", {}, ...aside), ...difference(model, base, n)) : region("State", el("span", {}, ...aside), ...present(model, n));
}

function present(model, n) {
  const { statuses, balances, open, faults, due } = model.summary(n);
  const most = Math.max(1, ...statuses.values());
  const tally = [...statuses].flatMap(([status, count]) => [
    el("span", {}, sentence(stateText(status))),
    el("meter", { min: 0, max: most, value: count, "aria-hidden": "true" }),
    el("span", { class: "n" }, String(count)),
  ]);
  const used = faults.filter((fault) => fault.hits).length;
  const rows = [
    ...balances.filter(([, cents]) => cents).map(([name, cents]) => [`Balance of ${name}`, moneyText(cents)]),
    ["Open deliveries", String(open)],
    ["Faults", faults.length ? `${faults.length}, ${used} used` : "none"],
  ];
  const next = due.slice(0, MOST_DUE).map((timer) => el("li", {}, el("span", { class: "soft" }, instantText(Date.parse(timer.due))), ` ${model.dueText(timer)}`));
  return [
    tally.length ? el("div", { class: "tally" }, tally) : el("p", { class: "faint" }, "No orders."),
    el("dl", { class: "sum" }, rows.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])),
    el("h3", {}, "Due next"), next.length ? el("ol", { class: "due" }, next) : el("p", { class: "faint" }, "Nothing."),
  ];
}

/* What changed between two entries, each record once. */
function difference(model, one, other) {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  const merged = new Map();
  for (const entry of model.entries.slice(first, last)) for (const change of entry.changes ?? []) merge(merged, change);
  const blocks = [...merged.values()].map((change) => recordChange(model, change)).filter(Boolean);
  return [
    el("p", { class: "tiny soft" }, "From entry ", entryLink(first, String(first)), " to ", entryLink(last, String(last)), "."),
    blocks.length ? el("div", { class: "diff" }, blocks) : el("p", { class: "faint" }, "Nothing differs."),
  ];
}

function merge(merged, { record, what, members }) {
  const known = merged.get(record);
  if (!known) return merged.set(record, { record, what, members: { ...members } });
  if (known.what === "changed" && what === "changed") {
    for (const [name, [before, after]] of Object.entries(members)) known.members[name] = [known.members[name]?.[0] ?? before, after];
  } else if (known.what === "added" && what === "changed") {
    for (const [name, [, after]] of Object.entries(members)) known.members[name] = after;
  } else if (what === "removed" && known.what === "added") merged.delete(record);
  else merged.set(record, { record, what, members: { ...members } });
  return merged;
}
