"""Lists of orders that are longer than a group of the index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from giftsim.domain.fulfilment.account_orders import newest
from giftsim.domain.fulfilment.fulfilment import GROUP_SIZE
from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients

SLOTS = st.lists(st.integers(0, 400), unique=True).map(sorted)


@given(slots=SLOTS, size=st.integers(1, 50), limit=st.integers(1, 30), offset=st.integers(0, 60))
def test_the_newest_of_groups_are_those_of_one_list(slots: list[int], size: int, limit: int, offset: int) -> None:
    groups = [[n for n in slots if n // size == group] for group in range(400 // size + 1)]
    assert newest(groups, limit, offset) == slots[::-1][offset : offset + limit]


@claims("P-4.2", "P-4.3", "P-4.4")
def test_a_list_by_status_goes_on_where_a_group_of_the_index_ends(partner: PartnerClient) -> None:
    orders = [
        partner.create_order(idempotency_key=f"{n}", recipients=address_recipients(1)).json()["team_order"]["id"]
        for n in range(GROUP_SIZE + 10)
    ]
    for n in (3, GROUP_SIZE - 2, GROUP_SIZE, GROUP_SIZE + 7):
        partner.post(f"/team-orders/{orders[n]}/cancel", {})
    canceled = partner.get("/team-orders?status=canceled&limit=3").json()
    assert [order["id"] for order in canceled["team_orders"]] == [
        orders[n] for n in (GROUP_SIZE + 7, GROUP_SIZE, GROUP_SIZE - 2)
    ]
    assert canceled["total"] == 4
    last = partner.get("/team-orders?status=canceled&limit=3&offset=3").json()
    assert [order["id"] for order in last["team_orders"]] == [orders[3]]
    rest = partner.get("/team-orders?status=in_progress&limit=10&offset=4").json()
    assert rest["total"] == GROUP_SIZE + 6
    assert [order["id"] for order in rest["team_orders"]] == [
        orders[n] for n in range(GROUP_SIZE + 4, GROUP_SIZE - 8, -1) if n not in (GROUP_SIZE, GROUP_SIZE - 2)
    ][:10]
