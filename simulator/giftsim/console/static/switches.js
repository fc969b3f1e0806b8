// The switches in "Keys and help": light or dark, the size of the text, the time zone. first.js keeps and applies them.
const form = document.getElementById("switches");
const zone = form.elements.zone;

const label = (name) => (name === "here" ? `This browser's: ${giftsim.here}` : name || "UTC, as the world's clock");
const option = (name) => new Option(label(name), name);

zone.append(option(""), option("here"));
if (!["", "here"].includes(giftsim.get("zone"))) zone.append(option(giftsim.get("zone")));
// All others come when the list is opened: there are hundreds.
function addZones() {
  const all = Intl.supportedValuesOf("timeZone").filter((name) => name !== zone.value);
  zone.append(...all.map(option));
}
zone.addEventListener("focus", addZones, { once: true });
zone.addEventListener("pointerdown", addZones, { once: true });

function show() {
  for (const input of form.querySelectorAll("input")) input.checked = input.value === giftsim.get(input.name);
  zone.value = giftsim.get("zone");
}

form.addEventListener("change", ({ target }) => giftsim.choose(target.name, target.value));
addEventListener("switched", show);
show();

// What the palette offers.
export function switches() {
  const radios = [...form.querySelectorAll("input")].map((input) => [`${input.closest("fieldset").dataset.name}: ${input.parentElement.textContent.trim()}`, input]);
  const zones = [...zone.options].map((each) => [`Time zone: ${each.text}`, { name: "zone", value: each.value }]);
  return [...radios, ...zones].map(([title, { name, value }]) => ({ group: "Switches", title, run: () => giftsim.choose(name, value) }));
}
