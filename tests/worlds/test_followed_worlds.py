"""One app and several worlds: its clock follows the world that was made last, and an advance of another says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.kernel.instants import format_instant, parse_instant
from giftsim.engine.system import SYSTEM
from giftsim.engine.worlds.app_clock import TimeFile
from tests.support.worlds import World


class App:
    """The clock of an app, which notes what it is shown; at an instant it may do something, once."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.acts: dict[str, Callable[[], object]] = {}

    def show(self, now_ms: int) -> None:
        """Note the instant."""
        self.seen.append(format_instant(now_ms))
        if act := self.acts.pop(self.seen[-1], None):
            act()


@pytest.fixture
def simulator() -> Iterator[Simulator]:
    """A simulator of the test's own, because an app belongs to all of its worlds."""
    with closing(Simulator(fixture="bare")) as simulator:
        yield simulator


@pytest.fixture
def app(simulator: Simulator) -> App:
    """An app whose clock follows the default world first, as with `run --app-clock`."""
    app, registry = App(), simulator.registry
    registry.runtime.app_clocks = (app,)
    registry.let_app_follow(registry.worlds["default"], app)
    return app


def advance(simulator: Simulator, world: str, by: str = "1d", **more: Any) -> Any:
    """Advance a world; what the report says of the app."""
    path = f"/_sim/v1/worlds/{world}/clock/advance"
    return World.json_of(simulator.client.call("POST", path, body={"by": by, **more})).get("app_clock")


def test_the_clock_follows_the_world_that_was_made_last_and_then_the_one_before(simulator: Simulator, app: App) -> None:
    world = World(simulator, now="2027-03-01T00:00:00Z")
    assert app.seen == ["2027-01-04T09:00:00Z", "2027-03-01T00:00:00Z"]
    assert advance(simulator, world.id)["problems"] == []
    assert app.seen[-1] == "2027-03-02T00:00:00Z"
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")
    assert app.seen[-1] == "2027-01-04T09:00:00Z"
    assert advance(simulator, "default")["problems"] == []
    assert app.seen[-1] == "2027-01-05T09:00:00Z"


def test_the_advance_of_another_world_shows_nothing_and_says_so(simulator: Simulator, app: App) -> None:
    world = World(simulator)
    fork = world.call_control("POST", "/fork", {})["id"]
    for other in ("default", fork):
        said = f"the app's clock follows world {world.id}, not {other}: it follows the world that was made last, so run"
        told = advance(simulator, other)
        assert told == {"shown": 0, "asked_for": 0, "problems": [f"{said} one test at a time"]}
    assert advance(simulator, other, dry_run=True) is None
    assert app.seen == ["2027-01-04T09:00:00Z"] * 2


def test_without_an_app_no_report_speaks_of_one(simulator: Simulator) -> None:
    assert advance(simulator, World(simulator).id) is None


def test_worlds_that_end_in_another_order_leave_the_clock_with_the_last(simulator: Simulator, app: App) -> None:
    first, second, third = (World(simulator, now=f"2027-0{month}-01T00:00:00Z").id for month in (2, 3, 4))
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{second}")
    assert len(app.seen) == 4
    assert advance(simulator, third)["problems"] == []
    simulator.client.call("DELETE", f"/_sim/v1/worlds/{third}")
    assert app.seen[-1] == "2027-02-01T00:00:00Z"
    assert advance(simulator, first)["problems"] == []


def test_a_world_that_is_made_during_an_advance_takes_the_clock(simulator: Simulator, app: App) -> None:
    world = World(simulator)
    made = []
    app.acts["2027-01-04T09:00:00Z"] = lambda: made.append(World(simulator, now="2027-03-01T00:00:00Z"))
    told = advance(simulator, world.id)
    said = f"the app's clock follows world {made[0].id} from here on, which was made meanwhile"
    assert told["problems"] == [said]
    assert app.seen[-1] == "2027-03-01T00:00:00Z"
    assert "not" in advance(simulator, world.id)["problems"][0]


def test_serve_keeps_the_clock_with_the_default_world(simulator: Simulator, tmp_path: Path) -> None:
    registry = simulator.registry
    registry.let_app_follow(registry.worlds["default"], TimeFile(tmp_path / "now"))
    world = World(simulator)
    assert advance(simulator, world.id)["problems"] == [f"the app's clock follows world default, not {world.id}"]
    assert (tmp_path / "now").read_text() == "@2027-01-04 09:00:00\n"


@pytest.mark.parametrize(("setting", "is_last"), [("auto", True), ("auto", False), ("wall", True)])
def test_a_request_that_is_signed_now_has_the_time_that_the_app_sees(
    simulator: Simulator, app: App, setting: str, is_last: bool
) -> None:
    """A test passes captured webhooks on after an advance, when the app's clock is past the attempt."""
    world = World(simulator, fixture="empty")
    world.change_settings(webhooks__signature_time=setting)
    partner = world.partner()
    partner.subscribe("team_order.claimed")
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    if not is_last:
        World(simulator, now="2027-03-01T00:00:00Z")
    world.advance("3d")
    request = world.call_control("GET", "/deliveries/1/request?sign=now")
    signed_s = int(request["headers"]["X-Service-Signature"].partition(",")[0].removeprefix("t="))
    now_ms = parse_instant(app.seen[-1]) if setting == "auto" else SYSTEM.now_ms()
    assert app.seen[-1] == ("2027-01-07T09:00:00Z" if is_last else "2027-03-01T00:00:00Z")
    assert abs(signed_s - now_ms // 1000) <= (0 if setting == "auto" else 60)
