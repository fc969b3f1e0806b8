"""What stood when an entry of a trace happened: endpoints and receivers; and who took an attempt to send a webhook."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from giftsim.engine.webhooks.outgoing import DELIVERED
from giftsim.engine.webhooks.receiver import ANY_HOST, HOLD
from giftsim.workbench.why.facts import Entry, Facts

# The app, to which a test passed it on; a server to which giftsim forwards; somebody by hand, through the control API;
# what a test set the host to answer; giftsim, which answers 200 where nothing is set.
APP, SERVER, HAND, SET, GIFTSIM = "app", "server", "hand", "set", "giftsim"
ENDPOINT, RECEIVER = "endpoint", "webhooks_receiver"
_COUNTS: Final = frozenset(
    {"used", "pending", "dead"}
)  # members that change without anybody setting them, and that nobody asks for


class Standing(NamedTuple):
    """The members of a record as they were, and the entry that set them last; None if they were so from the start."""

    members: Mapping[str, Any]
    entry: Entry | None


def standing(facts: Facts, kind: str, n: int) -> dict[str, Standing]:
    """The records of a kind as they were before entry `n`, by their keys, in order; without their counts."""
    start = facts.data["start"]["records"]
    keys = sorted(facts.index.keys[kind], key=lambda key: int(key.partition("/")[2]))
    found = {key: Standing(start[key], None) for key in keys if key in start}
    for entry in facts.changing(*keys):
        if entry["n"] >= n:
            break
        for change in entry["changes"]:
            if change["record"].startswith(f"{kind}/"):
                _change(found, entry, change)
    return found


def _change(found: dict[str, Standing], entry: Entry, change: Mapping[str, Any]) -> None:
    key, members = change["record"], change["members"]
    if change["what"] == "added":
        found[key] = Standing(members, entry)
    elif change["what"] == "removed":
        found.pop(key, None)
    elif (former := found.get(key)) and not members.keys() <= _COUNTS:
        found[key] = Standing({**former.members, **{name: after for name, (_, after) in members.items()}}, entry)


class Taken(NamedTuple):
    """An attempt, who took it, and what its host was set to do."""

    entry: Entry
    by: str
    receiver: Standing | None

    @property
    def attempt(self) -> Mapping[str, Any]:
        """The facts of the attempt."""
        found: Mapping[str, Any] = self.entry["attempt"]
        return found

    @property
    def is_accepted(self) -> bool:
        """Whether it was answered with a 2xx status."""
        return bool(self.attempt["outcome"] == DELIVERED)

    @property
    def is_apps(self) -> bool:
        """Whether the app itself took it."""
        return self.by in (APP, SERVER)

    @property
    def host(self) -> str:
        """The host to which it was sent."""
        return str(self.attempt["url"]).partition("://")[2].partition("/")[0].partition(":")[0]

    def answer(self, facts: Facts) -> str:
        """What was answered, if it is known: the beginning of a body."""
        if "answered_by" in self.attempt:
            return str(facts.entry(self.attempt["answered_by"])["answer"].get("body", ""))
        return str(self.attempt.get("answer", ""))

    @property
    def who(self) -> str:
        """Who took it, as the subject of a sentence."""
        if self.by == SERVER:
            to = self.receiver.members.get("to") if self.receiver is not None else None
            return f"the server at {to}" if to else f"the server behind {self.host}"
        if self.by == SET:
            entry = self.receiver.entry if self.receiver is not None else None
            return f"the receiver of {self.host}" + (f", set in entry {entry['n']}," if entry else "")
        return {APP: "the app", HAND: f"the receiver of {self.host}, which waits for an answer by hand,"}.get(
            self.by, "giftsim"
        )


def find_taker(facts: Facts, entry: Entry) -> Taken:
    """Who took an attempt."""
    found = Taken(entry, GIFTSIM, None)
    set_at = facts.once(_receivers)
    by_host = set_at[bisect_left(set_at, entry["n"], key=lambda each: each[0]) - 1][1] if set_at else {}
    receiver = by_host.get(found.host) or by_host.get(ANY_HOST)
    return found._replace(by=_by(found.attempt, receiver), receiver=receiver)


def _receivers(facts: Facts) -> Sequence[tuple[int, Mapping[str, Standing]]]:
    """What each host was set to do, after each entry that set it. Using up a step of a script sets nothing."""
    keys = facts.index.keys[RECEIVER]
    setting = [entry["n"] for entry in facts.changing(*keys) if any(map(_sets, entry["changes"]))]
    return [
        (n, {each.members["host"]: each for each in standing(facts, RECEIVER, n + 1).values()})
        for n in (0, *setting)
        if keys
    ]


def _sets(change: Mapping[str, Any]) -> bool:
    is_receiver = change["record"].startswith(f"{RECEIVER}/")
    return is_receiver and not (change["what"] == "changed" and change["members"].keys() <= _COUNTS)


def _by(attempt: Mapping[str, Any], receiver: Standing | None) -> str:
    if attempt.get("passed_on"):
        return APP
    mode = receiver.members["mode"] if receiver is not None else None
    if "answered_by" in attempt or attempt["outcome"] is None:
        return HAND if mode == HOLD else SERVER
    return GIFTSIM if attempt["outcome"] == DELIVERED else SET
