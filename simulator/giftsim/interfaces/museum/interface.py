"""The museum as the gateway sees it: contract, handlers, credentials, and errors that name all that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from giftsim.domain.museum.settings import EMAIL_REQUIRED
from giftsim.domain.museum.ticket import EVENT
from giftsim.gateway.call import Call, Interface, Response
from giftsim.gateway.contract import Contract
from giftsim.gateway.problem import InjectedFault, InvalidBody
from giftsim.gateway.schema import Violation
from giftsim.interfaces.museum.authentication import authenticate, credential_world_id
from giftsim.interfaces.museum.handlers import HANDLERS, locate
from giftsim.problem import Problem

CONTRACT = Path(__file__).with_name("contract.yaml")
PROBLEM_JSON = "application/problem+json"
CHALLENGE = 'Basic realm="museum"'
INVALID = "validation_failed"
CODES: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(("invalid_body", "invalid_json", "body_too_large", "invalid_parameter"), INVALID)
)


def museum() -> Interface:
    """The museum interface, whole; it has no limits, and a malformed id in a path is a wrong parameter."""
    return Interface(
        name="museum", contract=Contract.load(CONTRACT), handlers=HANDLERS, credential_world_id=credential_world_id,
        authenticate=authenticate, envelope=envelope, locate=locate, validate_body=examine, codes=CODES,
        rate_limited=False, malformed_id_is_404=False, can_refuse_unknown_fields=False, sends_webhooks=False,
    )  # fmt: skip


def envelope(call: Call, problem: Problem) -> Response:
    """Any refusal as `{type, title}` (C5)."""
    status, code, headers = problem.status, call.interface.code(problem), {}
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
        if retry_after is not None:
            headers["Retry-After"] = str(retry_after)
    if status == 401:
        headers["WWW-Authenticate"] = CHALLENGE
    title = f"Validation failed: {problem.message}" if code == INVALID else problem.message
    return Response(status, {"type": code, "title": title}, headers, PROBLEM_JSON)


def examine(call: Call, violations: Sequence[Violation]) -> None:
    """Refuse a body for everything that is wrong with it at once."""
    wrong = [violation.message for violation in violations if not _waived(call, violation)]
    wrong += _missing_event(call)
    if wrong:
        raise InvalidBody("; ".join(wrong))


def _waived(call: Call, violation: Violation) -> bool:
    """An absent email where the world does not ask for one (C13)."""
    absent = violation.path == ("email",) and violation.keyword == "required"
    return absent and not call.state.setting(EMAIL_REQUIRED)


def _missing_event(call: Call) -> Iterator[str]:
    """An event ticket says for which event (M-2.5); a schema could say it, but not in words."""
    body, buying = call.body, call.operation.id == "buyMuseumTickets"
    if buying and isinstance(body, dict) and body.get("ticketType") == EVENT and "eventId" not in body:
        yield "eventId: a ticket for a special event needs one"
