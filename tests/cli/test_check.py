"""`giftsim check` and `giftsim schema`: mistakes with their places, for people, programs, GitHub and editors."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator
from giftsim.build import schemas
from giftsim.cli.check import watch_files
from giftsim.cli.main import main
from giftsim.workbench.scenario import json_schema
from tests.support.worlds import World

ROOT = Path(__file__).parents[2]
SCENARIO = """\
scenario: Wrong
steps:
  - call: POST /api/external/team-orders
    az: partner.prepaid
  - simulate: clam
  - advance: 3d
    expect: {evnts: []}
"""
MISTAKES = [
    (4, 5, '"az" is not a member of a call step; '),
    (5, 15, '"clam" is not a verb of the outside world; did you mean "claim"?'),
    (7, 14, '"evnts" is not a member of the expectations of a step; did you mean "events"?'),
]
FILES = {
    "scenario: A\nsteps:\n  - {call: GET /api/external/team-orders, as: partner.prepayed}\n": "3:47: the world has no",
    "scenario: A\nsteps:\n  - {call: GET /api/external/team-orderz, as: partner.prepaid}\n": "3:12: ",
    "scenario: A\nsteps: [\n": "3:1: not YAML: ",
    "steps:\n  - advanc: 3d\n": '2:5: "advanc" is not a kind of step; did you mean "advance"?',
    "extends: default\nordrs: []\n": "2:1: a fixture has no section 'ordrs'; did you mean orders?",
    "extends: default\nteams: []\n": "2:8: teams must be a mapping",
    "extends: default\norders:\n  - {key: partner.showcase, ago: 1d, bdy: {}}\n": "3:38: orders[0] has no member",
    "extends: default\norders:\n  - {key: partner.showcase, ago: 1d, body: {}}\n": "3:44: orders[0].body: items: is",
    "extends: default\n<<<<<<< HEAD\nteams: {}\n=======\norders: []\n>>>>>>> other\n": "2:1: a merge left a conflict",
    "extends: default\r\n<<<<<<< HEAD\r\nteams: {}\r\n=======\r\n>>>>>>> other\r\n": "2:1: a merge left a conflict",
    "scenario: A\nsteps:\n  - {call: GET /api/external/team-orders?magic=Magic+Slo, as: partner.prepaid}\n": (
        '3:12: "Magic Slo" is not a magic value; did you mean "Magic Slow"?\n'
    ),
    "scenario: A\nvars: {who: claim-3d@magic.giftsim.example}\nsteps:\n  - advance: 3d\n": (
        '2:13: "claim-3d@magic.giftsim.example" is not a magic value; did you mean "claims-3d@magic.giftsim.example"?\n'
    ),
    "steps:\n  - {call: GET /x, body: {name: magic slow}}\n": '2:33: "magic slow" is not a magic value; did you mean',
    "extends: default\norders:\n  - key: partner.showcase\n    ago: 1d\n    body:\n      gift_sender: magic slow\n"
    "      items: [{sku_code: MUG-01}]\n      recipients: [{name: Bo, email: bo@example.com}]\n": '6:20: "magic slow" ',
    "extends: defalt\n": "1:10: there is no fixture 'defalt'; did you mean default?",
}


def check(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A scenario with three mistakes."""
    file = tmp_path / "wrong.yaml"
    file.write_text(SCENARIO)
    return file


def test_every_mistake_of_a_file_has_a_line(wrong: Path) -> None:
    done = check(wrong)
    lines = done.stdout.splitlines()
    assert (done.exit_code, len(lines), done.stderr) == (
        1,
        3,
        "3 mistakes in 1 file (see docs/reference/scenario-language.md)\n",
    )
    for line, (row, column, message) in zip(lines, MISTAKES, strict=True):
        assert line.startswith(f"{wrong}:{row}:{column}: {message}")


@pytest.mark.parametrize(("text", "expected"), FILES.items())
def test_a_mistake_is_found_where_it_is(tmp_path: Path, text: str, expected: str) -> None:
    file = tmp_path / "it.yaml"
    file.write_text(text)
    done = check(file)
    assert (done.exit_code, done.stdout.startswith(f"{file}:{expected}")) == (1, True), done.stdout


