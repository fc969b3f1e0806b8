"""A world's time in a test's hand: its clock, moments kept and put back, and the application's clock beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from giftsim.kernel.instants import LATEST_MS, SECOND, format_instant, parse_duration, parse_instant
from giftsim.testing.control_client import Control
from giftsim.testing.transport import Passage

if TYPE_CHECKING:
    from giftsim.testing.frozen_clock import Hand

SIGNED_AT = "webhooks.signature_time"


class Clock(Control):
    """Time passes when told to; `advance` answers when all that was due has happened and every delivery was tried."""

    def __init__(self, passage: Passage, about: Mapping[str, Any]) -> None:
        super().__init__(passage, about)
        self.hand: Hand | None = None
        self._moments = count(1)

    @property
    def now(self) -> datetime:
        """The instant at which the world stands, in UTC and whole seconds."""
        return datetime.fromtimestamp(self._present_ms() // 1000, UTC)

    def advance(self, by: str | None = None, *, to: str | datetime | None = None, until: str | None = None) -> Any:
        """Let time pass `by` a duration ("3d"), `to` an instant, or `until` "next" or "idle".

        The answer has `from`, `to`, `fired` (`at`, `kind`, `subject`), `deliveries` and `next_due`.
        """
        named = {"by": by, "to": written(to), "until": until}
        goal = {name: value for name, value in named.items() if value is not None}
        if self.hand is None or self.passage.world(self.world) is not None:
            return self._moved(goal)
        return self._step_by_step(self.hand, goal)

    def snapshot(self, name: str | None = None) -> str:
        """Keep this moment, clock, timers and inbox included, under a name; the name."""
        body = {"name": name or f"moment-{next(self._moments)}"}
        return str(self.control("POST", "/snapshots", body)["name"])

    def restore(self, name: str) -> None:
        """Put a kept moment in place again."""
        self.control("POST", f"/snapshots/{name}/restore")
        self._follow()

    def undo(self, count: int = 1) -> list[dict[str, Any]]:
        """Take back the last writes of clients, and all that came after them; the calls, newest first."""
        undone: list[dict[str, Any]] = self.control("POST", "/undo", {"count": count})["undone"]
        self._follow()
        return undone

    def reset(self) -> None:
        """Back to exactly what was created."""
        self.control("POST", "/reset")
        self._follow()

    def fingerprint(self) -> str:
        """The hash of the world's whole state: the same seed and the same calls give the same one, in any process."""
        return str(self.control("GET", "/fingerprint")["sha256"])

    @contextmanager
    def freeze_app(self) -> Iterator[None]:
        """Hold this process's clock at the world's, and move it with every advance, at each delivery on the way.

        All threads of the process see it, the simulator and the libraries that carry calls do not. Meanwhile webhooks
        are signed at the world's instant, also those that are forwarded, so that an application's own check of the
        signature's age passes and fails as it should.
        """
        from giftsim.testing.frozen_clock import frozen

        before = self.settings()[SIGNED_AT]
        self.settings({SIGNED_AT: "simulated"})
        home = self.passage.world(self.world)
        try:
            shown_ms = self._present_ms()
            with frozen(home.present_ms if home else lambda: shown_ms) as self.hand:
                if home is None:
                    self.hand.held_ms = shown_ms
                yield
        finally:
            self.hand = None
            self.settings({SIGNED_AT: before})

    def _present_ms(self) -> int:
        return parse_instant(self.control("GET", "/clock")["now"])

    def _step_by_step(self, hand: Hand, goal: Mapping[str, Any]) -> Any:
        """A world in another process: each delivery is foreseen, and this process's clock put at it before it is made.

        An answer of the application may change what comes next, so it is foreseen anew after each.
        """
        told = self._moved({"by": "0s"})
        if "by" in goal:
            goal = {"to": format_instant(self._present_ms() + parse_duration(goal["by"]))}
        elif goal.get("until") == "next":
            goal = {"to": self._moved({**goal, "dry_run": True})["to"]}
        while True:
            dry = self._moved({**goal, "dry_run": True})
            ahead = [attempt["at"] for attempt in dry["deliveries"]]
            stop_ms = max(parse_instant(ahead[0]), parse_instant(told["to"]) + SECOND) if ahead else 0
            hand.held_ms = min(stop_ms or LATEST_MS, parse_instant(dry["to"]))
            told = _joined(told, self._moved({"to": format_instant(hand.held_ms)} if ahead else goal))
            if not ahead:
                return told

    def _moved(self, goal: Mapping[str, Any]) -> Any:
        return self.control("POST", "/clock/advance", goal)

    def _follow(self) -> None:
        """After a leap to another moment, in a world of another process, this process's clock goes there too."""
        if self.hand is not None and self.hand.held_ms is not None:
            self.hand.held_ms = self._present_ms()


def written(instant: str | datetime | None) -> str | None:
    """An instant as the control plane takes it; ValueError for one without a time zone, which could mean anything."""
    if not isinstance(instant, datetime):
        return instant
    if instant.tzinfo is None:
        raise ValueError(f"{instant!r} has no time zone; say datetime(..., tzinfo=UTC)")
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _joined(first: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **then,
        "from": first["from"],
        "fired": [*first["fired"], *then["fired"]],
        "fired_count": first["fired_count"] + then["fired_count"],
        "deliveries": [*first["deliveries"], *then["deliveries"]],
        "delivery_count": first["delivery_count"] + then["delivery_count"],
    }
