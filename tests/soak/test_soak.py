"""The short form of `make soak`: some seconds of clients, faults, undos, forks, bad receivers, kills and restarts."""

from __future__ import annotations

from pathlib import Path

from tests.soak.plan import short
from tests.soak.report import report
from tests.soak.soak import Soak


def test_a_short_soak_loses_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    soak = Soak(short(tmp_path))
    soak.run()
    assert not soak.findings.failures, report(soak)
    assert soak.findings.done["kills"]
    assert soak.findings.done["orders acknowledged"]
    assert soak.receivers.arrivals.total
