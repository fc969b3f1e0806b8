"""Facts from the calls of a world: operations, errors, parameters, members, and what the app did after an error.

Calls come in order, one at a time. A failed call that may be retried is remembered until the same call follows
(G225).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from giftsim.engine.control.credentials import credential_name_in_headers
from giftsim.engine.gateway.idempotency import LIFETIME
from giftsim.engine.kernel.instants import SECOND
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import CallRecord
from giftsim.workbench.coverage.items import (
    KEY_CODES,
    KEY_EXPIRED,
    KEY_IN_USE,
    LOST,
    RATE_LIMIT,
    SERVER_ERROR,
    Items,
    OperationItem,
)
from giftsim.workbench.coverage.met import Met, Retries

MOST_WAITING = 100  # failed calls that are remembered until they are retried
MOST_KEYS = 10_000  # idempotency keys that are remembered
MOST_SHAPES = 1_000  # of calls that are remembered
LEARNT: Final = 20  # bodies of each operation in a world whose members are read
IDENTITY_HEADERS: Final = ("Authorization", "X-Api-Key", "Cookie")
KEY_MEMBER, KEY_HEADER = "idempotency_key", "Idempotency-Key"


CALLER_HEADER: Final = "X-Sim-Caller"  # of a call that a test made for itself, and not as the app (G349)


class Failed(NamedTuple):
    """A call that may be retried: when it failed and how, with which key, and how long the app was to wait."""

    at_ms: int
    error: str
    status: int | None
    key: str | None
    wait_s: float


class _Error(msgspec.Struct):
    code: str = ""


class _Answer(msgspec.Struct):
    """The envelope of an error, in its shapes; the museum's has the code in `type`."""

    error: _Error | str = ""
    code: str = ""
    type: str = ""


_decode_answer = msgspec.json.Decoder(_Answer).decode


