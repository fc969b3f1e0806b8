"""When several things are wrong at once, the first in the documents' order is the answer (G13, B3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim import Simulator
from tests.support.api_clients import PartnerClient
from tests.support.instants import date_from_now
from tests.support.orders import RENO, order_body
from tests.support.partner.catalogue import MUG_LINE
from tests.support.responses import created, error_code
from tests.support.worlds import World

Body = dict[str, Any]


def mixed(body: Body) -> None:
    body["recipients"].append({"name": "Cy", "email": "cy@example.com"})


def bad_row(body: Body) -> None:
    body["recipients"][0]["quantity"] = 0


# One flaw for each code, in the order in which they are told; every one can be put on top of the others.
FLAWS: dict[str, tuple[int, Callable[[Body], object]]] = {
    "invalid_body": (400, lambda body: body.update(claim_expiry_days="ten")),
    "items_required": (400, lambda body: body.update(items=[])),
    "invalid_item": (400, lambda body: body["items"].append({"sku_code": "MUG-01", "quantity": 0})),
    "recipients_required": (400, lambda body: body.update(recipients=[])),
    "mixed_address_modes": (400, mixed),
    "gift_sender_required": (400, lambda body: body.pop("gift_sender")),
    "invalid_event": (400, lambda body: body.update(event={"date": "soon"})),
    "sku_not_found": (404, lambda body: body["items"].append({"sku_code": "GONE-01"})),
    "invalid_recipients": (422, bad_row),
    "personalization_review_required": (409, lambda body: body["items"].append({"sku_code": "ENGR-01"})),
}
# What empties a list is done last, or the others would fill it again.
LAST = ("items_required", "recipients_required")


def flawed(names: set[str]) -> Body:
    """A good order to two addresses with these flaws."""
    rows = [{"name": name, "address": dict(RENO)} for name in ("Bo", "Di")]
    body = order_body(items=[dict(MUG_LINE)], recipients=rows)
    for name in sorted(FLAWS, key=lambda name: name in LAST):
        if name in names:
            FLAWS[name][1](body)
    return body


@pytest.mark.parametrize("note", [1, 1.0, None])
@pytest.mark.parametrize("name", FLAWS)
def test_each_flaw_alone_has_its_code_whatever_else_is_in_the_body(world: World, name: str, note: float | None) -> None:
    partner = world.partner("partner.no_funds")
    with world.assert_unchanged():
        assert error_code(partner.post("/team-orders", {**flawed({name}), "note": note}), FLAWS[name][0]) == name


def test_without_a_flaw_the_charge_decides(world: World) -> None:
    assert (
        error_code(world.partner("partner.no_funds").post("/team-orders", flawed(set())), 402)
        == "insufficient_funds_no_card"
    )


@given(names=st.sets(st.sampled_from(list(FLAWS)), min_size=1))
def test_of_several_flaws_the_first_in_the_table_is_told(simulator: Simulator, names: set[str]) -> None:
    world = World(simulator, fixture="empty")
    first = next(name for name in FLAWS if name in names)
    with world.assert_unchanged():
        answer = world.partner("partner.no_funds").post("/team-orders", flawed(names))
    assert error_code(answer, FLAWS[first][0]) == first


def test_the_key_is_judged_before_the_body(world: World, partner: PartnerClient) -> None:
    broken = "{"
    assert partner.client.call("POST", "/api/external/team-orders", body=broken).status == 401
    assert error_code(world.partner("partner.unbound").post("/team-orders", broken), 403) == "forbidden_no_account"
    assert (
        error_code(world.partner("partner.no_capability").post("/team-orders", broken), 403) == "forbidden_capability"
    )
    assert error_code(partner.post("/team-orders", broken), 400) == "invalid_body"


def test_a_used_idempotency_key_is_told_before_what_is_wrong_with_the_new_body(
    world: World, partner: PartnerClient
) -> None:
    created(partner.create_order())
    with world.assert_unchanged():
        for name, (_, spoil) in FLAWS.items():
            body = order_body(items=[dict(MUG_LINE)], recipients=[{"name": "Bo", "address": dict(RENO)}])
            spoil(body)
            answer = partner.post("/team-orders", body)
            assert error_code(answer, 409) == "idempotency_payload_mismatch", name


def test_json_that_cannot_be_read_is_told_before_the_used_key(partner: PartnerClient) -> None:
    created(partner.create_order())
    assert error_code(partner.post("/team-orders", '{"idempotency_key": "first", "name": NaN}')) == "invalid_body"


def test_an_unknown_product_is_told_before_its_options_can_be(partner: PartnerClient) -> None:
    unknown = {"merchant_product_id": 999, "fixed_options": {"1": 2}}
    assert error_code(partner.create_order(items=[unknown]), 404) == "sku_not_found"
    assert error_code(partner.create_order(items=[unknown, {"merchant_product_id": 102}])) == "invalid_item"


def test_a_review_is_asked_for_before_the_wallet_is_looked_at(world: World) -> None:
    partner = world.partner("partner.no_funds")
    engraved = [{"sku_code": "ENGR-01"}]
    with world.assert_unchanged():
        assert error_code(partner.create_order(items=engraved), 409) == "personalization_review_required"
    world.simulate("personalization", product="ENGR-01")
    assert error_code(partner.create_order(items=engraved), 402) == "insufficient_funds_no_card"


def test_a_retry_of_an_unpaid_order_is_not_judged_anew(world: World) -> None:
    partner = world.partner("partner.no_funds")
    body = order_body(event={"date": date_from_now(world, 0)})
    assert partner.post("/team-orders", body).status == 402
    world.advance("2d")
    world.change_account("partner.no_funds", card="good")
    assert created(partner.post("/team-orders", body))["team_order"]["event"]["event_date"] == date_from_now(world, -2)
