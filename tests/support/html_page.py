"""An HTML page as its reader has it: text, links, forms and their buttons; enough to test pages without a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

BLOCK_TAGS = "p div li tr td th h1 h2 h3 dt dd section form summary main label pre option br"
BLOCKS = frozenset(BLOCK_TAGS.split())
UNSEEN = frozenset(["script", "style", "head", "template"])
VOID = frozenset(["meta", "link", "input", "br", "img", "hr"])


@dataclass
class Form:
    """A form: where it goes, its fields with their values, and its buttons with what each sends and where."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class HtmlPage:
    """A parsed page. `text` has one line per block, without what is not shown."""

    text: str = ""
    title: str = ""
    heading: str = ""
    links: list[tuple[str, str]] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def link(self, text: str) -> str:
        """The address of the first link with this text."""
        return next(href for name, href in self.links if name == text)

    def form(self, button: str) -> Form:
        """The first form with this button."""
        return next(form for form in self.forms if any(each["text"] == button for each in form.buttons))

    def has_button(self, text: str, *, enabled: bool = True) -> bool:
        """Whether a button of this text is there and can be pressed."""
        found = [each for form in self.forms for each in form.buttons if each["text"] == text]
        return any(each["enabled"] for each in found) if enabled else bool(found)


def parse_html(text: str) -> HtmlPage:
    """The page of a document."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.parts).splitlines())
    parser.page.text = "\n".join(line for line in lines if line)
    return parser.page


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = HtmlPage()
        self.parts: list[str] = []
        self._open: list[str] = []
        self._collected: list[tuple[str, dict[str, str], list[str]]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.page.elements.append((tag, given))
        if tag in BLOCKS:
            self.parts.append("\n")
        if tag == "form":
            self.page.forms.append(Form(given.get("action", ""), given.get("method", "get")))
        elif tag == "input" and self.page.forms:
            self._add_input(given)
        elif tag in ("a", "button", "title", "h1", "textarea", "option"):
            self._collected.append((tag, given, []))
        elif tag == "select":
            self._select = given.get("name", "")
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.parts.append("\n")
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        if self._collected and self._collected[-1][0] == tag:
            _, given, parts = self._collected.pop()
            self._take(tag, given, " ".join("".join(parts).split()) if tag != "textarea" else "".join(parts))

    def handle_data(self, data: str) -> None:
        for _, _, parts in self._collected:
            parts.append(data)
        if not UNSEEN & set(self._open):
            self.parts.append(data)

    def _take(self, tag: str, given: dict[str, str], text: str) -> None:
        if tag == "a":
            self.page.links.append((text, given.get("href", "")))
        elif tag == "title":
            self.page.title = self.page.title or text  # drawings have titles of their own
        elif tag == "h1":
            self.page.heading = text
        elif tag == "button" and self.page.forms:
            self.page.forms[-1].buttons.append({"text": text, "enabled": "disabled" not in given, **given})
        elif tag == "textarea" and self.page.forms:
            self.page.forms[-1].fields[given["name"]] = text
        elif tag == "option" and self.page.forms and self._select:
            fields = self.page.forms[-1].fields
            if "selected" in given or self._select not in fields:
                fields[self._select] = given.get("value", text)

    def _add_input(self, given: dict[str, str]) -> None:
        if "name" not in given:
            return
        if given.get("type") not in ("checkbox", "radio") or "checked" in given:
            self.page.forms[-1].fields[given["name"]] = given.get("value", "")
