"""The counterpart of a world in a comparison: a service, or a snapshot of its answers."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from giftsim.workbench.compare.called_operation import CalledOperation, Contracts, parse_call
from giftsim.workbench.compare.mask import Answer
from giftsim.workbench.compare.service_client import ServiceClient
from giftsim.workbench.compare.side import NotKnown, Side
from giftsim.workbench.compare.target import Base
from giftsim.workbench.scenario.steps.call_steps import Call, Request

KEY_HEADER, KEY_MEMBER, REFERENCE = "idempotency-key", "idempotency_key", "reference"
LONGEST = 128  # characters of an idempotency key


def with_fresh_values(request: Request, called: CalledOperation, run: str) -> Request:
    """The request with an idempotency key and a reference that end with the name of the run.

    Equal keys stay equal and different ones different. Values that no service takes stay as they are.
    """
    headers = {
        name: _fresh(value, run) if name.lower() == KEY_HEADER else value for name, value in request.headers.items()
    }
    return request._replace(headers=headers, body=_fresh_body(request.body, called, run))


def _fresh_body(body: Any, called: CalledOperation, run: str) -> Any:
    if not isinstance(body, Mapping):
        return body
    in_body = called.operation is not None and called.operation.idempotency == "body"
    names = (REFERENCE, *((KEY_MEMBER,) if in_body else ()))
    fresh = {name: _fresh(body[name], run) for name in names if isinstance(body.get(name), str)}
    return {**body, **fresh}


def _fresh(value: str, run: str) -> str:
    if not value.strip() or not value.isprintable() or not value.isascii() or len(value) > LONGEST:
        return value
    fresh = f"{value}-{run}"
    return fresh if len(fresh) <= LONGEST else sha256(fresh.encode()).hexdigest()


CHARGE_FAILED, PAYS = "402", "orders:pay"
NEVER_CHARGED = "team.test"  # keys of a team's sandbox, where no money moves


def can_charge(called: CalledOperation, credential: str | None, body: Any) -> bool:
    """Whether a call may charge: its operation documents failed charges, or the call needs the scope to pay."""
    if called.operation is None:
        return False
    node = called.operation.node
    if CHARGE_FAILED in node["responses"]:
        return True
    if (credential or "").startswith(NEVER_CHARGED):
        return False
    if PAYS in called.operation.scopes:
        return True
    by_body: Mapping[str, Any] | None = node.get("x-scope-by-body")
    return PAYS in node.get("x-also", ()) and (by_body is None or _may_have(body, by_body))


def _may_have(body: Any, members: Mapping[str, Any]) -> bool:
    """Whether a body has one of these members; one that is sent as text might."""
    if isinstance(body, Mapping):
        return any(body.get(name) == value for name, value in members.items())
    return body is not None


class Key(NamedTuple):
    """Which call of a scenario: the number of its step, and of its repetition, 1 if it has only one."""

    step: int
    repetition: int


class TimedAnswer(NamedTuple):
    """The masked answer to a call, and how long it took, in seconds; 0 of a recorded one."""

    answer: Answer
    took_s: float = 0.0


class Counterpart(Protocol):
    """Answers the calls of one scenario."""

    def answer(self, step: Call, key: Key, number: int | None) -> TimedAnswer:
        """The answer to a call; NotKnown says why there is none."""

    def pause(self, span_s: float) -> None:
        """Let time pass, in place of a step that advances a world's clock."""


class LiveService:
    """A service that is called over HTTP."""

    def __init__(
        self,
        client: ServiceClient,
        side: Side,
        run: str,
        bases: Mapping[str, Base],
        contracts: Contracts,
        *,
        may_spend: bool,
    ) -> None:
        self._client, self._side, self._run = client, side, run
        self._bases, self._contracts, self._may_spend = bases, contracts, may_spend

    def answer(self, step: Call, key: Key, number: int | None) -> TimedAnswer:  # noqa: ARG002 - a recorded answer is found by it
        """Make the call."""
        request = self._side.request(step, number)
        called = operation_of_request(self._contracts, request)
        if called.interface not in self._bases:
            raise NotKnown(f"the {called.interface} interface has no --target")
        if not self._may_spend and can_charge(called, step.credential, request.body):
            raise NotKnown(
                f"{called.name} can charge the account, which a scenario with `sandbox: spends` and --spend may"
            )
        response = self._side.send(with_fresh_values(request, called, self._run), called)
        self._side.save(step, response)
        return TimedAnswer(self._side.mask(called, response), self._client.took_s)

    def pause(self, span_s: float) -> None:
        """Wait in real time."""
        self._client.clock.pause(span_s)


def operation_of_request(contracts: Contracts, request: Request) -> CalledOperation:
    """The operation of a request; NotKnown if it goes to no interface, such as one to a claim page."""
    called = parse_call(contracts, request.method, request.target)
    if called is None:
        raise NotKnown("it calls none of the interfaces")
    return called
