"""The list of the documentation's pages that the console's palette searches: what each is called and answers."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from textwrap import shorten

from giftsim.docgen.markdown import anchor

INDEX = Path("simulator/giftsim/console/documentation.json")
KINDS = {"tutorials": "Tutorial", "how-to": "How-to", "reference": "Reference", "explanation": "Explanation"}
WITH_PARTS = ("tutorials", "how-to")  # whose sections answer questions of their own
LONGEST = 140  # characters of what a page answers
_LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")
_PARAGRAPH = re.compile(r"^# .*\n+([A-Z`\[].*\n(?:[^\n].*\n)*)", re.MULTILINE)
_PART = re.compile(r"^## (.+)$", re.MULTILINE)
_QUESTIONS = re.compile(r"<!-- questions: (.*?) -->\n*", re.DOTALL)  # what people ask for, in the page's source
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def documentation_index(root: Path) -> dict[Path, str]:
    """The text of the list in a checkout: the address of the documentation, and its pages."""
    urls = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    pages = [
        _page(path, folder, kind)
        for folder, kind in KINDS.items()
        for path in sorted((root / "docs" / folder).glob("*.md"))
        if path.stem != "index"
    ]
    base = urls["Documentation"].removesuffix("index.md")
    return {root / INDEX: json.dumps({"base": base, "pages": pages}, indent=1, ensure_ascii=False) + "\n"}


def _page(path: Path, folder: str, kind: str) -> dict[str, object]:
    source = _CODE.sub("", path.read_text(encoding="utf-8"))
    asked, text = _QUESTIONS.search(source), _QUESTIONS.sub("", source)
    first = _PARAGRAPH.search(text)
    answers = _plain(first[1]).partition(". ")[0].removesuffix(".") if first else ""
    parts = [_plain(part) for part in _PART.findall(text)] if folder in WITH_PARTS else []
    return {
        "title": _plain(text.partition("\n")[0].removeprefix("# ")),
        "kind": kind,
        "path": f"{folder}/{path.name}",
        "answers": shorten(answers, LONGEST, placeholder=" …"),
        "questions": " ".join(asked[1].split()) if asked else "",
        "parts": {part: anchor(part) for part in parts},
    }


def _plain(text: str) -> str:
    """Markdown without its marks."""
    return " ".join(_LINK.sub(r"\1", text).replace("`", "").replace("**", "").split())
