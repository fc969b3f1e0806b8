"""Adds what a wheel has beside its folders: contracts and fixtures as JSON, papers, and a bill of materials (PEP 770).

With the JSON an installed giftsim parses no YAML at its start.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAPERS = ("CHANGELOG.md", "SECURITY.md")
BILL = "giftsim.cdx.json"
# An entry of a lock: the package, its version, and the packages that need it.
ENTRY = re.compile(r"^([\w.-]+)==([^\s\\;]+)[^\n]*\n(?: +--hash[^\n]*\n)+((?: +#[^\n]*\n)*)", re.MULTILINE)
NEEDED_BY = re.compile(r"(?:# via|#  ) ([a-z0-9][a-z0-9.-]*)$", re.MULTILINE)
# A line of the list in docs/internals/licences.md: the licence, and the packages under it.
LICENCE = re.compile(r"^- (.+), for .+?: (.+)$", re.MULTILINE)


class ParsedContracts(BuildHookInterface[Any]):
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
            _write_json(file, yaml.load(text, yaml.CSafeLoader))
            build_data["force_include"][str(file)] = f"giftsim/_data/contracts/{file.name}"
        bill = Path(self.folder.name, BILL)
        _write_json(bill, bill_of_materials(Path(self.root)))
        build_data["sbom_files"].append(str(bill))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the folder."""
        if version != "editable":
            self.folder.cleanup()


def _write_json(file: Path, value: Any) -> None:
    file.write_text(json.dumps(value), encoding="utf-8", newline="\n")


def bill_of_materials(root: Path) -> dict[str, Any]:
    """What giftsim is tested and released with, as CycloneDX: each package that it needs, or one of its extras.

    The versions and edges are those of locks/test.lock. What only an extra needs is `optional`; an extra that is not in
    the lock is left out. No time and no serial number: the same sources give the same bytes.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = (root / "locks" / "test.lock").read_text(encoding="utf-8")
    lines = LICENCE.findall((root / "docs" / "internals" / "licences.md").read_text(encoding="utf-8"))
    licences = {name: licence for licence, names in lines for name in names.split(", ")}
    versions = {match[1]: match[2] for match in ENTRY.finditer(lock)}
    needs: dict[str, list[str]] = {name: [] for name in versions}
    for match in ENTRY.finditer(lock):
        for parent in NEEDED_BY.findall(match[3]):
            needs[parent].append(match[1])
    direct = sorted(map(_name, project["dependencies"]))
    extras = {_name(each) for listed in project["optional-dependencies"].values() for each in listed}
    required = _reached(direct, needs)
    kept = sorted(required | _reached(extras & set(versions), needs))
    own = {"type": "library", "name": "giftsim", "version": project["version"]}
    own = {**own, "bom-ref": "giftsim", "licenses": [{"license": {"id": project["license"]}}]}
    refs = {name: f"pkg:pypi/{name}@{versions[name]}" for name in kept}
    edges = {"giftsim": [refs[name] for name in direct]}
    edges |= {refs[name]: [refs[inner] for inner in sorted(needs[name]) if inner in refs] for name in kept}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [
            _component(name, versions[name], refs[name], licences.get(name), name in required) for name in kept
        ],
        "dependencies": [{"ref": ref, "dependsOn": inner} for ref, inner in edges.items()],
    }


def _name(requirement: str) -> str:
    """The name of the package that a requirement is about, as locks write it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement, maxsplit=1)[0]).lower()


def _reached(names: Iterable[str], needs: Mapping[str, list[str]]) -> set[str]:
    """These packages, and all that they need."""
    found, waiting = set(), list(names)
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += needs[name]
    return found


def _component(name: str, version: str, ref: str, licence: str | None, is_required: bool) -> dict[str, Any]:
    stated = {"licenses": [{"license": {"name": licence}}]} if licence else {}
    scope = "required" if is_required else "optional"
    return {"type": "library", "name": name, "version": version, "bom-ref": ref, "purl": ref, "scope": scope, **stated}
