"""The report of an exploration as a page that opens offline.

Kinds of failure come in the order of how many plans met them, each with a drawing of its shortest plan.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from giftsim.frontend.offline_page import offline_page
from giftsim.workbench.explore.drawing import Row
from giftsim.workbench.explore.exploration_report import counted, titles

FOLDER: Final = Path(__file__).parent
NAME: Final = "index.html"
WORD_ENDS: Final = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[a-z][._])(?=[a-z])")
WAYS: Final[Mapping[str, str]] = {
    "call": "The app calls giftsim:",
    "webhook": "giftsim sends the app:",
    "person": "A person does:",
    "service": "In the service:",
    "wrong": "Wrong:",
}


def render_exploration_page(report: Mapping[str, Any], drawings: Sequence[Sequence[Row]], noun: str) -> bytes:
    """The page for a report as JSON data, and the drawing of each of its findings; `noun` is what `seeds` counts."""
    found = sorted(zip(report["findings"], drawings, strict=True), key=lambda each: -len(each[0]["seeds"]))
    return offline_page(
        FOLDER,
        "page.html",
        ["page.css"],
        report=report,
        found=found,
        noun=noun,
        file=lambda path: Path(path).name,
        breakable=_breakable,
        counted=counted,
        titles=titles,
        WAYS=WAYS,
    ).encode()


def _breakable(text: str) -> Markup:
    """A text whose long names may be broken where a word of theirs ends."""
    return Markup(WORD_ENDS.sub("<wbr>", escape(text)))


def write_page(folder: Path, content: bytes) -> Path:
    """Write the page to the folder of the scenarios, which is made if need be; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_bytes(content)
    return path
