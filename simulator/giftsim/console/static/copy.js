// Copy buttons: shown where scripts run; each copies the text of its `data-copy`.
export function prepare(root) {
  for (const button of root.querySelectorAll("[data-copy][hidden]")) button.hidden = false;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector("pre, code"));
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = label), 1500);
});

prepare(document);
document.addEventListener("htmx:after:swap", () => prepare(document));
