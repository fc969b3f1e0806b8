"""Advances that end early, because they are canceled while they are under way."""

from __future__ import annotations

from collections.abc import Callable

from giftsim.client.response import Response
from tests.support.api_clients import PartnerClient
from tests.support.responses import status_and_code
from tests.support.worlds import World


def test_an_advance_is_canceled_while_it_waits_for_a_delivery(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    def cancel() -> None:
        states.append(world.call_control("GET", "/clock")["advancing"])
        answers.append(world.control.delete(f"/worlds/{world.id}/clock/advance"))

    states: list[bool] = []
    answers: list[Response] = []
    partner.subscribe("team_order.claimed")
    world.set_receiver(mode="forward", to=start_receiver(cancel))
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    result = world.advance("30d")
    assert ([answer.status for answer in answers], states) == ([202], [True])
    assert result["canceled"]
    assert result["to"] == world.now == result["deliveries"][0]["at"]
    assert [row["outcome"] for row in world.deliveries()] == ["delivered"]
    rest = world.advance("30d")
    assert (rest["canceled"], rest["from"], rest["fired_by_kind"]["shipment.deliver"]) == (False, result["to"], 1)


def test_only_an_advance_that_is_under_way_can_be_canceled(world: World) -> None:
    response = world.control.delete(f"/worlds/{world.id}/clock/advance")
    assert status_and_code(response) == (409, "no_advance")
    assert not world.advance("1d")["canceled"]


def test_a_world_with_a_canceled_advance_is_recorded_and_replayed(
    world: World, partner: PartnerClient, start_receiver: Callable[..., str]
) -> None:
    partner.subscribe("team_order.claimed")
    world.set_receiver(
        mode="forward", to=start_receiver(lambda: world.control.delete(f"/worlds/{world.id}/clock/advance"))
    )
    partner.create_order()
    world.simulate("claim", team_order_id=1001, recipient=0)
    world.advance("30d")
    text = world.control.get(f"/worlds/{world.id}/journal/scenario").text
    report = world.client.call(
        "POST", "/_sim/v1/scenarios/play", body=text, headers={"Content-Type": "application/yaml"}
    )
    assert (report.json()["outcome"], report.json()["fingerprint"]) == ("passed", world.fingerprint())
