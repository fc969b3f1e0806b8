"""Assemble the team interface: its contract, handlers, authentication, lookups and body validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from giftsim.engine.gateway.call import Call, Interface, handlers_in, merge_tables
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.contract_file import BadContract
from giftsim.services.gifting.interfaces.team import (
    approvals,
    artwork,
    billing,
    branding,
    campaigns,
    catalogue,
    funding,
    gifts,
    keys,
    orders,
    people,
    proofs,
    rules,
    sandbox_events,
    store,
    templates,
    webhooks,
)
from giftsim.services.gifting.interfaces.team import team as team_and_members
from giftsim.services.gifting.interfaces.team.authentication import (
    authenticate,
    authorize,
    authorize_body,
    challenge,
    mode,
)
from giftsim.services.gifting.interfaces.team.call_credentials import credential_world_id
from giftsim.services.gifting.interfaces.team.error_envelope import envelope
from giftsim.services.gifting.interfaces.team.private_text import without_private
from giftsim.services.gifting.interfaces.team.request_checks import BodyCheck, Finder, make_body_validator

CONTRACT = Path(__file__).parent / "contract" / "index.yaml"

# The areas, each with the handlers of its operations and their JSON.
AREAS: Final = (
    approvals,
    artwork,
    billing,
    branding,
    campaigns,
    catalogue,
    funding,
    gifts,
    keys,
    orders,
    people,
    proofs,
    rules,
    sandbox_events,
    store,
    team_and_members,
    templates,
    webhooks,
)

# How the record named in a path is looked up, by the noun in the parameter's `x-id`.
FINDERS: Final[Mapping[str, Finder]] = merge_tables(*(vars(area).get("FINDERS", {}) for area in AREAS))

# Checks of bodies that the schema cannot express, by operation id.
BODY_CHECKS: Final[Mapping[str, BodyCheck]] = merge_tables(*(vars(area).get("BODY_CHECKS", {}) for area in AREAS))


def team() -> Interface:
    """The interface under `/api/teams/v1`."""
    contract = Contract.load(CONTRACT)
    return Interface(
        name="team",
        contract=contract,
        handlers=without_private(handlers_in(contract, *AREAS)),
        credential_world_id=credential_world_id,
        authenticate=authenticate,
        authorize=authorize,
        authorize_body=authorize_body,
        find_subject=make_find_subject(link_nouns(contract, FINDERS), FINDERS),
        validate_body=make_body_validator(BODY_CHECKS),
        envelope=envelope,
        echoes_input=False,
        mode=mode,
        challenge=challenge,
    )


def make_find_subject(nouns: Mapping[str, tuple[str, str]], finders: Mapping[str, Finder]) -> Callable[[Call], None]:
    """The function that looks up the record named in a path, before the body is validated (G13)."""

    def find_subject(call: Call) -> None:
        entry = nouns.get(call.operation.id)
        if entry is not None:
            parameter, noun = entry
            call.subject = finders[noun](call, call.params[parameter])

    return find_subject


def link_nouns(contract: Contract, finders: Mapping[str, Finder]) -> dict[str, tuple[str, str]]:
    """The path parameter with an `x-id` and its noun, by operation id. BadContract if a noun has no finder."""
    nouns = {}
    for op in contract.operations.values():
        for parameter in op.path_params:
            if parameter.noun is None:
                continue
            if parameter.noun not in finders:
                raise BadContract(f"team: {op.id} names a {parameter.noun} in its path, but there is no finder for it")
            nouns[op.id] = (parameter.name, parameter.noun)
    return nouns
