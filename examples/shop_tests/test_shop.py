"""What the shop is for."""

BO = {"name": "Bo", "email": "bo@example.com"}


def test_an_order_is_placed_and_can_be_canceled(giftsim, shop):
    assert shop.order("spring", BO) == {"state": "placed"}
    assert shop.cancel("spring") == {"state": "canceled"}


def test_a_shipped_mug_earns_points(giftsim, shop):
    shop.order("spring", BO)
    giftsim.ship(shop.orders["spring"]["id"])
    giftsim.advance("1h")
    assert list(shop.errors()) == []
    [parcel] = shop.parcels.values()
    assert parcel["booked"]["team_order.shipped"] == 1
