"""Worlds: creating, reading, listing and deleting them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from copy import copy
from pathlib import Path

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract import Contract
from tests.support.api_clients import PartnerClient
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.responses import status_and_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

Make = Callable[..., World]


def test_settings_are_changed_all_or_none(world: World) -> None:
    before = world.call_control("GET", "/settings")
    good = {"partner.claim_expiry_days": 5, "partner.prices.rush": 1, "rate_limits.starter": 7}
    for bad, message in (
        ({"partner.claim_expiry_dys": 9}, "claim_expiry_days?"),
        ({"partner.prices.rush": "x"}, "rush"),
    ):
        response = world.control.call("PATCH", f"/worlds/{world.id}/settings", {**good, **bad})
        assert status_and_code(response) == (400, "invalid_setting")
        assert message in response.json()["error"]["message"]
    assert world.call_control("GET", "/settings") == before
    assert world.call_control("PATCH", "/settings", good) == {**before, **good}


def test_a_reset_restores_the_settings_of_the_creation(new_world: Make) -> None:
    world = new_world(settings={"partner.claim_expiry_days": 4})
    world.change_settings(partner__claim_expiry_days=8)
    world.call_control("POST", "/reset")
    assert world.call_control("GET", "/settings")["partner.claim_expiry_days"] == 4
    assert status_and_code(world.control.post("/worlds", {"settings": {"nonsense": 1}})) == (400, "invalid_setting")


def test_a_reset_world_equals_the_created_one(world: World) -> None:
    before = world.call_control("GET", "/fingerprint")
    world.partner().create_order()
    world.advance("3d")
    world.change_settings(partner__claim_expiry_days=3)
    world.add_fault({"status": 503})
    world.call_control("POST", "/snapshots", {"name": "later"})
    world.call_control("POST", "/reset")
    assert world.call_control("GET", "/fingerprint") == before
    assert world.call_control("GET", "/calls")["calls"] == []
    assert world.call_control("GET", "/snapshots")["snapshots"] == []
    assert world.mail() == []
    assert world.partner().get("/team-orders").json()["total"] == 0


def create_fork(world: World, **body: str) -> World:
    """Fork a world."""
    fork = copy(world)
    fork.description = world.call_control("POST", "/fork", body)
    fork.id, fork.credentials = fork.description["id"], fork.description["credentials"]
    return fork


def test_a_fork_has_the_same_state_and_future_but_its_own_keys(world: World) -> None:
    world.partner().create_order()
    fork = create_fork(world, id="fork-of-mine")
    assert fork.credentials["partner.prepaid"]["value"] == "pk_live_fork-of-mine_prepaid"
    assert fork.fingerprint() == world.fingerprint()
    for each in (world, fork):
        each.advance("1d")
        each.partner().create_order(idempotency_key="second")
    assert fork.fingerprint() == world.fingerprint()
    world.partner().create_order(idempotency_key="third")
    assert fork.partner().get("/team-orders").json()["total"] == 2
    fork.call_control("DELETE", "")


def test_a_fork_has_its_own_claim_links(world: World) -> None:
    world.partner().create_order()
    fork = create_fork(world)
    (original,), (forked,) = [[mail["links"] for mail in each.mail()] for each in (world, fork)]
    assert forked == [link.replace(f"/{world.id}/", f"/{fork.id}/") for link in original] != original
    fork.call_control("DELETE", "")


def test_a_fork_is_reset_to_its_creation(world: World) -> None:
    world.partner().create_order()
    fork = create_fork(world)
    before = fork.fingerprint()
    fork.advance("5d")
    fork.partner().create_order(idempotency_key="second")
    fork.call_control("POST", "/reset")
    assert fork.fingerprint() == before == world.fingerprint()
    fork.call_control("DELETE", "")


def test_a_restored_snapshot_equals_the_saved_world(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.shipped")
    partner.create_order()
    saved = world.call_control("POST", "/snapshots", {"name": "before"})
    nothing = dict.fromkeys(("calls", "orders", "events", "deliveries", "mail"), 0)
    assert saved == {"name": "before", "now": world.now, "calls": 2, "since": nothing}
    before = world.fingerprint()
    world.simulate("shipment", team_order_id=1001, to="shipped")
    world.advance("2d")
    assert world.deliveries()
    [listed] = world.call_control("GET", "/snapshots")["snapshots"]
    assert listed["since"] == {**nothing, "events": 3, "deliveries": 1}
    world.call_control("POST", "/snapshots/before/restore")
    assert world.fingerprint() == before
    assert world.deliveries() == []
    assert world.call_control("GET", "/snapshots")["snapshots"] == [saved]
    world.call_control("DELETE", "/snapshots/before")
    for method, path in (("POST", "/snapshots/before/restore"), ("DELETE", "/snapshots/before")):
        assert status_and_code(world.control.call(method, f"/worlds/{world.id}{path}")) == (404, "snapshot_not_found")


def test_a_world_keeps_a_hundred_snapshots(world: World) -> None:
    for n in range(100):
        world.call_control("POST", "/snapshots", {"name": f"s{n}"})
    more = world.control.post(f"/worlds/{world.id}/snapshots", {"name": "one-more"})
    assert status_and_code(more) == (400, "invalid_world")
    world.call_control("POST", "/snapshots", {"name": "s7"})
    world.call_control("DELETE", "/snapshots/s8")
    world.call_control("POST", "/snapshots", {"name": "one-more"})


def test_a_snapshot_can_be_restored_many_times(world: World, partner: PartnerClient) -> None:
    world.call_control("POST", "/snapshots", {"name": "start"})
    fingerprints = []
    for _ in range(3):
        partner.create_order()
        world.advance("7d")
        fingerprints.append(world.fingerprint())
        world.call_control("POST", "/snapshots/start/restore")
    assert len(set(fingerprints)) == 1


def test_the_fingerprint_depends_on_seed_and_calls_but_not_on_the_world_id(new_world: Make) -> None:
    worlds = [new_world(seed=11), new_world(seed=11, id="named-otherwise")]
    for world in worlds:
        partner = world.partner()
        partner.subscribe("team_order.claimed")
        partner.create_order(return_claim_links=True)
        world.advance("2d")
    assert worlds[0].fingerprint() == worlds[1].fingerprint()
    assert new_world(seed=12).fingerprint() != new_world(seed=11).fingerprint()


def test_reading_through_the_control_api_does_not_change_the_fingerprint(world: World, partner: PartnerClient) -> None:
    partner.create_order()
    before = world.fingerprint()
    paths = (
        "", "/clock", "/timers", "/settings", "/snapshots", "/receivers", "/deliveries", "/mail", "/calls", "/usage",
        "/undo", "/events", "/payments", "/ledger", "/parcels", "/orders", "/catalogue", "/accounts", "/faults",
        "/simulate",
    )  # fmt: skip
    for path in paths:
        world.call_control("GET", path)
    world.advance(by="9d", dry_run=True)
    assert world.fingerprint() == before


def test_control_calls_are_not_client_calls(world: World) -> None:
    world.partner().get("/team-orders")
    assert [world.call_control("GET", "/fingerprint")["calls"] for _ in range(3)] == [1, 1, 1]
    assert len(world.call_control("GET", "/calls")["calls"]) == 1


def test_health_is_ready_and_counts_worlds(world: World) -> None:
    health = world.json_of(world.control.get("/health"))
    assert health["status"] == "ready"
    assert health["version"]
    assert health["worlds"] >= 2


def test_a_world_is_described_with_its_urls(new_world: Make) -> None:
    now = "2027-03-02T09:00:00Z"
    about = new_world(id="about-me", seed=7, now=now).description
    assert (about["id"], about["fixture"], about["seed"], about["now"]) == ("about-me", "empty", 7, now)
    assert about["clock"] == {"mode": "manual", "rate": None}
    assert about["urls"].pop("control") == "http://giftsim.example/_sim/v1/worlds/about-me"
    assert about["urls"].pop("claim") == "http://giftsim.example/claim/about-me"
    prefixes = {name: Contract.load(CONTRACTS[name]).prefix for name in about["urls"]}
    assert about["urls"] == {name: f"http://giftsim.example{prefix}" for name, prefix in prefixes.items()}
    assert about["counts"]["orders"] == 0


def test_credentials_are_listed_by_name(new_world: Make) -> None:
    world = new_world(id="keys-of-mine")
    values = {name: entry["value"] for name, entry in world.credentials.items() if name.startswith("partner.")}
    assert values == {
        "partner.prepaid": "pk_live_keys-of-mine_prepaid",
        "partner.no_funds": "pk_live_keys-of-mine_nofunds",
        "partner.net_terms": "pk_live_keys-of-mine_netterms",
        "partner.unbound": "pk_live_keys-of-mine_unbound",
        "partner.no_capability": "pk_live_keys-of-mine_nocapability",
    }
    assert world.credentials["partner.prepaid"] == {
        "type": "bearer",
        "value": "pk_live_keys-of-mine_prepaid",
        "headers": {"Authorization": "Bearer pk_live_keys-of-mine_prepaid"},
    }


def test_credentials_select_the_world(new_world: Make) -> None:
    one, other = new_world(), new_world()
    assert one.partner().create_order().status == 201
    assert one.partner().get("/team-orders").json()["total"] == 1
    assert other.partner().get("/team-orders").json()["total"] == 0


def test_counts_follow_calls_orders_and_mail(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    counts = world.call_control("GET", "")["counts"]
    assert (counts["orders"], counts["calls"], counts["mail"]) == (1, 2, 1)


def test_an_unknown_world_is_404(world: World) -> None:
    for call in ("GET ", "GET /clock", "POST /reset", "GET /fingerprint", "GET /faults"):
        method, path = call.split(" ")
        assert status_and_code(world.control.call(method, f"/worlds/nowhere{path}")) == (404, "world_not_found")


def test_a_world_id_is_unique_and_validated(world: World) -> None:
    assert status_and_code(world.control.post("/worlds", {"id": world.id})) == (409, "world_exists")
    assert status_and_code(world.control.post("/worlds", {"id": "Not_A_World"})) == (400, "invalid_body")


def test_worlds_are_listed_in_pages() -> None:
    with closing(Simulator(fixture="bare")) as simulator:
        created = [World(simulator, fixture="bare").id for _ in range(3)]
        control = World(simulator, fixture="bare").control
        listed: list[str] = []
        query = "?limit=2"
        while query:
            page = control.get(f"/worlds{query}").json()
            listed += [entry["id"] for entry in page["worlds"]]
            query = f"?limit=2&after={page['next']}" if page["next"] else ""
    assert [world_id for world_id in listed if world_id in created] == created
    assert len(listed) == len(set(listed))


def test_a_fixture_is_given_inline_or_by_a_known_name(new_world: Make) -> None:
    world = new_world(fixture={"extends": "bare"})
    assert world.description["fixture"] == "inline"
    assert "partner.prepaid" in world.credentials
    response = world.control.post("/worlds", {"fixture": "no-such-fixture"})
    assert response.status == 400
    assert "no-such-fixture" in response.json()["error"]["message"]
    for invalid in ("/etc/passwd", "../fixtures/bare.yaml", 7, {"extends": 5}, {"extends": "../bare"}):
        assert status_and_code(world.control.post("/worlds", {"fixture": invalid})) == (400, "invalid_body")


def test_the_error_for_an_unknown_fixture_section_names_the_nearest_one(new_world: Make) -> None:
    response = new_world().control.post("/worlds", {"fixture": {"extends": "bare", "acounts": {}}})
    assert status_and_code(response) == (400, "invalid_world")
    assert "'acounts'; did you mean accounts?" in response.json()["error"]["message"]


def test_each_fresh_seed_is_different(new_world: Make) -> None:
    assert new_world(seed="fresh").description["seed"] != new_world(seed="fresh").description["seed"]


def test_the_number_of_worlds_is_limited() -> None:
    simulator = Simulator(fixture="bare", max_worlds=2)
    responses = [simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "bare"}) for _ in range(2)]
    assert [response.status for response in responses] == [201, 409]
    assert status_and_code(responses[1]) == (409, "too_many_worlds")
    simulator.close()


def test_a_deleted_world_and_its_credentials_are_unknown(new_world: Make) -> None:
    world = new_world()
    assert world.call_control("DELETE", "") == {"deleted": world.id}
    assert status_and_code(world.control.get(f"/worlds/{world.id}")) == (404, "world_not_found")
    assert world.partner().get("/team-orders").status == 401


def test_the_default_world_cannot_be_deleted(world: World) -> None:
    assert status_and_code(world.control.delete("/worlds/default")) == (409, "default_world_stays")


def test_an_idle_world_is_deleted_after_its_ttl(simulator: Simulator, new_world: Make) -> None:
    world = new_world(ttl=1e-9)
    new_world()
    assert status_and_code(world.control.get(f"/worlds/{world.id}")) == (404, "world_not_found")
    kept = new_world(ttl=3600)
    new_world()
    assert kept.call_control("GET", "")["id"] == kept.id


def test_a_world_in_which_a_call_is_held_is_not_idle(simulator: Simulator, new_world: Make) -> None:
    busy = new_world(ttl=0.3)
    busy.add_fault({"hold": True})
    held = ConcurrentCalls([busy.partner().create_order])
    wait_until(lambda: bool(simulator.registry.worlds[busy.id].calls.suspended))
    idle = new_world(ttl=0.3)

    def is_idle_one_deleted() -> bool:
        simulator.registry.delete_expired()
        return idle.id not in simulator.registry.worlds

    wait_until(is_idle_one_deleted)
    busy.call_control("DELETE", "/faults")
    assert [response.status for response in held.results()] == [201]


def test_worlds_can_name_the_simulators_fixture_file_by_its_stem(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text("extends: empty\nproducts: [{id: 900, code: OURS-01, name: Our mug, price_cents: 100}]\n")
    with closing(Simulator(fixture=str(path))) as simulator:
        world = World(simulator, fixture="ours")
        assert world.description["fixture"] == "ours"
        assert [one["name"] for one in world.call_control("GET", "/catalogue?limit=1000")["catalogue"]][-1] == "Our mug"
        unknown = simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "theirs"})
        assert status_and_code(unknown) == (400, "invalid_world")
