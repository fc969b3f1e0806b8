import { readTrace } from "./data.js";

/* A list of the entries. Texts are set as text, never as HTML. */
const trace = await readTrace();
const list = document.createElement("ol");
for (const entry of trace.entries) {
  const item = document.createElement("li");
  item.id = `n=${entry.n}`;
  item.value = entry.n;
  item.textContent = `${entry.at}  ${entry.kind}  ${entry.title}`;
  list.append(item);
}
document.getElementById("trace").replaceChildren(list);
