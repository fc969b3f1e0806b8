"""Magic values in calls: each has the effect of its fault, once or always, on every interface that can have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.faults.injection import MAGIC_HINT
from giftsim.engine.worlds import system_clock
from giftsim.services.gifting.magic.fault_values import CALL_VALUES, VALUE_BY_TEXT, Value
from giftsim.services.gifting.magic.value_format import PREFIX, email
from giftsim.services.known import merged_service
from tests.support.api_clients import WEBHOOK_HOST, PartnerClient
from tests.support.museum import MuseumClient
from tests.support.orders import RENO, order_body
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

Send = Callable[..., Response]
LOST = "lost"
REFUSED = ((400, "invalid_fault"), (400, None))  # the museum's errors have no codes
ROWS = [pytest.param(value, id=value.name) for value in CALL_VALUES]


def send_and_read(send: Send, *arguments: Any, **members: Any) -> Any:
    """Make a call; the status and error code of its response, or LOST."""
    try:
        response = send(*arguments, **members)
    except ConnectionError:
        return LOST
    return response.status, response.json().get("error", {}).get("code")


def senders(world: World, text: str) -> list[Send]:
    """Functions that make calls with a text in them on all three interfaces; without magic, each call succeeds."""
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
def delays_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The real seconds of delays, which are recorded instead of slept."""
    delays: list[float] = []
    monkeypatch.setattr(system_clock, "sleep", lambda span_s, *_: delays.append(span_s))
    return delays


@pytest.mark.parametrize("value", ROWS)
def test_every_value_has_the_effect_of_its_fault(new_world: Callable[..., World], delays_s: Any, value: Value) -> None:
    with_value, with_fault, off = new_world(), new_world(), new_world(settings={"magic_values": False})
    without_magic = [send_and_read(send) for send in senders(off, value.name)]
    assert all(answer[0] in (200, 201) for answer in without_magic)
    assert delays_s == []
    magic = [send_and_read(send) for send in senders(with_value, value.name)]
    for send, expected in zip(senders(with_fault, "nothing"), magic, strict=True):
        fault = None
        if "webhook" not in value.effect:
            fault = with_fault.control.post(f"/worlds/{with_fault.id}/faults", {"effect": dict(value.effect)})
        actual = send_and_read(send)
        # Where a fault is refused, or its code is not documented for the operation, the value has no effect.
        assert actual == expected or actual in REFUSED or ("code" in value.effect and expected[0] == 201)
        if fault is not None:
            with_fault.call_control("DELETE", "/faults")
    fault_names = [call["fault"] for call in with_value.call_control("GET", "/calls")["calls"]]
    assert value.name in fault_names
    assert set(fault_names) <= {value.name, None}
    assert [call["fault"] for call in off.call_control("GET", "/calls")["calls"]] == [None] * 5
    assert delays_s[:1] == [value.effect["delay_s"]] if "delay_s" in value.effect else delays_s == []


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
@pytest.mark.parametrize("form", [lambda name: name, email])
def test_a_value_with_once_does_not_act_on_the_retry(
    partner: PartnerClient, value: str, first: Any, then: Any, form: Callable[[str], str]
) -> None:
    once = form(f"{value} Once")
    assert [send_and_read(partner.create_order, gift_message=once) for _ in range(2)] == [first, then]
    assert send_and_read(partner.create_order, gift_message=once, idempotency_key="other") == first


def test_a_value_without_once_acts_on_every_retry(world: World, partner: PartnerClient) -> None:
    for _ in range(3):
        assert send_and_read(partner.create_order, gift_sender="Magic Card Declined") == (402, "card_charge_failed")
    assert [order["status"] for order in world.call_control("GET", "/orders")["orders"]] == ["unpaid"]


def test_a_retry_after_a_lost_response_is_replayed_and_charged_once(world: World, partner: PartnerClient) -> None:
    assert send_and_read(partner.create_order, name="Magic Answer Lost Once") == LOST
    with world.assert_unchanged():
        assert partner.create_order(name="Magic Answer Lost Once").headers["idempotent-replayed"] == "true"
    assert len(world.call_control("GET", "/payments")["payments"]) == 1


def test_a_value_with_once_that_had_no_effect_acts_next_time(partner: PartnerClient) -> None:
    once = "Magic Card Declined Once"
    assert send_and_read(partner.create_order, name=once, items=[])[0] == 400
    assert send_and_read(partner.create_order, name=once) == (402, "card_charge_failed")
    assert send_and_read(partner.create_order, name=once) == (201, None)


