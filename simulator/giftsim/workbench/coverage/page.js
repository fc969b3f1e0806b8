// Each text to paste has a button that copies it, where the browser lets a page do that.
for (const text of document.querySelectorAll("pre")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.onclick = async () => {
    const selection = getSelection();
    selection.selectAllChildren(text);
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      document.execCommand("copy"); // a page of file: has no clipboard
    }
    selection.removeAllRanges();
    button.textContent = "Copied";
  };
  text.before(button);
}
