"""Worlds: made, found, forked, kept, reset and deleted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from giftsim import Simulator
from giftsim.build import CONTRACTS
from giftsim.gateway.contract import Contract
from tests.support.api_clients import PartnerClient
from tests.support.responses import status_and_code
from tests.support.worlds import World

Make = Callable[..., World]


def test_health_is_ready_and_counts_worlds(world: World) -> None:
    shown = world.json_of(world.control.get("/health"))
    assert shown["status"] == "ready"
    assert shown["version"]
    assert shown["worlds"] >= 2


def test_a_world_says_what_it_is_and_how_to_reach_it(new_world: Make) -> None:
    now = "2027-03-02T09:00:00Z"
    about = new_world(id="about-me", seed=7, now=now).description
    assert (about["id"], about["fixture"], about["seed"], about["now"]) == ("about-me", "empty", 7, now)
    assert about["clock"] == {"mode": "manual", "rate": None}
    assert about["urls"].pop("control") == "http://giftsim.example/_sim/v1/worlds/about-me"
    assert about["urls"].pop("claim") == "http://giftsim.example/claim/about-me"
    prefixes = {name: Contract.load(CONTRACTS[name]).prefix for name in about["urls"]}
    assert about["urls"] == {name: f"http://giftsim.example{prefix}" for name, prefix in prefixes.items()}
    assert about["counts"]["orders"] == 0


def test_the_credentials_of_the_table_are_there_by_name(new_world: Make) -> None:
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


def test_credentials_choose_the_world(new_world: Make) -> None:
    one, other = new_world(), new_world()
    assert one.partner().create_order().status == 201
    assert one.partner().get("/team-orders").json()["total"] == 1
    assert other.partner().get("/team-orders").json()["total"] == 0


def test_counts_follow_what_happens(world: World, partner: PartnerClient) -> None:
    partner.subscribe("team_order.claimed")
    partner.create_order()
    counts = world.call_control("GET", "")["counts"]
    assert (counts["orders"], counts["calls"], counts["mail"]) == (1, 2, 1)


def test_an_unknown_world_is_404(world: World) -> None:
    for call in ("GET ", "GET /clock", "POST /reset", "GET /fingerprint", "GET /faults"):
        method, path = call.split(" ")
        assert status_and_code(world.control.call(method, f"/worlds/nowhere{path}")) == (404, "world_not_found")


def test_an_id_is_taken_once_and_has_a_form(world: World) -> None:
    assert status_and_code(world.control.post("/worlds", {"id": world.id})) == (409, "world_exists")
    assert status_and_code(world.control.post("/worlds", {"id": "Not_A_World"})) == (400, "invalid_body")


def test_worlds_are_listed_in_pages() -> None:
    with closing(Simulator(fixture="bare")) as simulator:
        made = [World(simulator, fixture="bare").id for _ in range(3)]
        control = World(simulator, fixture="bare").control
        seen: list[str] = []
        query = "?limit=2"
        while query:
            shown = control.get(f"/worlds{query}").json()
            seen += [entry["id"] for entry in shown["worlds"]]
            query = f"?limit=2&after={shown['next']}" if shown["next"] else ""
    assert [world_id for world_id in seen if world_id in made] == made
    assert len(seen) == len(set(seen))


def test_a_fixture_can_be_written_out_and_an_unknown_one_is_named(new_world: Make) -> None:
    world = new_world(fixture={"extends": "bare"})
    assert world.description["fixture"] == "inline"
    assert "partner.prepaid" in world.credentials
    answer = world.control.post("/worlds", {"fixture": "no-such-fixture"})
    assert answer.status == 400
    assert "no-such-fixture" in answer.json()["error"]["message"]
    for strange in ("/etc/passwd", "../fixtures/bare.yaml", 7, {"extends": 5}, {"extends": "../bare"}):
        assert status_and_code(world.control.post("/worlds", {"fixture": strange})) == (400, "invalid_body")


def test_a_section_that_no_fixture_has_is_named_with_the_nearest(new_world: Make) -> None:
    answer = new_world().control.post("/worlds", {"fixture": {"extends": "bare", "acounts": {}}})
    assert status_and_code(answer) == (400, "invalid_world")
    assert "'acounts'; did you mean accounts?" in answer.json()["error"]["message"]


def test_a_fresh_seed_is_drawn(new_world: Make) -> None:
    assert new_world(seed="fresh").description["seed"] != new_world(seed="fresh").description["seed"]


def test_as_many_worlds_as_there_may_be() -> None:
    simulator = Simulator(fixture="bare", max_worlds=2)
    made = [simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "bare"}) for _ in range(2)]
    assert [answer.status for answer in made] == [201, 409]
    assert status_and_code(made[1]) == (409, "too_many_worlds")
    simulator.close()


def test_a_deleted_world_is_gone_with_its_credentials(new_world: Make) -> None:
    world = new_world()
    assert world.call_control("DELETE", "") == {"deleted": world.id}
    assert status_and_code(world.control.get(f"/worlds/{world.id}")) == (404, "world_not_found")
    assert world.partner().get("/team-orders").status == 401


def test_the_default_world_stays(world: World) -> None:
    assert status_and_code(world.control.delete("/worlds/default")) == (409, "default_world_stays")


def test_an_idle_world_goes_away_after_its_ttl(simulator: Simulator, new_world: Make) -> None:
    world = new_world(ttl=1e-9)
    new_world()
    assert status_and_code(world.control.get(f"/worlds/{world.id}")) == (404, "world_not_found")
    kept = new_world(ttl=3600)
    new_world()
    assert kept.call_control("GET", "")["id"] == kept.id


def test_a_file_that_the_simulator_began_with_is_a_fixture_by_its_stem(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text("extends: empty\nproducts: [{id: 900, code: OURS-01, name: Our mug, price_cents: 100}]\n")
    with closing(Simulator(fixture=str(path))) as simulator:
        world = World(simulator, fixture="ours")
        assert world.description["fixture"] == "ours"
        assert [one["name"] for one in world.call_control("GET", "/catalogue?limit=1000")["catalogue"]][-1] == "Our mug"
        unknown = simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": "theirs"})
        assert (unknown.status, unknown.json()["error"]["code"]) == (400, "invalid_world")
