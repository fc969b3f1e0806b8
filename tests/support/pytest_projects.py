"""A project that uses the pytest plugin: its test runs are processes, which load only the plugin of this tree."""

from __future__ import annotations

import pytest

from tests.docs.pages import ROOT

PLUGINS = ("-p", "giftsim.pytest_plugin", "-p", "no:cacheprovider", "-W", "error")


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project without tests."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "simulator"))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    return pytester


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run its tests."""
    return project.runpytest_subprocess(*PLUGINS, *args)
