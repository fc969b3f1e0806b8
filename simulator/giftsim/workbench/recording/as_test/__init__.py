"""A recording as a test that people read and keep, for pytest and for Vitest (G271)."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from giftsim.engine.client.response import Client
from giftsim.workbench.recording.as_test.recorded import NotATest, recorded_test

__all__ = ["KINDS", "NotATest", "write_test"]

KINDS: Final = ("pytest", "vitest")
_SCRIPTS: Final = (".js", ".mjs", ".cjs", ".jsx")


def write_test(
    recording: bytes, file: str, kind: str, out: str, version: str, client: Client, *, large: bool = False
) -> str:
    """A recording as a test of a kind, for the file `out`, which names it. It is played over the client.

    `version` is that of giftsim. NotATest if the recording cannot be written as one.
    """
    test = recorded_test(recording, file, client, large=large)
    origin = f"as giftsim {version} wrote it"
    stem = PurePath(out).name.partition(".")[0]
    words = re.sub(r"\W+", "_", stem).strip("_").removeprefix("test_").removesuffix("_test") or "recorded"
    if kind == "pytest":
        from giftsim.workbench.recording.as_test.pytest_text import pytest_text

        return pytest_text(test, words, origin)
    from giftsim.workbench.recording.as_test.vitest_text import vitest_text

    return vitest_text(test, words, origin, typed=PurePath(out).suffix not in _SCRIPTS)
