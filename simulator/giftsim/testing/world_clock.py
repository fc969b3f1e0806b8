"""A world's clock, its snapshots, and the application's own clock held in step with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any, cast

from giftsim.engine.client.control import quote_segment
from giftsim.engine.client.world import goal_of
from giftsim.engine.kernel.instants import LATEST_MS, SECOND, format_instant, parse_duration, parse_instant
from giftsim.testing.app_clocks import AppsOwnClock, following
from giftsim.testing.control_client import ControlClient
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.results import Advance, Change, UndoneCall
from giftsim.testing.transport import InProcess, Transport

if TYPE_CHECKING:
    from giftsim.engine.worlds.world import World

__tracebackhide__ = expected_errors


class Clock(ControlClient):
    """A manual clock: `advance` returns when each due timer has fired and each due delivery was attempted."""

    def __init__(self, transport: Transport, description: Mapping[str, Any]) -> None:
        super().__init__(transport, description)
        self.app_clocks: list[AppsOwnClock] = []
        self._snapshot_numbers = count(1)

    @property
    def now(self) -> datetime:
        """The world's current time, in UTC and whole seconds."""
        return datetime.fromtimestamp(self._present_ms() // 1000, UTC)

    def advance(
        self, by: str | None = None, *, to: str | datetime | None = None, until: str | None = None, fired: bool = False
    ) -> Advance:
        """Move the clock `by` a duration ("3d"), `to` an instant, or `until` "next" or "idle".

        A single text may also be any of these: `advance("next")`, `advance("2027-01-05T09:00:00Z")`.
        The result has `from`, `to`, `changed` (`subject`, `kinds`, `at`), `fired_by_kind`, `deliveries` and `next_due`.
        With `fired=True` it has every timer too.
        """
        goals = {"by": by, "to": instant_text(to), "until": until}
        goal = {name: value for name, value in goals.items() if value is not None}
        if by is not None and len(goal) == 1:
            goal = goal_of(by)
        if not self.app_clocks or self._local_world is not None:
            return self._advance(goal, fired)
        return self._advance_with_app_clocks(goal, fired)

    def snapshot(self, name: str | None = None) -> str:
        """Save the world's state under a name, with its clock, timers and webhooks; the name."""
        body = {"name": name or f"moment-{next(self._snapshot_numbers)}"}
        return str(self.control("POST", "/snapshots", body)["name"])

    def restore(self, name: str) -> None:
        """Restore a saved state."""
        self.control("POST", f"/snapshots/{quote_segment(name)}/restore")
        self._went_back()

    def undo(self, count: int = 1) -> list[UndoneCall]:
        """Undo the last writes of clients and everything after them; the calls, newest first."""
        undone: list[UndoneCall] = self.control("POST", "/undo", {"count": count})["undone"]
        self._went_back()
        return undone

    def redo(self) -> list[UndoneCall]:
        """Bring back what the last undo took away, if nothing new has happened since; the calls, newest first."""
        redone: list[UndoneCall] = self.control("POST", "/redo")["redone"]
        self._went_back()
        return redone

    def reset(self) -> None:
        """Return to the state in which the world was created."""
        self.control("POST", "/reset")
        self._went_back()

    def fingerprint(self) -> str:
        """The hash of the world's whole state; the same seed and calls give the same hash in any process."""
        return str(self.control("GET", "/fingerprint")["sha256"])

    @contextmanager
    def freeze_app(self) -> Iterator[None]:
        """Inside the block, hold this process's clock at the world's time; each advance and delivery moves it.

        All threads see it, except the simulator and the libraries that carry calls. Webhooks are signed at the world's
        time, also forwarded ones, so an application's check of the signature's age works as in production.
        """
        from giftsim.testing.frozen_clock import frozen

        shown_ms, local_world = self._present_ms(), self._local_world
        with frozen(local_world.clock.now_ms if local_world else lambda: shown_ms) as clock:
            if local_world is None:
                clock.fixed_ms = shown_ms
            with following(self, clock):
                yield

    @property
    def _local_world(self) -> World | None:
        """The world if it is in this process, else None."""
        if not isinstance(self.transport, InProcess):
            return None
        return self.transport.simulator.registry.worlds.get(self.world)

    def _present_ms(self) -> int:
        return parse_instant(self.control("GET", "/clock")["now"])

    def _advance_with_app_clocks(self, goal: Mapping[str, Any], fired: bool) -> Advance:
        """Advance a world in another process, setting the app's clock to each instant at which the app has to act.

        These are its deliveries, and what it asks for. A dry run finds the next delivery. It runs again after each,
        since an application's response may change it.
        """
        clocks = self.app_clocks
        for clock in clocks:
            clock.begin()
        report = self._advance({"by": "0s"}, fired)
        if "by" in goal:
            goal = {"to": format_instant(self._present_ms() + parse_duration(goal["by"]))}
        elif goal.get("until") == "next":
            goal = {"to": self._advance({**goal, "dry_run": True})["to"]}
        self._show(parse_instant(report["to"]))
        while True:
            dry = self._advance({**goal, "dry_run": True})
            stops = [parse_instant(attempt["at"]) for attempt in dry["deliveries"][:1]]
            stops += [clock.next_ms for clock in clocks if clock.next_ms is not None]
            end_ms, least_ms = parse_instant(dry["to"]), parse_instant(report["to"]) + SECOND
            stop_ms = max(min(stops, default=LATEST_MS), least_ms)
            self._show(min(stop_ms, end_ms))
            step = goal if stop_ms > end_ms else {"to": format_instant(stop_ms)}
            report = _joined(report, self._advance(step, fired))
            if step is goal or report["canceled"]:
                return self._with_told(report)

    def _show(self, now_ms: int) -> None:
        """Show each app this instant, unless it reads the world's clock itself."""
        for clock in self.app_clocks:
            if clock.fixed_ms is not None:
                clock.fixed_ms = now_ms

    def _with_told(self, report: Advance) -> Advance:
        """A report with what the app saw, if its clock can say."""
        for told in filter(None, [clock.told() for clock in self.app_clocks]):
            report = cast(Advance, {**report, "app_clock": told})
        return report

    def _advance(self, goal: Mapping[str, Any], fired: bool = False) -> Advance:
        return cast(Advance, self.control("POST", "/clock/advance?fired=true" if fired else "/clock/advance", goal))

    def _went_back(self) -> None:
        """Set this process's clock to the world's, after a restore, an undo or the like in another process."""
        if any(clock.fixed_ms is not None for clock in self.app_clocks):
            self._show(self._present_ms())


def instant_text(instant: str | datetime | None) -> str | None:
    """An instant as the control API takes it; ValueError for a `datetime` without a time zone."""
    if not isinstance(instant, datetime):
        return instant
    if instant.tzinfo is None:
        raise ValueError(f"{instant!r} has no time zone; write datetime(..., tzinfo=UTC)")
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _joined(first: Advance, then: Advance) -> Advance:
    joined: Any = {
        **then,
        "from": first["from"],
        "fired_count": first["fired_count"] + then["fired_count"],
        "fired_by_kind": _joined_counts(first["fired_by_kind"], then["fired_by_kind"]),
        "events_by_type": _joined_counts(first["events_by_type"], then["events_by_type"]),
        "changed": _joined_changes(first["changed"], then["changed"]),
        "hourly_runs": first["hourly_runs"] + then["hourly_runs"],
        "deliveries": [*first["deliveries"], *then["deliveries"]],
        "delivery_count": first["delivery_count"] + then["delivery_count"],
        "mail": [*first["mail"], *then["mail"]],
        "mail_count": first["mail_count"] + then["mail_count"],
    }
    if "fired" in then:
        joined["fired"] = [*first.get("fired", []), *then["fired"]]
    report: Advance = joined
    return report


def _joined_counts(first: Mapping[str, int], then: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(first) + Counter(then)).items()))


def _joined_changes(first: Sequence[Change], then: Sequence[Change]) -> list[dict[str, Any]]:
    changes: dict[str, dict[str, Any]] = {change["subject"]: {**change} for change in first}
    for change in then:
        known = changes.setdefault(change["subject"], {**change, "kinds": []})
        known["kinds"] = [*dict.fromkeys([*known["kinds"], *change["kinds"]])]
        known.update(at=change["at"], about=change["about"])
    return list(changes.values())
