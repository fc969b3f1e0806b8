"""The scale of the time strip: in order, the same there and back, and folds say exactly what they leave out."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from giftsim.frontend.offline_page import SHARED
from tests.support.tools import require_tool

SCRIPT = Path(__file__).parent / "node" / "strip_scale.mjs"
MODULES = ("scale.js", "folding.js", "calendar.js", "instants.js")
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
NOW = 1_799_053_200_000  # 2027-01-04T09:00:00Z
Answer = Callable[[list[tuple[int, int]], int], Any]

UNITS = st.sampled_from((1_000, MINUTE, HOUR, DAY, 30 * DAY))
INSTANTS = st.builds(lambda count, unit: NOW + count * unit, st.integers(-400, 400), UNITS)
STRETCHES = st.lists(
    st.builds(lambda at, span: (at, at + span), INSTANTS, st.sampled_from((0, 0, 0, HOUR, 3 * DAY))), max_size=60
)
WIDTHS = st.sampled_from((250, 700, 1100, 1800))
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answer]:
    """What the script of the page makes of stretches in which something is, and of a width."""
    node = require_tool("node", "nodejs")
    folder = tmp_path_factory.mktemp("strip")
    (folder / "package.json").write_text('{"type": "module"}')
    for file in (SCRIPT, *(SHARED / name for name in MODULES)):
        shutil.copy(file, folder)
    with subprocess.Popen(
        [node, SCRIPT.name], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        read, write = process.stdout, process.stdin

        def ask(stretches: list[tuple[int, int]], width: int) -> Any:
            asked = sorted({NOW, *(at for stretch in stretches for at in stretch)})
            write.write(json.dumps({"now": NOW, "stretches": stretches, "width": width, "asked": asked}) + "\n")
            write.flush()
            return json.loads(read.readline()) | {"asked": asked}

        yield ask
        write.close()


def even_pieces(found: Any) -> list[Any]:
    """The pieces that are not folds."""
    return [piece for piece in found["pieces"] if not piece.get("fold")]


def per_pixel(piece: Any) -> float:
    """How many ms a pixel of a piece is."""
    return float((piece["to"] - piece["from"]) / piece["width"])


@given(STRETCHES, WIDTHS)
@QUICK
def test_places_are_in_the_order_of_instants_and_lead_back_to_them(
    answer: Answer, stretches: list[tuple[int, int]], width: int
) -> None:
    found = answer(stretches, width)
    places = found["places"]
    assert all(one < other for one, other in pairwise(places))
    assert all(-0.01 <= place <= width + 0.01 for place in places)
    for at, back in zip(found["asked"], found["back"], strict=True):
        assert abs(at - back) <= 1e-6 * max(DAY, abs(at - NOW))


@given(STRETCHES, WIDTHS)
@QUICK
def test_pieces_follow_each_other_and_fill_the_width(
    answer: Answer, stretches: list[tuple[int, int]], width: int
) -> None:
    pieces = answer(stretches, width)["pieces"]
    assert all(one["to"] == other["from"] for one, other in pairwise(pieces))
    assert all(piece["width"] > 0 and piece["to"] > piece["from"] for piece in pieces)
    assert sum(piece["width"] for piece in pieces) == pytest.approx(width)


@given(STRETCHES, WIDTHS)
@QUICK
def test_a_fold_leaves_out_what_it_says_and_nothing_happens_in_it(
    answer: Answer, stretches: list[tuple[int, int]], width: int
) -> None:
    for piece in answer(stretches, width)["pieces"]:
        if fold := piece.get("fold"):
            assert fold["span"] == pytest.approx(piece["to"] - piece["from"], abs=1)
            assert not [each for each in stretches if each[1] > piece["from"] + 1 and each[0] < piece["to"] - 1]


@given(STRETCHES, WIDTHS)
@QUICK
def test_the_scale_changes_at_a_fold_only_which_says_by_how_much(
    answer: Answer, stretches: list[tuple[int, int]], width: int
) -> None:
    pieces = answer(stretches, width)["pieces"]
    for one, other in pairwise(pieces):
        if not one.get("fold") and not other.get("fold"):
            assert per_pixel(one) == pytest.approx(per_pixel(other), rel=1e-6)
    for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False):
        if fold := piece.get("fold"):
            inner, outer = (before, after) if piece["from"] >= NOW else (after, before)
            assert per_pixel(outer) / per_pixel(inner) == pytest.approx(fold["ratio"], rel=1e-3)


@given(st.lists(st.integers(1, 4000), min_size=4, max_size=60, unique=True), STRETCHES)
@QUICK
def test_about_60_percent_is_past_once_there_is_one(
    answer: Answer, hours: list[int], stretches: list[tuple[int, int]]
) -> None:
    found = answer([*((NOW - hour * HOUR, NOW - hour * HOUR) for hour in hours), *stretches], 1000)
    assert found["present"] == pytest.approx(600, abs=1)


@given(STRETCHES, WIDTHS)
@QUICK
def test_names_stand_where_they_say_and_do_not_touch(
    answer: Answer, stretches: list[tuple[int, int]], width: int
) -> None:
    names = answer(stretches, width)["names"]
    assert all(one["end"] <= other["x"] + 0.01 for one, other in pairwise(names))
    assert all(name["text"] for name in names)


def test_a_name_has_its_month_and_its_year_where_they_change(answer: Answer) -> None:
    days = [(NOW - n * DAY, NOW - n * DAY) for n in range(1, 40)]
    names = [name["text"] for name in answer([*days, (NOW + DAY, NOW + DAY)], 1500)["names"]]
    assert any(name.endswith("2026") for name in names)
    assert sum("2027" in name for name in names) == 1
    assert [name for name in names if name.startswith("Mon") and name.count(" ") == 1]


def test_a_long_quiet_stretch_is_folded_and_a_short_one_is_not(answer: Answer) -> None:
    busy = [(NOW - n * HOUR, NOW - n * HOUR) for n in range(1, 20)]
    assert len(even_pieces(answer(busy, 1100))) == len(answer(busy, 1100)["pieces"])
    long_ago = [(at - 40 * DAY, at - 40 * DAY) for at, _ in busy]
    folds = [piece["fold"] for piece in answer([*busy, *long_ago], 1100)["pieces"] if piece.get("fold")]
    (fold,) = folds
    assert 38 * DAY < fold["span"] < 40 * DAY
