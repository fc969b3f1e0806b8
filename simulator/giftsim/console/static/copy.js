// Buttons that only scripts serve, `data-script`, are shown where scripts run. Copy buttons copy the text of `data-copy`.
function prepare() {
  for (const button of document.querySelectorAll("[data-script][hidden]")) button.hidden = false;
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

prepare();
document.addEventListener("patched", prepare);
