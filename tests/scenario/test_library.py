"""Every scenario of the library passes on the real simulator, in process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from giftsim import Simulator
from giftsim.workbench.scenario import Scenario, check_scenario, find_scenarios, json_schema, load_scenario, play
from giftsim.workbench.scenario.scenario_files import read_title
from tests.scenario.builders import write_files
from tests.support.library import SCENARIOS
from tools.docgen.scenario_index import InvalidHead, indexed_scenarios, scenario_index


@pytest.fixture(params=SCENARIOS, ids=lambda file: file.stem)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    """A scenario of the library; one that names no `now` starts where the run's worlds do (G47)."""
    loaded = load_scenario(request.param)
    now = request.config.getoption("--world-now")
    return msgspec.structs.replace(loaded, now=now) if now and loaded.now is None else loaded


def test_a_library_scenario_passes_and_gives_the_same_state_each_time(scenario: Scenario, simulator: Simulator) -> None:
    check_scenario(scenario, simulator.client)
    other = Simulator(fixture="bare")
    reports = [play(scenario, client) for client in (simulator.client, other.client)]  # one has played others
    other.close()
    for report in reports:
        assert report.outcome == "passed", report.timeline
        assert report.fingerprint
        assert report.data == reports[0].data


def test_a_scenario_deletes_its_world(simulator: Simulator) -> None:
    before = simulator.client.call("GET", "/_sim/v1/worlds").json()
    play(load_scenario(SCENARIOS[0]), simulator.client)
    assert simulator.client.call("GET", "/_sim/v1/worlds").json() == before


def test_the_schema_lists_every_verb_of_simulate(simulator: Simulator) -> None:
    known = json_schema()["$defs"]["simulate_step"]["properties"]["simulate"]["enum"]
    verbs = simulator.client.call("GET", "/_sim/v1/worlds/default/simulate").json()["verbs"]
    assert {verb["verb"] for verb in verbs} <= set(known)


ROOT = Path(__file__).parents[2]
DEFINITIONS = json_schema()["$defs"]
# Members that only recordings have, and those that only scenarios with an app of the user have.
NOT_IN_LIBRARY = {"recorded", "base64", "fingerprint", "app", "sources"}
MODELINE = "# yaml-language-server: $schema=../../simulator/giftsim/workbench/scenario/schema.json"
HEAD = f"{MODELINE}\n# Somebody wants to know.\n# question: What if?\nscenario: A scenario\nsteps: []\n"


def test_the_library_has_forty_scenarios_or_more_and_some_for_each_interface() -> None:
    counts = Counter(each.folder for each in indexed_scenarios(ROOT))
    assert counts.total() >= 40
    assert all(counts[folder] for folder in ("partner", "team", "museum"))


def test_titles_are_unique() -> None:
    titles = Counter(each.head.title for each in indexed_scenarios(ROOT))
    assert [title for title, count in titles.items() if count > 1] == []


def test_the_index_lists_each_scenario_under_its_question(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "team"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "subscribe.yaml").write_text("steps: []\n")
    (folder / "parts" / "people.yaml").write_text("- {name: Bo, scenario: none}\n")
    (folder / "scenario.yaml").write_text(HEAD)
    (folder / "tried.yaml").write_text(HEAD.replace("steps:", "sandbox: free\nsteps:"))
    assert scenario_index(tmp_path).splitlines() == [
        "## team",
        "",
        "- **What if?** [scenario](scenarios/team/scenario.yaml), [tried](scenarios/team/tried.yaml)",
    ]


def test_every_member_of_the_file_format_is_used_in_some_scenario() -> None:
    scenarios = [yaml.safe_load((ROOT / each.path).read_bytes()) for each in indexed_scenarios(ROOT)]
    steps = [step for scenario in scenarios for step in walk(scenario["steps"])]
    known = {
        *json_schema()["properties"],
        *(member for each in DEFINITIONS["step"]["oneOf"] for member in definition(each)["properties"]),
        *DEFINITIONS["answer_expectation"]["properties"],
        *DEFINITIONS["world_expectation"]["properties"],
    }
    shown = {member for entry in (*scenarios, *steps, *(step.get("expect", {}) for step in steps)) for member in entry}
    assert known - shown - NOT_IN_LIBRARY == set()


