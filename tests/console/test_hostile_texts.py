"""What others write, with markup and scripts in it, is text on every page of the console; and no link is broken."""

from __future__ import annotations

import re

from giftsim import Simulator
from tests.support.console import Console
from tests.support.console_map import console, reachable_pages
from tests.support.console_story import HOSTILE, play_story

OWN_SCRIPT = re.compile(r"/console/[\w./-]+\?[0-9a-f]+")
SCRIPT = "<script>alert(1)</script>"


def test_hostile_texts_are_text_on_every_page() -> None:
    simulator = Simulator(fixture="bare")
    world = play_story(simulator)
    found = reachable_pages(console(), Console(simulator, world), f"/w/{world}/", visits=9)
    pages = [page for several in found.values() for page in several]
    for path, page in pages:
        for tag, given in page.elements:
            assert tag != "script" or OWN_SCRIPT.fullmatch(given["src"]), path
            assert not [name for name in given if name.startswith("on") or name == "style"], path
            assert not given.get("href", "").startswith("javascript:"), path
        assert page.text.count("alert(1)") == page.text.count(SCRIPT), path
    assert [path for path, page in pages if HOSTILE in page.text], "no page shows the hostile texts"
