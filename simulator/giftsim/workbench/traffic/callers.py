"""Whose credential a recorded call has, and which credential of the world stands for it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from giftsim.workbench.compare.credentials import Credentials
from giftsim.workbench.compare.target import CannotCompare
from giftsim.workbench.traffic.bindings import Bindings
from giftsim.workbench.traffic.recorded_traffic import RecordedCall

UNAUTHORIZED: Final = 401
AUTHORIZATION, API_KEY, COOKIE = "authorization", "x-api-key", "cookie"
_SESSION: Final = re.compile(r"(?:^|;)\s*session=([^;\s]+)")
_HIDDEN: Final = re.compile(r"[*x.•…-]*|\W*(?:redacted|hidden|removed|sanitized|filtered)\W*", re.IGNORECASE)
# Headers of a recorded call that are about its connection, its tool or another simulator.
_LEFT_OUT: Final = (
    "host",
    "accept-encoding",
    "user-agent",
    "origin",
    "referer",
    "x-sim-",
    "sec-",
    "x-forwarded-",
    "via",
)


class Shown(NamedTuple):
    """The credential that a call shows: its interface, its kind (bearer, session, basic) and its text, "" if hidden."""

    interface: str
    kind: str
    text: str


class Callers:
    """The credentials of a recording by those of a world, which `given` ones name."""

    def __init__(self, calls: Iterable[RecordedCall], given: Credentials) -> None:
        self._names: dict[Shown, str | None] = {}
        by_text = {_shown("", headers).text: name for name, headers in given.headers.items()}
        groups: dict[Shown, list[RecordedCall]] = {}
        for call in calls:
            shown = shown_by(call)
            if shown is not None:
                groups.setdefault(shown, []).append(call)
        taken: dict[str, int] = {}
        for shown, made in groups.items():
            if all(call.status == UNAUTHORIZED for call in made):
                self._names[shown] = None
            elif (name := by_text.get(shown.text)) is not None and shown.text:
                self._names[shown] = name
            else:
                self._names[shown] = _usual(shown, list(given.headers))
        self._check(groups, set(by_text.values()), taken)

    def _check(self, groups: Mapping[Shown, list[RecordedCall]], named: set[str], first: dict[str, int]) -> None:
        """CannotCompare if two credentials would be taken for the same one, unless it was said that they are."""
        for shown, made in groups.items():
            name, entry = self._names[shown], made[0].exchange.number
            if name is None or name in named:
                continue
            if name in first:
                raise CannotCompare(
                    f"the recording has several credentials of the {shown.interface} interface: entries {first[name]} "
                    f"and {entry} have two; say whose they are with --credential NAME=VARIABLE for each, where the "
                    f"variable has what the recording has, for example {name}=..."
                )
            first[name] = entry

    def name(self, call: RecordedCall) -> str | None:
        """The name of the credential that stands for that of a call."""
        shown = shown_by(call)
        was_wrong = shown is not None and not shown.text and call.status == UNAUTHORIZED
        return None if shown is None or was_wrong else self._names.get(shown)

    def headers(self, call: RecordedCall, known: Mapping[str, Any], bindings: Bindings) -> dict[str, str]:
        """The headers of a call in our world, whose credentials are `known`."""
        headers = call.exchange.headers
        kept = {name: value for name, value in headers.items() if not name.startswith(_LEFT_OUT)}
        shown = shown_by(call)
        created = bindings.find(shown.text) if shown is not None and shown.text else None
        if shown is not None and created is not None:
            return {**_without(kept), "authorization": f"{_scheme(shown)} {created}"}
        name = self.name(call)
        if name is None or name not in known:
            return kept
        return {**_without(kept), **{each.lower(): value for each, value in known[name]["headers"].items()}}


def shown_by(call: RecordedCall) -> Shown | None:
    """The credential of a call. Without one it is taken for hidden, unless the call was refused for that."""
    shown = _shown(call.called.interface, call.exchange.headers)
    if shown.kind == "" and (call.status == UNAUTHORIZED or _needs_none(call)):
        return None
    return shown if shown.kind else shown._replace(kind="basic" if call.called.interface == "museum" else "bearer")


def _needs_none(call: RecordedCall) -> bool:
    operation = call.called.operation
    return operation is None or operation.node.get("security") == []


def _shown(interface: str, headers: Mapping[str, str]) -> Shown:
    lower = {name.lower(): value for name, value in headers.items()}
    scheme, _, text = lower.get(AUTHORIZATION, "").partition(" ")
    if scheme.lower() == "basic":
        return Shown(interface, "basic", _plain(text))
    if scheme:
        return Shown(interface, "session" if scheme.lower() == "session" else "bearer", _open(text or scheme))
    if lower.get(API_KEY):
        return Shown(interface, "bearer", _open(lower[API_KEY]))
    if session := _SESSION.search(lower.get(COOKIE, "")):
        return Shown(interface, "session", _open(session[1]))
    return Shown(interface, "", "")


def _plain(text: str) -> str:
    try:
        return b64decode(text).decode()
    except ValueError:
        return _open(text)


def _open(text: str) -> str:
    """A credential; "" for one that was taken out of the file."""
    return "" if is_hidden(text) else text


def is_hidden(text: str) -> bool:
    """Whether a text stands for one that was taken out of the file."""
    return _HIDDEN.fullmatch(text) is not None


def _usual(shown: Shown, given: list[str]) -> str:
    """The credential that a call of an interface usually has; the only given one of it, if its text is hidden."""
    own = [name for name in given if name.partition(".")[0] == shown.interface]
    if not shown.text and len(own) == 1:
        return own[0]
    if shown.kind == "session":
        return "session.owner"
    if shown.interface == "team":
        return "team.test" if shown.text.startswith("ptk_test") else "team.live_approver"
    return "museum" if shown.interface == "museum" else "partner.prepaid"


def _scheme(shown: Shown) -> str:
    return "Session" if shown.kind == "session" else "Bearer"


def _without(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in (AUTHORIZATION, API_KEY, COOKIE)}
