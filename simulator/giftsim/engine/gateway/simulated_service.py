"""A simulated service as the engine knows it: one object that names all its pieces.

Its object is in `services/*/service.py`. The engine finds it as the merged services of a simulator (`service_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.effect_types import EffectType, EffectTypes
from giftsim.engine.gateway.need import Health
from giftsim.engine.gateway.other_readings import Reading
from giftsim.engine.gateway.reason import Question, Reason
from giftsim.engine.gateway.record_kind import LEFT_OUT, Kind, Ref
from giftsim.engine.gateway.record_search import Search
from giftsim.engine.gateway.secret_kinds import Secrets, SecretTable
from giftsim.engine.kernel import definitions as package_definitions
from giftsim.engine.kernel.definitions import PackageDefinitions
from giftsim.engine.kernel.signals import Signal
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.engine.webhooks.attempt import Attempt
from giftsim.engine.webhooks.endpoint import Endpoint
from giftsim.engine.webhooks.event import Event

if TYPE_CHECKING:
    from giftsim.engine.gateway.documents import Documents, Entry, Observed, Settings
    from giftsim.engine.gateway.rehearsal import Rehearsal
    from giftsim.engine.worlds.registry import Registry

R = TypeVar("R", bound=Record)
Facts = Mapping[str, Any]


class Simulated(msgspec.Struct, frozen=True):
    """An interface of a service: its base path and contract, and what makes it, which its first call runs."""

    base: str
    contract: Path
    make: Callable[[], Interface]


class Credentials(msgspec.Struct, frozen=True):
    """The credentials of a service. Values contain the id of the world, which its state does not know (G1).

    `every` lists each that works by name, as `{type, ..., headers}`. `in_headers` is the name of the one that a call
    has, or None. `named` is the name of the one with a name or a value; it raises KeyNotFound. `interface` is the
    interface that the one with a name calls; None if its name begins with it. `shared` are names that several have.
    """

    every: Callable[[State, str], Mapping[str, Any]]
    in_headers: Callable[[State, str, Mapping[str, str]], str | None]
    named: Callable[[State, str, str], str] | None = None
    interface: Callable[[str], str | None] = lambda _name: None
    shared: Callable[[State], Collection[str]] = lambda _state: ()


class Owner(msgspec.Struct, frozen=True):
    """Who owns events and endpoints, by the first word of their `owner`, such as `account` of `account 3`.

    `data(state, kind, subject, facts, now_ms)` is the JSON of `data` in a webhook, `table(event)` the table with the
    subject of an event, one of `tables`. `ids(state, owner)` are the members that name the owner. `test(state,
    endpoint, kind, data)` sends a test event as the owner's own call does, with another kind and data where they are
    given. Events of an owner `at_once` do not wait for the full hour.
    With `shows_key` views of endpoints name the key that made them.
    """

    interface: str
    data: Callable[[State, str, int, Facts, int], bytes]
    table: Callable[[Event], str]
    tables: Sequence[str]
    ids: Callable[[State, str], Mapping[str, Any]]
    test: Callable[[State, Endpoint, str | None, Facts | None], Attempt]
    at_once: bool = False
    shows_key: bool = False


class Output(msgspec.Struct, frozen=True):
    """What a service sends out other than by webhooks, such as mail: a table that only grows, of which the feed tells.

    `name` is also the word in the feed. `view(row)` is a row without what differs from world to world, of which
    `brief` are the members that the effects of a call show. `words(row)` and `title(row)` are it as text, in the feed
    and in a trace, and `facts(row)` are its members there. `tokens(row)` are texts by which it is known later.
    """

    name: str
    kind: Kind[Any]
    view: Callable[[Any], Mapping[str, Any]]
    words: Callable[[Any], str]
    title: Callable[[Any], str]
    facts: Callable[[Any], Mapping[str, Any]]
    brief: Sequence[str] = ("seq",)
    tokens: Callable[[Any], Iterable[str]] = lambda _row: ()


class Activity(msgspec.Struct, frozen=True):
    """A member of a line of the activity log: what a call added to a table, whose rows it made are from `first` on.

    `value(state, first, end)` is it as JSON, `words(value)` as text. What `leads` stands before the events.
    """

    name: str
    table: TableSpec[Any]
    value: Callable[[State, int, int], Any]
    words: Callable[[Any], Sequence[str]]
    leads: bool = False


class Greeting(msgspec.Struct, frozen=True):
    """What `giftsim serve` says of a service: `interfaces(origin, world)` are rows of a name, an address and how to
    call it; `steps(origin, control, state)` are calls to try.
    """

    interfaces: Callable[[str, str], Sequence[tuple[str, str, str]]]
    steps: Callable[[str, str, State], str] | None = None


class Page(msgspec.Struct, frozen=True):
    """Pages that a service has outside its contracts, for people without a credential, such as a form to fill in.

    `path` is theirs, with `{w}` for the world, and `title` says what they are. The feed and a trace tell of a use as
    of `name`, for which `words(state, slot)` are the record and the text. `operation` is what faults call a use.
    `errors()` are the words for errors there (pages.errors.ErrorWords).
    """

    name: str
    path: str
    title: str
    words: Callable[[State, int], tuple[Ref | None, str]]
    operation: str = ""
    errors: Callable[[], Any] | None = None

    @property
    def prefix(self) -> str:
        """How the paths of these pages begin."""
        return self.path.partition("{")[0]


class Ledger(msgspec.Struct, frozen=True):
    """The money of a service: a table of entries that only grows, each with `postings` to accounts that add up to zero.

    `move(entry)` is an entry as JSON, `name` the public name of an account in it, `together` the account as which
    those of a kind count. `balances(sides, found)` are the accounts whose money differs between two worlds.
    """

    entries: TableSpec[Any]
    move: Callable[[Any], Mapping[str, Any]]
    name: Callable[[str], str]
    together: Callable[[str], str]
    balances: Callable[[Any, Mapping[str, Any]], Sequence[Mapping[str, Any]]]


class FoldedWorld(Protocol):
    """A world of which coverage collects what was met in it, into the sets of `met`."""

    met: Any

    def added(self, state: State, spec: TableSpec[R]) -> Iterable[R]:
        """The records that were added to a table since the last time."""

    def since_start(self, state: State, spec: TableSpec[R]) -> Iterable[R]:
        """The records that were added to a table since the world is followed."""


class Coverage(msgspec.Struct, frozen=True):
    """What coverage asks a service, beside its contracts and machines.

    `permissions(state, world, credential)` is what a credential may do, in the words of the contracts. `note(state,
    world)` notes the `expiries` that were met or are possible, and the endings of records that no transition shows.
    `outcomes` are rare endings with the machines whose records have them, `endings` those that a trigger or a
    transition leads to. Days are those of `zone`. `verbs()` are the verbs of the control API, each with its `name` and
    `members`, that fire a trigger of a machine.
    """

    permissions: Callable[[State, str, str], Collection[str]] = lambda _state, _world, _credential: ()
    note: Callable[[State, FoldedWorld], None] = lambda _state, _world: None
    zone: str = "UTC"
    expiries: Sequence[str] = ()
    outcomes: Mapping[str, Collection[str]] = {}
    endings: Mapping[str, str] = {}
    verbs: Callable[[], Mapping[tuple[str, str], Any]] = dict


class MagicRow(Protocol):
    """A magic value as a row of the reference; `source` are ids with commas."""

    @property
    def value(self) -> str: ...

    @property
    def found_in(self) -> str: ...

    @property
    def means(self) -> str: ...

    @property
    def source(self) -> str: ...


# Makes a WSGI application from that of the simulator, the version of giftsim, and what knows the hosts of a call.
Mount = Callable[[Any, str, Callable[[Mapping[str, Any]], bool]], Callable[..., Any]]
Seed = Callable[[State, Mapping[str, Any]], None]


class Service(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """A simulated service. Every member is an extension point: extension_points.py says what each is."""

    name: str
    interfaces: Mapping[str, Simulated] = {}
    definitions: PackageDefinitions = PackageDefinitions()
    seeds: Sequence[Seed] = ()
    fixture_checks: Sequence[Callable[[Mapping[str, Any], Callable[[str, str], Schema]], None]] = ()
    credentials: Sequence[Credentials] = ()
    secrets: Sequence[Secrets] = ()
    owners: Mapping[str, Owner] = {}
    webhook_kinds: Sequence[str] = ()
    outputs: Sequence[Output] = ()
    ledger: Ledger | None = None
    pages: Sequence[Page] = ()
    web: Sequence[Callable[[Registry], Any]] = ()
    mounts: Mapping[str, Mount] = {}
    readings: Sequence[Mapping[str, Reading]] = ()
    after_settings: Sequence[Callable[[State, Collection[str]], None]] = ()
    kinds: Sequence[Kind[Any]] = ()
    searches: Sequence[Callable[[], Sequence[Search[Any]]]] = ()
    areas: Sequence[str] = ()
    health: Sequence[Callable[[], Sequence[Health]]] = ()
    counts: Mapping[str, Callable[[State], int]] = {}
    unsaid: frozenset[str] = frozenset()
    slots: Mapping[str, Kind[Any]] = {}
    prefixes: Sequence[str] = ()
    started_by: Sequence[TableSpec[Any]] = ()
    activity: Sequence[Activity] = ()
    greetings: Sequence[Greeting] = ()
    magic: Sequence[Callable[[], Iterable[MagicRow]]] = ()
    rehearsals: Sequence[Callable[[], Sequence[Rehearsal]]] = ()
    reasons: Sequence[Callable[[State, Question], Sequence[Reason]]] = ()
    effects: Sequence[EffectType] = ()
    coverage: Sequence[Coverage] = ()
    families: Sequence[str] = ()
    read_documents: Sequence[Callable[[], Documents]] = ()

    @cached_property
    def documents(self) -> Documents:
        """What the documents say, of all services; nothing without a reader."""
        from giftsim.engine.gateway.documents import Documents

        return next((read() for read in self.read_documents), Documents())

    def entries(self, settings: Settings) -> list[Entry]:
        """The statements about it, then the decisions, with the settings that change these."""
        from giftsim.engine.gateway.documents import with_observed

        about = (entry for entry in self.documents.entries(settings) if entry.family in self.families)
        return with_observed(about, self.documents.observed)

    def with_observed(self, observed: Mapping[str, Observed]) -> Service:
        """This service, whose statements and decisions recorded traffic has shown so."""
        if not observed:
            return self
        documents = msgspec.structs.replace(self.documents, observed=observed)
        return msgspec.structs.replace(self, read_documents=(lambda: documents,))

    @cached_property
    def kind_of_table(self) -> Mapping[str, Kind[Any]]:
        """The kind of the records of a table, by its name."""
        return {kind.table.name: kind for kind in self.kinds}

    @cached_property
    def output_tables(self) -> tuple[TableSpec[Any], ...]:
        """The tables of its outputs."""
        return tuple(output.kind.table for output in self.outputs)

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The path of each interface and of each page, with `{w}` for the world."""
        bases = {name: interface.base for name, interface in self.interfaces.items()}
        return bases | {page.name: page.path for page in self.pages}

    @cached_property
    def kind_of_timer(self) -> Mapping[str, Kind[Any]]:
        """The kind of the records that timers are about, by the owner of the timer."""
        return {owner: kind for kind in self.kinds for owner in kind.timer_owners}

    @cached_property
    def secret_table(self) -> SecretTable:
        """All kinds of its secrets, by which texts are shown without them."""
        return SecretTable([kind for each in self.secrets for kind in each.kinds])

    @cached_property
    def effect_types(self) -> EffectTypes:
        """The types of effects of faults."""
        return EffectTypes(self.effects)

    def page(self, path: str) -> Page | None:
        """The page that a path is of; None for any other path."""
        return next((page for page in self.pages if path.startswith(page.prefix)), None)

    def word(self, table: str) -> str:
        """What people call a record of a table."""
        kind = self.kind_of_table.get(table)
        if kind is not None:
            return kind.name
        prefix = next((each for each in self.prefixes if table.startswith(each)), "")
        name = table.removeprefix(prefix).replace(".", "_").replace(" ", "_")
        return name if prefix else name.removesuffix("s")

    def hidden(self, table: str) -> frozenset[str]:
        """The columns of a table that people do not see."""
        kind = self.kind_of_table.get(table)
        return LEFT_OUT | kind.hidden if kind else LEFT_OUT

    @cached_property
    def logs(self) -> Mapping[str, Callable[[Any], object]]:
        """What makes two rows the same, for each table that only grows. Their slots are an order in time only."""
        return {kind.table.name: kind.same for kind in self.kinds if kind.same is not None}

    def owner(self, owner: str) -> Owner:
        """Who an `owner` such as `account 3` is. KeyError if no service knows such owners."""
        return self.owners[owner.partition(" ")[0]]


