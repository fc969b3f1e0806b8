"""What rules read: the data of a trace with indexes that are made once, when a rule first asks.

Nothing here decides anything. Entries are those of the trace (docs/reference/trace-format.md); records have their keys,
such as `order/0`, and members as they are after the last entry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks.event import EVENT as EVENTS
from giftsim.engine.webhooks.event import Event
from giftsim.workbench.why.about import KINDS, About, Expected
from giftsim.workbench.why.failure import Failure, read_failure
from giftsim.workbench.why.index import Index, index_of
from giftsim.workbench.why.verdict import Mark

Entry = Mapping[str, Any]
T = TypeVar("T")
WORDS = {ref: kind for kind, refs in KINDS.items() for ref in refs}  # how people call what answers refer to
SUBJECTS = frozenset(WORDS) - {"event", "call"}
MOST_SUBJECTS = 20  # of which a test may mean any, because it names none
LONGEST_NUMBER = 16  # digits of an id


class Subject(NamedTuple):
    """A record that a question is about: as answers refer to it, with the keys of all records that belong to it."""

    ref: str
    id: int | str
    keys: tuple[str, ...]

    def __str__(self) -> str:
        return f"{WORDS.get(self.ref, self.ref)} {self.id}"


class Facts:
    """The facts of one question. `state` is the world's at the end, which nothing may change; `test` is what a failed
    test told of itself, as `POST /worlds/{w}/trace` takes it.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        about: About | None,
        state: State,
        test: Mapping[str, Any] | None = None,
        index: Index | None = None,
    ) -> None:
        self.data, self.about, self.state, self.test = data, about, state, test or {}
        self.index = index or index_of(data)
        self.entries: Sequence[Entry] = data["entries"]
        self.records: Mapping[str, Mapping[str, Any]] = data["records"]
        self.now: str = data["world"]["now"]
        self._made_once: dict[Callable[[Facts], Any], Any] = {}

    def once(self, make: Callable[[Facts], T]) -> T:
        """What a function makes of these facts, which several rules need and which is made once."""
        if make not in self._made_once:
            self._made_once[make] = make(self)
        made: T = self._made_once[make]
        return made

    # The question

    @cached_property
    def failure(self) -> Failure:
        """What the failed test names: records, event types, statuses, and its values. Empty without a test."""
        return read_failure(self.test.get("failure", {}), self.state)

    @cached_property
    def expected(self) -> Expected | None:
        """What was expected: by the question, or else by the assertion of the test."""
        return self.about.expected if self.about is not None else self.failure.expected

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """The records that the question is about: that one, or those that the test names, or the newest ones of all;
        the newest first.
        """
        if self.about is not None:
            return self.named({self.about.id}, KINDS[self.about.kind])
        for ids in self.failure.ids:
            if named := self.named(ids):
                return named
        return tuple(islice(self._subjects(), MOST_SUBJECTS))

    @cached_property
    def names_none(self) -> bool:
        """Whether a test names no record that there is, so that it may mean any."""
        return self.about is None and not any(self.named(ids) for ids in self.failure.ids)

    def _subjects(self) -> Iterator[Subject]:
        refs = self.index.of_ref
        return (Subject(*ref, tuple(refs[ref])) for ref in reversed(refs) if ref[0] in SUBJECTS)

    def named(self, ids: Collection[str], kinds: Collection[str] = WORDS) -> tuple[Subject, ...]:
        """The subjects of some kinds with one of some ids, the newest first."""
        every: set[int | str] = {*ids, *(int(each) for each in ids if each.isdecimal() and len(each) < LONGEST_NUMBER)}
        refs = self.index.of_ref
        asked = ((kind, id_) for kind in kinds if kind in SUBJECTS for id_ in every)
        places = {ref: self._place(refs[ref][0]) for ref in asked if ref in refs}
        return tuple(Subject(*ref, tuple(refs[ref])) for ref in sorted(places, key=places.__getitem__, reverse=True))

    def _place(self, key: str) -> tuple[int, int]:
        """Where a record comes among all: by the entry that first changed it, else by its slot."""
        entries = self.changing(key)
        return entries[0]["n"] if entries else 0, int(key.rpartition("/")[2])

    def subject_of(self, key: str | None) -> Subject | None:
        """The subject that the record with a key belongs to."""
        of = self.records.get(key or "", {}).get("of")
        if of is None or of["kind"] not in SUBJECTS:
            return None
        ref = of["kind"], of["id"]
        return Subject(*ref, tuple(self.index.of_ref[ref]))

    # Entries

    def entry(self, n: int) -> Entry:
        """The entry with a number."""
        return self.entries[n - 1]

    def of_kind(self, kind: str) -> Sequence[Entry]:
        """The entries of a kind, such as `call`, in order."""
        return self.index.of_kind.get(kind, ())

    def changing(self, *keys: str) -> Sequence[Entry]:
        """The entries that changed any of some records, in order."""
        if len(keys) == 1:
            return self.index.changing.get(keys[0], ())
        found = {entry["n"]: entry for key in keys for entry in self.index.changing.get(key, ())}
        return [found[n] for n in sorted(found)]

    def added(self, kind: str) -> Sequence[tuple[Entry, Mapping[str, Any]]]:
        """The entries that added records of a kind, in order, each with the change: `{record, what, members}`."""
        return self.index.added.get(kind, ())

    def change(self, entry: Entry, key: str) -> Mapping[str, Any] | None:
        """What an entry changed of a record: `{what, members}`; None if nothing."""
        return next((each for each in entry.get("changes", ()) if each["record"] == key), None)

    def became(self, key: str, member: str, value: Any) -> Entry | None:
        """The last entry with which a member of a record got a value."""
        for entry in reversed(self.changing(key)):
            change = self.change(entry, key)
            if change is None or member not in change["members"]:
                continue
            now = change["members"][member]
            if value == (now[1] if change["what"] == "changed" else now if change["what"] == "added" else None):
                return entry
        return None

    def causes(self, entry: Entry, how: str) -> Sequence[Entry]:
        """The entries that led to one in a way, such as `fault`."""
        return [self.entry(cause["n"]) for cause in entry.get("causes", ()) if cause["how"] == how]

    # Records

    @cached_property
    def final(self) -> Mapping[str, Mapping[str, Any]]:
        """The members of each record after the last entry. Those that were removed are left out."""
        return _Final(self.data["start"]["records"], self.records, self.index.changing)

    def keys(self, kind: str) -> Sequence[str]:
        """The keys of the records of a kind, such as `endpoint`, as long as there is one, in their order."""
        return [key for key in self.index.keys.get(kind, ()) if key in self.final]

    def keys_of(self, subject: Subject, kind: str) -> Sequence[str]:
        """The keys of what belongs to a subject and is of a kind, such as `parcel`."""
        return [key for key in subject.keys if key.startswith(f"{kind}/")]

    def made(self, key: str) -> Entry | None:
        """The entry that added a record; None if the trace begins with it."""
        entries = self.changing(key)
        change = self.change(entries[0], key) if entries else None
        return entries[0] if change is not None and change["what"] == "added" else None

    def made_subject(self, subject: Subject) -> Entry | None:
        """The entry that made a subject; None if the trace begins with it."""
        return next((entry for key in subject.keys if (entry := self.made(key)) is not None), None)

    def credential_of(self, subject: Subject) -> str | None:
        """The name of the credential with which a subject was made."""
        entry = self.made_subject(subject)
        return entry.get("call", {}).get("credential") if entry is not None else None

    # Calls

    @property
    def calls(self) -> Sequence[Entry]:
        """The calls of clients, in order."""
        return self.of_kind("call")

    def call(self, seq: int) -> Entry | None:
        """The call with a number in `GET /calls`."""
        return next((entry for entry in self.calls if entry["call"].get("seq") == seq), None)

    @cached_property
    def called(self) -> Entry | None:
        """The call that the question is about: by its number, or the last that was answered as a test complains."""
        if self.about is not None:
            return self.call(int(self.about.id)) if self.about.kind == "call" else None
        if self.expected is None or self.expected.kind != "answer":
            return None
        return self.answered(self.failure.actual)

    def answered(self, status: str | None) -> Entry | None:
        """The last call that was answered with an HTTP status, given as text; None if none was."""
        found = self.index.calls.of_status.get(int(status)) if status and status.isdecimal() else None
        return found[-1] if found else None

    # Events and deliveries

    @property
    def events(self) -> Sequence[Entry]:
        """The webhook events, in order, with and without subscribers."""
        return self.of_kind("event")

    def events_of(self, subject: Subject | None, type_: str | None = None) -> Sequence[Entry]:
        """The events about a subject, or all for None, in order; only those of a type, if given."""
        events = self.events
        if subject is not None:
            own = (entry for key in subject.keys for entry in self.index.events.get(key, ()))
            events = sorted(own, key=lambda entry: int(entry["n"]))
        return [entry for entry in events if type_ in (None, entry["event"]["type"])]

    @cached_property
    def asked_events(self) -> Sequence[Entry]:
        """The events that the question is about: that one, or those of the expected type about its subjects."""
        if self.about is not None and self.about.kind == "event":
            return [entry for entry in self.events if entry["event"]["id"] == self.about.id]
        if self.expected is None or self.expected.kind != "event":
            return []
        found = [entry for each in self.subjects for entry in self.events_of(each, self.expected.value)]
        return found if self.subjects else self.events_of(None, self.expected.value)

    def event_row(self, entry: Entry) -> Event | None:
        """The record of an event in the state, which also names its owner; None if it was dropped."""
        slot = self._event_slots.get(entry["event"]["id"])
        return None if slot is None else self.state[EVENTS].at(slot)

    @cached_property
    def _event_slots(self) -> Mapping[str, int]:
        return {row.id: row.n for row in self.state[EVENTS]}

    @cached_property
    def _attempts(self) -> Mapping[str, Sequence[Entry]]:
        found = defaultdict[str, list[Entry]](list)
        for entry in self.of_kind("attempt"):
            found[entry["attempt"]["event_id"]].append(entry)
        return found

    def attempts_of(self, event: Entry) -> Sequence[Entry]:
        """The attempts to deliver an event, in order."""
        return self._attempts.get(event["event"]["id"], ())

    # Timers

    def due(self, about: str = "") -> Sequence[Mapping[str, Any]]:
        """What is due after the last entry about a record, given its key, or about none: the timers, each with `by`."""
        return self.index.due(about)

    def timers_of(self, subject: Subject) -> Sequence[Mapping[str, Any]]:
        """What is due for a subject, the soonest first: the timers, each with `by`, the entry that set it."""
        return sorted((timer for key in subject.keys for timer in self.due(key)), key=lambda timer: timer["due"])


