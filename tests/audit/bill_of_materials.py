"""The software bill of materials in the format of CycloneDX: what users install, each with its version and licence."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from tests.audit.licences import licence_of

Bill = dict[str, Any]


def environment_bill(tool: Path, python: Path, project: Path) -> Bill:
    """The bill of everything that is installed beside `python`, developers' tools included."""
    command = [tool, "environment", "--pyproject", project, "--output-reproducible", "--of", "JSON", python]
    made = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return dict(json.loads(made.stdout))


def users_bill(bill: Bill, required: Mapping[str, Distribution], all_of: Mapping[str, Distribution]) -> Bill:
    """The part of a bill that users install; what only extras need is `optional`.

    `required` is what giftsim needs, `all_of` what it needs with its extras.
    """
    kept = []
    for component in bill["components"]:
        name = canonicalize_name(component["name"])
        if name in all_of and name != "giftsim":
            scope = "required" if name in required else "optional"
            licence = {"licenses": component.get("licenses") or [{"license": {"name": licence_of(all_of[name])}}]}
            kept.append({**component, "scope": scope, **licence})
    root = bill["metadata"]["component"]["bom-ref"]
    refs = {root, *(component["bom-ref"] for component in kept)}
    return {**bill, "components": kept, "dependencies": _dependencies(bill, refs)}


def _dependencies(bill: Bill, refs: set[str]) -> list[Bill]:
    """The edges between these components."""
    return [
        {"ref": each["ref"], **({"dependsOn": inner} if (inner := _within(each.get("dependsOn", ()), refs)) else {})}
        for each in bill["dependencies"]
        if each["ref"] in refs
    ]


def _within(names: Any, refs: set[str]) -> list[str]:
    return [name for name in names if name in refs]
