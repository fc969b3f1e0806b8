"""Adds what a wheel has beside its folders: contracts and fixtures as JSON, and papers that the documentation shows.

With them an installed giftsim parses no YAML at its start.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAPERS = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")


class ParsedContracts(BuildHookInterface):
    """Names each file as giftsim/engine/gateway/yaml_cache.py looks for it: by the hash of its YAML."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files to a folder of their own and include them."""
        if version == "editable":
            return
        for name in PAPERS:
            build_data["force_include"][str(Path(self.root, name))] = f"giftsim/_data/{name}"
        self.folder = TemporaryDirectory()
        sources = sorted(Path(self.root, "simulator", "giftsim").rglob("*.yaml"))
        contracts = [path for path in sources if "contract" in (path.stem, path.parent.name)]
        for path in (*contracts, *sorted(Path(self.root, "fixtures").glob("*.yaml"))):
            text = path.read_bytes()
            file = Path(self.folder.name, f"{path.stem}.{sha256(text).hexdigest()[:16]}.json")
            file.write_text(json.dumps(yaml.load(text, yaml.CSafeLoader)), encoding="utf-8")
            build_data["force_include"][str(file)] = f"giftsim/_data/contracts/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the folder."""
        if version != "editable":
            self.folder.cleanup()
