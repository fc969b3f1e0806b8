"""Recordings hold no secrets, and still get the same bytes in another world."""

from __future__ import annotations

import threading

from giftsim import Simulator
from giftsim.workbench.scenario import check_scenario, load_scenario, play
from tests.support.orders import RENO
from tests.support.secret_scanner import findings
from tests.support.team.clients import TeamClients
from tests.support.worlds import World

WEBHOOK = {"url": "https://hooks.partner.example/gifts", "events": ["team_order.claimed"]}
UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
FOREIGN = "sk_live_" + "51HqLyjWDarjtT1zdp7dc"
ENTER = {"address": RENO}


def assert_clean_and_replays(text: str, simulator: Simulator, *secrets: str) -> None:
    """Assert that a recording holds none of these secrets, nothing like one, and gets the same bytes elsewhere."""
    assert [secret for secret in secrets if secret in text] == []
    assert findings(text) == []
    scenario = load_scenario(text)
    check_scenario(scenario, simulator.client)
    report = play(scenario, simulator.client)
    assert report.outcome == "passed", report.timeline


def token_of(link: str) -> str:
    """The token at the end of a claim link."""
    return link.rpartition("/")[2]


def test_the_scanner_finds_what_it_should() -> None:
    assert len(findings(f"Authorization: Bearer {FOREIGN}")) >= 1
    assert findings("secret: whsec_" + "56f52973e82bc243068f5996a361bff1")
    assert findings(f"idempotency_key: {UUID}")
    assert findings("GET /claim/${world}/632bc0ff100c9d94e40d")
    assert findings("as: partner.prepaid\nheaders: {Idempotency-Key: on-terms}") == []


def test_a_webhook_secret_is_saved_from_the_response_that_shows_it(world: World, other: Simulator) -> None:
    secret = world.partner().post("/webhooks", WEBHOOK).json()["secret"]
    text = world.recording
    assert '"secret":"${secret_1}"' in text
    assert "save: {secret_1: $.secret}" in text
    assert_clean_and_replays(text, other, secret)


def test_a_secret_in_the_response_to_a_held_call_is_saved_where_it_arrives(world: World, other: Simulator) -> None:
    fault = world.add_fault({"hold": True}, when={"first": 1})
    secrets: list[str] = []
    thread = threading.Thread(
        target=lambda: secrets.append(world.partner().post("/webhooks", WEBHOOK).json()["secret"])
    )
    thread.start()
    while world.call_control("GET", "")["counts"]["held"] < 1:
        pass
    world.partner().create_order(idempotency_key="meanwhile")
    world.call_control("DELETE", f"/faults/{fault}")
    thread.join()
    text = world.recording
    assert "- await: call-1\n    save: {secret_1: $.secret}\n" in text
    assert_clean_and_replays(text, other, *secrets)


def test_a_claim_token_is_saved_from_the_link_in_a_response(world: World, other: Simulator) -> None:
    partner = world.partner()
    created = partner.create_order(idempotency_key="one", return_claim_links=True).json()
    token = token_of(created["recipients"][0]["claim"]["link"])
    assert partner.get("/team-orders/1001?include=claim_links").status == 200
    assert world.client.call("GET", f"/claim/{world.id}/{token}").status == 200
    assert world.client.call("POST", f"/claim/{world.id}/{token}", body=ENTER).status == 200
    text = world.recording
    assert "POST /claim/${world}/${claim_1}" in text
    assert_clean_and_replays(text, other, token)


def test_a_claim_token_is_read_from_the_mail_that_had_it(world: World, other: Simulator) -> None:
    world.partner().create_order(idempotency_key="one")
    world.partner().create_order(idempotency_key="two")
    first, second = (token_of(mail["links"][0]) for mail in world.call_control("GET", "/mail")["mail"])
    assert world.client.call("POST", f"/claim/{world.id}/{second}", body=ENTER).status == 200
    world.call_control("POST", "/simulate/claim", {"token": first})
    text = world.recording
    assert "control: GET /mail?after=1&limit=1" in text
    assert_clean_and_replays(text, other, first, second)


def test_the_token_of_an_open_seat_is_read_from_the_claim_link_of_its_order(world: World, other: Simulator) -> None:
    world.partner().create_order(idempotency_key="one", open_seats=1)
    token = token_of(world.call_control("GET", "/orders")["orders"][0]["shared_claim_link"])
    body = {**ENTER, "name": "Cy", "email": "cy@example.com"}
    assert world.client.call("POST", f"/claim/{world.id}/{token}", body=body).status == 200
    text = world.recording
    assert "control: GET /orders?after=0&limit=1" in text
    assert_clean_and_replays(text, other, token)


def test_the_keys_and_sessions_of_a_tester_are_saved_where_they_are_created(world: World, other: Simulator) -> None:
    control, path = world.control, f"/worlds/{world.id}"
    made = [control.post(f"{path}/keys", {"interface": "partner"}).json() for _ in range(2)]
    call = world.client.call
    for key in made:
        assert call("GET", "/api/external/team-orders", headers=key["headers"]).status == 200
    world.call_control("DELETE", f"/keys/{made[1]['key']}")
    assert call("GET", "/api/external/team-orders", headers=made[1]["headers"]).status == 401
    text = world.recording
    assert "Bearer pk_live_${world}_${key_" in text
    assert_clean_and_replays(text, other, *(key["key"].rpartition("_")[2] for key in made))


