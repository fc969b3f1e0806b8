"""Worlds: creating, reading, listing and deleting them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.gateway.contract import Contract
from tests.support.api_clients import PartnerClient
from tests.support.concurrent_calls import ConcurrentCalls
from tests.support.responses import status_and_code
from tests.support.waiting import wait_until
from tests.support.worlds import World

Make = Callable[..., World]


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
