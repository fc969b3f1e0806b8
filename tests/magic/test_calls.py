"""Magic values in calls: every row of the table acts, once or always, on whichever interface it can, and never else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.gateway.faults.effect_registry import check_effect
from giftsim.gateway.faults.injection import MAGIC_HINT
from giftsim.gateway.in_process_client import Response
from giftsim.magic.fault_values import CALLS, SPELLED, Value
from giftsim.magic.format import PREFIX, email
from giftsim.worlds import system_clock
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.museum import MuseumClient
from tests.support.orders import RENO, order_body
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

Send = Callable[..., Response]
LOST = "lost"
REFUSED = ((400, "invalid_fault"), (400, None))  # the museum's errors have no codes
ROWS = [pytest.param(value, id=value.name) for value in CALLS]


def seen(send: Send, *given: Any, **members: Any) -> Any:
    """Status and code of an answer, or LOST."""
    try:
        answer = send(*given, **members)
    except ConnectionError:
        return LOST
    return answer.status, answer.json().get("error", {}).get("code")


def carried(world: World, text: str) -> list[Send]:
    """Calls of all three interfaces that carry a text, each as good as it stands."""
    team, museum = TeamClients(world).live, MuseumClient(world)
    hook = {"url": f"https://{WEBHOOK_HOST}/x", "events": ["order.shipped"], "note": text}
    person = {"people": [{"first_name": "Ada", "last_name": text, "work_email": "ada@example.com"}]}
    ticket = {"ticketType": "general", "ticketDate": "2027-01-07", "email": "ada@example.com", "phone": text}
    gift = {"recipients": [{"name": text, "email": "bo@example.com"}], "gift": {"collection_slug": "welcome-kit"}}
    return [
        lambda: world.partner().create_order(name=text, idempotency_key=text),
        lambda: world.partner().post("/webhooks", hook),
        lambda: team.post("/people", person, Idempotency_Key=f"person {text}"),
        lambda: team.post("/gifts", gift, Idempotency_Key=f"gift {text}"),
        lambda: museum.post("/tickets", ticket),
    ]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long answers were held back, in real seconds that do not pass."""
    found: list[float] = []
    monkeypatch.setattr(system_clock, "sleep", found.append)
    return found


@pytest.mark.parametrize("value", ROWS)
def test_every_value_acts_as_the_fault_that_it_stands_for(
    new_world: Callable[..., World], spans: Any, value: Value
) -> None:
    by_value, by_table, off = new_world(), new_world(), new_world(settings={"magic_values": False})
    plain = [seen(send) for send in carried(off, value.name)]
    assert all(answer[0] in (200, 201) for answer in plain)
    assert spans == []
    magic = [seen(send) for send in carried(by_value, value.name)]
    for send, expected in zip(carried(by_table, "nothing"), magic, strict=True):
        fault = None
        if "webhook" not in value.effect:
            fault = by_table.control.post(f"/worlds/{by_table.id}/faults", {"effect": dict(value.effect)})
        got = seen(send)
        # What a fault is refused for, a value lets be, and it gives no code that is not documented there.
        assert got == expected or got in REFUSED or ("code" in value.effect and expected[0] == 201)
        if fault is not None:
            by_table.call_control("DELETE", "/faults")
    said = [call["fault"] for call in by_value.call_control("GET", "/journal")["calls"]]
    assert value.name in said
    assert set(said) <= {value.name, None}
    assert [call["fault"] for call in off.call_control("GET", "/journal")["calls"]] == [None] * 5
    assert spans[:1] == [value.effect["delay_s"]] if "delay_s" in value.effect else spans == []


@pytest.mark.parametrize(
    ("value", "first", "then"),
    [
        ("Magic Card Declined", (402, "card_charge_failed"), (201, None)),
        ("Magic Outcome Unknown", LOST, (409, "idempotency_outcome_unknown")),
        ("Magic Request Lost", LOST, (201, None)),
        ("Magic Answer Lost", LOST, (201, None)),
        ("Magic Unavailable", (503, "idempotency_unavailable"), (201, None)),
        ("Magic Rate Limited", (429, "rate_limited"), (201, None)),
    ],
)
@pytest.mark.parametrize("spelled", [lambda name: name, email])
def test_a_value_acts_once_where_it_says_so_and_the_retry_goes_through(
    partner: PartnerClient, value: str, first: Any, then: Any, spelled: Callable[[str], str]
) -> None:
    once = spelled(f"{value} Once")
    assert [seen(partner.create_order, gift_message=once) for _ in range(2)] == [first, then]
    assert seen(partner.create_order, gift_message=once, idempotency_key="other") == first


def test_a_value_that_acts_always_acts_on_the_retry_too_and_charges_nothing(
    world: World, partner: PartnerClient
) -> None:
    for _ in range(3):
        assert seen(partner.create_order, gift_sender="Magic Card Declined") == (402, "card_charge_failed")
    assert [order["status"] for order in world.call_control("GET", "/orders")["orders"]] == ["unpaid"]


