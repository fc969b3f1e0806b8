"""The reference of the pytest plugin names every member of the fixture, and every option and ini setting."""

from __future__ import annotations

import re

import pytest

from giftsim.testing import Giftsim
from tests.docs.pages import DOCS

PAGE = (DOCS / "reference" / "pytest-plugin.md").read_text(encoding="utf-8")
NAMED = frozenset(re.findall(r"[`(]([a-z_]+)", PAGE))
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
