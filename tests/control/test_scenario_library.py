"""The scenario library: what is in it, by the question that each scenario answers, and the source of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from giftsim import Simulator
from giftsim.workbench.scenario import find_scenarios
from tests.docs.pages import ROOT
from tests.support.responses import status_and_code
from tests.support.worlds import World

HOSTILE = "<script>alert(1)</script>\"'&<b>"
MINE = f"""# {HOSTILE}
# question: Is {HOSTILE} text?
scenario: '{HOSTILE.replace("'", "''")}'
steps:
  - include: parts/one.yaml
  - advance: 1d
"""


def listed(world: World, query: str = "") -> list[Any]:
    """The scenarios of the library."""
    return list(world.json_of(world.control.get(f"/scenarios?limit=1000{query}"))["scenarios"])


def test_every_scenario_that_comes_with_the_simulator_is_listed_with_its_question(world: World) -> None:
    rows = listed(world)
    assert len(rows) == len(find_scenarios(ROOT / "scenarios"))
    assert all(row["question"] and row["steps"] and not row["own"] for row in rows)
    assert next(row for row in rows if row["name"] == "partner.declined_card") == {
        "name": "partner.declined_card",
        "title": "A card is declined, and a retry after a top-up pays for the same order",
        "question": "What if a payment fails?",
        "purpose": "A declined card must leave an order that can still be paid, and paying it later must never create "
        "a second order.",
        "folder": "partner",
        "own": False,
        "file": "partner/declined_card.yaml",
        "sandbox": None,
        "steps": 11,
    }


def test_the_library_is_in_the_order_of_folders_and_questions_and_comes_in_pages(world: World) -> None:
    rows = listed(world)
    assert list(dict.fromkeys(row["folder"] for row in rows)) == ["partner", "team", "museum", "together", "rehearsals"]
    of_partner = [row["question"] for row in rows if row["folder"] == "partner"]
    assert of_partner == sorted(of_partner)
    page = world.json_of(world.control.get("/scenarios?limit=2&after=3"))
    assert (page["scenarios"], page["next"]) == (rows[3:5], 5)


def test_the_library_is_searched_by_text(world: World) -> None:
    assert [row["name"] for row in listed(world, "&q=SHORT_wallet")] == ["partner.short_wallet"]
    assert {row["question"] for row in listed(world, "&q=payment%20fails")} == {"What if a payment fails?"}
    assert listed(world, "&q=nothing%20has%20this") == []


def test_a_scenario_has_its_text_and_its_steps_as_they_are_played(world: World) -> None:
    scenario = world.json_of(world.control.get("/scenarios/partner.calls_back"))
    assert scenario["text"] == (ROOT / "scenarios/partner/calls_back.yaml").read_text()
    assert scenario["error"] is None
    assert [file["file"] for file in scenario["files"]] == ["partner/calls_back.yaml", "partner/parts/subscribe.yaml"]
    receiver, included = scenario["plan"][:2]
    assert receiver == {
        "step": 1, "within": None, "kind": "receiver", "file": "partner/calls_back.yaml", "line": 6,
        "title": "receiver hooks.partner.example", "text": "- receiver: {host: hooks.partner.example, mode: hold}",
    }  # fmt: skip
    assert (included["file"], included["kind"]) == ("partner/parts/subscribe.yaml", "call")
    advance = next(step for step in scenario["plan"] if step["kind"] == "advance")
    nested = [step for step in scenario["plan"] if step["within"] == advance["step"]]
    assert nested
    assert all(step["text"] in advance["text"].replace("\n" + " " * 8, "\n") for step in nested)


def test_an_unknown_scenario_is_refused_with_the_nearest_name(world: World) -> None:
    response = world.control.get("/scenarios/partner.declinedcard")
    assert status_and_code(response) == (404, "scenario_not_found")
    assert response.json()["error"]["message"].endswith("did you mean partner.declined_card?")


def test_the_scenarios_of_a_folder_of_ones_own_are_in_the_library(tmp_path: Path) -> None:
    (tmp_path / "shop" / "parts").mkdir(parents=True)
    (tmp_path / "shop" / "checkout.yaml").write_text(MINE)
    (tmp_path / "shop" / "parts" / "one.yaml").write_text("steps:\n  - advance: 1h\n")
    (tmp_path / "broken.yaml").write_text("scenario: Broken\nsteps:\n  - advanse: 1d\n")
    (tmp_path / "other.yaml").write_text("a: b\n")
    simulator = Simulator(fixture="bare", scenarios=tmp_path)
    try:
        world = World(simulator)
        own = [row for row in listed(world) if row["own"]]
        assert [(row["name"], row["title"], row["question"], row["steps"]) for row in own] == [
            ("own.broken", "Broken", None, 1),
            ("own.shop.checkout", HOSTILE, f"Is {HOSTILE} text?", 2),
        ]
        plan = world.json_of(world.control.get("/scenarios/own.shop.checkout"))["plan"]
        assert [(step["file"], step["line"]) for step in plan] == [
            ("own/shop/parts/one.yaml", 2), ("own/shop/checkout.yaml", 6),
        ]  # fmt: skip
        broken = world.json_of(world.control.get("/scenarios/own.broken"))
        assert (broken["plan"], broken["error"]["line"], broken["error"]["file"]) == ([], 3, "own/broken.yaml")
        assert "advanse" in broken["error"]["message"]
        (tmp_path / "broken.yaml").write_text("scenario: Mended\nsteps:\n  - advance: 1d\n")
        assert "Mended" in [row["title"] for row in listed(world)]
    finally:
        simulator.close()
