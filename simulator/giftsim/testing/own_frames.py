"""Hides the frames of this package in the report of a failed test, so that it ends at the line of the test.

pytest looks for `__tracebackhide__` in each frame; a module that has it hides all its own.
"""

from __future__ import annotations

from typing import Any

PACKAGES = ("giftsim.testing", "giftsim.engine.client")


def expected_errors(failure: Any) -> bool:
    """Whether an error tells the test something. Any other is a mistake of giftsim, shown with all its frames."""
    return isinstance(failure.value, AssertionError) or type(failure.value).__module__.startswith(PACKAGES)
