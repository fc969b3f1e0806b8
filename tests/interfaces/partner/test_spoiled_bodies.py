"""A good body with one member spoiled never becomes an order, whichever member it is and whatever is put there."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from tests.claims import claims
from tests.support.partner.catalogue import ADDRESSES, COLOUR, SIZE, SMALL, TEE
from tests.support.responses import created, error_code
from tests.support.worlds import World

Path = tuple[str | int, ...]

COMMON: dict[str, Any] = {
    "idempotency_key": "first", "name": "Welcome", "reference": "REF-1", "po_number": "PO-1", "gift_sender": "Ada",
    "gift_message": "Hi", "card": {"message": "Hi", "sender": "Ada"}, "claim_expiry_days": 10,
    "event": {"date": "2999-06-01", "rush": True, "kit_assembly": False}, "return_claim_links": True,
    "destination_countries": ["US", "GB"],
}  # fmt: skip
BY_LINK: dict[str, Any] = {
    **COMMON, "open_seats": 2,
    "items": [{"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL}, "choice_variation_ids": [COLOUR]},
              {"sku_code": "MUG-01", "quantity": 2}],
    "recipients": [{"name": "Bo", "email": "bo@example.com", "company": "Berg", "gift_message": "You"},
                   {"name": "Cy", "email": "cy@example.com"}],
}  # fmt: skip
BY_ADDRESS: dict[str, Any] = {
    **COMMON,
    "items": [{"merchant_sku_id": 10100, "quantity": 2}, {"sku_code": "PEN-01"}],
    "recipients": [{"name": "Bo", "company": "Berg", "quantity": 2, "ship_on": "2999-05-01",
                    "address": ADDRESSES["CA"]},
                   {"name": "Cy", "email": "cy@example.com", "address": {**ADDRESSES["GB"], "state": "London"}}],
}  # fmt: skip


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place inside a body."""
    if isinstance(value, dict):
        inner: list[tuple[str | int, Any]] = list(value.items())
    else:
        inner = list(enumerate(value)) if isinstance(value, list) else []
    for name, member in inner:
        yield (*path, name)
        yield from places(member, (*path, name))


def at(body: Any, path: Path) -> Any:
    for part in path:
        body = body[part]
    return body


PLACES = [(kind, path) for kind, body in (("link", BY_LINK), ("address", BY_ADDRESS)) for path in places(body)]
NULLABLE = ("state",)

scalars = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
anything = st.recursive(
    scalars | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
)
of_rows = ("name", "email", "company", "gift_message", "quantity", "ship_on", "address")
new_names = st.text(min_size=1, max_size=8).filter(lambda name: name not in (*BY_LINK, *of_rows))


def is_wrong(good: Any, name: str | int, value: Any) -> bool:
    """Whether the value is of another type than the good one, so that it must be refused there."""
    if value is None:
        return name not in NULLABLE and name != "address"
    return type(value) is not type(good)


def expected(path: Path) -> tuple[int, str]:
    """The status and the code of a wrong type at that place, by the error table."""
    if path[0] == "items" and len(path) > 1:
        return 400, "invalid_item"
    if path[0] == "recipients" and len(path) > 2:
        return 422, "invalid_recipients"
    return 400, "invalid_event" if path[0] == "event" else "invalid_body"


@claims("P-7.1", "P-7.3", "P-7.7", "P-7.10", "P-7.25")
@settings(max_examples=300)
@given(place=st.sampled_from(PLACES), value=anything)
def test_a_value_of_another_type_is_refused_with_the_code_of_its_place(
    simulator: Simulator, place: tuple[str, Path], value: Any
) -> None:
    kind, path = place
    body = deepcopy(BY_LINK if kind == "link" else BY_ADDRESS)
    if not is_wrong(at(body, path), path[-1], value):
        return
    at(body, path[:-1])[path[-1]] = value
    world = World(simulator, fixture="empty")
    with world.assert_unchanged():
        answer = world.partner().post("/team-orders", body)
    status, said = expected(path)
    assert error_code(answer, status) == said
    if status == 422:
        (row,) = answer.json()["errors"]
        assert row["recipient_index"] == path[1]
        assert {error["field"] for error in row["errors"]} == {".".join(map(str, path[2:]))}
    assert created(world.partner().post("/team-orders", deepcopy(BY_LINK)))


# What each member may not be left without; the rest is optional.
NEEDED = {
    "idempotency_key": "invalid_body", "items": "items_required", "recipients": "recipients_required",
    "gift_sender": "gift_sender_required", "event.date": "invalid_event", "items.0.merchant_sku_id": "invalid_item",
    "items.0.fixed_options": "invalid_item", f"items.0.fixed_options.{SIZE}": "invalid_item",
    "items.0.choice_variation_ids": "invalid_item", "items.0.choice_variation_ids.0": "invalid_item",
    "items.0.merchant_product_id": "invalid_item", "items.1.sku_code": "invalid_item",
    "recipients.0.address": "mixed_address_modes", "recipients.1.address": "mixed_address_modes",
    **{f"recipients.{row}.name": "invalid_recipients" for row in (0, 1)},
}  # fmt: skip
NEEDED_BY_LINK = {f"recipients.{row}.email": "invalid_recipients" for row in (0, 1)}
NEEDED_IN_ADDRESS = {
    f"recipients.{row}.address.{field}": "invalid_recipients"
    for row in (0, 1)
    for field in ("address1", "city", "zip", "country")
} | {"recipients.0.address.state": "invalid_recipients"}


@claims("P-7.2", "P-7.4", "P-7.6", "P-7.10", "P-2.1")
@pytest.mark.parametrize(("kind", "path"), PLACES)
def test_only_what_may_be_missing_may_be_missing(world: World, kind: str, path: Path) -> None:
    body = deepcopy(BY_LINK if kind == "link" else BY_ADDRESS)
    del at(body, path[:-1])[path[-1]]
    needed = NEEDED | (NEEDED_BY_LINK if kind == "link" else NEEDED_IN_ADDRESS)
    said = needed.get(".".join(map(str, path)))
    if said is None:
        created(world.partner().post("/team-orders", body))
        return
    with world.assert_unchanged():
        answer = world.partner().post("/team-orders", body)
    assert error_code(answer, 422 if said == "invalid_recipients" else 400) == said


@given(members=st.dictionaries(new_names, anything, max_size=3))
def test_unknown_members_change_nothing(simulator: Simulator, members: dict[str, Any]) -> None:
    plain, decorated = World(simulator, fixture="empty"), World(simulator, fixture="empty")
    body = deepcopy(BY_LINK) | members
    body["recipients"][0] |= members
    first = created(plain.partner().post("/team-orders", deepcopy(BY_LINK)))
    second = created(decorated.partner().post("/team-orders", body))
    assert second["totals"] == first["totals"]
    assert [row["name"] for row in second["recipients"]] == [row["name"] for row in first["recipients"]]
