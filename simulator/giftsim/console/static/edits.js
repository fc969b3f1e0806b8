// Forms that the user has begun to fill in: an update of the page leaves them as they are.
const SKIP = "hx-morph-skip";
const FIELDS = "input, select, textarea";

function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.type !== "hidden" && field.value !== field.defaultValue;
  const options = [...field.options];
  const chosen = options.some((option) => option.defaultSelected);
  return options.some((option, at) => option.selected !== (chosen || field.multiple ? option.defaultSelected : at === 0));
}

const isEdited = (field) => field === document.activeElement || isChanged(field);

// Marks the forms that are being edited, so that an update passes them by. False if an update would touch what is being
// edited: a field outside of any form, or a form without an id, which could not be found again in the new page.
export function protectEdits(root) {
  for (const form of root.querySelectorAll("form")) form.removeAttribute(SKIP);
  for (const field of root.querySelectorAll(FIELDS)) {
    if (!isEdited(field)) continue;
    if (!field.form?.getAttribute("id")) return false;
    field.form.setAttribute(SKIP, "");
  }
  return true;
}
