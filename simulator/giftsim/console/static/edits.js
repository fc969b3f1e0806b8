// Forms that the user has begun to fill in: an update of the page leaves them as they are.
const KEEP = "data-keep";
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
// edited: a field outside of any form, or a form without an id, which could not be found again in the new page. The
// form that was `sent` is not edited any more.
export function protectEdits(root, sent = null) {
  for (const form of root.querySelectorAll("form")) form.removeAttribute(KEEP);
  const edited = [...root.querySelectorAll(FIELDS)].filter((field) => isEdited(field) && !(sent && field.form === sent));
  for (const field of edited) if (field.form?.getAttribute("id")) field.form.setAttribute(KEEP, "");
  return edited.every((field) => field.form?.hasAttribute(KEEP));
}

// Whether an update leaves an element as it is.
export const isKept = (element) => element.hasAttribute(KEEP);
