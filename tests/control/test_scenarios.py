"""Playing a scenario through the control plane."""

from __future__ import annotations

from giftsim.gateway.in_process_client import Response
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


def test_a_story_that_holds_passes_and_its_world_goes_away(world: World) -> None:
    before = world.control.get("/health").json()["worlds"]
    report = World.json_of(play(world, STORY.replace("STATUS", "201")))
    assert (report["scenario"], report["outcome"], len(report["steps"])) == ("One mug", "passed", 1)
    assert world.control.get("/health").json()["worlds"] == before


def test_a_story_that_does_not_hold_fails(world: World) -> None:
    report = World.json_of(play(world, STORY.replace("STATUS", "418")))
    assert report["outcome"] == "failed"


def test_its_world_can_be_kept(world: World) -> None:
    before = {entry["id"] for entry in world.control.get("/worlds?limit=1000").json()["worlds"]}
    play(world, STORY.replace("STATUS", "201"), "?keep=true")
    kept = {entry["id"] for entry in world.control.get("/worlds?limit=1000").json()["worlds"]} - before
    assert len(kept) == 1
    world.control.delete(f"/worlds/{kept.pop()}")


def test_a_file_that_breaks_the_schema_is_refused_with_its_place(world: World) -> None:
    answer = play(world, STORY.replace("steps:", "setps:"))
    assert answer.status == 400
    error = answer.json()["error"]
    assert error["code"] == "invalid_scenario"
    assert {"line", "column", "message"} <= set(error["details"])
