// The search of the site: pages by a question in a reader's words, as the console's search finds them (console/page_search.py).
// A word counts more the fewer pages have it; headings, and the questions that a section answers, count by how much they are
// like what is asked. Sphinx loads this file after its own search, whose ranking it replaces.
const IDLE = `a about after all an and any app are as at be because but by can cannot could did do does during each else every for
  from get gives got had has have how i if in into is it its just let like make me my need not of on one only or our out over own
  see shall should show so some such t than that the their them then there these they this those to too up us use using want was
  way we were what when where which while who why will with without would you your`.split(/\s+/);
const KIND = { "how-to": 1.3, tutorials: 1.15, reference: 1, explanation: 0.9, internals: 0.8 };
const TITLE = 2, ALIKE = 5, WHOLE = 1.2, KNOWN = 0.5, LEAST = 0.3;

// The index as the ranking needs it: which pages have a word, what a word weighs, and the phrases of each page.
function readIndex({ terms, titleterms, docnames, titles, alltitles }) {
  const stemmer = new Stemmer();
  const stems = (text) => {
    const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [], telling = words.filter((word) => !IDLE.includes(word));
    return new Set((telling.length ? telling : words).map((word) => stemmer.stemWord(word)));
  };
  const list = (files) => (files === undefined ? [] : [files].flat());
  const has = (word) => new Set([terms, titleterms].flatMap((one) => (Object.hasOwn(one, word) ? list(one[word]) : [])));
  const weight = (words) => [...words].reduce((sum, word) => sum + Math.log(1 + docnames.length / (1 + has(word).size)), 0);
  const phrases = docnames.map((name) => [{ words: stems(name.split("/").at(-1)), title: "", anchor: "" }]);
  const slug = (title) => title.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
  const headings = new Map();
  for (const [title, places] of Object.entries(alltitles))
    for (const [file, anchor] of places) if (slug(title) === anchor) headings.set(`${file}#${anchor}`, title);
  for (const [title, places] of Object.entries(alltitles))
    for (const [file, anchor] of places) {
      const heading = headings.get(`${file}#${anchor}`) ?? title; // a question stands for the heading above it
      phrases[file].push({ words: stems(title), title: heading === titles[file] ? "" : heading, anchor: anchor ? `#${anchor}` : "" });
    }
  const vocabulary = [...new Set([...Object.keys(terms), ...Object.keys(titleterms)])];
  const spellings = (word) =>
    has(word).size ? [word] : word.length < 3 ? [] : vocabulary.filter((each) => each.startsWith(word));
  return { stems, has, weight, phrases, spellings };
}

// A page's score for the words that are asked for, and the phrase that is most like them; null if it has too few of them.
function rank({ has, weight, phrases }, file, asked, whole) {
  const heaviest = (words) => Math.max(0, ...words.map((word) => weight([word])));
  const words = asked.flat().filter((word) => has(word).has(file));
  const met = asked.reduce((sum, one) => sum + heaviest(one.filter((word) => words.includes(word))), 0);
  if (met < LEAST * whole) return null;
  const named = weight(new Set(words.filter((word) => phrases[file].some((phrase) => phrase.words.has(word)))));
  const likeness = (phrase) => {
    const common = weight(words.filter((word) => phrase.words.has(word)));
    return common ? ((common * common) / (whole * weight(phrase.words))) * (phrase.title ? 1 : WHOLE) : 0;
  };
  const [alike, best] = phrases[file].map((phrase) => [likeness(phrase), phrase]).sort((a, b) => b[0] - a[0])[0];
  return { score: met + TITLE * named + ALIKE * whole * alike, best: alike ? best : phrases[file][0] };
}

function answer(query) {
  const index = (Search.read ??= readIndex(Search._index)), { docnames, filenames, titles } = Search._index;
  const wanted = [...index.stems(query)], asked = wanted.map(index.spellings).filter((words) => words.length);
  if (!asked.length || asked.length < KNOWN * wanted.length) return [];
  const whole = asked.reduce((sum, one) => sum + Math.max(...one.map((word) => index.weight([word]))), 0);
  const results = docnames.flatMap((name, file) => {
    const kind = name.endsWith("index") ? undefined : KIND[name.split("/")[0]], found = rank(index, file, asked, whole);
    if (!found) return [];
    const title = found.best.title ? `${titles[file]} > ${found.best.title}` : titles[file];
    return [[name, title, found.best.anchor, null, found.score * (kind ?? 0.6), filenames[file], "text"]];
  });
  return results.sort((a, b) => a[4] - b[4]); // the last is shown first
}

if (typeof Search !== "undefined") Search._performSearch = answer; // the other pages load no search
