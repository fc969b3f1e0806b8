"""The trace of a world: everything that happened to it, as data that a page shows and a simulator can play again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.own_kinds import DELIVERY, ENDPOINT
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.gateway.wsgi_app import WsgiApp
from giftsim.engine.kernel.instants import format_exact
from giftsim.engine.kernel.placeholders import ORIGIN, WORLD
from giftsim.engine.kernel.serializer import fingerprint
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.log.inputs import TimePassed
from giftsim.engine.provenance.record_json import describe_record, key_of_record, members_of
from giftsim.engine.webhooks.attempt import AppAnswer
from giftsim.engine.worlds.world import World
from giftsim.services.statements.statement import statement_texts
from giftsim.workbench.recording.event_log_as_scenario import EventLogTruncated, record_scenario
from giftsim.workbench.trace.entries import Entries
from giftsim.workbench.trace.facts import NONE, Facts, Redaction, add_facts, calls_elsewhere
from giftsim.workbench.trace.file import VERSION, pack_page
from giftsim.workbench.trace.playback import Input, Log, Playback, former_states, read_log
from giftsim.workbench.trace.redaction import hide_secrets
from giftsim.workbench.trace.trace_calls import Calls
from giftsim.workbench.trace.trace_deliveries import show_app_answers

if TYPE_CHECKING:
    from giftsim.workbench.why.about import About
    from giftsim.workbench.why.index import Index

_PLACEHOLDER = re.compile(r"(?<!\\)\\u000([12])")
MOST_AT_START = 500  # records of a kind that are in the first state although nothing changes them


class Source(NamedTuple):
    """What a trace is made from, read of a world at rest; `reason` says why there is no recording."""

    version: str
    world: World
    log: Log
    recording: str | None
    reason: str | None
    now_ms: int
    fingerprint: str
    answers: Sequence[AppAnswer]


def tracer(
    app: WsgiApp,
    version: str,
    world: World,
    state: State,
    forward: Mapping[str, str],
    simulated: Sequence[Interface],
    control: Interface,
) -> Callable[[bool, Facts], bytes]:
    """Read what the trace of a world needs. The caller holds its lock, and calls the result without it.

    The result makes the trace, as JSON for True, else as a page, with the facts of a test. `version` is that of
    giftsim, `forward` as for a recording.
    """
    try:
        recording, reason = record_scenario(world, state, forward, version, lambda: former_states(app, world)), None
    except EventLogTruncated as problem:
        recording, reason = None, problem.message
    source = read_source(version, world, state, recording, reason)

    def render_trace(as_json: bool, facts: Facts = NONE) -> bytes:
        data = build(app, source, simulated, control, facts)
        return data if as_json else pack_page(data, facts.get("test", {}).get("id", f"World {world.id}"))

    return render_trace


def explainer(
    app: WsgiApp,
    version: str,
    world: World,
    state: State,
    simulated: Sequence[Interface],
    control: Interface,
    asked: Mapping[str, Any],
) -> Callable[[], bytes]:
    """Read what verdicts need. The caller holds the world's lock, and calls the result, which finds them, without it.

    `asked` is a question, `about` and perhaps `expected`, or else the facts of a test, which has none if it did not
    fail. InvalidParameter, NothingKnown, InvalidPattern.
    """
    from giftsim.workbench.why.about import read_about

    calls = world.calls.log.next_seq - 1
    about = read_about(asked["about"], asked.get("expected"), state, calls) if "about" in asked else None
    redaction = Redaction(asked.get("redact", ()))
    source = read_source(version, world, state, None, None)

    def find_verdicts() -> bytes:
        if about is None and not _failure(asked):
            return msgspec.json.encode({"verdicts": []})
        played = play(app, source, simulated, control, NONE if about is not None else asked, with_index=True)
        verdicts = _verdicts(played, about, _told(played.data, asked, simulated) if about is None else None)
        found = msgspec.json.encode({"verdicts": verdicts}).decode()
        hidden = msgspec.json.decode(hide_secrets(_filled(found, world), played.states))
        return msgspec.json.encode(redaction.data(hidden))

    return find_verdicts


def _failure(facts: Facts) -> Any:
    return facts.get("test", {}).get("failure")


def build(
    app: WsgiApp, source: Source, simulated: Sequence[Interface], control: Interface, facts: Facts = NONE
) -> bytes:
    """The trace as JSON, from the source and the facts of a test. ReplayMismatch, InvalidPattern."""
    played = play(app, source, simulated, control, facts, with_index=bool(_failure(facts)))
    data = played.data
    if _failure(facts):  # a bug in what explains leaves the trace, without verdicts
        source.world.runtime.run_logged(lambda: _add_verdicts(played, _told(data, facts, simulated)))
    return _encoded(source, played.states, data, Redaction(facts.get("redact", ())))


def _told(data: Mapping[str, Any], facts: Facts, simulated: Sequence[Interface]) -> Facts:
    """What a test told of itself, with the calls that it made elsewhere."""
    prefixes = [each.contract.prefix for each in simulated]
    return {**facts["test"], "elsewhere": calls_elsewhere(data["entries"], facts, prefixes)}


def read_source(version: str, world: World, state: State, recording: str | None, reason: str | None) -> Source:
    """What a trace is made from. The caller holds the world's lock."""
    answers, log = tuple(world.app_answers), read_log(world.event_log)
    return Source(version, world, log, recording, reason, state.now_ms, fingerprint(state), answers)


