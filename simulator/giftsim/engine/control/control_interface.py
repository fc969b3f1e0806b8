"""The control API as an interface: its contract, its handlers, and its access and body checks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from giftsim.engine.control.access import Access
from giftsim.engine.control.areas import handlers
from giftsim.engine.control.body_check import check_body
from giftsim.engine.control.control_errors import page_of
from giftsim.engine.control.services import Services
from giftsim.engine.gateway.body_schema import Violation
from giftsim.engine.gateway.call import Call, Interface, Response
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.problem import Problem

CONTRACT = Path(__file__).parent / "contract.yaml"


def control(access: Access, services: Services, areas: Sequence[str]) -> Interface:
    """The interface under `/_sim/v1`, with the operations that have handlers in some modules or packages."""
    found = handlers(Contract.load(CONTRACT), areas)
    return Interface(
        name="control",
        contract=Contract.load_part(CONTRACT, frozenset(found)),
        handlers=found,
        services=services,
        credential_world_id=lambda _: None,
        authenticate=access.check,
        find_subject=find_subject,
        validate_body=validate_body,
        envelope=envelope,
        simulated=False,
    )


def find_subject(call: Call) -> None:
    """Select the world that the path names. Webhooks caused by the call are sent after its response."""
    if "w" in call.params:
        call.selected_world = call.registry.find(call.params["w"])


def validate_body(call: Call, violations: Sequence[Violation]) -> None:
    """Raise InvalidBody for the first violation. That of a rehearsal names what it takes, which depends on its name."""
    if violations:
        if call.operation.id == "rehearse":
            from giftsim.engine.control.rehearsing import check_rehearsal  # only for what is refused

            check_rehearsal(call)
        check_body(call, violations)


def envelope(call: Call, problem: Problem) -> Response:
    """The body of an error: `{error: {code, message, request_id, page, details?}}`."""
    error: dict[str, Any] = {"code": problem.code, "message": problem.message, "request_id": call.request_id}
    error["page"] = page_of(problem.code)
    if problem.details:
        error["details"] = problem.details
    return Response(problem.status, {"error": error})
