"""`giftsim check` with a journal: what a journal file holds, and where it is damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim import Simulator, __version__
from giftsim.cli.main import main
from tests.support.orders import order_body
from tests.support.restarts import ORDERS, PARTNER_HEADERS, WORLD, WORLDS


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The journal of a simulator that has ended: two orders, an advance, a fork with an advance, a deleted world."""
    simulator = Simulator(fixture="empty", journal=tmp_path / "world.journal", forward_allow=("app.internal",))
    client = simulator.client
    for key in ("a", "b"):
        client.call("POST", ORDERS, body=order_body(idempotency_key=key), headers=PARTNER_HEADERS)
    client.call("POST", f"{WORLD}/clock/advance", body={"by": "2d"})
    client.call("POST", f"{WORLD}/fork", body={"id": "copy"})
    client.call("POST", f"{WORLDS}/copy/clock/advance", body={"by": "1d"})
    client.call("POST", f"{WORLDS}/copy/simulate/account", body={"key": "partner.prepaid", "wallet_cents": 1})
    client.call("POST", WORLDS, body={"id": "short"})
    client.call("DELETE", f"{WORLDS}/short")
    simulator.close()
    return tmp_path / "world.journal"


def check(file: Path, *options: str) -> tuple[int, str, str]:
    """The exit status and output of the command, which does not change the file."""
    before = file.read_bytes(), file.stat().st_mtime_ns
    result = CliRunner().invoke(main, ["check", *options, str(file)])
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    return result.exit_code, result.stdout.replace(str(file), "FILE"), result.stderr.replace(str(file), "FILE")


def test_check_says_what_a_file_holds(file: Path) -> None:
    status, output, _ = check(file)
    head, started, *lines = output.splitlines()
    assert status == 0
    assert head == (
        f"FILE is whole: 9 records in {file.stat().st_size:,} bytes, written by giftsim {__version__} in format "
        "giftsim-journal 4"
    )
    assert started.startswith("  started with seed 1, fixture ")
    assert started.endswith(", --forward-allow app.internal")
    assert lines == [
        "  world default: 2 calls, 0 control calls, from 2027-01-04T09:00:00Z to 2027-01-06T09:00:00Z",
        "  world copy: 0 calls, 1 control calls, from 2027-01-06T09:00:00Z to 2027-01-07T09:00:00Z",
        "  world short (deleted): 0 calls, 0 control calls, from 2027-01-04T09:00:00Z to 2027-01-04T09:00:00Z",
        "  2 calls in all, 0 checkpoints",
    ]


def test_check_tells_a_torn_last_line_and_leaves_it(file: Path) -> None:
    whole = json.loads(check(file, "--json")[1])
    content = file.read_bytes()
    file.write_bytes(content[:-3])
    status, output, _ = check(file)
    assert status == 0
    torn = json.loads(check(file, "--json")[1])
    assert torn["records"] == whole["records"] - 1
    assert torn["bytes"] + torn["torn_bytes"] == len(content) - 3
    assert output.splitlines()[-1] == (
        f"  the last line is torn: {torn['torn_bytes']:,} bytes from byte {torn['bytes']:,} on, which a start drops"
    )


def test_check_names_the_place_of_damage(file: Path) -> None:
    content = file.read_bytes()
    at = len(content) // 2
    file.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
    status, output, error = check(file)
    line, begins = content.count(b"\n", 0, at) + 1, content.rfind(b"\n", 0, at) + 1
    assert (status, output) == (2, "")
    assert error.startswith(f"FILE:{line}: this line is damaged (it begins at byte {begins}): ")
    assert error.count("\n") == 1


def test_check_refuses_other_files_and_takes_an_empty_one(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("buy milk\n")
    assert former(file)[:2] == (2, "")
    assert "FILE:1: this file is not a journal of giftsim; it stays as it is\n" in former(file)[2]
    file.write_text("")
    assert former(file)[:2] == (0, "FILE is empty: a simulator that starts with it begins a new journal\n")


def former(file: Path) -> tuple[int, str, str]:
    """The exit status and output of the command by its former name, which takes no other files."""
    result = CliRunner().invoke(main, ["journal", "check", str(file)])
    return result.exit_code, result.stdout.replace(str(file), "FILE"), result.stderr.replace(str(file), "FILE")


def test_a_journal_is_told_from_other_files_by_its_content(file: Path) -> None:
    named = file.rename(file.with_name("not_a_journal.yaml"))
    assert check(named)[1].startswith("FILE is whole: 9 records")
    assert check(named)[:2] == former(named)[:2]
    both = CliRunner().invoke(main, ["check", str(named), "scenarios/museum/whole_visit.yaml"])
    assert (both.exit_code, "is a journal, which is checked by itself" in both.stderr) == (2, True)
    assert "--watch cannot take effect" in CliRunner().invoke(main, ["check", "--watch", str(named)]).stderr


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        (["p1a", "p2a"], [], "w-p1a.journal and w-p2a.journal have the worlds of 2 processes, not of 1"),
        (["p1a", "p2a"], ["--processes", "1"], "have the worlds of 2 processes, not of 1: start with --processes 2"),
        (["p1a"], ["--processes", "3"], "w-p1a.journal has the worlds of 1 process, not of 3: start with"),
        ([""], ["--processes", "2"], "w.journal has the worlds of 1 process, not of 2: start without"),
    ],
)  # fmt: skip
def test_journals_of_another_number_of_processes_are_not_left_out(
    tmp_path: Path, files: list[str], options: list[str], message: str
) -> None:
    for name in files:
        (tmp_path / ("w-" * bool(name) + (name or "w") + ".journal")).touch()
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--journal", str(tmp_path / "w.journal"), *options])
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
