// One press of Escape closes one thing, the topmost. Dialogs and sheets close by themselves, before anything else.
const closers = []; // [rank, close]: those of a higher rank lie above the others

// `close` answers whether there was something to close.
export function onEscape(rank, close) {
  closers.push([rank, close]);
  closers.sort(([one], [other]) => other - one);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  const dialog = event.target.closest?.("dialog[open]");
  if (dialog) dialog.close(); // a field would first be emptied
  else if (document.querySelector("dialog[open], :popover-open") || !closers.some(([, close]) => close(event))) return;
  event.preventDefault();
});