def test_a_replay_is_charged_once(world: World, partner: PartnerClient) -> None:
    assert seen(partner.create_order, name="Magic Answer Lost Once") == LOST
    with world.assert_unchanged():
        assert partner.create_order(name="Magic Answer Lost Once").headers["idempotent-replayed"] == "true"
    assert len(world.call_control("GET", "/payments")["payments"]) == 1


def test_a_value_that_came_to_nothing_still_acts_the_next_time(partner: PartnerClient) -> None:
    once = "Magic Card Declined Once"
    assert seen(partner.create_order, name=once, items=[])[0] == 400
    assert seen(partner.create_order, name=once) == (402, "card_charge_failed")
    assert seen(partner.create_order, name=once) == (201, None)


def test_a_value_can_stand_anywhere_in_the_body_behind_a_plus_and_in_the_query(partner: PartnerClient) -> None:
    declined = (402, "card_charge_failed")
    rows = [{"name": "Magic Card Declined", "email": "bo@example.com"}]
    assert seen(partner.create_order, recipients=rows, idempotency_key="a") == declined
    rows = [{"name": "Bo", "email": "bo+card-declined@magic.giftsim.example"}]
    assert seen(partner.create_order, recipients=rows, idempotency_key="b") == declined
    assert seen(partner.create_order, card={"message": "Magic Card Declined"}, idempotency_key="c") == declined
    assert seen(partner.post, "/team-orders?magic=Magic+Card+Declined", order_body()) == declined
    assert seen(partner.get, "/team-orders?magic=Magic%20Rate%20Limited") == (429, "rate_limited")
    assert seen(partner.get, "/webhooks?magic=Magic+Card+Declined") == (200, None)


def test_the_first_value_wins_and_a_fault_goes_before_it(world: World, partner: PartnerClient) -> None:
    both = {"name": "Magic Rate Limited", "gift_message": "Magic Unavailable"}
    assert seen(partner.create_order, **both)[0] == 429
    world.add_fault({"status": 500}, when={"first": 1})
    assert [seen(partner.create_order, **both)[0] for _ in range(2)] == [500, 429]
    assert partner.post("/team-orders", order_body(**both), X_Sim_Fault="status=401").status == 401


@pytest.mark.parametrize(
    "text",
    ["magic card declined", "Magic Card Declined!", "MAGIC CARD DECLINED", " Magic Card Declined", "Magic", "Magic ",
     "Card Declined", "The magic of giving", "card-declined@example.com", "card-declined@magic.example",
     "x@magic.giftsim.example", "card-declined+x@magic.giftsim.example", "Magic Card Declined Twice"],
)  # fmt: skip
def test_what_is_not_spelled_so_is_an_ordinary_text(partner: PartnerClient, text: str) -> None:
    rows = [{"name": text.strip() or "Bo", "email": text if "@" in text else "bo@example.com"}]
    if text != " Magic Card Declined":
        assert seen(partner.create_order, recipients=rows) == (201, None)
    assert seen(partner.create_order, name=text, idempotency_key="b") == (201, None)


@pytest.mark.parametrize("kind", ["duplicate", "bad-signature"])
def test_the_webhooks_of_an_order_come_as_its_value_says(world: World, partner: PartnerClient, kind: str) -> None:
    partner.subscribe("team_order.claimed")
    value = f"{kind}@magic.giftsim.example"
    for number, address in enumerate(("bo@example.com", value)):
        partner.create_order(idempotency_key=f"{number}", recipients=[{"name": "Bo", "email": address}])
        world.simulate("claim", team_order_id=1001 + number, recipient=0, address=RENO)
    world.advance("1h")
    faults = [row["fault"] for row in world.deliveries()]
    assert faults == [None, value, value] if kind == "duplicate" else [None, value]


def test_the_same_calls_are_the_same_bytes_twice(new_world: Callable[..., World], spans: Any) -> None:
    def told() -> list[Any]:
        world = new_world(seed=3)
        answers = [seen(send) for value in CALLS for send in carried(world, f"{value.name} Once")]
        return [answers, world.fingerprint()]

    assert told() == told()


def test_what_was_spent_goes_back_with_a_snapshot(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "fresh"})
    for _ in range(2):
        answers = [seen(partner.create_order, name="Magic Unavailable Once")[0] for _ in range(2)]
        assert answers == [503, 201]
        world.call_control("POST", "/snapshots/fresh/restore")


def test_every_value_is_a_fault_spelled_so_that_a_quick_look_finds_it() -> None:
    for value in CALLS:
        check_effect(value.effect)
        assert value.name.startswith(PREFIX)
        assert value.means
        assert value.source
    assert all(MAGIC_HINT in text for text in SPELLED)
    assert len(SPELLED) == 4 * len(CALLS)
