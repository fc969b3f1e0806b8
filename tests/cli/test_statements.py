"""The command `statements`."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from giftsim import Simulator, __version__
from giftsim.cli.main import main
from giftsim.engine.log.journal_contents import NUMBER
from giftsim.services.statements.decision import load_decisions
from giftsim.services.statements.statement import Outcomes, load_statements, showing_tests, write_outcomes
from tests.docs.shell_session import environment

TEST = showing_tests()["P-6.16"][0]


def everything(outcome: str) -> dict[str, dict[str, str]]:
    """Every test of every statement with this outcome."""
    found: dict[str, dict[str, str]] = {}
    for statement, tests in showing_tests().items():
        for test in tests:
            found.setdefault(test, {})[statement] = outcome
    return found


@pytest.fixture
def outcomes(tmp_path: Path) -> Path:
    """The outcomes of a run in which every test passed."""
    write_outcomes(tmp_path / "statements.json", everything("passed"))
    return tmp_path / "statements.json"


def run(outcomes: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["statements", "--outcomes-file", str(outcomes), *arguments])


def listed(outcomes: Path, *arguments: str) -> list[str]:
    """The ids that the command lists."""
    result = run(outcomes, "--json", *arguments)
    assert result.exit_code == 0, result.output
    return [row["id"] for row in json.loads(result.output)["statements"]]


def test_all_statements_are_shown_after_a_run_in_which_every_test_passed(outcomes: Path) -> None:
    result = run(outcomes, "--check")
    assert result.exit_code == 0
    assert "\n539 of 539 statements shown by passing tests\n" in result.output


def test_one_command_prints_the_guesses(outcomes: Path) -> None:
    result = run(outcomes, "--guesses")
    guesses = [decision for decision in load_decisions().values() if decision.basis == "guess"]
    assert len(guesses) > 50
    assert [each.id for each in guesses if f"{each.id}  decision, guess\n" not in result.output] == []
    assert result.output.endswith(f"\n{len(guesses)} decisions\n")


def test_a_statement_is_shown_with_its_check_its_tests_and_their_outcomes(outcomes: Path) -> None:
    result = run(outcomes, "P-6.16", "-v")
    assert result.output.startswith("P-6.16  delivery, documented: passed (")
    assert "An answer outside 2xx counts as failure" in result.output
    assert "Checked so: Answer 302, 400, 500" in result.output
    assert f"  passed  {TEST}\n" in result.output


def test_a_decision_is_shown_with_its_setting_and_default(outcomes: Path) -> None:
    result = run(outcomes, "B19")
    assert result.output.startswith("B19  decision, guess\n")
    assert "Setting partner.claim_expiry_days, by default 30\n" in result.output


def test_the_part_of_a_statement_that_is_inferred_is_named(outcomes: Path) -> None:
    result = run(outcomes, "T-6.13")
    assert "event, documented in part: passed" in result.output
    assert "Inferred: what happens at equality.\n" in result.output


def test_conditions_narrow_the_list_down_together(outcomes: Path) -> None:
    ids = listed(outcomes, "--about", "museum")
    assert set(ids) == {each.id for each in load_statements().values() if each.id.startswith("M-")} | {
        each.id for each in load_decisions().values() if each.family == "museum"
    }
    assert listed(outcomes, "--about", "museum", "--decided", "--guesses")[:3] == ["G118", "C7", "C8"]
    assert set(listed(outcomes, "--documented", "--kind", "money")) < set(load_statements())
    assert listed(outcomes, "P-6")[:2] == ["P-6.1", "P-6.2"]
    assert "B44" in listed(outcomes, "--text", "GAPS OR OFFSETS")
    assert listed(outcomes, "--without-test") == []
    assert len(listed(outcomes, "--outcome", "passed")) == 539


def test_the_former_name_of_the_command_prints_the_former_names_too(outcomes: Path) -> None:
    arguments = ["--outcomes-file", str(outcomes), "--json", "P-6.16"]
    former = json.loads(CliRunner().invoke(main, ["claims", *arguments]).stdout)
    listed = json.loads(CliRunner().invoke(main, ["statements", *arguments]).output)
    assert former.pop("claims") == listed["statements"]
    assert former["summary"].pop("claims") == 1
    assert former == listed
    assert "claims" not in listed


def test_json_has_every_part_of_an_entry(outcomes: Path) -> None:
    data = json.loads(run(outcomes, "--json", "P-6.16", "B19").output)
    statement, decision = data["statements"]
    assert statement["tests"][0] == {"test": TEST, "outcome": "passed"}
    assert (statement["outcome"], statement["family"], statement["basis"]) == ("passed", "partner", "documented")
    assert decision["settings"] == [{"name": "partner.claim_expiry_days", "default": 30}]
    assert data["summary"] == {"statements": 1, "shown": 1, "decisions": 1, "outcomes_known": True}


@pytest.mark.parametrize(
    ("outcome", "shown", "word"),
    [({"P-6.16": "failed"}, 0, "failed"), ({"P-6.16": "skipped"}, 1, "passed"), ({}, 1, "passed")],
)
def test_a_statement_is_shown_if_a_test_passed_and_none_failed(
    tmp_path: Path, outcome: dict[str, str], shown: int, word: str
) -> None:
    found: Outcomes = {**everything("passed"), TEST: outcome}
    write_outcomes(tmp_path / "statements.json", found)
    result = run(tmp_path / "statements.json", "P-6.16", "--check")
    assert result.exit_code == 1 - shown
    assert f"documented: {word} (" in result.output
    assert f"\n{shown} of 1 statements shown by passing tests\n" in result.output


def test_it_says_where_no_test_was_run(tmp_path: Path) -> None:
    write_outcomes(tmp_path / "statements.json", {})
    result = run(tmp_path / "statements.json", "P-6.16", "-v")
    assert "P-6.16  delivery, documented: not run here (" in result.output
    assert f"  not run here  {TEST}\n" in result.output
    assert "1 statement; no test was run here, so no outcome is known" in result.output
    assert run(tmp_path / "statements.json", "--check").exit_code == 1


def test_what_cannot_be_answered_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[1]", encoding="utf-8")
    assert "has no outcomes of a test run" in run(tmp_path / "other.json").output
    write_outcomes(tmp_path / "statements.json", {})
    assert "there is nothing with the id X9" in run(tmp_path / "statements.json", "X9").output
    assert (
        "name one of --documented and --decided"
        in run(tmp_path / "statements.json", "--documented", "--decided").output
    )


def test_the_versions_of_everything_are_told_to_programs(simulator: Simulator) -> None:
    known = json.loads(CliRunner().invoke(main, ["version", "--json"]).stdout)
    assert (known["version"], known["python"]) == (__version__, platform.python_version())
    assert known["formats"] == {"journal": NUMBER, "recording": 1, "scenario": 1, "fixture": 1}
    served = {
        name: simulator.client.call("GET", f"/openapi/{name}.json").json()["info"]["version"]
        for name in ("team", "partner", "museum", "control")
    }
    assert known["contracts"] == served


def test_people_get_three_lines() -> None:
    first, formats, contracts = CliRunner().invoke(main, ["version"]).stdout.splitlines()
    assert first == f"giftsim {__version__}, Python {platform.python_version()}"
    assert formats.startswith("formats: journal ")
    assert contracts.startswith("contracts: team ")


ASK = """\
eval "$(giftsim completion bash)"
COMP_WORDS=({words}) COMP_CWORD={last}
_giftsim_completion giftsim
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("giftsim expl", {"explore"}),
        ("giftsim worlds ''", {"create", "fork", "reset", "delete"}),
        ("giftsim completion ''", {"bash", "fish", "zsh"}),
        ("giftsim play --jun", {"--junit"}),
        ("giftsim --po", {"--port"}),
        ("giftsim --port 80 --worlds", {"--worlds-prefix"}),
    ],
)
def test_bash_completes(tmp_path: Path, words: str, offered: set[str]) -> None:
    script = ASK.format(words=words, last=len(words.split()) - 1)
    done = subprocess.run(
        ["bash", "-c", script], env=environment(tmp_path, active=True), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize(
    ("shell", "line"),
    [("zsh", "compdef _giftsim_completion giftsim"), ("fish", "complete --no-files --command giftsim")],
)
def test_other_shells_get_theirs(shell: str, line: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert line in done.stdout
    assert f"_GIFTSIM_COMPLETE={shell}_complete" in done.stdout


def test_another_shell_is_refused() -> None:
    done = CliRunner().invoke(main, ["completion", "tcsh"])
    assert done.exit_code == 2
    assert "'tcsh' is not one of 'bash', 'fish', 'zsh'" in done.stderr
