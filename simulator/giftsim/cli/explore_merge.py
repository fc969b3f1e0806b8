"""The command `explore-merge`: one report of the shards of an exploration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

MEMBERS = {"app", "outcome", "seeds", "stopped", "plays", "findings"}


@click.command("explore-merge")
@click.argument("reports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the merged report as JSON.")
def explore_merge(reports: tuple[Path, ...], as_json: bool) -> None:
    """Merge reports of `explore --json`, such as those of --shard 1/3, 2/3 and 3/3, into one.

    Each kind of failure is shown once, with all its seeds and its shortest scenario. The exit status is that of
    `explore`: 0 without failures, 1 with failures.
    """
    from giftsim.explore.console_report import summary_lines
    from giftsim.explore.merged_report import merge

    merged = merge([_read(path) for path in reports])
    if as_json:
        click.echo(json.dumps(merged, indent=2))
    else:
        click.echo("\n".join(summary_lines(merged)))
    raise SystemExit(int(bool(merged["findings"])))


def _read(path: Path) -> dict[str, Any]:
    try:
        report = json.loads(path.read_bytes())
    except ValueError as error:
        raise click.UsageError(f"{path} is no report of `explore --json`: {error}") from None
    if not isinstance(report, dict) or not report.keys() >= MEMBERS:
        raise click.UsageError(f"{path} is no report of `explore --json`")
    return report
