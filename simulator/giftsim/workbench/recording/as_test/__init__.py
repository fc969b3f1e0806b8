"""A recording, or another scenario, as a test that people read and keep, for pytest and for Vitest (G271)."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import Final

from giftsim.engine.client.response import Client
from giftsim.workbench.recording.as_test.played import NotATest, read_scenario
from giftsim.workbench.recording.as_test.recorded import recorded_test

__all__ = ["KINDS", "NotATest", "write_test"]

KINDS: Final = ("pytest", "vitest")
_SCRIPTS: Final = (".js", ".mjs", ".cjs", ".jsx")


def write_test(
    content: bytes,
    file: str,
    kind: str,
    out: str,
    version: str,
    client: Client,
    *,
    path: Path | None = None,
    large: bool = False,
) -> str:
    """A recording, or another scenario, as a test of a kind, for the file `out`, which names it.

    It is played over the client. `version` is that of giftsim, and `path` that of the file, from whose folder it may
    include others. NotATest if it cannot be written as one.
    """
    test = recorded_test(read_scenario(content, file, client, path, large=large), client)
    origin = f"as giftsim {version} wrote it"
    stem = PurePath(out).name.partition(".")[0]
    words = re.sub(r"\W+", "_", stem).strip("_").removeprefix("test_").removesuffix("_test") or "recorded"
    if kind == "pytest":
        from giftsim.workbench.recording.as_test.pytest_text import pytest_text

        return pytest_text(test, words, origin)
    from giftsim.workbench.recording.as_test.vitest_text import vitest_text

    return vitest_text(test, words, origin, typed=PurePath(out).suffix not in _SCRIPTS)
