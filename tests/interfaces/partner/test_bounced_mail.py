"""Mails with a claim link that bounce (G458), and links that two people open (G459)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.actors import actor_counts, create_actor
from tests.support.api_clients import PartnerClient
from tests.support.orders import claim_tokens, email_recipients
from tests.support.partner.claim_form import ClaimForm
from tests.support.partner.orders import recipient_statuses, shipment_statuses
from tests.support.responses import created
from tests.support.team.clients import TeamClients
from tests.support.team.orders import approve, create_gift
from tests.support.worlds import World
from tests.why.test_questions import why

pytestmark = pytest.mark.begins("2027-01-04T09:00:00Z")


def bounce(world: World, **names: Any) -> Any:
    """Let a mail bounce, by default that of the first recipient; the mail."""
    return world.simulate("mail", event="bounced", **(names or {"team_order_id": 1001, "recipient": 0}))


def refused(world: World, status: int, code: str, **names: Any) -> str:
    """The message with which a bounce is refused; nothing changes."""
    before = world.fingerprint()
    response = world.control.call("POST", f"/worlds/{world.id}/simulate/mail", {"event": "bounced", **names})
    assert (response.status, response.json()["error"]["code"]) == (status, code), response.text
    assert world.fingerprint() == before
    return str(response.json()["error"]["message"])


def bounced_at(world: World) -> list[str | None]:
    """When each mail bounced."""
    return [mail["bounced_at"] for mail in world.mail()]


def test_a_mail_that_bounces_says_so_and_the_recipient_waits_until_the_link_expires(
    world: World, partner: PartnerClient
) -> None:
    partner.subscribe("team_order.needs_attention")
    order = created(partner.create_order(recipients=email_recipients(2), claim_expiry_days=3))
    world.advance("1h")
    mail = bounce(world)
    assert (mail["to"], mail["bounced_at"]) == ("person0@example.com", "2027-01-04T10:00:00Z")
    assert bounced_at(world) == ["2027-01-04T10:00:00Z", None]
    assert shipment_statuses(partner, order) == ["awaiting", "awaiting"]
    assert world.events() == []
    world.advance("3d")
    assert [event["facts"]["reason"] for event in world.events()] == ["claim_link_expired"] * 2


def test_the_way_on_is_a_new_link_and_its_mail_arrives(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order())
    bounce(world, seq=1)
    world.simulate("claim_link", team_order_id=1001, recipient=0)
    assert [(mail["to"], mail["bounced_at"] is None) for mail in world.mail()] == [
        ("bo@example.com", False), ("bo@example.com", True),
    ]  # fmt: skip
    token = world.mail()[1]["links"][0].rpartition("/")[2]
    assert world.claim(token).status == 200
    assert recipient_statuses(partner.read_order(order["team_order"]["id"])) == ["submitted"]


def test_the_newest_mail_of_a_recipient_bounces_and_each_only_once(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    world.simulate("claim_link", team_order_id=1001, recipient=0)
    assert bounce(world)["seq"] == 2
    assert refused(world, 409, "invalid_state", team_order_id=1001, recipient=0).startswith(
        "mail 2 has bounced already"
    )
    assert bounce(world, seq=1)["seq"] == 1


def test_a_link_works_for_whoever_has_it_although_its_mail_bounced(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    bounce(world)
    assert world.claim(claim_tokens(order)[0]).status == 200


@pytest.mark.parametrize(
    ("names", "status", "code"),
    [
        ({}, 400, "invalid_body"),
        ({"seq": 1, "team_order_id": 1001}, 400, "invalid_body"),
        ({"seq": 1, "recipient": 0}, 400, "invalid_body"),
        ({"seq": 9}, 404, "mail_not_found"),
        ({"team_order_id": 1001}, 400, "invalid_body"),
        ({"team_order_id": 1001, "recipient": 1}, 404, "mail_not_found"),
        ({"team_order_id": 1007, "recipient": 0}, 404, "team_order_not_found"),
        ({"seq": 1, "event": "opened"}, 400, "invalid_body"),
    ],
)
def test_the_mail_must_be_named(
    world: World, partner: PartnerClient, names: dict[str, Any], status: int, code: str
) -> None:
    partner.create_order(open_seats=1)
    refused(world, status, code, **names)


def test_actors_do_not_claim_by_a_mail_that_bounced(world: World, partner: PartnerClient) -> None:
    create_actor(world, id="bo", recipient="bo@example.com", claims="1d")
    order = created(partner.create_order())
    bounce(world)
    world.advance("2d")
    assert shipment_statuses(partner, order) == ["awaiting"]
    world.simulate("claim_link", team_order_id=1001, recipient=0)
    world.advance("1d")
    assert shipment_statuses(partner, order) != ["awaiting"]
    assert actor_counts(world)["bo"] == (2, 1, 0)


def test_a_new_actor_is_not_asked_for_a_claim_by_a_mail_that_bounced(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2))
    bounce(world)
    create_actor(world, id="any", recipient="any", claims="1d")
    assert actor_counts(world)["any"] == (1, 0, 0)
    world.advance("2d")
    assert recipient_statuses(partner.read_order(1001))[0] == "awaiting"


def test_why_names_the_mail_that_bounced_and_mends_it_by_a_new_link(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(3))
    bounce(world)
    bounce(world, team_order_id=1001, recipient=2)
    verdict, other = why(world, "order:1001", "delivered")[:2]
    assert verdict["sentence"] == (
        "Person 0 and Person 2 could not claim order 1001: the mail with the claim link bounced at 2027-01-04T09:00:00Z"
    )
    assert "claim_link" in verdict["mend"]["scenario"]
    assert other["sentence"].startswith("Person 1 has not claimed order 1001")


def test_why_says_of_an_expired_link_that_its_mail_had_bounced(world: World, partner: PartnerClient) -> None:
    partner.create_order(recipients=email_recipients(2), claim_expiry_days=1)
    bounce(world)
    world.advance("2d")
    verdict = why(world, "order:1001", "delivered")[0]
    assert verdict["kind"] == "expired"
    assert verdict["sentence"].endswith(", and nobody had claimed: the mail to Person 0 had bounced")


def test_the_mail_of_a_gift_bounces_too(world: World) -> None:
    team = TeamClients(world)
    gift = create_gift(team.live)
    assert refused(world, 404, "mail_not_found", gift_id=gift["id"]).startswith("no mail has the claim link")
    approve(world, gift)
    assert bounce(world, gift_id=gift["id"])["about"] == {"kind": "gift", "id": gift["id"]}
    assert team.live.get_json(f"/gifts/{gift['id']}")["status"] == "sent"


# ---- Forwarded links, and more people than seats


def test_a_link_that_two_phones_opened_is_claimed_by_the_first(world: World, partner: PartnerClient) -> None:
    order = created(partner.create_order(return_claim_links=True))
    [token] = claim_tokens(order)
    pages = [world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": "text/html"}) for _ in "ab"]
    assert [page.status for page in pages] == [200, 200]
    assert world.claim(token).status == 200
    late = world.claim(token, address={"address1": "9 Elm St", "city": "Reno", "state": "NV", "zip": "89509",
                                       "country": "US"})  # fmt: skip
    assert (late.status, late.json()["error"]["code"]) == (410, "claim_used")
    page = world.client.call("GET", f"/claim/{world.id}/{token}", headers={"Accept": "text/html"})
    assert page.status == 410
    assert "claimed already" in ClaimForm(page.text).text
    assert [row["address"]["address1"] for row in partner.read_order(1001)["recipients"]] == ["1 Main St"]
    assert [event["type"] for event in world.events()] == ["team_order.claimed"]