def walk(steps: list[dict[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Steps and the steps nested in them."""
    for step in steps:
        yield step
        for inner in (step, *step.get("on_delivery", [])):
            yield from walk(inner.get("steps", []))


def definition(reference: Mapping[str, str]) -> dict[str, Any]:
    """The definition that a reference of the schema points to."""
    members: dict[str, Any] = DEFINITIONS[reference["$ref"].rpartition("/")[2]]
    return members


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (HEAD.replace("../../", "../"), 1),
        (HEAD.replace("# Somebody wants to know.\n", ""), 2),
        (HEAD.replace("# question: What if?\n", ""), 3),
    ],
)
def test_an_invalid_head_is_reported_with_its_line(tmp_path: Path, head: str, line: int) -> None:
    folder = tmp_path / "scenarios" / "team"
    folder.mkdir(parents=True)
    (folder / "scenario.yaml").write_text(head)
    with pytest.raises(InvalidHead, match=rf"^scenarios/team/scenario\.yaml:{line}: "):
        indexed_scenarios(tmp_path)


STEPS = "steps:\n  - advance: 1d\n"


def title(tmp_path: Path, text: str) -> str | None:
    """The title of a file with this text."""
    file = tmp_path / "file.yaml"
    file.write_text(text, encoding="utf-8")
    return read_title(file)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"scenario: A day\n{STEPS}", "A day"),
        (f"# a comment\n---\nscenario: 'A day'  # why\n{STEPS}", "A day"),
        (f"{STEPS}scenario: A day\n", "A day"),
        (f"scenario: >-\n  A\n  day\n{STEPS}", "A day"),
        (f'scenario: "7"\n{STEPS}', "7"),
        ('{"scenario": "A day", "steps": []}', "A day"),
        ("scenario: A day\nsteps:\n  - [\n", "A day"),
        (f"vars: {{a: [1, {{b: 2}}]}}\nscenario: A day\n{STEPS}", "A day"),
    ],
    ids=["plain", "commented", "last", "folded", "quoted", "json", "broken", "after vars"],
)
def test_a_file_with_a_title_and_steps_is_a_scenario(tmp_path: Path, text: str, name: str) -> None:
    assert title(tmp_path, text) == name


@pytest.mark.parametrize(
    "text",
    [
        "", STEPS, "scenario: A day\n", f"scenario:\n{STEPS}", f"scenario: 7\n{STEPS}", f"scenario: true\n{STEPS}",
        f"scenario: {{name: default}}\n{STEPS}", f"scenario: [a]\n{STEPS}", f"scenario:\n  name: default\n{STEPS}",
        "jobs:\n  scenario: A day\n  steps: []\n", "- scenario: A day\n  steps: []\n", "scenario: steps\n",
        "{{ scenario: steps", "scenario: A day\n  steps: [\n", "\x00scenario steps",
    ],
)  # fmt: skip
def test_any_other_file_is_none(tmp_path: Path, text: str) -> None:
    assert title(tmp_path, text) is None


def test_a_folder_is_searched_in_order_without_hidden_folders_and_parts(tmp_path: Path) -> None:
    text = f"scenario: A day\n{STEPS}"
    write_files(
        tmp_path, b__yml=text, a__yaml=text, sub___c__YAML=text, d__txt=text, parts___e__yaml=text, f__yaml="jobs: {}"
    )
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "g.yaml").write_text(text)
    assert [str(file.relative_to(tmp_path)) for file in find_scenarios(tmp_path)] == ["a.yaml", "b.yml", "sub/c.YAML"]