def test_a_key_that_a_session_creates_is_saved_from_the_response(other: Simulator, simulator: Simulator) -> None:
    world = World(simulator, fixture="default", id="team-there")
    session = world.call_control("POST", "/sessions", {"user": "owner"})
    owner, cookie = session["headers"], {"Cookie": f"session={session['token']}"}
    body = {"name": "CI", "mode": "live", "role": "approver", "scopes": ["people:read"]}
    call, path = world.client.call, "/api/teams/v1"
    made = [call("POST", f"{path}/keys", body=body, headers=headers).json() for headers in (owner, cookie)]
    made.append(world.call_control("POST", "/keys", {"interface": "team"}))
    for key in made:
        assert call("GET", f"{path}/people", headers={"X-Api-Key": key["key"]}).status == 200
    assert call("DELETE", f"{path}/keys/{made[0]['id']}", headers=owner).status in (200, 204)
    assert call("GET", f"{path}/people", headers={"X-Api-Key": made[0]["key"]}).status == 401
    secrets = [text.rpartition("_")[2] for text in (session["token"], *(key["key"] for key in made))]
    assert_clean_and_replays(world.recording, other, *secrets)


def test_the_address_of_a_preview_is_saved_from_the_response(other: Simulator, simulator: Simulator) -> None:
    world = World(simulator, fixture="empty", id="preview-there")
    team = TeamClients(world).live
    logo = team.post_json("/artwork", {"url": "https://cdn.team.example/logo.png", "name": "Logo"})["id"]
    placements = {"front": {"artwork_id": logo, "fit": "contain"}}
    preview = team.post("/artwork/previews", {"product_id": 101, "placements": placements}).json()["id"]
    world.advance("10s")
    image = team.get_json(f"/previews/{preview}")["image_url"]
    text = world.recording
    assert "${preview_1}" in text
    assert_clean_and_replays(text, other, image.rpartition("/")[2])


def test_a_credential_that_the_world_never_gave_out_is_not_kept(world: World, other: Simulator) -> None:
    call, path = world.client.call, "/api/external/team-orders"
    for headers in (
        {"Authorization": f"Bearer {FOREIGN}"},
        {"Authorization": f"Bearer pk_live_{world.id}_{'0123456789abcdef' * 2}"},
        {"Authorization": f"Bearer pk_live_production_{'0123456789abcdef' * 2}"},
    ):
        call("GET", path, headers={**headers, "X-Sim-World": world.id, "Cookie": f"sid={FOREIGN}", "X-Token": FOREIGN})
    text = world.recording
    assert "headers: {Authorization: Bearer unknown1}" in text
    assert_clean_and_replays(text, other, FOREIGN, "0123456789abcdef")


def test_a_random_idempotency_key_is_a_variable_and_a_plain_one_stays(world: World, other: Simulator) -> None:
    world.partner().create_order(idempotency_key=UUID)
    world.partner().create_order(idempotency_key="order-1")
    text = world.recording
    assert f"vars: {{idempotency_1: {UUID}}}" in text
    assert "idempotency_key: order-1" in text
    assert_clean_and_replays(text, other)


def test_a_recording_with_its_secrets_in_it_still_replays(world: World, other: Simulator) -> None:
    secret = world.partner().post("/webhooks", WEBHOOK).json()["secret"]
    text = world.recording
    old = text.replace("${secret_1}", secret).replace("    save: {secret_1: $.secret}\n", "")
    assert secret in old
    assert play(load_scenario(old), other.client).outcome == "passed"


def test_a_secret_in_another_place_is_a_difference(world: World, other: Simulator) -> None:
    world.partner().post("/webhooks", WEBHOOK)
    text = world.recording
    moved = text.replace("save: {secret_1: $.secret}", "save: {secret_1: $.endpoint.url}")
    assert play(load_scenario(moved), other.client).outcome == "failed"


def use_last_link(world: World, key: str = "gift") -> str:
    """Order a gift and claim it by the link in its mail; the token."""
    world.partner().create_order(idempotency_key=key)
    token = token_of(world.call_control("GET", "/mail")["mail"][-1]["links"][0])
    assert world.client.call("POST", f"/claim/{world.id}/{token}", body=ENTER).status == 200
    return token


def test_a_claim_token_that_a_restore_forgot_is_read_from_the_mail_that_it_had(world: World, other: Simulator) -> None:
    world.call_control("POST", "/snapshots", {"name": "clean"})
    token = use_last_link(world)
    world.call_control("POST", "/snapshots/clean/restore")
    assert_clean_and_replays(world.recording, other, token)


def test_a_claim_token_is_read_where_it_was_when_it_was_used(world: World, other: Simulator) -> None:
    world.call_control("POST", "/snapshots", {"name": "clean"})
    world.partner().create_order(idempotency_key="seat", open_seats=1)
    token = token_of(world.call_control("GET", "/orders")["orders"][0]["shared_claim_link"])
    body = {**ENTER, "name": "Cy", "email": "cy@example.com"}
    assert world.client.call("POST", f"/claim/{world.id}/{token}", body=body).status == 200
    world.call_control("POST", "/snapshots/clean/restore")
    assert token in (use_last_link(world, "first"), use_last_link(world, "second"))
    assert_clean_and_replays(world.recording, other, token)


def test_after_many_restores_no_claim_token_is_in_the_clear(world: World, other: Simulator) -> None:
    world.call_control("POST", "/snapshots", {"name": "clean"})
    tokens = []
    for count in range(12):
        for number in range(12 - count):  # so the token of each round is in no later one
            world.partner().create_order(idempotency_key=f"gift-{number}")
        tokens.append(use_last_link(world, "last"))
        world.call_control("POST", "/snapshots/clean/restore")
    assert len(set(tokens)) == 12
    assert_clean_and_replays(world.recording, other, *tokens)
