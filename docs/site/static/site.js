// Tables and code that are wider than their place can be scrolled by keyboard too.
function letScroll() {
  for (const place of document.querySelectorAll(".table-wrapper, div.highlight pre"))
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
}
addEventListener("load", letScroll);
addEventListener("resize", letScroll);

// Other versions of these pages, if they stand in folders beside this version's: versions.js there lists them.
const shown = document.querySelector(".sidebar-version"), root = new URL(document.documentElement.dataset.content_root, location.href);
if (shown && root.pathname.endsWith(`/${shown.dataset.version}/`))
  document.head.append(Object.assign(document.createElement("script"), { src: new URL("../versions.js", root).href }));

function showVersions(versions) {
  if (versions.length < 2) return;
  const choice = document.createElement("select");
  choice.setAttribute("aria-label", "Version of the documentation");
  for (const { version, path } of versions)
    choice.append(new Option(version, path, false, version === shown.dataset.version));
  choice.addEventListener("change", async () => {
    const there = new URL(`../${choice.value}`, root), page = new URL(location.href.slice(root.href.length), there);
    const has = await fetch(page, { method: "HEAD" }).catch(() => null);  // a page on a disk cannot ask
    location.href = has?.ok ? page : new URL("index.html", there);
  });
  shown.querySelector("span").replaceWith(choice);
}
