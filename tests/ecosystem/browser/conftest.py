"""The fixtures of the tests in a browser."""

from __future__ import annotations

from tests.browser.conftest import browser_thread, new_world, page, pytest_pyfunc_call, scripts, simulator, visit

__all__ = ["browser_thread", "new_world", "page", "pytest_pyfunc_call", "scripts", "simulator", "visit"]
