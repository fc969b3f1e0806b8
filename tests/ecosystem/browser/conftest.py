"""The fixtures of the tests in a browser."""

from __future__ import annotations

from tests.browser.conftest import (
    browser_thread,
    new_world,
    page,
    page_of_its_own,
    pytest_pyfunc_call,
    scripts,
    simulator,
    visit,
)

__all__ = [
    "browser_thread",
    "new_world",
    "page",
    "page_of_its_own",
    "pytest_pyfunc_call",
    "scripts",
    "simulator",
    "visit",
]
