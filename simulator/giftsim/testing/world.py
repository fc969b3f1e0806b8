"""What a test holds: one world, with everything that the control plane can do for it under the names a tester uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from giftsim.kernel.instants import format_instant
from giftsim.testing.actions import Outside
from giftsim.testing.clients import Clients
from giftsim.testing.clock import written
from giftsim.testing.control_client import ControlRefused, ask
from giftsim.testing.inbox import Inbox
from giftsim.testing.transport import Passage

if TYPE_CHECKING:
    from giftsim.scenario import Report


HOME = Path(__file__).parents[1]
SHELVES = (HOME / "_data" / "scenarios", HOME.parents[1] / "scenarios")
LATEST = 12


class Giftsim(Inbox, Outside, Clients):
    """A world of one's own: `call` and the clients act as the application, everything else as the world around it."""

    def __init__(self, passage: Passage, about: Mapping[str, Any]) -> None:
        super().__init__(passage, about)
        self._forks: list[Giftsim] = []

    def __repr__(self) -> str:
        return f"<Giftsim world {self.world} at {self.url}>"

    def fork(self) -> Giftsim:
        """Another world with the same state and the same future, and credentials of its own; it ends with this one."""
        twin = Giftsim(self.passage, self.control("POST", "/fork", {}))
        self._forks.append(twin)
        return twin

    def play(self, scenario: str | Path) -> Report:
        """Play a scenario in a fresh world: a Path, YAML as text, or the name of one of the library's
        (`partner/declined_card`); AssertionError shows its timeline.
        """
        from giftsim.scenario import load, play

        named = isinstance(scenario, str) and "\n" not in scenario
        report = play(load(_shipped(str(scenario)) if named else scenario), self.passage)
        if report.outcome != "passed":
            raise AssertionError(f"\n{report.timeline}")
        return report

    def seen(self) -> str:
        """The world as it stands, with its latest calls and deliveries, for the report of a test that failed."""
        try:
            calls, sent = self.listed("journal", "calls"), self.webhooks()
            lines = [f"it stands at {format_instant(self._present_ms())}, calls so far: {len(calls)}"]
        except (ControlRefused, ConnectionError) as error:
            return f"it cannot be looked into: {error}"
        for call in calls[-LATEST:]:
            asked, status = call["request"], (call["response"] or {}).get("status", "no answer")
            lines.append(f"  {call['at']}  {asked['method']} {asked['path']} -> {status}")
        return "\n".join([*lines, f"webhooks sent: {len(sent)}", *(f"  {hook}" for hook in sent[-LATEST:])])

    def end(self) -> None:
        """Delete the world and its forks; one that is gone already is no matter."""
        for twin in self._forks:
            twin.end()
        self._forks.clear()
        try:
            self.control("DELETE")
        except ControlRefused as refusal:
            if refusal.code != "world_not_found":
                raise


def _shipped(name: str) -> Path:
    for folder in SHELVES:
        path = folder / f"{name.removesuffix('.yaml')}.yaml"
        if path.is_file():
            return path
    raise FileNotFoundError(f"the library has no scenario {name!r}; name a file of your own as a pathlib.Path")


def make(passage: Passage, *, fixture: str | Mapping[str, Any] = "empty", seed: int = 1,
         now: str | datetime | None = None, settings: Mapping[str, Any] = MappingProxyType({})) -> Giftsim:  # fmt: skip
    """A fresh world whose clock stands, at 2027-01-04T09:00:00Z unless told (G8, G9)."""
    body: dict[str, Any] = {"fixture": fixture, "seed": seed}
    body |= {name: value for name, value in (("now", written(now)), ("settings", dict(settings))) if value}
    return Giftsim(passage, ask(passage, "POST", "/worlds", body))


@contextmanager
def world(passage: Passage, **config: Any) -> Iterator[Giftsim]:
    """A fresh world, deleted in the end."""
    handle = make(passage, **config)
    try:
        yield handle
    finally:
        handle.end()
