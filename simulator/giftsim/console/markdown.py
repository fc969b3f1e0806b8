"""Markdown of the documentation as HTML that the console's policy lets a browser show: no styles, no scripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from giftsim.console.highlight import json_code, yaml

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# What a link leads to: its address on this server, or None for a file of the sources, which is not served.
Place = Callable[[str], str | None]
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
OUTSIDE = re.compile(r"[a-z]+:")
ALIGNED = re.compile(r"text-align:(\w+)")
OUTPUT = "text"
COPY = Markup('<button type="button" class="quiet copy" data-copy="{}" data-script hidden>Copy</button>')
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and the documentation site make it."""
    return _NOT_IN_ANCHORS.sub("", _LINK.sub(r"\1", heading).lower()).replace(" ", "-")


def anchors(headings: Iterable[str]) -> Iterator[str]:
    """The anchors of a page's headings; of several with one text, the later ones are numbered."""
    used: Counter[str] = Counter()
    for name in map(anchor, headings):
        yield f"{name}-{used[name]}" if used[name] else name
        used[name] += 1


def plain(text: str) -> str:
    """Markdown without its marks."""
    return " ".join(_LINK.sub(r"\1", text).replace("`", "").replace("**", "").split())


def html(text: str, place: Place) -> Markup:
    """A page as HTML. Its links and pictures lead where `place` says; headings can be linked to."""
    parser = _parser()
    tokens = parser.parse(text)
    _add_anchors(tokens)
    for token in tokens:
        _adapt(token, place)
    return Markup(parser.renderer.render(tokens, parser.options, {}))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    rules: dict[str, Any] = parser.renderer.rules  # type: ignore[attr-defined]  # of its HTML renderer
    rules.update(fence=_fence, html_block=_raw, html_inline=_raw, table_open=_table, table_close=_table_end)
    return parser


def _add_anchors(tokens: Sequence[Token]) -> None:
    headings = [pair for pair in pairwise(tokens) if pair[0].type == "heading_open"]
    names = anchors(content.content for _, content in headings)
    for (opening, _), name in zip(headings, names, strict=True):
        opening.attrSet("id", name)


def _adapt(token: Token, place: Place) -> None:
    """Lead links to where they belong, and put a class in place of a style."""
    if aligned := ALIGNED.search(str(token.attrs.pop("style", ""))):
        token.attrSet("class", "number" if aligned[1] == "right" else aligned[1])
    for child in token.children or ():
        _adapt(child, place)
    if token.type == "inline":
        _lead(token.children or [], place)


def _lead(tokens: Sequence[Token], place: Place) -> None:
    leads_nowhere = False
    for token in tokens:
        name = "src" if token.type == "image" else "href"
        address = str(token.attrs.get(name, ""))
        if token.type == "link_close" and leads_nowhere:
            token.tag, leads_nowhere = "span", False
        elif not address:
            continue
        elif OUTSIDE.match(address):
            token.attrSet("rel", "noreferrer")
        elif (target := place(address)) is not None:
            token.attrSet(name, target)
        else:
            token.tag, token.attrs, leads_nowhere = "span", {"title": f"{address.lstrip('./')}, in the sources"}, True


def _fence(tokens: Sequence[Token], at: int, *_: Any) -> str:
    """A block of code, with the words of its language marked, and with a button that copies what is not output."""
    language, text = tokens[at].info.partition(" ")[0], tokens[at].content.rstrip("\n")
    shown = {"json": json_code, "yaml": _yaml}.get(language, escape)(text)
    button = Markup() if language == OUTPUT else COPY.format(text)
    return Markup('<div class="code"><pre tabindex="0">{}</pre>{}</div>\n').format(shown, button)


def _yaml(text: str) -> Markup:
    return Markup("\n").join(yaml(line) for line in text.split("\n"))


def _raw(tokens: Sequence[Token], at: int, *_: Any) -> str:
    """A line's end as it is; all else, which is comments, is left out."""
    return "<br>" if tokens[at].content == "<br>" else ""


def _table(*_: Any) -> str:
    return '<div class="scroll" tabindex="0"><table>\n'


def _table_end(*_: Any) -> str:
    return "</table></div>\n"
