"""An app whose clock follows a world: it sees each instant of an advance and acts, and what it lacks is said."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from giftsim import Simulator
from giftsim.engine.kernel.instants import format_instant, parse_instant
from giftsim.engine.system import SYSTEM
from giftsim.engine.worlds.app_clock import AppClock, TimeFile, Together
from giftsim.engine.worlds.app_stops import MAX_ASKED_FOR, MAX_AT_ONE_INSTANT
from giftsim.engine.worlds.asked_app import DO, AskedApp
from tests.support.api_clients import PartnerClient
from tests.support.downstream_app import AppRequest, run_app
from tests.support.worlds import World

START = "2027-01-04T09:00:00Z"
DAY_S = 86_400


def follow(world: World, *clocks: AppClock) -> None:
    """Let the clock of an app follow a world."""
    registry = world.simulator.registry
    registry.let_app_follow(registry.find(world.id), *clocks)


def asked(world: World, origin: str, answers_s: float = 5.0) -> AskedApp:
    """An app that is asked."""
    app = AskedApp(world.simulator.registry.runtime.courier, lambda: (origin, DO), answers_s=answers_s)
    follow(world, app)
    return app


class Reminders:
    """An app that reminds each recipient every `every`, and logs what it does with the time that it sees."""

    def __init__(self, simulator: Simulator, wants: list[str]) -> None:
        self.simulator, self.wants = simulator, wants
        self.log: list[tuple[str, str]] = []
        self.ages_s: list[int] = []
        self.now = ""

    def __call__(self, request: AppRequest) -> tuple[int, Any]:
        if request.path == "/giftsim/do":
            assert request.body["action"] == "clock"
            self.now = request.body["now"]
            while self.wants and self.wants[0] <= self.now:
                self.log.append((self.now, f"reminder {self.wants.pop(0)}"))
            return 200, {"next": self.wants[0] if self.wants else None}
        signed_s = int(request.headers["x-service-signature"].partition(",")[0].removeprefix("t="))
        self.ages_s.append(abs(parse_instant(self.now) // 1000 - signed_s))
        self.log.append((self.now, request.body["type"]))
        return 200, {}


@contextmanager
def a_parcel(world: World, partner: PartnerClient, app: Any) -> Iterator[str]:
    """An app that gets the webhooks of a parcel which is claimed; its URL."""
    with run_app(app) as running:
        world.set_receiver(mode="forward", to=running.url)
        partner.subscribe("team_order.claimed", "team_order.shipped", "team_order.delivered")
        partner.create_order()
        world.simulate("claim", team_order_id=1001, recipient=0)
        yield running.url


def test_an_advance_stops_where_the_app_wants_to_act_and_where_it_gets_a_webhook(
    world: World, partner: PartnerClient
) -> None:
    app = Reminders(world.simulator, ["2027-01-04T12:30:00Z", "2027-01-06T00:00:00Z"])
    with a_parcel(world, partner, app) as url:
        asked(world, url)
        report = world.advance("10d")
    assert [what for _, what in app.log] == [
        "team_order.claimed",
        "reminder 2027-01-04T12:30:00Z",
        "reminder 2027-01-06T00:00:00Z",
        "team_order.shipped",
        "team_order.delivered",
    ]
    assert [at for at, what in app.log if what.startswith("reminder")] == [
        "2027-01-04T12:30:00Z",
        "2027-01-06T00:00:00Z",
    ]
    assert [at for at, what in app.log if what.startswith("team")] == [each["at"] for each in report["deliveries"]]
    assert (report["app_clock"]["asked_for"], report["app_clock"]["problems"]) == (2, [])
    assert app.now == world.now == "2027-01-14T09:00:00Z"


def test_the_signature_has_the_time_that_the_app_sees(world: World, partner: PartnerClient) -> None:
    app = Reminders(world.simulator, [])
    with a_parcel(world, partner, app) as url:
        asked(world, url)
        world.advance("10d")
    assert app.ages_s == [0, 0, 0]


@pytest.mark.parametrize(("setting", "ages_s"), [("auto", [0, 0, 0]), ("simulated", None), ("wall", None)])
def test_a_world_that_the_app_does_not_follow_signs_at_the_time_that_the_app_sees_all_the_same(
    world: World, partner: PartnerClient, setting: str, ages_s: list[int] | None
) -> None:
    """One clock for all tests that run at once: that of the world which was made last."""
    app = Reminders(world.simulator, [])
    world.change_settings(webhooks__signature_time=setting)
    runtime = world.simulator.registry.runtime
    with a_parcel(world, partner, app) as url:
        runtime.app_clocks = [AskedApp(runtime.courier, lambda: (url, DO))]
        other = World(world.simulator, now="2030-01-01T00:00:00Z")
        world.advance("10d")
        assert app.now == "2030-01-01T00:00:00Z"
        runtime.app_clocks = ()
        other.call_control("DELETE", "")
    assert app.ages_s == ages_s if ages_s else min(app.ages_s) > DAY_S


@pytest.mark.parametrize("setting", ["wall", "auto"])
def test_the_signature_has_real_time_where_the_apps_time_is_real(
    world: World, partner: PartnerClient, setting: str
) -> None:
    """Without a clock that follows, or if the setting says so."""
    app = Reminders(world.simulator, [])
    app.now = format_instant(SYSTEM.now_ms())
    world.change_settings(webhooks__signature_time=setting)

    def respond(request: AppRequest) -> tuple[int, Any]:
        return (501, {}) if request.path == "/giftsim/do" else app(request)

    with a_parcel(world, partner, respond) as url:
        if setting == "wall":
            asked(world, url)
        world.advance("10d")
    assert len(app.ages_s) == 3
    assert max(app.ages_s) < 300


def test_what_the_app_does_during_an_advance_happens_at_that_instant(world: World, partner: PartnerClient) -> None:
    wanted = "2027-01-05T07:00:00Z"

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.path == "/giftsim/do" and request.body["now"] == wanted:
            partner.create_order(idempotency_key="second")
        return 200, {"next": wanted if request.body.get("now", wanted) < wanted else None}

    with run_app(respond) as app:
        asked(world, app.url)
        world.advance("2d")
    [order] = world.rows("orders")
    assert order["created_at"] == wanted


def test_the_same_calls_give_the_same_world_whoever_is_shown_the_time(
    new_world: Callable[..., World], tmp_path: Path
) -> None:
    """A clock that is shown the time changes nothing of the world, and so every run gives the same bytes."""

    def lived(*clocks: AppClock) -> tuple[str, list[tuple[str, str]]]:
        world = new_world(seed=7)
        partner = world.partner()
        partner.subscribe("team_order.claimed", "team_order.shipped")
        partner.create_order()
        world.simulate("claim", team_order_id=1001, recipient=0)
        if clocks:
            follow(world, *clocks)
        rows = world.advance("10d")["deliveries"]
        return world.fingerprint(), [(row["at"], row["type"]) for row in rows]

    assert lived() == lived(TimeFile(tmp_path / "now")) == lived(TimeFile(tmp_path / "again", in_seconds=True))


@pytest.mark.parametrize("status", [404, 405, 501])
def test_an_app_that_does_not_offer_it_is_not_asked_again(world: World, status: int) -> None:
    with run_app(lambda _: (status, {})) as app:
        asked(world, app.url)
        report = world.advance("2d")
        world.advance("2d")
        assert len(app.requests) == 1
    assert report["app_clock"]["problems"] == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((200, {"next": "2027-01-04T08:59:59Z"}), "next: 2027-01-04T08:59:59Z, which is before 2027-01-04T09:00:00Z"),
        ((200, {"next": "tomorrow"}), "'tomorrow' is not an instant like 2027-01-04T09:00:00Z"),
        ((200, {"next": 5}), "next: 5 is not an instant like 2027-01-04T09:00:00Z"),
        ((200, [1]), "[1] is not an object"),
        ((500, {}), "was answered with 500; an app that does not offer it answers 501"),
        (None, "got no answer (connection_reset): start the app before you advance"),
    ],
)
def test_a_wrong_answer_is_reported_once_and_the_advance_goes_on(
    world: World, answer: tuple[int, Any] | None, said: str
) -> None:
    with run_app(lambda _: (200, {}) if len(app.requests) == 1 else answer) as app:
        asked(world, app.url)
        report = world.advance("2d")
        world.advance("1d")
        assert len(app.requests) == 3  # when it began to follow, and once in each advance
    [problem] = report["app_clock"]["problems"]
    assert problem.startswith(f"at {START}, POST {app.url}/giftsim/do (action clock) ")
    assert said in problem
    assert report["to"] == "2027-01-06T09:00:00Z"


def test_an_app_that_nothing_runs_is_named(world: World) -> None:
    with run_app() as app:
        pass
    asked(world, app.url)
    [problem] = world.advance("1d")["app_clock"]["problems"]
    assert "got no answer (connection_refused): start the app before you advance" in problem


def test_an_app_that_hangs_holds_an_advance_up_for_a_bounded_time_only(world: World) -> None:
    ended = threading.Event()
    with run_app(lambda _: (200, {"late": ended.wait(30)})) as app:
        asked(world, app.url, answers_s=0.05)
        report = world.advance("2d")
        ended.set()
    [problem] = report["app_clock"]["problems"]
    assert "was not answered within 0.05 s" in problem
    assert report["to"] == world.now


def test_an_advance_that_the_app_asks_for_in_its_own_handler_does_not_hang(
    world: World, partner: PartnerClient
) -> None:
    """One thread, in which the app advances: it cannot answer until that ends."""
    one = threading.Lock()
    reports: list[Any] = []

    def respond(request: AppRequest) -> tuple[int, Any]:
        with one:
            if request.path == "/advance":
                reports.append(world.advance("3d"))
            return 200, {}

    with run_app(respond) as app:
        asked(world, app.url, answers_s=0.05)
        courier = world.simulator.registry.runtime.courier
        courier.exchange(app.url, b"POST /advance HTTP/1.1\r\nHost: app\r\nContent-Length: 0\r\n\r\n", 30)
    [report] = reports
    [problem] = report["app_clock"]["problems"]
    assert "an app that advances the clock in its own handler cannot answer" in problem
    assert report["to"] == world.now == "2027-01-07T09:00:00Z"


def test_what_needs_a_settled_world_is_refused_while_the_app_acts(world: World) -> None:
    answers: list[Any] = []

    def respond(request: AppRequest) -> tuple[int, Any]:
        if len(answers) < 1 and request.body["now"] != START:
            answers.append(world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "1d"}))
            answers.append(world.control.get(f"/worlds/{world.id}/clock"))
        return 200, {"next": "2027-01-05T09:00:00Z"} if request.body["now"] == START else {}

    with run_app(respond) as app:
        asked(world, app.url)
        report = world.advance("2d")
    refused, read = answers
    assert (refused.status, refused.json()["error"]["code"]) == (409, "clock_busy")
    assert "waits for the app to act; try again when it has" in refused.json()["error"]["message"]
    assert (read.status, read.json()["now"], read.json()["advancing"]) == (200, "2027-01-05T09:00:00Z", True)
    assert report["to"] == "2027-01-06T09:00:00Z"


def test_a_reset_while_the_app_acts_ends_the_advance(world: World) -> None:
    resets: list[Any] = []

    def respond(request: AppRequest) -> tuple[int, Any]:
        if request.body["now"] == "2027-01-05T09:00:00Z" and not resets:
            resets.append(world.call_control("POST", "/reset"))
        return 200, {"next": "2027-01-05T09:00:00Z"} if request.body["now"] == START else {}

    with run_app(respond) as app:
        asked(world, app.url)
        response = world.control.post(f"/worlds/{world.id}/clock/advance", {"by": "2d"})
        assert (response.status, response.json()["error"]["code"]) == (409, "clock_busy")
        assert "was reset or restored while the app acted" in response.json()["error"]["message"]
        assert world.now == START
        assert app.requests[-1].body["now"] == START
        assert world.advance("1d")["app_clock"]["problems"] == []


def test_an_app_that_always_has_more_to_do_at_one_instant_is_bounded(world: World) -> None:
    with run_app(lambda request: (200, {"next": request.body["now"]})) as app:
        asked(world, app.url)
        [problem] = world.advance("0s")["app_clock"]["problems"]
        assert len(app.requests) == 1 + MAX_AT_ONE_INSTANT
    assert problem == (
        f"the app wanted to act at {START} {MAX_AT_ONE_INSTANT} times, and {MAX_AT_ONE_INSTANT} is the most: it acts "
        "again at the next timer or webhook"
    )


class EverySecond:
    """An app that wants to act each second."""

    def __init__(self) -> None:
        self.shown_ms: list[int] = []
        self.rates: list[float] = []

    def show(self, now_ms: int) -> int:
        self.shown_ms.append(now_ms)
        return now_ms + 1_000

    def ticks(self, rate: float) -> None:
        self.rates.append(rate)


def test_an_app_that_asks_for_too_many_instants_is_bounded(world: World) -> None:
    app = EverySecond()
    follow(world, app)
    report = world.advance("2d")
    assert report["app_clock"]["asked_for"] == MAX_ASKED_FOR
    [problem] = report["app_clock"]["problems"]
    assert problem.startswith("the app asked for 10,000 instants in one advance, and 10,000 is the most")
    assert app.shown_ms[-1] == parse_instant(report["to"])


def test_an_advance_until_idle_ends_although_the_app_wants_to_act_for_ever(world: World) -> None:
    follow(world, EverySecond())
    assert world.advance(until="idle")["to"] == START


def test_a_canceled_advance_stops_where_the_app_acts(world: World) -> None:
    class Cancels(EverySecond):
        def show(self, now_ms: int) -> int:
            if len(self.shown_ms) == 5:
                world.control.delete(f"/worlds/{world.id}/clock/advance")
            return super().show(now_ms)

    follow(world, Cancels())
    report = world.advance("1d")
    assert (report["canceled"], report["to"]) == (True, "2027-01-04T09:00:04Z")


def test_a_dry_run_shows_the_app_nothing(world: World) -> None:
    app = EverySecond()
    follow(world, app)
    report = world.advance("1h", dry_run=True)
    assert "app_clock" not in report
    assert app.shown_ms == [parse_instant(START)]


def test_the_app_follows_the_rate_of_the_worlds_clock(world: World) -> None:
    app = EverySecond()
    follow(world, app)
    world.call_control("PUT", "/clock", {"mode": "running", "rate": 2})
    world.call_control("PUT", "/clock", {"mode": "manual"})
    assert app.rates == [0.0, 2.0, 0.0]
    world.call_control("PUT", "/clock", {"mode": "running"})
    world.advance("1s")
    assert app.rates[-3:] == [1.0, 0.0, 1.0]


def test_of_several_clocks_the_earliest_instant_counts() -> None:
    class Wants:
        def __init__(self, next_ms: int | None) -> None:
            self.next_ms = next_ms

        def show(self, now_ms: int) -> int | None:  # noqa: ARG002
            return self.next_ms

    assert Together([Wants(None), Wants(7), Wants(5)]).show(1) == 5
    assert Together([Wants(None)]).show(1) is None


def test_of_a_clock_that_is_shown_the_time_twice_the_last_answer_counts() -> None:
    class Later(EverySecond):
        def show(self, now_ms: int) -> int:
            return super().show(now_ms) * len(self.shown_ms)

    later = Later()
    assert Together([later, later]).show(1_000) == 4_000
