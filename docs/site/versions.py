"""Lists the versions of the site that stand in folders beside each other, from which a reader chooses (site.js).

A site in a folder with the name of its version writes the list beside that folder: versions.json, and versions.js,
which pages can load from a disk too. A site anywhere else has no list.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

VERSION = re.compile(r"^## \[(\d[\d.]*)\]", re.MULTILINE)


def write_list(site: Path, version: str, changelog: str) -> None:
    """Write the list of versions that the changelog names, the newest first, and that have a site beside this one."""
    if site.name != version:
        return
    present = [each for each in VERSION.findall(changelog) if site.with_name(each).joinpath("index.html").is_file()]
    rows = json.dumps([{"version": each, "path": f"{each}/"} for each in present], indent=2)
    site.with_name("versions.json").write_text(f"{rows}\n", encoding="utf-8")
    site.with_name("versions.js").write_text(f"showVersions({rows});\n", encoding="utf-8")


def list_versions(app: Sphinx, failure: Exception | None) -> None:
    """Write the list when a site is built."""
    if failure is None:
        changelog = Path(app.srcdir, "..", "CHANGELOG.md").read_text(encoding="utf-8")
        write_list(Path(app.outdir), app.config.release, changelog)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the above."""
    app.connect("build-finished", list_versions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
