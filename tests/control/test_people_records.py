"""People on rosters, contacts in CRMs, and recipients, with searches."""

from __future__ import annotations

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.orders import email_recipients
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def test_people_are_shown_with_the_mail_addresses_that_the_team_api_hides(team: TeamClients) -> None:
    team.live.post_json("/people", {"people": [{"work_email": "zoe@example.com", "first_name": HOSTILE}]}, 201)
    (zoe,) = team.world.call_control("GET", "/people?order=newest&limit=1")["people"]
    assert (zoe["work_email"], zoe["first_name"], zoe["display_name"], zoe["livemode"]) == (
        "zoe@example.com", HOSTILE, HOSTILE, True,
    )  # fmt: skip
    for text in ("ZOE@", "%3Cscript", str(zoe["id"])):
        assert team.world.call_control("GET", f"/people?q={text}")["people"] == [zoe]
    assert team.world.call_control("GET", "/people?q=nobody@")["people"] == []


def test_contacts_are_listed_by_provider_also_while_it_is_down(team: TeamClients) -> None:
    world = team.world
    world.simulate("crm", provider="salesforce", upsert={"id": "s-1", "name": HOSTILE, "email": "a@example.com"})
    world.simulate("crm", provider="hubspot", upsert={"id": "h-1", "name": "Bo", "email": "b@example.com"})
    world.simulate("crm", provider="hubspot", outage=True)
    newest = world.call_control("GET", "/contacts?order=newest&limit=2")["contacts"]
    assert [(row["id"], row["name"], row["available"]) for row in newest] == [
        ("h-1", "Bo", False),
        ("s-1", HOSTILE, True),
    ]
    assert world.call_control("GET", "/contacts?provider=hubspot&q=b@example")["contacts"] == newest[:1]


def test_recipients_say_what_they_get_a_gift_of(team: TeamClients, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(1), open_seats=1)
    gift = create_gift(team.live)
    team.world.simulate("claim", team_order_id=1001, recipient=0)
    rows = team.world.call_control("GET", "/recipients?order=newest")["recipients"]
    assert [(row["about"]["kind"], row["about"]["id"], row["status"]) for row in rows] == [
        ("gift", gift["id"], rows[0]["status"]), ("team_order", 1001, "awaiting"), ("team_order", 1001, "submitted"),
    ]  # fmt: skip
    assert (rows[1]["name"], rows[2]["claimed_at"]) == (None, team.world.now)
    assert rows[0]["recipient_id"] == gift["recipients"][0]["id"]
    assert team.world.call_control("GET", f"/recipients?q={rows[2]['email']}")["recipients"] == rows[2:]
