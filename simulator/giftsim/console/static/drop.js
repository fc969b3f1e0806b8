// A file that is dropped on the page goes to the form that takes one, which is sent at once.
document.addEventListener("dragover", (event) => {
  if (document.querySelector("form[data-drop]")) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const form = document.querySelector("form[data-drop]");
  if (!form || !event.dataTransfer.files.length) return;
  event.preventDefault();
  form.querySelector("input[type=file]").files = event.dataTransfer.files;
  form.requestSubmit();
});
