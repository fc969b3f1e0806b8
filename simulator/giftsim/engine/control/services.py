"""What the handlers of the control API use of the packages above it, passed in by the composition root."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

from giftsim.engine.gateway.call import Call, Interface
from giftsim.engine.gateway.simulated_service import Service
from giftsim.engine.kernel.setting import Setting
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import WorldConfig
from giftsim.engine.worlds.world import World

if TYPE_CHECKING:
    from giftsim.engine.replay.undo import Undone

Views = Sequence[dict[str, Any]]


class Scenarios(Protocol):
    """The scenario library and the stepping sessions of this process, as JSON."""

    def entries(self, keep: Callable[[str], bool] | None) -> Views:
        """The scenarios of the library, those with a text that `keep` accepts."""

    def read(self, name: str) -> dict[str, Any]:
        """One scenario of the library."""

    def sessions(self) -> Views:
        """The stepping sessions, without their steps."""

    def begin(self, text: str | None, name: str | None, limit: int) -> dict[str, Any]:
        """Begin a session with a text or a scenario of the library."""

    def show(self, session_id: str, after: int, limit: int) -> dict[str, Any]:
        """A session with its steps after number `after`."""

    def play(self, session_id: str, steps: int | None, limit: int) -> dict[str, Any]:
        """Play the next steps of a session, all for None."""

    def stop(self, session_id: str, *, keep: bool) -> dict[str, Any]:
        """End a session."""


class Coverage(Protocol):
    """What was met in the worlds of this process, as facts that `report` judges."""

    def met_in(self, world: World, /) -> Any:
        """What was met in a world, whose lock the caller holds."""

    def met_in_all(self) -> Any:
        """What was met in all worlds, with those that were deleted."""

    def report(self, met: Any, /, *, with_next: bool) -> dict[str, Any]:
        """The coverage, and the next steps of what is missing if they are wanted."""


class Services(msgspec.Struct, frozen=True, eq=False):
    """Functions and tables of other packages.

    `service` is what is simulated, `settings` are those that all worlds share, `simulated()` the interfaces that faults
    match and usage counts. `play(text, keep)` plays a scenario and returns its report. `scenarios()` are the library
    and the stepping sessions, which load slowly. `undo_writes(world, count)` undoes client writes, and `undo_to(world,
    change_n, again_ms)` everything after a change. `reach_back(world, is_enough)` reads more of what can be undone from
    the journal file. `record(world, state)` returns the history of a world as a scenario in YAML. `trace(world, state)`
    reads what its trace needs; its result is a function that makes the trace without the world's lock, as JSON or as a
    page, with the facts of a test. `coverage()` keeps what was met. `open_trace(text, at, make)` plays a trace up to an
    entry, in the world that `make` makes. `why(world, state, asked)` does the same as `trace` for the verdicts on a
    question, or on a test by its facts. `describe_fixtures()` lists what a world can start with. `reference` keeps
    the rows of the reference once a call has made them.
    """

    version: str
    settings: Mapping[str, Setting[Any]]
    service: Service
    simulated: Callable[[], Sequence[Interface]]
    play: Callable[[str, bool], dict[str, Any]]
    scenarios: Callable[[], Scenarios]
    undo_writes: Callable[[World, int], Undone]
    undo_to: Callable[[World, int, int], Undone]
    reach_back: Callable[[World, Callable[[], bool]], None]
    record: Callable[[World, State], str]
    trace: Callable[[World, State], Callable[[bool, Mapping[str, Any]], bytes]]
    why: Callable[[World, State, Mapping[str, Any]], Callable[[], bytes]]
    coverage: Callable[[], Coverage]
    open_trace: Callable[[str, int | None, Callable[[WorldConfig], World]], World]
    describe_fixtures: Callable[[], Views]
    reference: dict[str, list[dict[str, Any]]] = msgspec.field(default_factory=dict)


def services_of(call: Call) -> Services:
    """The services of the control API."""
    return cast(Services, call.interface.services)
