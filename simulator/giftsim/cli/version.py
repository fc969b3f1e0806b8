"""The command `version`: this version, and those of what it reads, writes and serves."""

from __future__ import annotations

import json
import platform
from typing import Any

import click

from giftsim import __version__

# A number grows with a change by which older files are refused (G137). That of journal files is in the files too.
SCENARIO, FIXTURE = 1, 1


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def version(as_json: bool) -> None:
    """Print the versions of giftsim, of Python, of the files that it reads, and of the interfaces that it serves."""
    known = versions()
    if as_json:
        click.echo(json.dumps(known))
        return
    click.echo(f"giftsim {known['version']}, Python {known['python']}")
    for kind in ("formats", "contracts"):
        click.echo(f"{kind}: " + ", ".join(f"{name} {number}" for name, number in known[kind].items()))


def versions() -> dict[str, Any]:
    """All versions as JSON data. A recording is a scenario."""
    from giftsim.build import CONTRACTS
    from giftsim.engine.gateway import yaml_cache
    from giftsim.engine.log.journal_contents import NUMBER

    return {
        "version": __version__,
        "python": platform.python_version(),
        "formats": {"journal": NUMBER, "recording": SCENARIO, "scenario": SCENARIO, "fixture": FIXTURE},
        "contracts": {name: yaml_cache.read_yaml(path)["info"]["version"] for name, path in CONTRACTS.items()},
    }
