"""Keeps figures: as JSON with a description of the machine, and as a table in benchmarks/results/README.md."""

from __future__ import annotations

import json
import os
import platform
import re
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.figure import Figure

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "bench.json"
PAGE = ROOT / "benchmarks" / "results" / "README.md"
ELSEWHERE = {"curves", "console"}  # drawn on the page; one line for each of many pages
TABLE = re.compile(r"(<!-- measured: bench -->\n).*?(<!-- end of measured -->)", re.DOTALL)


def machine() -> dict[str, Any]:
    """What figures depend on beside the product."""
    return {"processors": os.cpu_count(), "system": platform.system(), "machine": platform.machine(),
            "python": platform.python_version(), "python_is_optimized": is_optimized()}  # fmt: skip


def is_optimized() -> bool:
    """Whether this Python was configured with profile-guided optimization. Debian's is not, but is built with it."""
    return "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")


def keep(group: str, runs: Sequence[Sequence[Figure]], results: Path = RESULTS, page: Path = PAGE) -> None:
    """Write the figures of a group that ran once or several times, beside those of the other groups."""
    kept = json.loads(results.read_text(encoding="utf-8"))["groups"] if results.exists() else {}
    kept[group] = [row(figures) for figures in zip(*runs, strict=True)]
    results.write_text(json.dumps({"machine": machine(), "groups": kept}, indent=1) + "\n", encoding="utf-8")
    rows = "".join(f"{line}\n" for line in table(kept))
    page.write_text(
        TABLE.sub(lambda match: f"{match[1]}{rows}{match[2]}", page.read_text(encoding="utf-8")), encoding="utf-8"
    )


def table(groups: Mapping[str, Iterable[Mapping[str, Any]]]) -> Iterable[str]:
    """A line of Markdown for each figure: what it is, its target, and its floor or what it is compared with."""
    yield "| | measured | runs | target | |"
    yield "| --- | ---: | --- | --- | --- |"
    for group in sorted(groups.keys() - ELSEWHERE, key=list(groups).index):
        for kept in groups[group]:
            beside = f"{kept['ratio']:.2f} of {kept['against']}" if kept["ratio"] is not None else kept["against"]
            notes = filter(None, [beside, "not met" if kept["met"] is False else ""])
            runs = kept.get("runs", [])
            span = f"{runs[0]} to {runs[-1]}" if len(runs) > 1 else ""
            yield f"| {kept['name']} | {kept['value']} | {span} | {kept['target']} | {', '.join(notes)} |"


def row(figures: Sequence[Figure]) -> dict[str, Any]:
    """A figure as it is kept: that of the run in the middle, and the values of all runs in order."""
    ordered = sorted(figures, key=lambda figure: figure.number)
    figure = ordered[len(ordered) // 2]
    return {"name": figure.name, "value": figure.value, "runs": [each.value for each in ordered],
            "target": figure.target, "met": figure.met, "against": figure.against,
            "ratio": None if figure.ratio is None else round(figure.ratio, 3)}  # fmt: skip
