"""Programs of this machine that tests in `tests/ecosystem` use: Node, container tools, proxies."""

from __future__ import annotations

import os
import shutil

import pytest

REQUIRED = "GIFTSIM_TOOLS_REQUIRED"


def require_tool(program: str, package: str) -> str:
    """The path of a program; without it the test is skipped, or fails where REQUIRED names the program.

    `package` is Debian's package that has it. REQUIRED holds names with commas between them.
    """
    path = shutil.which(program)
    if path is None:
        missing = f"no {program} on this machine: install Debian's package {package}"
        if program in os.environ.get(REQUIRED, "").split(","):
            pytest.fail(f"{missing} ({REQUIRED} names it)", pytrace=False)
        pytest.skip(missing)
    return path
