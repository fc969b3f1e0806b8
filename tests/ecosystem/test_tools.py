"""A test whose tool is missing is skipped with the package to install, or fails where the tool is required."""

from __future__ import annotations

import pytest

from tests.support.tools import REQUIRED, require_tool


def test_a_missing_tool_skips_the_test_and_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="install Debian's package nothing-at-all"):
        require_tool("no-such-program", "nothing-at-all")


def test_a_missing_tool_that_is_required_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRED, "node,no-such-program")
    with pytest.raises(pytest.fail.Exception, match="names it"):
        require_tool("no-such-program", "nothing-at-all")
