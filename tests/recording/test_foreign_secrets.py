"""Secrets that a client sends and that giftsim never gave out are in no recording, call log or message (G93)."""

from __future__ import annotations

import json

import pytest

from giftsim import Simulator
from giftsim.workbench.scenario import check_scenario, load_scenario, play
from tests.support.orders import email_recipients
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

HUSH = "hu5hhu5hhu5hhu5h"
ORDERS = "/api/external/team-orders"
IN_HEADERS = {
    "Proxy-Authorization": f"Basic {HUSH}", "X-Acme-Token": HUSH, "X-Tenant": HUSH, "Forwarded": f"for=x;secret={HUSH}",
    "Cookie": f"sid={HUSH}", "Referer": f"https://ada:{HUSH}@a.example/?token={HUSH}", "X-Amz-Security-Token": HUSH,
    "Cf-Access-Jwt-Assertion": HUSH, "X-Hub-Signature": HUSH, "X-Forwarded-Authorization": f"Bearer {HUSH}",
}  # fmt: skip


def recording_of(world: World) -> str:
    """The recording of a world, which neither it nor the call log may give away."""
    text = world.recording
    shown = json.dumps(world.call_control("GET", "/calls"))
    assert (HUSH in text, HUSH in shown) == (False, False)
    return text


def replays(text: str, simulator: Simulator) -> bool:
    """Whether a recording gets the same bytes in another world."""
    scenario = load_scenario(text)
    check_scenario(scenario, simulator.client)
    report = play(scenario, simulator.client)
    assert report.outcome == "passed", report.timeline
    return True


def test_headers_of_a_clients_own_are_kept_nowhere(world: World, simulator: Simulator) -> None:
    partner = world.partner()
    for headers in (IN_HEADERS, {**IN_HEADERS, "X-Sim-Fault": "status=503"}):
        world.client.call("GET", ORDERS, headers={**partner.headers, **headers})
    text = recording_of(world)
    assert text.count("X-Sim-Fault") == 1
    assert replays(text, simulator)
    logged = world.call_control("GET", "/calls")["calls"][0]["request"]["headers"]
    assert {name: value for name, value in logged.items() if name in ("X-Tenant", "Proxy-Authorization")} == {
        "X-Tenant": "***", "Proxy-Authorization": "***",
    }  # fmt: skip


def test_keys_of_other_services_are_kept_nowhere_and_two_stay_two(world: World, simulator: Simulator) -> None:
    for headers in (
        {"Authorization": f"Bearer {HUSH}"}, {"Authorization": f"Bearer {HUSH}2"}, {"X-API-Key": f"{HUSH}3"},
    ):  # fmt: skip
        call = {**headers, "X-Sim-World": world.id}
        assert world.client.call("GET", "/api/teams/v1/people", headers=call).status == 401
    text = recording_of(world)
    assert [f"unknown{n}" in text for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert replays(text, simulator)


@pytest.mark.parametrize("userinfo", [f"ada:{HUSH}", HUSH, f":{HUSH}", f"a@b:{HUSH}", f"\u00fc:{HUSH}", f"a%3A{HUSH}"])
def test_a_refused_url_is_kept_without_its_password(userinfo: str, simulator: Simulator) -> None:
    world = World(simulator, fixture="empty")
    team, url = TeamClients(world).live, f"https://{userinfo}@hooks.partner.example/logo.png"
    events = ["team_order.claimed"]
    answers = [
        world.partner().post("/webhooks", {"url": url, "events": events}),
        team.post("/webhooks", {"url": url, "events": ["team_order.shipped"]}),
        team.post("/artwork", {"url": url, "name": "Logo"}),
    ]
    assert [answer.status for answer in answers] == [400, 422, 422]
    assert [HUSH in answer.text for answer in answers] == [False] * 3
    text = recording_of(world)
    assert "fingerprint" in text
    assert replays(text, simulator)


def test_a_password_in_a_path_is_kept_nowhere(world: World, simulator: Simulator) -> None:
    path = f"{ORDERS}/nothing/https://ada:{HUSH}@hooks.partner.example/"
    response = world.client.call("GET", path, headers=world.partner().headers)
    assert (response.status, HUSH in response.text) == (404, False)
    assert replays(recording_of(world), simulator)


def test_a_password_in_a_stored_text_is_replaced_without_the_check_of_the_final_state(
    world: World, simulator: Simulator
) -> None:
    partner = world.partner()
    sender = f"Ada, https://ada:{HUSH}@a.example, whsec_{HUSH}{HUSH}"
    order = partner.create_order(
        idempotency_key="one", gift_sender=sender, reference=f"https://{HUSH}@b.example", recipients=email_recipients(1)
    ).json()
    assert partner.read_order(order["team_order"]["id"])["team_order"]["reference"] == f"https://{HUSH}@b.example"
    text = recording_of(world)
    assert "whsec_xxxxxxxx" in text
    assert f"https://{'x' * len(HUSH)}@b.example" in text
    assert "fingerprint" not in text
    assert replays(text, simulator)


def test_a_token_in_a_query_is_kept_nowhere(world: World, simulator: Simulator) -> None:
    path = f"{ORDERS}?limit=5&access_token={HUSH}&sig={HUSH}&u=https%3A%2F%2Fa%3A{HUSH}%40b.example"
    assert world.client.call("GET", path, headers=world.partner().headers).status == 200
    text = recording_of(world)
    assert "limit=5&access_token=xxxx" in text
    assert "fingerprint" in text
    assert replays(text, simulator)


def test_no_message_of_the_test_control_api_shows_a_password(world: World) -> None:
    to = {"mode": "forward", "to": f"http://ada:{HUSH}@127.0.0.1:9"}
    for method, path, body in (
        ("PUT", "/receivers/hooks.partner.example", to),
        ("PUT", f"/receivers/https://ada:{HUSH}@hooks.example", {"mode": "capture"}),
        ("PUT", "/settings", {f"https://ada:{HUSH}@a.example": 1}),
        ("GET", f"/nothing/https://ada:{HUSH}@a.example", None),
    ):
        response = world.client.call(method, f"/_sim/v1/worlds/{world.id}{path}", body=body)
        assert response.status >= 400, path
        assert HUSH not in response.text


def test_a_webhook_secret_of_this_world_is_still_a_variable(world: World, simulator: Simulator) -> None:
    endpoint = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.claimed"]}
    secret = world.partner().post("/webhooks", endpoint).json()["secret"]
    world.partner().create_order(idempotency_key="one", reference=secret)
    text = recording_of(world)
    assert secret not in text
    assert "reference: ${secret_1}" in text
    assert "fingerprint" in text
    assert replays(text, simulator)