class CallFacts:
    """Reads the calls of one world into `met`."""

    def __init__(self, items: Items, met: Met) -> None:
        self._items, self._met = items, met
        self._contracts = [(name, contract, f"{contract.prefix}/") for name, contract in items.contracts.items()]
        self._callers: dict[tuple[str, ...], str] = {}
        self._waiting: dict[tuple[str, str, bytes], Failed] = {}
        self._keys: dict[tuple[str, str], int] = {}
        self._learnt: dict[str, int] = {}
        self._known: set[tuple[object, ...]] = set()  # shapes of calls that tell nothing new

    def read(self, state: State, world_id: str, entry: CallRecord) -> None:
        """Read one call. Most calls are like another one before, and cost next to nothing."""
        shape = (entry.method, entry.path, entry.headers, entry.status)
        if shape in self._known and not self._waiting:
            return
        item = self._item(entry)
        if item is None or _header(entry.headers, CALLER_HEADER) is not None:
            return
        met = self._met
        met.operations.add(item.name)
        met.interfaces.add(item.interface)
        caller = self._caller(state, world_id, item.interface, entry)
        if "?" in entry.path:
            names = {name for name, _ in parse_qsl(entry.path.partition("?")[2], keep_blank_values=True)}
            met.parameters.setdefault(item.name, set()).update(names)
        error = self._error(item, entry)
        failed = _may_be_retried(entry.status, error)
        if self._waiting or failed:
            self._note_retry(item, caller, entry, error if failed else None)
        if item.key_in == "header":
            self._note_key(state, caller, entry)
        learns = self._learns(item.name, entry)
        if not (learns or error or item.key_in == "header" or len(self._known) >= MOST_SHAPES):
            self._known.add(shape)

    def forget_callers(self) -> None:
        """Look up credentials again: their permissions may have changed."""
        self._callers.clear()
        self._known.clear()

    def _item(self, entry: CallRecord) -> OperationItem | None:
        path = entry.path.partition("?")[0]
        for name, contract, prefix in self._contracts:
            if path.startswith(prefix):
                match = contract.match(path[len(prefix) - 1 :])
                operation = match[0].operation(entry.method) if match else None
                return self._items.operations[name, operation.id] if operation else None
        return None

    def _caller(self, state: State, world_id: str, interface: str, entry: CallRecord) -> str:
        """The name of the caller's credential. Its permissions are noted when it is first seen."""
        headers = tuple([value for name, value in entry.headers if name in IDENTITY_HEADERS])
        name = self._callers.get(headers)
        if name is None:
            name = credential_name_in_headers(state, world_id, dict(entry.headers)) or ""
            self._callers[headers] = name
            if name:
                found = (each.permissions(state, world_id, name) for each in self._items.service.coverage)
                self._met.credentials.add((interface, *sorted({one for each in found for one in each})))
        return name

    def _error(self, item: OperationItem, entry: CallRecord) -> str:
        """The code of an error, `""` for none; a documented one was met."""
        if entry.status is None or entry.status < 400:
            return ""
        code = _code(entry.answer)
        name = item.errors.get((entry.status, code))
        if name is not None:
            self._met.errors.add(name)
        return code

    def _note_retry(self, item: OperationItem, caller: str, entry: CallRecord, code: str | None) -> None:
        """Note that a call follows a failed one that was the same, and remember it if it has failed itself."""
        key, payload = _key_and_payload(item, entry)
        identity = (caller, f"{entry.method} {entry.path}", payload)
        before = self._waiting.pop(identity, None)
        if before is not None:
            self._follow(item, before, entry, key)
        if code is None:
            return
        error = f"{item.name} {'lost' if entry.status is None else f'{entry.status} {code}'}"
        self._met.retries.setdefault(error, Retries()).met += 1
        self._waiting[identity] = Failed(entry.at_ms, error, entry.status, key, _wait_s(entry))
        if len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]

    def _follow(self, item: OperationItem, before: Failed, entry: CallRecord, key: str | None) -> None:
        delay_s = (entry.at_ms - before.at_ms) / SECOND
        same_key = None if item.key_in is None else key == before.key
        self._met.retries[before.error].count_retry(delay_s, same_key)
        if before.status is None and same_key:
            self._met.faults.add(LOST)
        elif before.status == 429 and delay_s >= before.wait_s:
            self._met.faults.add(RATE_LIMIT)
        elif before.status == 409 and same_key:
            self._met.faults.add(KEY_IN_USE)
        elif before.status is not None and before.status >= 500 and same_key is not False:
            self._met.faults.add(SERVER_ERROR)

    def _note_key(self, state: State, caller: str, entry: CallRecord) -> None:
        key = _header(entry.headers, KEY_HEADER)
        if key is None:
            return
        self._met.uses.add(KEY_EXPIRED)
        first_ms = self._keys.setdefault((caller, key), entry.at_ms)
        if entry.at_ms - first_ms >= state.setting(LIFETIME):
            self._met.clock.add(KEY_EXPIRED)
        if len(self._keys) > MOST_KEYS:
            del self._keys[next(iter(self._keys))]

    def _learns(self, operation: str, entry: CallRecord) -> bool:
        """Note the members of a body and its answer, of the first calls of each operation that succeed."""
        if entry.status is None or entry.status >= 300 or self._learnt.get(operation, 0) >= LEARNT:
            return False
        self._learnt[operation] = self._learnt.get(operation, 0) + 1
        for content, names in ((entry.body, self._met.sent), (entry.answer, self._met.received)):
            add_members(names.setdefault(operation, set()), _json(content))
        return True


def add_members(names: set[str], value: Any, path: str = "") -> None:
    """Add the members of JSON that have a value, such as `recipients[].address.city`."""
    if isinstance(value, dict):
        for name, member in value.items():
            if member is not None:
                names.add(f"{path}{name}")
                add_members(names, member, f"{path}{name}.")
    elif isinstance(value, list):
        for each in value[:LEARNT]:
            add_members(names, each, f"{path.removesuffix('.')}[]." if path else "[].")


def _may_be_retried(status: int | None, code: str) -> bool:
    return status is None or status == 429 or status >= 500 or (status == 409 and code in KEY_CODES)


def _key_and_payload(item: OperationItem, entry: CallRecord) -> tuple[str | None, bytes]:
    """The idempotency key of a call, and its body without it."""
    if item.key_in != "body":
        return _header(entry.headers, KEY_HEADER), entry.body
    body = _json(entry.body)
    if not isinstance(body, dict):
        return None, entry.body
    key = body.pop(KEY_MEMBER, None)
    return str(key), msgspec.json.encode(body, order="sorted")


def _wait_s(entry: CallRecord) -> float:
    text = entry.answer_headers.get("Retry-After", "0")
    return float(text) if text.isdecimal() else 0.0


def _header(headers: tuple[tuple[str, str], ...], wanted: str) -> str | None:
    return next((value for name, value in headers if name == wanted), None)


def _code(answer: bytes) -> str:
    try:
        decoded = _decode_answer(answer)
    except msgspec.MsgspecError:
        return ""
    return decoded.error.code if isinstance(decoded.error, _Error) else decoded.code or decoded.type


def _json(content: bytes) -> Any:
    try:
        return msgspec.json.decode(content) if content else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
