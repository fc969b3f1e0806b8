"""Former names of commands: they do what they did, say the present name on standard error, and nothing lists them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner, Result

from giftsim.cli.commands import FORMER, GROUPS, LISTED, MORE
from giftsim.cli.main import main
from tests.cli.remote.conftest import CommandLine, address, command_line  # noqa: F401 - fixtures
from tests.support.served_simulator import ROOT

CALL = 'curl -sf $GIFTSIM_URL/api/external/team-orders -H "Authorization: Bearer $GIFTSIM_PARTNER_PREPAID" > /dev/null'
CLIENT = ["sh", "-c", CALL]


def said(former: str, now: str) -> str:
    return f"giftsim: `giftsim {former}` is now `giftsim {now}`; the former name works in this release\n"


def check_same(former: Result, now: Result, line: str) -> None:
    assert (former.exit_code, former.stdout) == (now.exit_code, now.stdout)
    assert former.stderr == line + now.stderr


def test_former_names_of_commands_on_a_world_do_the_same(command_line: CommandLine) -> None:  # noqa: F811
    command_line.world.partner().create_order()
    for words in (["1001"], ["1001", "--json"], ["77"]):
        check_same(command_line.run("order", *words), command_line.run("orders", *words), said("order", "orders ID"))
    once = command_line.run("wait", "--timeout", "0")
    check_same(command_line.run("health"), once, said("health", "wait --timeout 0"))
    former = command_line.run("fault", "status=503", "--first", "1")
    assert (former.exit_code, former.stderr) == (0, said("fault", "faults add"))
    assert former.stdout == command_line.output("faults") + "end it with: giftsim faults end fault-1\n"


def test_claim_claims_as_it_did(command_line: CommandLine) -> None:  # noqa: F811
    command_line.world.partner().create_order()
    former = command_line.run("claim", "1001")
    assert (former.exit_code, former.stderr) == (0, said("claim", FORMER["claim"].now))
    [parcel] = command_line.json("orders", "1001")["parcels"]
    assert parcel["status"] == "submitted"
    assert parcel["claim_link"] in former.stdout


@pytest.mark.parametrize(
    ("former", "now"),
    [
        (["trust", "--json"], ["serve", "trust", "--json"]),
        (["haproxy", "--processes", "2"], ["serve", "haproxy", "--processes", "2"]),
        (["haproxy"], ["serve", "haproxy"]),
        (["replay", "README.md"], ["play", "--exact", "README.md"]),
        (["replay", "nothing.yaml"], ["play", "--exact", "nothing.yaml"]),
        (["assumptions", "--", "true"], ["run", "--assumptions", "--", "true"]),
        (["assumptions", "--jobs", "2", "--junit", "j.xml", "--", "true"],
         ["run", "--assumptions", "--jobs", "2", "--junit", "j.xml", "--", "true"]),
        (["claims", "P-6"], ["statements", "P-6"]),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_other_former_names_do_the_same(former: list[str], now: list[str], tmp_path: Path) -> None:
    runner = CliRunner(env={"GIFTSIM_STATE": str(tmp_path)})
    first, second = runner.invoke(main, former), runner.invoke(main, now)
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout)
    assert first.stderr.startswith(said(former[0], FORMER[former[0]].now))
    assert first.stderr.splitlines()[-1:] == (second.stderr or first.stderr).splitlines()[-1:]


def test_record_with_a_command_is_run_with_record(tmp_path: Path) -> None:
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    former = CliRunner().invoke(main, ["record", "--fixture", "bare", "--out", str(first), "--", *CLIENT])
    assert former.stderr == said("record -- COMMAND", "run --record FILE -- COMMAND")
    now = CliRunner().invoke(main, ["run", "--quiet", "--fixture", "bare", "--record", str(second), "--", *CLIENT])
    assert (former.exit_code, former.stdout) == (now.exit_code, now.stdout)
    assert first.read_text() == second.read_text()
    assert CliRunner().invoke(main, ["play", "--exact", str(second)]).stdout == f"same: {second}, 2 steps\n"


@pytest.mark.parametrize("words", [["check-receiver", "http://127.0.0.1:9"], ["report"], ["play", "readiness"]])
def test_what_a_former_exam_lacks_is_said_with_the_usage_of_exam(words: list[str]) -> None:
    result = CliRunner().invoke(main, words, prog_name="giftsim")
    assert (result.exit_code, result.stdout) == (2, "")
    usage, hint = result.stderr.splitlines()[1:3]
    assert usage == "Usage: giftsim exam [OPTIONS]"
    assert hint in (
        "Try 'giftsim exam --help' for help.",
        "Try 'giftsim exam -h' for help.",
    )  # as click's version has it


def test_nothing_lists_or_completes_a_former_name() -> None:
    shell = ShellComplete(main, {}, "giftsim", "_GIFTSIM_COMPLETE")
    completed = [item.value for item in shell.get_completions([], "")]
    assert set(completed) == set(LISTED)
    assert not set(completed) & set(FORMER)
    assert sum(map(len, GROUPS.values())) <= 21
    assert set(MORE) == {"open", "calls", "mcp", "compare", "statements", "schema", "version", "completion"}


def test_the_reference_has_each_former_name_with_the_present_one() -> None:
    page = (ROOT / "docs/reference/command-line.md").read_text()
    rows = [f"- `giftsim {name}`: `giftsim {former.now}`\n" for name, former in FORMER.items()]
    assert [row for row in rows if row not in page] == []
