// The order of what a search finds. How-to guides come before tutorials, and these before the rest; a word of a heading counts
// more than one of the text; and most count whole headings, and the questions that a section answers. Sphinx reads these numbers
// in place of its own.
var Scorer = {
  score: ([page, , anchor, , score, , kind]) => {
    const folder = page.endsWith("index") ? "" : page.split("/")[0];
    const isHeading = kind === "title";
    return score + ({ "how-to": 40, tutorials: 20 }[folder] ?? 0) + (isHeading ? (anchor ? 20 : 40) : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 30,
  partialTitle: 10,
  term: 5,
  partialTerm: 2,
};
