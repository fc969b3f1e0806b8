"""YAML, JSON and sentences with code, highlighted for a page."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# A line of YAML: a comment, or a key and what follows it.
LINE = re.compile(r"(?P<indent>\s*(?:- )*)(?P<key>[^\s#:\"'{\[][^#:\"'{\[]*:(?=\s|$))?(?P<value>.*)")
COMMENT = re.compile(r"(?:^|(?<=\s))#.*$")
JSON = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")(?P<colon>\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b')
CODE = re.compile(r"`([^`]+)`")


def yaml(text: str) -> Markup:
    """A line of YAML whose key and comment have elements of their own."""
    found = LINE.fullmatch(text)
    if found is None:
        return escape(text)
    rest, comment = found["value"], COMMENT.search(found["value"])
    if comment and rest[: comment.start()].count('"') % 2 == 0 and rest[: comment.start()].count("'") % 2 == 0:
        rest, tail = rest[: comment.start()], Markup("<i>{}</i>").format(comment[0])
    else:
        tail = Markup("")
    key = Markup("<b>{}</b>").format(found["key"]) if found["key"] else Markup("")
    return Markup("{}{}{}{}").format(found["indent"], key, rest, tail)


def json_code(text: str) -> Markup:
    """JSON whose names, texts, and numbers and literals have elements of their own."""
    if not text.startswith(("{", "[")):
        return escape(text)
    parts, done = [], 0
    for token in JSON.finditer(text):
        parts += [escape(text[done : token.start()]), _marked(token)]
        done = token.end()
    return Markup("").join([*parts, escape(text[done:])])


def _marked(token: re.Match[str]) -> Markup:
    if token["colon"]:
        return Markup("<b>{}</b>{}").format(token["text"], token["colon"])
    return Markup("<i>{}</i>" if token["text"] else "<var>{}</var>").format(token[0])


def code(text: str) -> Markup:
    """A sentence whose words in backticks are code."""
    parts = CODE.split(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else escape(part) for i, part in enumerate(parts)
    )
