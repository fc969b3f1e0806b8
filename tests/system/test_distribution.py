"""The image is built from what belongs to the package, and the wheel's bill of materials lists what giftsim needs."""

from __future__ import annotations

import tomllib
from typing import Any

from hatch_build import bill_of_materials
from tests.docs.pages import ROOT

PARTS = {
    "simulator/giftsim": "giftsim",
    "simulator/giftsim_pytest": "giftsim_pytest",
    "fixtures": "giftsim/_data/fixtures",
    "scenarios": "giftsim/_data/scenarios",
    "docs": "giftsim/_data/docs",
}
SHOWN = {"CHANGELOG.md", "SECURITY.md"}  # pages of the documentation, beside its folder


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


def test_the_bill_of_materials_lists_what_users_install_and_nothing_of_the_developers() -> None:
    bill = bill_of_materials(ROOT)
    scopes = {each["name"]: each["scope"] for each in bill["components"]}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) == len(bill["dependencies"][0]["dependsOn"])
    assert {scopes[name] for name in ("flask", "werkzeug", "markupsafe", "pydantic-core", "uharfbuzz")} == {"required"}
    assert {scopes[name] for name in ("pytest", "pluggy", "hypothesis", "mcp", "cryptography")} == {"optional"}
    assert {"ruff", "mypy", "sphinx", "hatchling", "giftsim"}.isdisjoint(scopes)
    assert [each["name"] for each in bill["components"] if each["scope"] == "required" and "licenses" not in each] == []


def test_the_edges_of_the_bill_are_between_its_components() -> None:
    bill: dict[str, Any] = bill_of_materials(ROOT)
    refs = {"giftsim", *(each["bom-ref"] for each in bill["components"])}
    assert {each["ref"] for each in bill["dependencies"]} == refs
    assert {inner for each in bill["dependencies"] for inner in each["dependsOn"]} < refs
    flask = next(each for each in bill["dependencies"] if "/flask@" in each["ref"])
    assert {ref.partition("@")[0] for ref in flask["dependsOn"]} > {"pkg:pypi/werkzeug", "pkg:pypi/jinja2"}
