// "Copy as": the steps of a page as code of several kinds, by the same writers as in a trace.
import { codeOf } from "./shared/code.js";
import { KINDS } from "./shared/languages.js";
import { commentLine } from "./shared/literals.js";

const menuOf = (element) => element.closest("[data-steps]");

function code(menu, kind) {
  if (kind === "curl") return menu.dataset.command;
  const { world, keys } = JSON.parse(menu.dataset.world);
  const model = { data: { world } };
  const text = codeOf(kind, JSON.parse(menu.dataset.steps), model);
  const { comment } = KINDS[kind];
  return comment ? `${comment} With ${commentLine(keys)}\n${text}` : text;
}

export async function copyAs(button) {
  const menu = menuOf(button);
  const [text, said] = [menu.querySelector("textarea"), menu.querySelector("[role=status]")];
  text.value = code(menu, button.dataset.code);
  text.hidden = false;
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
    said.textContent = `Copied as ${button.textContent}`;
  } catch {
    said.textContent = "Select the text and copy it";
  }
}
