"""Playing a scenario through the control API."""

from __future__ import annotations

from giftsim.engine.client.response import Response
from tests.support.worlds import World

STORY = """
scenario: One mug
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
    expect: {status: STATUS}
"""


def play(world: World, text: str, query: str = "") -> Response:
    """Send a scenario as YAML."""
    return world.client.call(
        "POST", f"/_sim/v1/scenarios/play{query}", body=text, headers={"Content-Type": "application/yaml"}
    )


def test_a_passed_scenario_deletes_its_world(world: World) -> None:
    before = world.control.get("/health").json()["worlds"]
    report = World.json_of(play(world, STORY.replace("STATUS", "201")))
    assert (report["scenario"], report["outcome"], len(report["steps"])) == ("One mug", "passed", 1)
    assert world.control.get("/health").json()["worlds"] == before


def test_a_scenario_with_an_unmet_expectation_fails(world: World) -> None:
    report = World.json_of(play(world, STORY.replace("STATUS", "418")))
    assert report["outcome"] == "failed"


def test_the_world_of_a_scenario_can_be_kept(world: World) -> None:
    before = {entry["id"] for entry in world.control.get("/worlds?limit=1000").json()["worlds"]}
    play(world, STORY.replace("STATUS", "201"), "?keep=true")
    kept = {entry["id"] for entry in world.control.get("/worlds?limit=1000").json()["worlds"]} - before
    assert len(kept) == 1
    world.control.delete(f"/worlds/{kept.pop()}")


def test_a_file_that_breaks_the_schema_is_refused_with_line_and_column(world: World) -> None:
    response = play(world, STORY.replace("steps:", "setps:"))
    assert response.status == 400
    error = response.json()["error"]
    assert error["code"] == "invalid_scenario"
    assert {"line", "column", "message"} <= set(error["details"])
