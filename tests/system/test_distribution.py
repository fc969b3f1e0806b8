"""The image is built from what belongs to the package."""

from __future__ import annotations

import tomllib

from tests.docs.pages import ROOT

PARTS = {
    "simulator/giftsim": "giftsim",
    "simulator/giftsim_pytest": "giftsim_pytest",
    "fixtures": "giftsim/_data/fixtures",
    "scenarios": "giftsim/_data/scenarios",
    "docs": "giftsim/_data/docs",
}
SHOWN = {"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}  # pages of the documentation, beside its folder


def test_the_image_is_built_from_all_that_the_wheel_needs() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    assert set(build["wheel"]["only-include"]) == {*PARTS}
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    allowed = {line.removeprefix("!") for line in lines if line.startswith("!")}
    needed = {name.split("/")[0] if name.startswith("simulator/") else name for name in PARTS}
    assert allowed == {
        *needed,
        *SHOWN,
        "hatch_build.py",
        "pyproject.toml",
        "locks",
        "README.md",
        "LICENSE",
    }
