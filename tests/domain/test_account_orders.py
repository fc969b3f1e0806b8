"""Lists of orders that are longer than a partition of the index."""

from __future__ import annotations

from giftsim.kernel.index import PARTITION_SIZE as SIZE
from tests.claims import claims
from tests.support.api_clients import PartnerClient
from tests.support.orders import address_recipients


@claims("P-4.2", "P-4.3", "P-4.4")
def test_a_list_by_status_goes_on_where_a_partition_of_the_index_ends(partner: PartnerClient) -> None:
    orders = [
        partner.create_order(idempotency_key=f"{n}", recipients=address_recipients(1)).json()["team_order"]["id"]
        for n in range(SIZE + 10)
    ]
    for n in (3, SIZE - 2, SIZE, SIZE + 7):
        partner.post(f"/team-orders/{orders[n]}/cancel", {})
    canceled = partner.get("/team-orders?status=canceled&limit=3").json()
    assert [order["id"] for order in canceled["team_orders"]] == [orders[n] for n in (SIZE + 7, SIZE, SIZE - 2)]
    assert canceled["total"] == 4
    last = partner.get("/team-orders?status=canceled&limit=3&offset=3").json()
    assert [order["id"] for order in last["team_orders"]] == [orders[3]]
    rest = partner.get("/team-orders?status=in_progress&limit=10&offset=4").json()
    assert rest["total"] == SIZE + 6
    assert [order["id"] for order in rest["team_orders"]] == [
        orders[n] for n in range(SIZE + 4, SIZE - 8, -1) if n not in (SIZE, SIZE - 2)
    ][:10]
