"""What benchmarks measure is kept: as JSON, as a table on a page, and as plots."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.figure import Figure
from benchmarks.plot import Line, Plot
from benchmarks.report import keep

CREATE = Figure("create", "9,000/s", "12,000/s", False, "that at 100 orders", 0.9712)
FORK = Figure("fork", "0.5 ms", "1 ms or less", True)


def test_figures_of_some_groups_are_kept_beside_those_of_others(tmp_path: Path) -> None:
    results, page = tmp_path / "bench.json", tmp_path / "speed.md"
    page.write_text("Before\n<!-- measured: bench -->\nold\n<!-- end of measured -->\nAfter\n")
    keep({"calls": [CREATE]}, results, page)
    keep({"copies": [FORK], "console": [FORK]}, results, page)
    kept = json.loads(results.read_text())
    assert kept["machine"]["processors"] >= 1
    assert {group: [row["name"] for row in rows] for group, rows in kept["groups"].items()} == {
        "calls": ["create"], "copies": ["fork"], "console": ["fork"],
    }  # fmt: skip
    assert page.read_text().splitlines()[4:-2] == [
        "| create | 9,000/s | 12,000/s | 0.97 of that at 100 orders, not met |",
        "| fork | 0.5 ms | 1 ms or less |  |",  # once: what the console's pages take is not in the table
    ]
    assert page.read_text().startswith("Before\n")
    assert page.read_text().endswith("<!-- end of measured -->\nAfter\n")


def test_a_plot_has_a_mark_for_each_point_inside_its_picture() -> None:
    lines = [Line("a", [(1, 5), (100, 50)]), Line("b < c", [(1, 0.5), (10_000, 7)])]
    for logarithmic in (False, True):
        root = ElementTree.fromstring(Plot("Title & more", "orders", "us", lines, logarithmic).svg())
        marks = [each for each in root.iter() if each.tag.endswith("circle") and each.get("r") == "3"]
        assert len(marks) == 4
        assert all(0 <= float(mark.get("cx", -1)) <= 640 and 0 <= float(mark.get("cy", -1)) <= 300 for mark in marks)
        assert {"Title & more", "b < c", "orders"} <= {each.text for each in root.iter()}
