// What is wrong with how a page looks, by its boxes. It is called with nothing, and answers sentences.
() => {
  const root = document.documentElement, faults = [], isPhone = innerWidth < 641;
  const rem = parseFloat(getComputedStyle(root).fontSize) / 16;
  const named = each => `<${each.localName} ${each.id || each.className || ""}> ${each.textContent.trim().slice(0, 40)}`;
  const all = selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility());
  const say = (what, elements) => elements.length && faults.push(`${what}: ${elements.slice(0, 4).map(named).join("; ")}`);
  const box = each => each.getBoundingClientRect();
  const scrolls = each => each.parentElement?.closest(".scroll, pre, .diagram, .drawing, .tall, textarea, svg, .hidden");

  if (root.scrollWidth > root.clientWidth) {
    const wide = all("body *").filter(each => box(each).right > root.clientWidth + 1 && !scrolls(each));
    say("the page has to be scrolled sideways", wide.length ? wide : [root]);
  }
  const isLine = each => each.matches(".tabs") && getComputedStyle(each).overflowX === "auto"; // tabs are one line, by design
  const wider = all("main .scroll, main .tabs").filter(each => each.scrollWidth > each.clientWidth + 1);
  if (isPhone) say("has to be scrolled sideways", wider.filter(each => !isLine(each)));

  const last = Math.max(...all("main, .side, .strip").map(each => box(each).bottom + scrollY), innerHeight);
  if (root.scrollHeight > last + 96 * rem) faults.push(`${root.scrollHeight - last} empty pixels below the page`);

  for (const bar of all("#bar")) {
    if (bar.offsetHeight !== (isPhone ? 44 : 48) * rem) faults.push(`the bar is ${bar.offsetHeight} pixels high`);
    if (bar.scrollWidth > bar.clientWidth) faults.push("the bar is wider than the window");
    say("does not fit into the bar", [...bar.children].filter(each => each.checkVisibility() && box(each).right > innerWidth));
    const parts = [...bar.children].filter(each => each.checkVisibility() && getComputedStyle(each).position !== "absolute");
    say("is covered in the bar", parts.filter((each, i) => i && box(each).left < box(parts[i - 1]).right - 1));
    const whole = `#bar :is(.now, .clock, .brings${isPhone ? "" : ", .next > button"}${innerWidth < 1024 ? "" : ", .health > summary > span"})`;
    say("is cut off in the bar", all(whole).filter(each => each.scrollWidth > each.clientWidth + 1));
  }
  if (isPhone) {
    const targets = "button, .button, summary, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio]), .tabs a";
    const small = all(targets).filter(each => box(each).height < 40 && !each.closest("svg, .strip, .hidden"));
    const isHit = (each, x, y) => each.contains(document.elementFromPoint(x, y)?.closest("label")?.control ?? document.elementFromPoint(x, y));
    say("is too small for a finger", small.filter(each => {
      each.scrollIntoView({block: "center", behavior: "instant"});
      const {left, top, width, height} = box(each);
      return [-19, 19].some(by => !isHit(each, left + width / 2, top + height / 2 + by));
    }));
    scrollTo({top: 0, behavior: "instant"});
  }
  say("reaches over the side's edge", all(".side nav .count").filter(each => box(each).right > box(each.closest(".side")).right));
  const pages = document.querySelector(".side > nav[aria-label=Pages]");
  const side = pages?.parentElement;
  if (side?.checkVisibility() && rem === 1 && side.scrollHeight > side.clientHeight + 1) faults.push("not all pages are seen in the side");
  const covered = all("main .code > .copy").filter(copy => {
    if (!isPhone) return false;
    const [one, pre] = [box(copy), box(copy.parentElement.querySelector("pre"))];
    return one.bottom > pre.top && one.top < pre.bottom;
  });
  say("covers its code", covered);
  const words = all("main button, main .button, #bar button, .tabs a, .badge").filter(each => !each.closest(".hidden"));
  say("breaks within a word", words.filter(each => {
    const range = document.createRange(), walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());)
      for (const {index, 0: word} of node.data.matchAll(/[\p{L}]+/gu)) {
        range.setStart(node, index); range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(rect => Math.round(rect.top))).size > 1 && word.length < 16) return true;
      }
  }));
  return faults;
}
