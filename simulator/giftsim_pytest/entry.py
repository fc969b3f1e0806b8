"""Where pytest enters: its entry point names this module, which is imported before anything of giftsim.

pytest compiles every module of a plugin's distribution anew, to rewrite its asserts. giftsim has none to rewrite, so
that would only cost time, and leave files that `pip uninstall` does not know. This folder has no `__init__.py`, because
then pytest leaves this module alone too (G105).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


class PlainImports:
    """Finds the modules of giftsim as Python does without pytest."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The place of a module of giftsim; None for all others."""
        return PathFinder.find_spec(name, path, target) if name.partition(".")[0] == "giftsim" else None


sys.meta_path.insert(0, PlainImports)


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Load the plugin. A list `pytest_plugins` would search the entry points of all installed packages for it."""
    pluginmanager.import_plugin("giftsim.pytest_plugin")
