// Tables and code that are wider than their place can be scrolled by keyboard too.
function letScroll() {
  for (const place of document.querySelectorAll(".table-wrapper, div.highlight pre"))
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
}
addEventListener("load", letScroll);
addEventListener("resize", letScroll);
