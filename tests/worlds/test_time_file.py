"""The file in which an app's time follows a world, as libfaketime reads it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.system import SYSTEM
from giftsim.engine.worlds.app_clock import TimeFile
from tests.support.api_clients import PartnerClient
from tests.support.worlds import World


def follow(world: World, file: TimeFile) -> None:
    """Let the time in a file follow a world."""
    registry = world.simulator.registry
    registry.let_app_follow(registry.find(world.id), file)


def text_of(path: Path) -> str:
    return path.read_text(encoding="ascii").strip()


def test_the_apps_time_goes_back_with_the_worlds(world: World, partner: PartnerClient, tmp_path: Path) -> None:
    file = TimeFile(tmp_path / "now")
    follow(world, file)
    assert text_of(file.path) == "@2027-01-04 09:00:00"
    world.call_control("POST", "/snapshots", {"name": "before"})
    partner.create_order()
    world.advance("3d")
    assert text_of(file.path) == "@2027-01-07 09:00:00"
    world.call_control("POST", "/undo", {"count": 1})
    assert text_of(file.path) == "@2027-01-04 09:00:00"
    world.call_control("POST", "/redo")
    assert text_of(file.path) == "@2027-01-07 09:00:00"
    world.call_control("POST", "/snapshots/before/restore")
    assert text_of(file.path) == "@2027-01-04 09:00:00"
    world.advance("1d")
    world.call_control("POST", "/reset")
    assert text_of(file.path) == "@2027-01-04 09:00:00"


def test_a_fork_leaves_the_apps_time_alone(world: World, tmp_path: Path) -> None:
    file = TimeFile(tmp_path / "now")
    follow(world, file)
    fork = world.call_control("POST", "/fork", {})["id"]
    world.json_of(world.control.post(f"/worlds/{fork}/clock/advance", {"by": "9d"}))
    assert text_of(file.path) == "@2027-01-04 09:00:00"


def test_the_file_in_seconds_stands_or_goes_on_as_the_world_does(tmp_path: Path) -> None:
    file = TimeFile(tmp_path / "now", in_seconds=True, system=SYSTEM._replace(now_ms=lambda: 1_799_053_000_000))
    file.show(parse_instant("2027-01-04T09:00:00.250Z"))
    assert text_of(file.path) == "1799053200.250"
    file.ticks(1.0)
    assert text_of(file.path) == "+200"
    file.show(parse_instant("2027-01-04T08:00:00Z"))
    assert text_of(file.path) == "-3400"
    file.ticks(0.0)
    assert text_of(file.path) == "1799049600.000"
    assert [path.name for path in tmp_path.iterdir()] == ["now"]


@pytest.mark.parametrize(
    ("in_seconds", "rate", "text"),
    [(True, 60.0, "120.000"), (False, 60.0, "@1970-01-01 00:02:00"), (False, 1.0, "@1970-01-01 00:00:02")],
)
def test_the_file_is_written_again_and_again_where_programs_cannot_go_on_by_themselves(
    tmp_path: Path, in_seconds: bool, rate: float, text: str
) -> None:
    """The clock of the machine jumps by two seconds, which the thread sees."""
    now_s, looked = [0.0], threading.Event()

    def monotonic() -> float:
        if threading.current_thread() is not threading.main_thread() and now_s[0]:
            looked.set()
        return now_s[0]

    file = TimeFile(tmp_path / "now", in_seconds=in_seconds, system=SYSTEM._replace(monotonic=monotonic))
    file.show(0)
    file.ticks(rate)
    now_s[0] = 2.0
    assert looked.wait(30)
    with file._lock:  # the thread has it while it writes
        assert text_of(file.path) == text
    file.close()


def test_a_file_that_cannot_be_written_is_reported(world: World, tmp_path: Path) -> None:
    follow(world, TimeFile(tmp_path / "missing" / "now"))
    [problem] = world.advance("1d")["app_clock"]["problems"]
    assert f"the time cannot be written to {tmp_path}/missing/now: No such file or directory" in problem


def test_a_time_before_1970_is_reported(new_world: Callable[..., World], tmp_path: Path) -> None:
    world = new_world(now="1969-12-31T12:00:00Z")
    file = TimeFile(tmp_path / "now")
    follow(world, file)
    [problem] = world.advance("6h")["app_clock"]["problems"]
    assert "cannot show 1969-12-31T12:00:00Z: libfaketime begins with 1970" in problem
    world.advance("1d")
    world.advance("0s")
    assert text_of(file.path) == "@1970-01-01 18:00:00"
