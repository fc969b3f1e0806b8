"""A call on its way through the middleware, its caller, its response, and the interface that it is made on."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import msgspec

from giftsim.engine.gateway.body_schema import Violation
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.contract_file import BadContract
from giftsim.engine.gateway.idempotency_record import IdempotencyKey
from giftsim.engine.gateway.json_cache import KeptJson
from giftsim.engine.gateway.problem import InvalidBody
from giftsim.engine.kernel.setting import Setting
from giftsim.engine.log.inputs import ClientCall
from giftsim.engine.problem import Problem

if TYPE_CHECKING:
    from giftsim.engine.kernel.state import State
    from giftsim.engine.worlds.registry import Registry
    from giftsim.engine.worlds.world import World

JSON = "application/json"
IS_CLIENT_GONE = "giftsim.is_client_gone"  # environ key of a function of the server
ASSISTANT = "giftsim.assistant"  # environ key of calls made through the assistant endpoint; no HTTP header can set it
Stream = Iterable[bytes]
encode = msgspec.json.Encoder().encode


@cache
def _environ_key(header: str) -> str:
    """The WSGI environ key of a header. The cache stays small: header names come from this code, not from clients."""
    return "HTTP_" + header.upper().replace("-", "_")


class ConnectionDropped(Exception):
    """The connection closes without sending a byte of a response (faults `drop` and `crash`)."""


class Caller(Protocol):
    """Who makes a call. `scope` identifies the owner of its idempotency keys, `bucket` its rate-limit window."""

    @property
    def scope(self) -> str: ...
    @property
    def bucket(self) -> str: ...
    @property
    def plan(self) -> str: ...


class Response(msgspec.Struct):
    """An HTTP response. `body` is bytes that are sent unchanged, or any value that JSON can represent.

    Placeholders (kernel.placeholders) are not filled in `opaque` bodies, which may hold any bytes, such as an image.
    A `stream` is sent piece by piece in place of a body, as it is; an empty piece asks whether the client is there.
    """

    status: int
    body: Any = None
    headers: dict[str, str] = {}
    content_type: str = JSON
    opaque: bool = False
    stream: Stream | None = None

    def bytes(self) -> bytes:
        """The encoded body, placeholders not yet filled. It is encoded once and kept."""
        if type(self.body) is not bytes:
            self.body = encode(self.body)
        content: bytes = self.body
        return content


class DeferredResponse(msgspec.Struct):
    """A response that depends on a delivery: the gateway commits, sends without the lock, then calls `finish`."""

    finish: Callable[[State], Response]


class _NotYet:
    """Stands in for an attribute that a call lacks. Using it raises a RuntimeError that says so."""

    def __init__(self, lack: str) -> None:
        self._lack = lack

    def __getattr__(self, _name: str) -> Any:
        raise RuntimeError(self._lack)

    def __getitem__(self, _key: object) -> Any:
        raise RuntimeError(self._lack)


NO_WORLD: Any = _NotYet("this call belongs to no world")
NO_OPERATION: Any = _NotYet("this call has no operation")
NOT_LOGGED: Any = _NotYet("this call is not in the event log")


class Call(msgspec.Struct):
    """One request and what the middleware has found out about it so far, in the order of the middleware.

    `world` and `operation` are for code that runs after they were found. `state` is that of the world while the world's
    lock is held; once the lock was released, `refresh` reads it again. `logged` is the call's entry in the event log of
    its world. `canonical` is the JSON of `body` that is the same for the same value, and `validated` what the interface
    made of a valid body, if anything. `effect` is what the fault named `fault` does to it; `fault_acted` is set once a
    fault that acts during execution has acted. `bound_slot` is the slot of the record that an earlier call with the
    same idempotency key made. `subject` is the record that the path names.
    `effects` is what the observer of the simulator made of the call. `base` is the base path of the interface as it was
    sent, with slashes too many, else None.
    """

    method: str
    path: str
    query_string: str
    environ: Mapping[str, Any]
    raw: bytes
    interface: Interface
    registry: Registry
    world: World = NO_WORLD
    state: State = NO_WORLD
    operation: Operation = NO_OPERATION
    params: dict[str, Any] = {}
    logged: ClientCall = NOT_LOGGED
    request_id: str = ""
    caller: Any = None
    query: dict[str, Any] = {}
    body: Any = None
    canonical: bytes = b"null"
    validated: Any = None
    effect: dict[str, Any] = {}
    fault: str | None = None
    fault_acted: bool = False
    delay_s: float = 0.0
    bound_slot: int | None = None
    subject: Any = None
    idempotency_key: IdempotencyKey | None = None
    changed_records: bool = False
    effects: object = None
    headers: dict[str, str] = {}
    base: str | None = None

    @property
    def selected_world(self) -> World | None:
        """The call's world, or None if it belongs to none."""
        return None if self.world is NO_WORLD else self.world

    @selected_world.setter
    def selected_world(self, world: World | None) -> None:
        self.world, self.state = (world, world.state) if world is not None else (NO_WORLD, NO_WORLD)

    @property
    def matched_operation(self) -> Operation | None:
        """The call's operation, or None if it has none."""
        return None if self.operation is NO_OPERATION else self.operation

    @matched_operation.setter
    def matched_operation(self, operation: Operation | None) -> None:
        self.operation = NO_OPERATION if operation is None else operation

    def refresh(self) -> None:
        """Take the world's present state: a reset, a restore or an undo puts another one in place."""
        self.state = self.world.state

    def header(self, name: str) -> str | None:
        """The value of a request header, or None."""
        value: str | None = self.environ.get(_environ_key(name))
        return value

    def is_client_gone(self) -> bool:
        """Whether the client has closed its connection, as far as the server can tell."""
        tell = self.environ.get(IS_CLIENT_GONE)
        return tell is not None and bool(tell())

    def bind(self, subject: int, kind: str) -> None:
        """Bind the call's idempotency key to a record of the table `kind` from now on (B4)."""
        if self.idempotency_key is not None:
            self.idempotency_key.bind(self.state, subject, kind)


