"""JSON that is kept with the records that it was made of: when it is found again, and how much of it there can be."""

from __future__ import annotations

from giftsim.engine.gateway.json_cache import LARGEST, PLACES, KeptJson
from giftsim.engine.kernel.table import Record


class Thing(Record, frozen=True, gc=False):
    name: str


def test_json_is_found_by_the_records_that_it_was_made_of() -> None:
    kept, mug, pen = KeptJson(), Thing(7, "mug"), Thing(7, "pen")
    assert kept.find(7, mug) is None
    made = kept.keep(7, mug, {"name": "mug"})
    assert bytes(made) == b'{"name":"mug"}'
    assert kept.find(7, mug) is kept.find(7, Thing(7, "mug")) is made
    assert kept.find(7, pen) is None
    assert kept.find(7, (mug, True)) is None


def test_newer_json_takes_the_place_of_older() -> None:
    kept, mug, pen = KeptJson(), Thing(7, "mug"), Thing(7 + PLACES, "pen")
    kept.keep(mug.n, mug, mug)
    kept.keep(pen.n, pen, pen)
    assert kept.find(mug.n, mug) is None
    assert kept.find(pen.n, pen) is not None


def test_large_json_is_made_and_not_kept() -> None:
    kept, mug = KeptJson(), Thing(7, "mug")
    assert len(bytes(kept.keep(7, mug, "x" * LARGEST))) == LARGEST + 2
    assert kept.find(7, mug) is None
