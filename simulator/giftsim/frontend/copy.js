/* Buttons that only scripts serve, `data-script`, are shown where scripts run. Copy buttons copy the text of `data-copy`, or what they stand beside. */
const SAID_MS = 1500;

function prepare() {
  for (const button of document.querySelectorAll("[data-script][hidden]")) button.hidden = false;
}

/* Whether a text is copied; one that is not is selected, and can be copied by hand. */
async function isCopied(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return document.execCommand("copy"); // a page of file: has no clipboard
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const [label, shown] = [button.textContent, button.parentElement.querySelector("pre, code")];
  button.textContent = (await isCopied(button.dataset.copy || shown.textContent, shown)) ? "Copied" : "Selected";
  setTimeout(() => (button.textContent = label), SAID_MS);
});

prepare();
document.addEventListener("patched", prepare);