class Played(msgspec.Struct, frozen=True):
    """The data of a trace before secrets are hidden, the state at its end, and its index, if it has one.

    `former` are the states that restores and resets replaced.
    """

    data: dict[str, Any]
    state: State
    former: Sequence[State]
    index: Index | None

    @property
    def states(self) -> Sequence[State]:
        """The last states of all branches, which know the secrets of the world."""
        return (*self.former, self.state)


def _add_verdicts(played: Played, test: Mapping[str, Any]) -> None:
    played.data["verdicts"] = _verdicts(played, None, test)


def _verdicts(played: Played, about: About | None, test: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Why a test failed, or the answer to a question. A run without a failure does not import what explains."""
    from giftsim.workbench.why.engine import verdicts

    return verdicts(played.data, about, played.state, test, played.index)


def play(
    app: WsgiApp,
    source: Source,
    simulated: Sequence[Interface],
    control: Interface,
    facts: Facts = NONE,
    *,
    with_index: bool = False,
) -> Played:
    """Apply the log again, and tell what happened. ReplayMismatch."""
    world = source.world
    playback = Playback(app, world, source.log)
    calls = Calls(simulated, control, playback.state, world.id, world.runtime.origin)
    entries = Entries(playback, calls)
    first = playback.state.share()
    timers = entries.begin(_begun(world, source.log.dropped))
    ends = _ends_of_advances(source.log.inputs)
    begun: Input | None = None
    former = list[State]()
    index = _new_index(timers) if with_index else None
    for moment in playback.moments():
        event = moment.input.event
        if moment.input is not begun and isinstance(event, TimePassed) and event.from_ms is not None:
            entries.advance(event.from_ms, ends[event.n])
        begun = moment.input
        former += [moment.former] if moment.former is not None else []
        entries.add(moment)
        if index is not None:
            entries.add_to(index)
    show_app_answers(entries.rows, source.answers)
    data = _data(source, playback.state, first, timers, entries, calls)
    if facts:
        add_facts(entries.rows, facts, world.id)
        data |= {"test": facts["test"]} if "test" in facts else {}
    if index is not None:
        entries.add_to(index)
        index.add_records(data["records"])
    return Played(data, playback.state, former, index)


def _new_index(timers: list[dict[str, Any]]) -> Index:
    from giftsim.workbench.why.index import Index

    return Index(timers)


def _begun(world: World, dropped: int) -> str:
    if dropped:
        return f"the trace begins after {dropped} earlier events, which are not kept"
    fixture = world.config.fixture
    return f"the world was made from {fixture if isinstance(fixture, str) else 'its own fixture'}"


def _ends_of_advances(log: Iterable[Input]) -> dict[int, int]:
    """The instant at which each advance ended, by the number of the event that begins it."""
    ends, begun = dict[int, int](), 0
    for each in log:
        if isinstance(each.event, TimePassed):
            begun = each.event.n if each.event.from_ms is not None else begun
            if begun:
                ends[begun] = each.event.to_ms
    return ends


def _data(
    source: Source, state: State, first: State, timers: list[dict[str, Any]], entries: Entries, calls: Calls
) -> dict[str, Any]:
    world, config = source.world, source.world.config
    named = {name for operation in calls.operations.values() for name in operation["sources"]}
    return {
        "version": VERSION,
        "giftsim": source.version,
        "world": {
            "id": world.id,
            **({"name": world.name} if world.name else {}),
            "fixture": config.fixture if isinstance(config.fixture, str) else "inline",
            "seed": config.seed,
            "began": format_exact(first.now_ms),
            "now": format_exact(source.now_ms),
            "same": fingerprint(state) == source.fingerprint,
        },
        "start": {"records": _start(first, entries), "timers": timers, "settings": first.setting_values},
        "entries": entries.rows,
        "records": dict(_described(state, first, entries)),
        "operations": calls.operations,
        "statements": statement_texts(sorted(named)),
    }


def _encoded(source: Source, states: Sequence[State], data: dict[str, Any], redaction: Redaction) -> bytes:
    """The trace as JSON without secrets. The recording has none, unless there is more to hide."""
    text = hide_secrets(_filled(msgspec.json.encode(data).decode(), source.world), states)
    recording, reason = source.recording, source.reason
    if redaction:
        text = msgspec.json.encode(redaction.data(msgspec.json.decode(text))).decode()
        if recording is not None and redaction.text(recording) != recording:
            recording, reason = None, "the recording has what the trace was asked to hide"
    more = {"recording": recording} if reason is None else {"not_recorded": reason}
    return text[:-1].encode() + b"," + msgspec.json.encode(more)[1:]


def _filled(text: str, world: World) -> str:
    """JSON with the origin and the world's id in place of their placeholders, which it has escaped."""
    if "\\u000" not in text:
        return text
    places = {ORIGIN: world.runtime.origin, WORLD: world.id}
    if "\\\\u000" in text:  # a text with a backslash before it
        return _PLACEHOLDER.sub(lambda match: places[chr(int(match[1]))], text)
    return text.replace("\\u0001", places[ORIGIN]).replace("\\u0002", places[WORLD])


def _shown(state: State) -> Sequence[TableSpec[Any]]:
    """The kinds of records that the state at an instant is told by."""
    return (*service_of(state).started_by, ENDPOINT.table, DELIVERY.table, FAULTS)


def _start(first: State, entries: Entries) -> dict[str, Any]:
    """The records before the first entry: those that change, and those that show the state."""
    service = service_of(first)
    rows: dict[tuple[str, int], Record] = {
        (spec.name, row.n): row for spec in _shown(first) for row in first[spec].rows[:MOST_AT_START] if row is not None
    }
    rows |= {key: row for key, row in entries.touched.items() if row is not None and first.table(key[0]).at(key[1])}
    return {
        key_of_record(service, table, n): members_of(service, table, row)
        for (table, n), row in rows.items()
        if table in first.definitions.tables
    }


def _described(state: State, first: State, entries: Entries) -> Iterable[tuple[str, dict[str, Any]]]:
    service = service_of(state)
    shown = {
        (spec.name, row.n): row for spec in _shown(first) for row in first[spec].rows[:MOST_AT_START] if row is not None
    }
    for table, n in {**dict.fromkeys(shown), **dict.fromkeys(entries.touched)}:
        row = state.table(table).at(n) or entries.touched.get((table, n)) or shown.get((table, n))
        if row is not None:
            yield key_of_record(service, table, n), describe_record(state, table, row)
