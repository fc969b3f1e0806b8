"""The page about the client for Node names every public method of its world."""

from __future__ import annotations

import re

from tests.docs.pages import DOCS, ROOT, page

METHOD = re.compile(r"^  (?:async )?([a-z]\w+)(?:<[^(]*>)?\(", re.MULTILINE)


def test_every_method_of_a_world_is_on_the_page() -> None:
    source = (ROOT / "clients" / "typescript" / "src" / "world.ts").read_text(encoding="utf-8")
    methods = set(METHOD.findall(source)) - {"constructor"}
    named = set(re.findall(r"\bworld\.(\w+)\(", page(DOCS / "reference" / "node-client.md").text))
    assert methods == named
    assert len(methods) > 25
