"""A session with most of what a recording can have: ids, secrets, failures, webhooks, time, created keys, refusals."""

from __future__ import annotations

import pytest

from tests.support.worlds import World


def recorded_session(world: World) -> str:
    """Do it in a world; the recording."""
    partner = world.partner()
    world.set_receiver(script=[{"status": 503}])
    endpoint = partner.subscribe("team_order.claimed", "team_order.shipped")
    order = partner.create_order(gift_sender="Zoë \"{Q}\" ${x} `y` 'z' \\").json()
    number = order["team_order"]["id"]
    world.simulate("claim", team_order_id=number, recipient=0)
    world.advance("3d")
    assert partner.read_order(number)["team_order"]["status"] == "shipped"
    assert partner.create_order(items=[{"sku_code": "NONE"}], idempotency_key="no mug").status == 404
    world.add_fault({"drop": "after"}, when={"first": 1}, match={"operation": "createTeamOrder"})
    with pytest.raises(ConnectionError):
        partner.create_order(idempotency_key="lost")
    other = world.partner_with_new_key()
    assert other.get("/webhooks").status == 200
    world.call_control("POST", "/snapshots", {"name": "before"})
    assert partner.delete(f"/webhooks/{endpoint['endpoint']['id']}").is_success
    world.call_control("POST", "/snapshots/before/restore")
    partner.create_order(idempotency_key="again")
    token = world.mail()[-1]["links"][0].rpartition("/")[2]
    world.simulate("claim", token=token)
    world.advance(until="next")
    return world.recording