def test_values_act_anywhere_in_the_body_after_a_plus_and_in_the_query(partner: PartnerClient) -> None:
    declined = (402, "card_charge_failed")
    rows = [{"name": "Magic Card Declined", "email": "bo@example.com"}]
    assert send_and_read(partner.create_order, recipients=rows, idempotency_key="a") == declined
    rows = [{"name": "Bo", "email": "bo+card-declined@magic.giftsim.example"}]
    assert send_and_read(partner.create_order, recipients=rows, idempotency_key="b") == declined
    assert send_and_read(partner.create_order, card={"message": "Magic Card Declined"}, idempotency_key="c") == declined
    assert send_and_read(partner.post, "/team-orders?magic=Magic+Card+Declined", order_body()) == declined
    assert send_and_read(partner.get, "/team-orders?magic=Magic%20Rate%20Limited") == (429, "rate_limited")
    assert send_and_read(partner.get, "/webhooks?magic=Magic+Card+Declined") == (200, None)


def test_the_first_value_acts_and_a_fault_takes_precedence(world: World, partner: PartnerClient) -> None:
    both = {"name": "Magic Rate Limited", "gift_message": "Magic Unavailable"}
    assert send_and_read(partner.create_order, **both)[0] == 429
    world.add_fault({"status": 500}, when={"first": 1})
    assert [send_and_read(partner.create_order, **both)[0] for _ in range(2)] == [500, 429]
    assert partner.post("/team-orders", order_body(**both), X_Sim_Fault="status=401").status == 401


@pytest.mark.parametrize(
    "text",
    ["magic card declined", "Magic Card Declined!", "MAGIC CARD DECLINED", " Magic Card Declined", "Magic", "Magic ",
     "Card Declined", "The magic of giving", "card-declined@example.com", "card-declined@magic.example",
     "x@magic.giftsim.example", "card-declined+x@magic.giftsim.example", "Magic Card Declined Twice"],
)  # fmt: skip
def test_other_texts_are_ordinary(partner: PartnerClient, text: str) -> None:
    rows = [{"name": text.strip() or "Bo", "email": text if "@" in text else "bo@example.com"}]
    if text != " Magic Card Declined":
        assert send_and_read(partner.create_order, recipients=rows) == (201, None)
    assert send_and_read(partner.create_order, name=text, idempotency_key="b") == (201, None)


@pytest.mark.parametrize("kind", ["duplicate", "bad-signature"])
def test_a_webhook_value_acts_on_the_events_of_its_order(world: World, partner: PartnerClient, kind: str) -> None:
    partner.subscribe("team_order.claimed")
    value = f"{kind}@magic.giftsim.example"
    for number, address in enumerate(("bo@example.com", value)):
        partner.create_order(idempotency_key=f"{number}", recipients=[{"name": "Bo", "email": address}])
        world.simulate("claim", team_order_id=1001 + number, recipient=0, address=RENO)
    world.advance("1h")
    faults = [row["fault"] for row in world.deliveries()]
    assert faults == [None, value, value] if kind == "duplicate" else [None, value]


def test_the_same_calls_have_the_same_results_and_fingerprint(new_world: Callable[..., World], delays_s: Any) -> None:
    def run() -> list[Any]:
        world = new_world(seed=3)
        answers = [send_and_read(send) for value in CALL_VALUES for send in senders(world, f"{value.name} Once")]
        return [answers, world.fingerprint()]

    assert run() == run()


def test_a_restored_snapshot_allows_a_value_to_act_again(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "fresh"})
    for _ in range(2):
        answers = [send_and_read(partner.create_order, name="Magic Unavailable Once")[0] for _ in range(2)]
        assert answers == [503, 201]
        world.call_control("POST", "/snapshots/fresh/restore")


def test_every_value_is_a_valid_fault_and_contains_the_hint() -> None:
    for value in CALL_VALUES:
        merged_service().effect_types.check(value.effect)
        assert value.name.startswith(PREFIX)
        assert value.means
        assert value.source
    assert all(MAGIC_HINT in text for text in VALUE_BY_TEXT)
    assert len(VALUE_BY_TEXT) == 4 * len(CALL_VALUES)
