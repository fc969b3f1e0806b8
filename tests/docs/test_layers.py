"""The picture of the layers shows the layers that import-linter enforces."""

from __future__ import annotations

import tomllib
from xml.etree import ElementTree

from tests.docs.pages import DOCS, ROOT

SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_has_the_layers_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    picture = ElementTree.parse(DOCS / "layers.svg").getroot()
    shown = [
        {text.text for text in group.iter(f"{SVG}text") if text.get("class") == "package"}
        for group in picture.iter(f"{SVG}g")
        if group.get("class") == "layer"
    ]
    enforced = [{name.strip(" ()") for name in layer.split("|")} for layer in layers]
    assert shown == enforced, "docs/layers.svg shows other layers than pyproject.toml; draw them anew"
