// What in the strip is about the thing of the page: all else is dim, or with "Only this" left out.
const OF = /\/orders\/(order|gift|campaign)\/([^/]+)$/;
let asked = 0;

class Own {
  constructor(path, entries) {
    Object.assign(this, { path, entries, isAlone: false });
  }

  // The own entries over others.
  over(others) {
    const rest = this.isAlone ? [] : others.map((entry) => ({ ...entry, dim: true }));
    return [...rest, ...this.entries].sort((one, other) => one.at - other.at);
  }
}

export async function about(strip) {
  const [, kind, id] = OF.exec(location.pathname) ?? [];
  const button = strip.section.querySelector(".strip-only");
  const mine = (asked += 1);
  button.onclick = () => {
    strip.own.isAlone = !strip.own.isAlone;
    show(strip, kind);
  };
  const answer = kind ? await fetch(`${strip.section.dataset.own}/${kind}/${id}`) : null;
  if (mine !== asked || (!answer && !strip.own)) return;
  const before = strip.own;
  strip.own = answer?.ok ? new Own(location.pathname, (await answer.json()).entries) : null;
  if (strip.own && before?.path === strip.own.path) strip.own.isAlone = before.isAlone;
  show(strip, kind);
}

function show(strip, kind) {
  const button = strip.section.querySelector(".strip-only");
  button.hidden = !strip.own;
  if (strip.own) {
    button.textContent = `Only this ${kind}`;
    button.setAttribute("aria-pressed", String(strip.own.isAlone));
  }
  strip.follow();
}
