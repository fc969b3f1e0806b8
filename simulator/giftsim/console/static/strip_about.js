// "Only this order": what in the strip is about the thing of the page; all else is left out.
const OF = /\/orders\/(order|gift|campaign)\/([^/]+)$/;
const ALONE = "giftsim-strip-only";
let asked = 0;

// Reads what is about the thing of the page, once the page is about one.
export async function about(strip) {
  const [, kind, id] = OF.exec(location.pathname) ?? [];
  const button = strip.section.querySelector(".strip-only");
  const mine = (asked += 1);
  button.onclick = () => {
    localStorage.setItem(ALONE, localStorage.getItem(ALONE) ? "" : "yes");
    show(strip, kind);
  };
  const answer = kind ? await fetch(`${strip.section.dataset.own}/${kind}/${id}`).catch(() => null) : null; // or left
  if (mine !== asked || (!answer && !strip.own)) return;
  strip.own = answer?.ok ? (await answer.json()).entries : null;
  show(strip, kind);
}

function show(strip, kind) {
  const button = strip.section.querySelector(".strip-only");
  strip.isAlone = Boolean(strip.own && localStorage.getItem(ALONE));
  button.hidden = !strip.own;
  button.textContent = `Only this ${kind}`;
  button.setAttribute("aria-pressed", String(strip.isAlone));
  strip.follow();
}
