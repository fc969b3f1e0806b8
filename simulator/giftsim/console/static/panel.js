// A claim page in a panel beside the page, filled in on demand; the person presses the button.
import { onEscape } from "./escape.js";

const panel = document.getElementById("panel");
const part = (selector) => panel.querySelector(selector);
const frame = () => part("iframe");
const world = () => document.getElementById("live").dataset.world;
let opener = null; // the link's address: the link itself may be patched meanwhile
let path = "";
let fillsNext = false;

function say(text) {
  part("[role=status]").textContent = text;
}

export function open(link) {
  [opener, path, fillsNext] = [link.getAttribute("href"), new URL(link.href).pathname, false];
  part("h2").textContent = `Claim page of ${link.dataset.claim}`;
  part("[data-panel-close] span").textContent = `Back to ${document.querySelector("h1").firstChild.textContent.trim()}`;
  part("[data-panel-tab]").href = path;
  part("[data-panel-fill]").disabled = true;
  say("");
  frame().src = path;
  panel.hidden = false;
  document.documentElement.classList.add("with-panel");
  part("h2").focus({ preventScroll: true });
}

function close() {
  panel.hidden = true;
  document.documentElement.classList.remove("with-panel");
  frame().removeAttribute("src");
  const link = document.querySelector(`main [href="${CSS.escape(opener)}"]`);
  (link ?? document.getElementById("main")).focus({ preventScroll: true });
}

function loaded() {
  const page = frame().contentDocument;
  if (panel.hidden || !page?.querySelector("h1")) return;
  for (const link of page.querySelectorAll("a[href^='/']")) link.target = "_blank"; // no page of the console in the frame
  const form = page.querySelector("form");
  part("[data-panel-fill]").disabled = !form;
  if (!form) say(page.title.startsWith("Thank you") ? "Claimed. The page beside this one shows what comes next." : "");
  else if (fillsNext) fill();
  page.addEventListener("keydown", (event) => event.key === "Escape" && close());
}

async function fill() {
  const answer = await fetch(`/w/${world()}/claim/${path.split("/").pop()}`).catch(() => null);
  if (!answer) return say("The simulator cannot be reached.");
  if (!answer.ok) return say("This link does not work any more.");
  const entry = await answer.json();
  const page = frame().contentDocument;
  const send = page?.querySelector("button.send");
  const country = page?.querySelector("[name='address.country']")?.value;
  const address = entry.addresses.find((each) => each.country === country);
  if (!send || !address) return chooseCountry(page, entry.addresses[0]?.country);
  fillsNext = false;
  enter(page, entry, address);
  send.focus();
  say("Filled in. Look at it, and press “Send it to me”.");
}

// The form of a country comes with a page of its own.
function chooseCountry(page, country) {
  const choice = fillsNext ? null : page?.querySelector(`[name=choose_country][value="${country}"]`);
  fillsNext = Boolean(choice);
  if (choice) choice.click();
  else say("This page has nothing that could be filled in.");
}

function enter(page, entry, address) {
  const named = (name) => page.querySelector(`[name="${name}"]`);
  const person = { name: entry.recipient?.name ?? entry.name, email: entry.recipient?.email ?? entry.email };
  const values = { ...person };
  for (const [name, text] of Object.entries(address)) if (name !== "country") values[`address.${name}`] = text ?? "";
  for (const [name, text] of Object.entries(values)) {
    const field = named(name);
    if (field) field.value = field.matches("select") ? `${address.country}-${text}` : text;
  }
  for (const [id, option] of Object.entries(entry.selection)) {
    const choice = page.querySelector(`[name="selection.${id}"][value="${option}"]`);
    if (choice && !page.querySelector(`[name="selection.${id}"]:checked`)) choice.checked = true;
  }
}

panel.addEventListener("click", (event) => {
  if (event.target.closest("[data-panel-close]")) close();
  if (event.target.closest("[data-panel-fill]")) fill();
});
onEscape(1, () => !panel.hidden && (close(), true));
frame().addEventListener("load", loaded);
