"""Pages that open offline: one frame and one look, which are the console's, and no request to any host."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from giftsim import Simulator
from giftsim.workbench.coverage.coverage_page import render_coverage_page as coverage_page
from giftsim.workbench.exam.page.exam_page import exam_page
from giftsim.workbench.exam.page.finding import Row
from giftsim.workbench.exam.result import Beside, exam_data
from giftsim.workbench.explore.explored_page import explored_page
from giftsim.workbench.trace.index_page import Summary, index_page
from tests.support.console import Console
from tests.support.worlds import World

HOSTILE = "</style></script><img src=x onerror=alert(1)>"
FINDING = {
    "reason": HOSTILE,
    "seeds": [3],
    "file": "explored/a.yaml",
    "trace": "explored/a.html",
    "steps": 7,
    "wrong_after": None,
    "repeats": True,
    "story": [HOSTILE],
    "again": "giftsim play explored/a.yaml",
    "verdicts": [],
}
EXPLORED = {"app": HOSTILE, "seeds": 30, "stopped": None, "plays": 40, "findings": [FINDING]}
VERSIONS = {"giftsim": "1.0", "contracts": {}}


def page_of(kind: str, world: World) -> str:
    """A page of a kind, with a hostile text in it where it has texts of others."""
    if kind == "trace":
        return world.control.get(f"/worlds/{world.id}/trace").text
    if kind == "coverage":
        data = world.call_control("GET", "/coverage")
        return coverage_page({**data, "next": [{"gap": "cancelTeamOrder", "why": HOSTILE}]}).decode()
    if kind == "explored":
        return explored_page(EXPLORED, [[Row("wrong", HOSTILE, bad=True)]], "seed").decode()
    if kind == "traces":
        return index_page([Summary("a.html", HOSTILE, "failed", 2.0, 4, HOSTILE)]).decode()
    return exam_page(exam_data(None, Beside(labels={"app": HOSTILE}, versions=VERSIONS), app=HOSTILE)).decode()


def digest(text: str) -> str:
    """A text's hash as a policy names it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("kind", ["trace", "coverage", "explored", "traces", "exam"])
def test_a_page_has_one_style_that_begins_with_the_look_of_the_console(
    kind: str, simulator: Simulator, world: World
) -> None:
    page = page_of(kind, world)
    look = Console(simulator, world.id).client.call("GET", "/console/shared/look.css").text
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    assert style.startswith(look)
    assert "--page:" not in style.removeprefix(look)
    (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    scripts = re.findall('<script type="module">(.*?)</script>', page, re.DOTALL)
    console = ["connect-src http://127.0.0.1:* http://localhost:*"] if kind == "trace" else []
    allowed = [f"style-src {digest(style)}", *(f"script-src {digest(script)}" for script in scripts)]
    assert policy == "; ".join(["default-src 'none'", *allowed, *console, "base-uri 'none'", "form-action 'none'"])
    assert re.findall(r"@import|url\(|<link|<img|<iframe|(?:src|srcset)=\"", page) == []
    assert HOSTILE not in page
