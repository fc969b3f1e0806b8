"""The journey of a gift: what happened, what will with its date, and nothing of it changes the world (G422)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.api_clients import PartnerClient
from tests.support.journeys import foretold, happened, meet_conditions, parcels_of, read_journey
from tests.support.orders import address_recipients, email_recipients
from tests.support.team.campaigns import prepared_campaign, process
from tests.support.team.clients import TeamClients
from tests.support.team.orders import create_gift
from tests.support.worlds import World

pytestmark = pytest.mark.begins("2027-01-08T09:00:00Z")
PARCEL_STEPS = ["Production starts", "The parcel gets its label", "The parcel is handed to the carrier"]


@pytest.fixture
def team(world: World) -> TeamClients:
    """Clients of the team that the named credentials belong to."""
    return TeamClients(world)


def order_for_bo(partner: PartnerClient, **members: Any) -> str:
    """An order for Bo; what journeys call it."""
    return f"order:{partner.create_order(**members).json()['team_order']['id']}"


def told(moment: dict[str, Any]) -> list[tuple[str, str]]:
    """The effects of a moment in words, with their status."""
    return [(each["what"], each["status"] or "") for each in moment["effects"]]


def test_a_story_tells_each_cause_with_its_effects(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    about = order_for_bo(partner)
    world.advance("2h")
    world.simulate("claim", team_order_id=int(about[6:]), recipient=0)
    world.advance("25h")
    placed, claimed, produced = read_journey(world, about)["story"]
    assert placed["what"] == "Your app placed the order"
    assert (placed["cause"]["kind"], placed["cause"]["call"]) == ("call", 2)
    assert told(placed) == [
        ("Paid $26.00 from the wallet of prepaid", ""),
        ("Mail to Bo: Ada has a gift for you", ""),
        ("the claim link expires", "canceled"),
    ]
    assert claimed["what"] == "Bo said where it goes: Reno, NV"
    assert told(claimed) == [("production starts", "fired"), ("team_order.claimed", "delivered")]
    assert [each["answered"] for each in claimed["effects"] if each["kind"] == "webhook"] == [200]
    assert produced["what"] == "Production started"
    assert produced["cause"] == {"kind": "clock", "text": "production starts", "call": None}
    assert produced["since"] == {"at": "2027-01-08T11:00:00Z", "what": "Bo claimed it"}


def test_a_story_tells_which_mails_bounced(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner, recipients=email_recipients(2))
    names = {"team_order_id": int(about[6:]), "event": "bounced"}
    for place, fate in enumerate((", of which 1 bounced", ", which bounced")):
        world.simulate("mail", recipient=place, **names)
        mails = [what for what, _ in told(read_journey(world, about)["story"][0]) if what.startswith("Mail")]
        assert mails == [f"Mail to Person 0 and Person 1{fate}: Ada has a gift for you"]


def test_troubles_in_transit_are_told_also_when_they_are_over(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner, recipients=address_recipients(1))
    world.simulate("shipment", team_order_id=int(about[6:]), to="shipped")
    for event in ("exception", "lost", "found"):
        world.advance("1h")
        world.simulate("parcel", team_order_id=int(about[6:]), event=event)
        if event == "exception":
            (step,) = read_journey(world, about)["ahead"]
            assert (step["what"], step["at"]) == ("The parcel arrives after all", "2027-01-12T09:00:00Z")
    story = read_journey(world, about)["story"]
    assert [moment["what"] for moment in story[-3:]] == [
        "Delayed in transit", "Lost, returned or refused in transit", "Delivered",
    ]  # fmt: skip
    assert [told(moment)[-1] for moment in story[-3:]] == [
        ("team_order.needs_attention", "unsubscribed"),
        ("team_order.needs_attention", "unsubscribed"),
        ("team_order.delivered", "unsubscribed"),
    ]


def test_every_step_ahead_has_its_date_and_what_it_depends_on(world: World, partner: PartnerClient) -> None:
    journey = read_journey(world, order_for_bo(partner))
    first, *others = journey["ahead"]
    assert (first["what"], first["status"], first["if"]) == ("Bo says where it goes", "submitted", None)
    assert first["events"] == ["team_order.claimed"]
    assert first["wait"] == {
        "done": "claimed",
        "verb": "claim",
        "body": {"team_order_id": 1001, "recipient": 0},
        "ends": "2027-02-07T09:00:00Z",
    }
    assert [step["what"] for step in others] == [*PARCEL_STEPS, "The parcel arrives"]
    assert [step["at"] for step in others][-1] == "2027-01-13T09:00:00Z"
    [arrival] = journey["arrives"]
    assert arrival["names"] == ["Bo"]
    assert arrival["at"] == "2027-01-13T09:00:00Z"
    assert arrival["if"] == {"what": "claimed", "by": "2027-01-08T23:59:59Z"}


def test_the_last_chance_is_exact_to_the_day(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner)
    world.advance(to="2027-01-08T23:59:59Z")
    world.simulate("claim", team_order_id=1001, recipient=0)
    assert read_journey(world, about)["arrives"][0]["at"] == "2027-01-13T23:59:59Z"


def test_a_fixed_day_of_shipping_leaves_time_to_pay(world: World) -> None:
    partner, recipients = world.partner("partner.no_funds"), address_recipients(ship_on="2027-01-20")
    about = f"order:{partner.create_order(recipients=recipients).json()['team_order_id']}"
    [arrival] = read_journey(world, about)["arrives"]
    assert arrival["at"][:10] == "2027-01-22"
    assert arrival["if"]["by"] > "2027-01-17"
    world.advance(to=arrival["if"]["by"])
    world.change_account("partner.no_funds", add_cents=2600)
    partner.create_order(recipients=recipients)
    world.advance("30d")
    assert parcels_of(world, about)[0]["delivered_at"][:10] == "2027-01-22"


def test_a_story_has_the_mail_of_its_own_order_alone(world: World, partner: PartnerClient) -> None:
    first, second = order_for_bo(partner), order_for_bo(partner, idempotency_key="second", gift_sender="Cy")
    mails = [[what for what, _ in told(read_journey(world, about)["story"][0])][1] for about in (first, second)]
    assert mails == ["Mail to Bo: Ada has a gift for you", "Mail to Bo: Cy has a gift for you"]
    assert "Mail" not in str(told(read_journey(world, unpaid_order(world))["story"][0]))


def unpaid_order(world: World) -> str:
    """An order that was not paid, for a person who has mail of others."""
    return f"order:{world.partner('partner.no_funds').create_order().json()['team_order_id']}"


def test_an_unpaid_order_tells_when_it_would_arrive(world: World) -> None:
    made = world.partner("partner.no_funds").create_order(recipients=address_recipients())
    journey = read_journey(world, f"order:{made.json()['team_order_id']}")
    assert "The payment of $26.00 failed: insufficient funds" in [row[0] for row in told(journey["story"][0])]
    assert journey["ahead"][0]["wait"] == {"done": "paid", "verb": None, "body": None, "ends": None}
    assert journey["arrives"][0]["if"]["what"] == "paid"
    assert journey["arrives"][0]["at"] == "2027-01-13T09:00:00Z"


def test_a_gift_waits_for_its_approval_and_then_for_its_claim(world: World, team: TeamClients) -> None:
    about = f"gift:{create_gift(team.live)['id']}"
    journey = read_journey(world, about)
    assert [step["wait"] and step["wait"]["done"] for step in journey["ahead"]][:2] == ["approved", "claimed"]
    assert journey["arrives"][0]["if"]["what"] == "approved and claimed"
    said = foretold(journey)
    meet_conditions(world, about)
    world.advance("9d")
    assert happened(parcels_of(world, about)) == said


def test_a_step_of_an_actor_depends_on_nobody(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/actors", {"recipient": "any", "claims": "3d"})
    first, *_, last = read_journey(world, order_for_bo(partner))["ahead"]
    assert (first["at"], first["status"], first["wait"]) == ("2027-01-11T09:00:00Z", "submitted", None)
    assert (last["at"], last["if"]) == ("2027-01-16T09:00:00Z", None)


def test_a_webhook_is_told_with_the_step_that_it_tells_of(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner)
    world.simulate("shipment", team_order_id=int(about[6:]), to="delayed")
    placed, claimed = read_journey(world, about)["story"]
    assert "team_order" not in str(told(placed))
    assert [what for what, _ in told(claimed)] == ["Delayed", "team_order.claimed", "team_order.needs_attention"]


def test_who_has_an_actor_has_a_future_of_his_own(world: World, team: TeamClients) -> None:
    about = f"gift:{create_gift(team.live, 2)['id']}"
    world.call_control("POST", "/actors", {"recipient": "guest0@example.com", "claims": "2h"})
    claims = [step for step in read_journey(world, about)["ahead"] if step["status"] == "submitted"]
    assert [(step["names"], step["at"], bool(step["wait"])) for step in claims] == [
        (["Guest 1"], "2027-01-08T09:00:00Z", True),
        (["Guest 0"], "2027-01-08T11:00:00Z", False),
    ]


def test_an_expired_link_needs_a_new_one_first(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner)
    world.advance("31d")
    journey = read_journey(world, about)
    assert journey["story"][-1]["what"] == "The claim link expired"
    assert [step["wait"]["done"] for step in journey["ahead"] if step["wait"]] == ["sent a new link", "claimed"]
    assert journey["arrives"][0]["if"]["what"] == "sent a new link and claimed"


def test_a_parcel_has_a_journey_of_its_own(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner, recipients=email_recipients(3))
    world.simulate("claim", team_order_id=int(about[6:]), recipient=1)
    whole, parcel = read_journey(world, about), read_journey(world, "parcel:500002")
    assert [row["count"] for row in whole["arrives"]] == [1, 2]
    assert [(row["count"], row["names"], row["if"]) for row in parcel["arrives"]] == [(1, ["Person 1"], None)]
    assert [each["what"] for each in parcel["story"]] == [
        "Your app placed the order",
        "Person 1 said where it goes: Reno, NV",
    ]


def test_a_single_order_is_foretold_too(world: World, partner: PartnerClient) -> None:
    single = world.simulate("single_order", to="shipped")
    journey = read_journey(world, f"parcel:{single['order_id']}")
    assert journey["story"] == []
    said = foretold(journey)
    assert [status for _, status in sorted(said)] == ["delivered"]
    world.advance("9d")
    parcels = parcels_of(world, f"parcel:{single['order_id']}")
    assert happened(parcels) - happened([single]) == said


def test_a_campaign_of_many_is_one_journey_of_parcels_that_are_alike(world: World, team: TeamClients) -> None:
    campaign = prepared_campaign(team.live, 60)
    about = f"campaign:{campaign['id']}"
    journey = read_journey(world, about)
    assert [step["wait"]["done"] for step in journey["ahead"] if step["wait"]] == ["approved", "paid", "claimed"]
    assert journey["ahead"][-1]["count"] == 60
    assert (journey["recipient_count"], journey["told"], journey["left_out"]) == (60, 50, 0)
    world.simulate("approval", campaign_id=campaign["id"], decision="approve")
    for _ in campaign["batches"]:
        process(team.live, campaign)
    meet_conditions(world, about)
    world.advance("9d")
    assert happened(parcels_of(world, about)) == foretold(journey)


def test_looking_ahead_changes_nothing_and_says_the_same_twice(world: World, partner: PartnerClient) -> None:
    about = order_for_bo(partner)
    with world.assert_unchanged():
        first = read_journey(world, about)
        assert read_journey(world, about) == first


@pytest.mark.parametrize(
    ("about", "status", "words"),
    [
        ("order:9", 404, "there is no team order 9"),
        ("gift:9", 404, "no team has a gift with the id 9"),
        ("campaign:9", 404, "no team has a large campaign with the id 9"),
        ("parcel:x", 404, "there is no shipment with the order id 0"),
        ("ordre:1", 400, "about: Expected KIND:ID with a kind of order, gift, campaign, parcel, not 'ordre:1'"),
        ("order", 400, "about: Expected KIND:ID"),
    ],
)
def test_what_does_not_exist_is_named(world: World, about: str, status: int, words: str) -> None:
    answer = world.control.get(f"/worlds/{world.id}/journey?about={about}")
    assert answer.status == status
    assert answer.json()["error"]["message"].startswith(words)
