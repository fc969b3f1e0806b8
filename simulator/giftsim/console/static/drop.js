// A file that is dropped on the page goes to the form that takes one, which is sent at once. A trace whose page opened this
// one gives itself to the form, and the person sends it.
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

const form = document.querySelector("form[data-drop]");
window.addEventListener("message", ({ source, data }) => {
  if (source !== window.opener || typeof data?.trace !== "string" || !Number.isInteger(data.at)) return;
  const given = new DataTransfer();
  given.items.add(new File([data.trace], String(data.name), { type: "text/html" }));
  form.querySelector("input[type=file]").files = given.files;
  form.querySelector("[name=at]").value = data.at;
  form.querySelector("button").focus();
});
if (form) window.opener?.postMessage("giftsim: a trace?", "*");
