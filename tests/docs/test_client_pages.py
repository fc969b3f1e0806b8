"""The page about the client for Node names every public method of its world."""

from __future__ import annotations

import re

import pytest

from giftsim.testing import Giftsim
from tests.docs.pages import DOCS, ROOT, page

METHOD = re.compile(r"^  (?:async )?([a-z]\w+)(?:<[^(]*>)?\(", re.MULTILINE)


def test_every_method_of_a_world_is_on_the_page() -> None:
    source = (ROOT / "clients" / "typescript" / "src" / "world.ts").read_text(encoding="utf-8")
    methods = set(METHOD.findall(source)) - {"constructor"}
    named = set(re.findall(r"\bworld\.(\w+)\(", page(DOCS / "reference" / "node-client.md").text))
    assert methods == named
    assert len(methods) > 25


PAGE = (DOCS / "reference" / "pytest-plugin.md").read_text(encoding="utf-8")
NAMED = frozenset(re.findall(r"[`(](?:await )?([a-z_]+)", PAGE))
# Earlier names, which still work, and what only the plugin needs.
UNNAMED = frozenset({"about", "door", "passage", "seen", "end"})


def test_every_public_member_is_named() -> None:
    members = {name for name in dir(Giftsim) if not name.startswith("_")}
    assert sorted(members - NAMED - UNNAMED) == []


def test_every_option_and_ini_setting_is_named(request: pytest.FixtureRequest) -> None:
    parser = request.config._parser
    options = {name for group in parser._groups for option in group.options for name in option.names()}
    settings = {name for name in parser._inidict if name.startswith("giftsim_")}
    names = {name for name in options if name.startswith("--giftsim-")} | settings
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE] == []
