/* The menu that copies a step, or all steps up to it, as code, and what was sent as HAR. */
import { harOf } from "./har.js";
import { codeOf, stepsUpTo } from "./shared/code.js";
import { el } from "./shared/elements.js";
import { KINDS } from "./shared/languages.js";

const HAR = "HAR";
const NOTHING_SENT = "this entry is neither a call nor a webhook: choose “all up to here”\n";

export function copyMenu(model, present) {
  const said = el("span", { class: "hidden", role: "status" });
  const all = el("input", { type: "checkbox", id: "copy-all" });
  const text = el("textarea", { readonly: true, rows: 8, "aria-label": "Code", hidden: true });
  const copy = async (kind) => {
    text.value = kind === HAR ? harOf(model, present(), !all.checked) ?? NOTHING_SENT : codeOf(kind, stepsUpTo(model, present(), !all.checked), model);
    text.hidden = false;
    text.select();
    said.textContent = `${kind} copied`;
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      said.textContent = `${kind}: select the text and copy it`;
    }
  };
  const items = [...Object.keys(KINDS), HAR].map((kind) => el("button", { onclick: () => copy(kind) }, kind));
  const panel = el("div", { class: "pop", hidden: true, id: "copy-menu" }, el("label", {}, all, " all up to here"), ...items, text, said);
  const button = el("button", { type: "button", "aria-expanded": "false", "aria-controls": "copy-menu", onclick: () => toggle(panel.hidden) }, "Copy as");
  const toggle = (open) => {
    panel.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  };
  const node = el("div", { class: "menu", onkeydown: (event) => event.key === "Escape" && (toggle(false), button.focus()) }, button, panel);
  document.addEventListener("pointerdown", (event) => node.contains(event.target) || toggle(false));
  return node;
}
