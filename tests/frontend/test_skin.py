"""One skin: pages that cannot use the console's style sheet have its colours and its mark, and all pages are light."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from giftsim.engine import pages
from giftsim.frontend.machine_map import draw_machine
from giftsim.frontend.offline_page import shared_text
from giftsim.frontend.states import SAID, TONE_OF, answer_text, javascript_module, tone, words
from tests.frontend.test_offline_pages import page_of
from tests.support.worlds import World

TOKEN = re.compile(r"--([\w-]+): (light-dark\([^)]+\))")
TEMPLATES = Path(pages.__file__).parent / "templates"
# KiB of a page that opens offline, compressed; a trace has the scripts of its viewer.
MOST_KIB = {"trace": 44, "coverage": 20, "exam": 10, "explored": 10, "traces": 8}


def test_the_claim_page_and_the_pages_of_errors_have_the_colours_and_the_mark_of_the_console() -> None:
    own = dict(TOKEN.findall((TEMPLATES / "page.css").read_text(encoding="utf-8")))
    look = dict(TOKEN.findall(shared_text("look.css")))
    assert len(own) >= 10
    assert own == {name: look[name] for name in own}
    assert shared_text("mark.svg").strip() in (TEMPLATES / "base.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", MOST_KIB)
def test_a_page_that_opens_offline_is_light_and_has_the_mark(kind: str, world: World) -> None:
    page = page_of(kind, world)
    assert len(gzip.compress(page.encode())) < MOST_KIB[kind] * 1024
    assert shared_text("mark.svg").strip() in page


def test_each_state_is_said_in_one_way_and_has_one_colour() -> None:
    assert (words("awaiting"), words("awaiting_approval"), words("unpaid")) == (
        "unclaimed",
        "awaiting approval",
        "unpaid",
    )
    assert (answer_text(503, "http_status"), answer_text(None, "dns_error"), answer_text(None, None)) == (
        "answered 503",
        "host not found",
        "on its way",
    )
    assert (tone("unpaid"), tone("awaiting"), tone("nothing of the kind")) == ("bad", "wait", "plain")
    assert all(f'"{name}": "{said}"' in javascript_module() for name, said in SAID.items())
    assert len(set(SAID.values())) == len(SAID) - 1  # an address is awaited where a claim is
    assert "" not in TONE_OF


def test_a_machine_is_drawn_with_what_nobody_walked() -> None:
    rows = [("open", "pay", "paid", "met"), ("open", "void", "void", "missing"), ("void", "pay", "open", "apart")]
    edges = [dict(zip(("from", "trigger", "to", "state"), row, strict=True)) for row in rows]
    drawn = draw_machine({"name": "invoice", "states": ["open", "paid", "void"], "edges": edges})
    assert 'aria-label="invoice: 1 of 3 moves walked"' in drawn
    assert re.findall(r'<path class="(\w+)"', drawn) == ["met", "missing", "apart"]
    assert "<title>open to void: void, not walked</title>" in drawn
    assert draw_machine({"name": "<b>", "states": ["<i>"], "edges": []}).count("<b>") == 0