CallNext = Callable[[Call], Response]
Handler = Callable[[Call], Response | DeferredResponse]
T = TypeVar("T")
_BEFORE_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def refuse_first_violation(_call: Call, violations: Sequence[Violation]) -> None:
    """Refuse a body for the first violation."""
    if violations:
        raise InvalidBody(violations[0].message)


def allow(_call: Call) -> None:
    """Check nothing."""
    return


def no_mode(_call: Call) -> str | None:
    """Neither `live` nor `test`."""
    return None


def merge_tables(*tables: Mapping[str, T]) -> dict[str, T]:
    """One table of the tables that the modules of an interface have; BadContract for a key that two of them have."""
    merged: dict[str, T] = {}
    for table in tables:
        twice = [key for key in table if key in merged]
        if twice:
            raise BadContract(f"two modules have entries for {', '.join(twice)}")
        merged.update(table)
    return merged


def handler_name(operation: str) -> str:
    """The name of the function that handles an operation: its id in snake case."""
    return _BEFORE_CAPITAL.sub("_", operation).lower()


def handler_in(modules: Sequence[ModuleType], operation: str) -> Handler:
    """The handler of an operation: the function with its id in snake case, such as `create_order` for `createOrder`.

    BadContract if no module has it, or several have.
    """
    name = handler_name(operation)
    found: list[Handler] = [vars(module)[name] for module in modules if name in vars(module)]
    if len(found) != 1:
        raise BadContract(f"{operation}: {len(found)} modules have a function {name}")
    return found[0]


def handlers_in(contract: Contract, *modules: ModuleType) -> dict[str, Handler]:
    """The handlers of all operations of a contract, by id. BadContract if one is missing or there twice."""
    return {operation: handler_in(modules, operation) for operation in contract.operations}