SERVICES: Signal[Service] = Signal("services")  # not a function, but what is told itself


def service_of(state: State) -> Service:
    """The services of the simulator that a state belongs to, merged into one."""
    service: Service = state.definitions.handlers[SERVICES]  # one call less than by `handler`
    return service


def merge(*services: Service) -> Service:
    """All pieces of several services as one. DefinedTwice where two have a piece of the same name."""
    for what in ("interfaces", "owners", "counts", "slots", "mounts"):
        _check(what, (name for service in services for name in getattr(service, what)))
    for what in ("outputs", "pages", "kinds", "effects"):
        _check(what, (each.name for service in services for each in getattr(service, what)))
    pieces: dict[str, Any] = {name: _joined([getattr(each, name) for each in services]) for name in _JOINED}
    ledgers = [service.ledger for service in services if service.ledger is not None]
    _check("ledger", ("ledger" for _ in ledgers))
    return Service(
        name=", ".join(service.name for service in services),
        definitions=package_definitions.merge_definitions(*(service.definitions for service in services)),
        ledger=ledgers[0] if ledgers else None,
        **pieces,
    )


_JOINED = tuple(name for name in Service.__struct_fields__ if name not in ("name", "definitions", "ledger"))


def _joined(pieces: Sequence[Any]) -> Any:
    if isinstance(pieces[0], Mapping):
        return {name: value for piece in pieces for name, value in piece.items()}
    if isinstance(pieces[0], frozenset):
        return frozenset().union(*pieces)
    return tuple(each for piece in pieces for each in piece)


def _check(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise package_definitions.DefinedTwice(f"two services have the {what} {twice[0]}")