class _Final(Mapping[str, Mapping[str, Any]]):
    """The members of records, each found when it is first asked for; None for one that was removed."""

    def __init__(
        self, start: Mapping[str, Any], records: Mapping[str, Any], changing: Mapping[str, Sequence[Entry]]
    ) -> None:
        self._start, self._records, self._changing = start, records, changing
        self._found: dict[str, Mapping[str, Any] | None] = {}

    def __getitem__(self, key: str) -> Mapping[str, Any]:
        if key not in self._found:
            self._found[key] = self._members(key)
        members = self._found[key]
        if members is None:
            raise KeyError(key)
        return members

    def __iter__(self) -> Iterator[str]:
        return (key for key in self._records if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _members(self, key: str) -> Mapping[str, Any] | None:
        first: Mapping[str, Any] | None = self._start.get(key)
        members = None if first is None else dict(first)
        for entry in self._changing.get(key, ()):
            for change in (each for each in entry["changes"] if each["record"] == key):
                if change["what"] == "added":
                    members = dict(change["members"])
                elif change["what"] == "removed":
                    members = None
                else:
                    members = {**(members or {}), **{name: now for name, (_, now) in change["members"].items()}}
        return members


def mark(entry: Entry, what: str = "") -> Mark:
    """The mark of an entry, by default with its title."""
    return Mark(entry["n"], what or entry["title"])


def newest_entry(entries: Iterable[Entry]) -> Entry | None:
    """The last of some entries."""
    return max(entries, key=lambda entry: int(entry["n"]), default=None)