class Interface(msgspec.Struct, frozen=True, dict=True):
    """One HTTP interface of the simulator: its contract, its handlers, and where it differs from the others.

    Functions, in the order in which the middleware calls them:

    - `credential_world_id` reads the world's id from the credential, whether the credential is known or not (G10).
    - `authenticate` returns the caller, or raises.
    - `authorize` raises where the caller may not use the operation.
    - `authorize_body` raises where the body asks for more than the caller may have.
    - `find_subject` finds the record that the path names, or raises the interface's 404.
    - `validate_body` gets the violations of the contract's schema, adds the rules that a schema cannot express, and
      raises.
    - `envelope` turns any problem into the documented error response.
    - `challenge` returns the `WWW-Authenticate` header of a 401.
    - `mode` returns `live` or `test` where ids are of two types, else None.

    `page_size` is how many rows a list has without `limit`, where a setting says so.
    `services` is what its handlers use of packages that they do not import.

    `codes` maps the gateway's own error codes to the documented ones.

    Flags: calls of a `simulated` interface are logged and may have faults injected; with `rate_limited` they are
    counted in a window too. With `malformed_id_is_404` a malformed path id is a 404, else a 400. With `echoes_input`
    error messages may repeat what was sent. With `can_refuse_unknown_fields` the setting `strict_bodies` applies. With
    `sends_webhooks` what happens through the interface is sent to endpoints. The bodies of an interface that `is_open`
    may have more members than are documented.
    """

    name: str
    contract: Contract
    handlers: Mapping[str, Handler]
    credential_world_id: Callable[[Call], str | None]
    authenticate: Callable[[Call], Caller | None]
    envelope: Callable[[Call, Problem], Response]
    authorize: Callable[[Call], None] = allow
    authorize_body: Callable[[Call], None] = allow
    find_subject: Callable[[Call], None] = allow
    validate_body: Callable[[Call, Sequence[Violation]], None] = refuse_first_violation
    codes: Mapping[str, str] = {}
    simulated: bool = True
    rate_limited: bool = True
    malformed_id_is_404: bool = True
    echoes_input: bool = True
    can_refuse_unknown_fields: bool = True
    sends_webhooks: bool = True
    is_open: bool = True
    mode: Callable[[Call], str | None] = no_mode
    challenge: Callable[[Call], str] | None = None
    services: object = None
    page_size: Setting[int] | None = None

    def __post_init__(self) -> None:
        missing = [name for name in self.contract.operations if name not in self.handlers]
        extra = [name for name in self.handlers if name not in self.contract.operations]
        if missing or extra:
            raise BadContract(
                f"{self.name}: operations without a handler: {missing}; handlers without an operation: {extra}"
            )

    @cached_property
    def plans(self) -> dict[Any, CallNext]:
        """The compiled middleware of each operation, made by its first call."""
        return {}

    @cached_property
    def kept_json(self) -> Mapping[str, KeptJson]:
        """JSON that its handlers keep from one call to the next, by kind."""
        return defaultdict(KeptJson)

    def refuse(self, call: Call, problem: Problem) -> Response:
        """The response for a problem. A 401 says how to authenticate, as HTTP requires."""
        response = self.envelope(call, problem)
        if response.status == 401 and self.challenge is not None:
            response.headers["WWW-Authenticate"] = self.challenge(call)
        return response

    def code(self, problem: Problem) -> str:
        """The error code of a problem on this interface."""
        return self.codes.get(problem.code, problem.code)


Place = tuple[Interface, str, str | None]  # an interface, a path below its base, and the base if sent in another way


class Answer(msgspec.Struct):
    """The response to a call: `content` or, piece by piece, `stream`.

    Once it is sent, the pending webhooks of `sends_for` are dispatched (G21).
    """

    status: int
    headers: list[tuple[str, str]]
    content: bytes = b""
    stream: Stream | None = None
    sends_for: World | None = None


class Application:
    """Answers the calls of interfaces, without WSGI in between."""

    def place(self, path: str) -> Place | None:
        """The interface that a path of WSGI belongs to, whatever slashes it has too many. None for a page."""
        raise NotImplementedError

    def answer(self, place: Place, method: str, query: str, environ: Mapping[str, Any], raw: bytes) -> Answer:
        """Answer a call of an interface. `environ` has its headers, as WSGI names them, and what the server adds."""
        raise NotImplementedError
