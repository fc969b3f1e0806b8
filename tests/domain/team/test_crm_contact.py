"""Recipients named in a send: contacts of the team's CRM, or people on its roster."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.api_key import find_key
from giftsim.services.gifting.domain.team.free_text_redaction import REMOVED, remove_private
from giftsim.services.gifting.domain.team.people.crm_contact import (
    ProviderUnavailable,
    put_contact,
    resolve_contact,
    set_outage,
)
from giftsim.services.gifting.domain.team.people.person import remove_person, require_person, upsert_people
from giftsim.services.gifting.domain.team.team_errors import ValidationFailed
from giftsim.services.gifting.domain.team.tenant import Tenant, live_tenant, tenant_of_key
from tests.shows import shows
from tests.support.domain.team_state import seed_team_state

TOKEN = "0a1b2c3d4e5f6a7b8c9d"
PIECES = st.lists(
    st.sampled_from(["z", "@", "%40", "%2540", "/", "claim/", "%2F", "Claim%2f", "<", ">", " ", "\n", ".", TOKEN]),
    max_size=12,
).map("".join)
PRIVATE = re.compile(
    r"[^\s<>@](?:@|%(?:25)?40)[^\s<>]|(?:\b|_|(?<=%2F)|(?<=%2f)|(?<=%40)|(?<=%2540))(?:[cC]laim(?:/|%2[Ff])[^\s<>]|"
    rf"{TOKEN}(?![0-9A-Za-z]))"
)


@given(PIECES)
def test_nothing_private_is_left(text: str) -> None:
    assert PRIVATE.search(remove_private(text)) is None


@given(PIECES)
def test_text_without_anything_private_stays(text: str) -> None:
    if PRIVATE.search(text) is None:
        assert remove_private(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("for bo@example.com, with love", f"for {REMOVED} with love"),
        ("Bo <bo@example.com>", f"Bo <{REMOVED}>"),
        ("<http://x.example/claim/w1/abc>", f"<{REMOVED}>"),
        ("bo@example.com</claim/w1/abc", f"{REMOVED}<{REMOVED}"),
        ("bo%40example.com", REMOVED),
        ("bo%2540example.com", REMOVED),
        ("claim/w1/abc", REMOVED),
        ("at:claim/w1/abc?x=1 now", f"{REMOVED} now"),
        ("http%3A%2F%2Fx.example%2Fclaim%2Fw1%2Fabc now", f"{REMOVED} now"),
        ("%252fCLAIM%252fw1", REMOVED),
        (f"the token {TOKEN}.", f"the token {REMOVED}."),
        (f"t={TOKEN}&u", f"t={REMOVED}&u"),
        (f"t%3D{TOKEN.upper()}", f"t%3D{REMOVED}"),
        (f"{TOKEN}0", f"{TOKEN}0"),
        ("a claim/", "a claim/"),
        ("reclaim/it", "reclaim/it"),
        ("meet @ noon", "meet @ noon"),
    ],
)
def test_each_private_word_is_replaced(text: str, cleaned: str) -> None:
    assert remove_private(text) == cleaned


LIVE, OTHER = live_tenant(0), live_tenant(1)
BO = {"id": "7", "object_type": "contact", "name": "Bo Berg", "email": "bo@example.com"}


@pytest.fixture
def state() -> State:
    """A state whose first team has one HubSpot contact."""
    state = seed_team_state("empty")
    with state.transaction():
        put_contact(state, LIVE.team, "hubspot", BO)
    return state


def sandbox(state: State) -> Tenant:
    """The sandbox of the first test key."""
    key = find_key(state, "team", "test", "first")
    assert key is not None
    return tenant_of_key(state, key)


def error_details(error: pytest.ExceptionInfo[ValidationFailed]) -> list[Any]:
    """The field errors of a failed validation."""
    details: Any = error.value.details["details"]
    return list(details)


@shows("T-2.20")
def test_a_contact_is_resolved_within_the_team_in_either_mode(state: State) -> None:
    for tenant in (LIVE, sandbox(state)):
        assert resolve_contact(state, tenant, "hubspot", "7", "contact") == ("Bo Berg", "bo@example.com")
    with pytest.raises(ValidationFailed):
        resolve_contact(state, OTHER, "hubspot", "7", "contact")


@shows("T-2.20")
@pytest.mark.parametrize(
    ("provider", "contact_id", "object_type", "field"),
    [
        ("hubspot", "8", "contact", "recipients[2].crm"),
        ("hubspot", "7", "lead", "recipients[2].crm"),
        ("salesforce", "7", "contact", "recipients[2].crm"),
        ("pipedrive", "7", "contact", "recipients[2].crm.provider"),
        ("hubspot contact", "7", "", "recipients[2].crm.provider"),
        ("hubspot", "", "contact 7", "recipients[2].crm"),
    ],
)
def test_an_unknown_contact_is_an_error_of_its_field(
    state: State, provider: str, contact_id: str, object_type: str, field: str
) -> None:
    with pytest.raises(ValidationFailed) as error:
        resolve_contact(state, LIVE, provider, contact_id, object_type, "recipients[2].crm")
    (detail,) = error_details(error)
    assert detail["field"] == field
    assert "pipedrive" not in detail["message"]


def test_contacts_of_an_unavailable_provider_cannot_be_resolved(state: State) -> None:
    with state.transaction():
        set_outage(state, "hubspot", "bo@example.com is locked")
    for contact_id in ("7", "8"):
        with pytest.raises(ProviderUnavailable) as error:
            resolve_contact(state, LIVE, "hubspot", contact_id, "contact")
        assert "example" not in error.value.message
    with pytest.raises(ValidationFailed):
        resolve_contact(state, LIVE, "salesforce", "7", "contact")
    with state.transaction():
        set_outage(state, "hubspot", None)
    assert resolve_contact(state, LIVE, "hubspot", "7", "contact")[0] == "Bo Berg"


def test_a_person_id_has_the_type_of_the_mode(state: State) -> None:
    test = sandbox(state)
    with state.transaction():
        live, in_sandbox = (
            upsert_people(state, tenant, [{"work_email": "bo@example.com"}])[0].person for tenant in (LIVE, test)
        )
    assert require_person(state, LIVE, live.id, "person_id") == live
    assert require_person(state, test, str(in_sandbox.id).upper(), "person_id") == in_sandbox
    for tenant, value in ((LIVE, str(live.id)), (LIVE, in_sandbox.id), (test, live.id), (OTHER, live.id), (LIVE, True)):
        with pytest.raises(ValidationFailed) as error:
            require_person(state, tenant, value, "recipients[0].person_id")
        assert [detail["field"] for detail in error_details(error)] == ["recipients[0].person_id"]
    with state.transaction():
        remove_person(state, live)
    with pytest.raises(ValidationFailed):
        require_person(state, LIVE, live.id, "person_id")