def test_values_that_are_almost_magic_are_found_beside_other_mistakes_and_in_included_files(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "order.yaml").write_text("steps:\n  - {call: GET /api/external/team-orders?m=Magic+Slo}\n")
    head = "scenario: Magic Slo\nsteps:\n"
    expected = "  - {call: GET /api/external/team-orders, as: partner.prepayed, expect: {body: {a: Magic Slo}}}\n"
    file = tmp_path / "it.yaml"
    file.write_text(f"{head}  - include: parts/order.yaml\n{expected}")
    lines = [line.removeprefix(str(tmp_path)) for line in check(file).stdout.splitlines()]
    assert [line.partition('"')[0] for line in lines] == [
        "/parts/order.yaml:2:12: ",
        "/it.yaml:4:47: the world has no credential ",
    ]
    file.write_text(f"settings: {{magic_values: false}}\n{head}  - include: parts/order.yaml\n")
    assert check(file).exit_code == 0


def test_what_the_package_has_is_right_and_folders_are_searched(wrong: Path) -> None:
    right = check(ROOT / "scenarios/museum", *(ROOT / "fixtures").iterdir())
    assert (right.exit_code, right.stdout) == (0, ""), right.stdout
    assert right.stderr.startswith("no mistakes in ")
    (wrong.parent / "other.yaml").write_text("services: {}\n")  # not a scenario
    assert check(wrong.parent).stderr == "3 mistakes in 1 file (see docs/reference/scenario-language.md)\n"


def test_a_folder_without_scenarios_is_refused(tmp_path: Path) -> None:
    done = check(tmp_path)
    assert (done.exit_code, f"{tmp_path} has no scenario: a YAML file" in done.stderr) == (2, True)


def test_programs_and_github_read_the_same(wrong: Path) -> None:
    report = json.loads(check("--json", wrong).stdout)
    assert report["files"] == [str(wrong)]
    assert [(each["line"], each["column"]) for each in report["mistakes"]] == [place[:2] for place in MISTAKES]
    odd = wrong.with_name("a,b:c%.yaml")
    odd.write_text(SCENARIO)
    first = check("--github", odd).stdout.splitlines()[0]
    assert first.startswith(f'::error file={wrong.parent}/a%2Cb%3Ac%25.yaml,line=4,col=5::"az" is not a member')
    assert "--watch cannot take effect: --json prints one report" in check("--json", "--watch", wrong).stderr


def test_watching_checks_again_when_a_file_changes(
    wrong: Path, simulator: Simulator, capsys: pytest.CaptureFixture[str]
) -> None:
    before = simulator.client.call("GET", "/_sim/v1/worlds").json()["worlds"]
    versions = iter([None, SCENARIO.replace("clam", "claim"), None, "scenario: A\nsteps: [{advance: 3d}]\n"])
    seen: list[tuple[str, str]] = []

    def wait(_seconds: float) -> None:
        seen.append(capsys.readouterr())
        version = next(versions, "end")
        if version == "end":
            raise KeyboardInterrupt
        if version is not None:
            wrong.write_text(version, encoding="utf-8")

    with pytest.raises(SystemExit) as ended:
        watch_files([wrong], simulator.client, wait)
    assert ended.value.code == 0
    assert [said for _, said in seen] == [
        "3 mistakes in 1 file (see docs/reference/scenario-language.md)\n",
        "",
        "2 mistakes in 1 file (see docs/reference/scenario-language.md)\n",
        "",
        "no mistakes in 1 file\n",
    ]
    assert simulator.client.call("GET", "/_sim/v1/worlds").json()["worlds"] == before


@pytest.mark.parametrize("kind", ["scenario", "fixture"])
def test_the_schema_is_printed_and_served_alike(world: World, kind: str) -> None:
    printed = CliRunner().invoke(main, ["schema", kind]).stdout
    served = world.client.call("GET", f"/schemas/{kind}.json")
    assert (served.status, served.headers["content-type"]) == (200, "application/schema+json")
    assert served.text == printed
    jsonschema.Draft202012Validator.check_schema(json.loads(printed))
    assert world.client.call("GET", "/schemas/other.json").status == 404
    assert CliRunner().invoke(main, ["schema"]).stdout == CliRunner().invoke(main, ["schema", "scenario"]).stdout


def test_what_editors_complete_forbids_nothing() -> None:
    made = {name: json.loads(text) for name, text in schemas().items()}
    own = {"scenario": "A", "fixture": "mine", "steps": [
        {"call": "GET /mine", "as": "partner.mine", "body": {"items": [{"sku_code": 1}, 2], "events": "x"}},
        {"fault": {"match": {"operation": "mine", "event": "mine"}, "effect": {"drop": "after"}}},
        {"expect": {"events": ["mine", {"type": "x"}]}},
    ]}  # fmt: skip
    for rules in (made["scenario"], json_schema()):
        assert jsonschema.Draft202012Validator(rules).is_valid(own)
        assert not jsonschema.Draft202012Validator(rules).is_valid({**own, "stepz": []})
