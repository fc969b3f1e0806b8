// What was chosen in "Keys and help", before the first paint: light or dark, the size of the text, the time zone. It is
// no module, so that the page waits for it. Instants are shown in the zone as they come; `datetime` stays in UTC.
(() => {
  const NAMES = ["theme", "text", "zone"];
  const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const root = document.documentElement;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = new WeakMap(); // elements with what they said in UTC, and what they say now
  let zone = "UTC";
  let format = null;

  const get = (name) => localStorage.getItem(`giftsim-${name}`) ?? "";

  // The instant whose UTC fields are the fields that a clock in the zone shows.
  function shifted(ms) {
    if (zone === "UTC") return ms;
    const found = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(found.year, found.month - 1, found.day, found.hour, found.minute, found.second) + (ms % 1000);
  }

  // The ways in which pages write an instant, the longest first.
  function ways(ms) {
    const date = new Date(ms);
    const iso = date.toISOString();
    const day = `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
    const days = [`${day} ${date.getUTCFullYear()}`, day];
    const times = [iso.slice(11, 19), iso.slice(11, 16)];
    return [...days.flatMap((each) => times.map((time) => `${each}, ${time}`)), iso.slice(0, 19).replace("T", " "), ...days, ...times];
  }

  function written(text, ms) {
    const utc = ways(ms);
    const at = utc.findIndex((way) => text.includes(way));
    return at < 0 ? text : text.replace(utc[at], ways(shifted(ms))[at]);
  }

  function tell(element) {
    const ms = element.dateTime?.includes("T") ? Date.parse(element.dateTime) : NaN; // a day has no time zone
    const before = known.get(element) ?? {};
    const now = { text: element.textContent, title: element.title };
    for (const member of ["text", "title"]) if (now[member] === before[member]?.told) now[member] = before[member].utc;
    if (Number.isNaN(ms) || element.childElementCount) return;
    const told = { text: written(now.text, ms), title: written(now.title, ms).replace(/ UTC$/, ` ${zone}`) };
    known.set(element, { text: { utc: now.text, told: told.text }, title: { utc: now.title, told: told.title } });
    if (element.textContent !== told.text) element.textContent = told.text;
    if (element.title !== told.title) element.title = told.title;
  }

  function tellZone(element) {
    const name = zone.split("/").at(-1).replaceAll("_", " ");
    if (element.textContent !== name) element.textContent = name;
  }

  function tellAll(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (node.matches("time")) tell(node);
    for (const each of node.querySelectorAll("time")) tell(each);
    for (const each of node.querySelectorAll("[data-zone]")) tellZone(each);
  }

  function follow(records) {
    for (const { target, addedNodes } of records) {
      const around = (target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement)?.closest("time, [data-zone]");
      if (around?.matches("time")) tell(around);
      else if (around) tellZone(around);
      for (const node of addedNodes) tellAll(node);
    }
  }

  const observer = new MutationObserver(follow);
  const WATCHED = { subtree: true, childList: true, characterData: true, attributeFilter: ["datetime", "title"] };

  function useZone(name) {
    const before = zone;
    zone = name === "here" ? here : name || "UTC";
    const options = { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" };
    try {
      format = new Intl.DateTimeFormat("en-US", options);
    } catch {
      zone = "UTC"; // the name of none
    }
    observer.disconnect();
    if (zone !== "UTC") observer.observe(root, WATCHED);
    if (zone !== before) tellAll(root);
  }

  function apply() {
    for (const name of ["theme", "text"]) root.dataset[name] = get(name);
    useZone(get("zone"));
    dispatchEvent(new Event("switched"));
  }

  function choose(name, value) {
    if (value) localStorage.setItem(`giftsim-${name}`, value);
    else localStorage.removeItem(`giftsim-${name}`);
    apply();
  }

  addEventListener("storage", ({ key }) => NAMES.some((name) => key === `giftsim-${name}`) && apply()); // another tab
  globalThis.giftsim = { get, choose, shifted, here };
  apply();
})();
