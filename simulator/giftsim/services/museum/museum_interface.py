"""The museum interface: its contract, its handlers and its errors, which name every mistake in a body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from giftsim.engine.gateway.body_schema import Violation
from giftsim.engine.gateway.call import Call, Interface, Response, handlers_in
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.problem import InjectedFault, InvalidBody
from giftsim.engine.problem import Problem, join_messages
from giftsim.services.museum import handlers
from giftsim.services.museum.museum_authentication import authenticate, credential_world_id
from giftsim.services.museum.museum_settings import EMAIL_REQUIRED, STRICT_EVENTS
from giftsim.services.museum.ticket import SPECIAL_EVENT

CONTRACT = Path(__file__).with_name("contract.yaml")
PROBLEM_JSON = "application/problem+json"
CHALLENGE = 'Basic realm="museum"'
INVALID = "validation_failed"
CODES: Final[Mapping[str, str]] = dict.fromkeys(
    ("invalid_body", "invalid_json", "body_too_large", "invalid_parameter"), INVALID
)


def museum() -> Interface:
    """The interface under `/v1.1`. It has no rate limits, and a malformed id in a path is an invalid parameter."""
    contract = Contract.load(CONTRACT)
    return Interface(
        name="museum",
        contract=contract,
        handlers=handlers_in(contract, handlers),
        credential_world_id=credential_world_id,
        authenticate=authenticate,
        envelope=envelope,
        find_subject=handlers.find_subject,
        validate_body=validate_body,
        codes=CODES,
        challenge=lambda _call: CHALLENGE,
        rate_limited=False,
        malformed_id_is_404=False,
        can_refuse_unknown_fields=False,
        sends_webhooks=False,
        is_open=False,
    )


def envelope(call: Call, problem: Problem) -> Response:
    """A problem as `{type, title}` (C5)."""
    status, code, headers = problem.status, call.interface.code(problem), {}
    if isinstance(problem, InjectedFault):
        status, code, retry_after = problem.injected
        if retry_after is not None:
            headers["Retry-After"] = str(retry_after)
    title = f"Validation failed: {problem.message}" if code == INVALID else problem.message
    return Response(status, {"type": code, "title": title}, headers, PROBLEM_JSON)


def validate_body(call: Call, violations: Sequence[Violation]) -> None:
    """Refuse a body and name everything that is wrong with it."""
    errors = [violation.message for violation in violations if not _is_optional_email(call, violation)]
    errors += [*_missing_event(call), *_implausible_event(call)]
    if errors:
        raise InvalidBody(join_messages(errors))


def _is_optional_email(call: Call, violation: Violation) -> bool:
    """Whether the violation is a missing email in a world that does not require one (C13)."""
    absent = violation.path == ("email",) and violation.keyword == "required"
    return absent and not call.state.setting(EMAIL_REQUIRED)


def _missing_event(call: Call) -> Iterator[str]:
    """An event ticket needs an `eventId` (M-2.5); a schema could require it, but not with a clear message."""
    body, buying = call.body, call.operation.id == "buyMuseumTickets"
    if buying and isinstance(body, dict) and body.get("ticketType") == SPECIAL_EVENT and "eventId" not in body:
        yield "eventId: a ticket for a special event needs one"


def _implausible_event(call: Call) -> Iterator[str]:
    """What a world with `museum.strict_events` refuses of a special event: a price below zero, no dates (G375)."""
    body, writes_event = call.body, call.operation.id in ("createSpecialEvent", "updateSpecialEvent")
    if not (writes_event and isinstance(body, dict) and call.state.setting(STRICT_EVENTS)):
        return
    price = body.get("price")
    if isinstance(price, int | float) and price < 0:
        yield "price: must not be negative"
    if body.get("dates") == []:
        yield "dates: must have at least one day"
