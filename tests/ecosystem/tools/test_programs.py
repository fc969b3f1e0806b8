"""The short form of the soak."""

from __future__ import annotations

from pathlib import Path

from tools.soak.__main__ import report
from tools.soak.plan import short
from tools.soak.soak import Soak


def test_a_short_soak_loses_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    soak = Soak(short(tmp_path))
    soak.run()
    assert not soak.findings.failures, report(soak)
    assert soak.findings.done["kills"]
    assert soak.findings.done["orders acknowledged"]
    assert soak.receivers.arrivals.total
    assert soak.observed
    assert 0 <= soak.others_share <= 1
