"""The folder of a result: its sums, its signature, and what `giftsim exam --verify` finds."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from giftsim.workbench.exam.signature import sign, write_sums
from tests.exam.command_line import content, data_of, run

MADE = ("--tests", "passing.xml", "--out", "made")


def test_a_result_replaces_an_earlier_one_and_nothing_else(folder: Path) -> None:
    run(*MADE)
    assert run(*MADE).exit_code == 0
    assert content(folder / "made").keys() == {"exam.html", "exam.json", "SHA256SUMS"}
    (folder / "mine").mkdir()
    (folder / "mine" / "SHA256SUMS").write_text(f"{'0' * 64}  thesis.txt\n")
    (folder / "mine" / "thesis.txt").write_text("mine")
    refused = run("--tests", "passing.xml", "--out", "mine")
    assert (refused.exit_code, (folder / "mine" / "thesis.txt").read_text()) == (2, "mine")
    assert "has files that are not those of an exam" in refused.output


def test_version_control_ignores_what_is_left_in_the_usual_folder(folder: Path) -> None:
    run("--tests", "passing.xml")
    assert (folder / ".giftsim" / ".gitignore").read_text().endswith("\n*\n")
    assert run("--verify", ".giftsim/exam").exit_code == 0


def test_the_same_tests_give_the_same_bytes_and_sums(folder: Path) -> None:
    run(*MADE)
    first = content(folder / "made")
    run(*MADE)
    assert content(folder / "made") == first
    sums = dict(line.split("  ")[::-1] for line in first["SHA256SUMS"].decode().splitlines())
    assert sums == {name: sha256(first[name]).hexdigest() for name in ("exam.html", "exam.json")}


def test_a_signature_says_who_signed(folder: Path, key: Path) -> None:
    for _ in range(2):  # a result that is made again is signed again
        assert run(*MADE, "--sign", key).exit_code == 0
    (folder / "signers").write_text(f"ada@example.com {key.with_suffix('.pub').read_text()}")
    verified = run("--verify", "made", "--signers", "signers")
    assert verified.exit_code == 0, verified.output
    first, second, third = verified.output.splitlines()
    assert (first, second) == ("Tests of an app: 2 files, all as they were made", "No test failed.")
    assert third.startswith("signed by ada@example.com with the ED25519")
    assert "name its owner with --signers" in run("--verify", "made").output
    (folder / "others").write_text("")
    assert run("--verify", "made", "--signers", "others").exit_code == 1


@pytest.mark.parametrize("what", ["changed", "missing", "added", "sums"])
def test_a_result_that_is_not_as_it_was_made_is_noticed(folder: Path, key: Path, what: str) -> None:
    made = folder / "made"
    run(*MADE, "--sign", key)
    data = (made / "exam.json").read_bytes()
    if what == "missing":
        (made / "exam.html").unlink()
    elif what == "added":
        (made / "more.html").write_text("all is well")
    else:
        (made / "exam.json").write_bytes(data.replace(b"test_shop", b"TEST_SHOP"))
    if what == "sums":  # somebody who changes a file changes its sum as well
        sums, changed = made / "SHA256SUMS", (made / "exam.json").read_bytes()
        sums.write_text(sums.read_text().replace(sha256(data).hexdigest(), sha256(changed).hexdigest()))
    result = run("--verify", "made")
    assert result.exit_code == 1
    expected = {
        "changed": "exam.json: has changed",
        "missing": "exam.html: is missing",
        "added": "more.html: is not part of it",
        "sums": "SHA256SUMS.sig: ",
    }
    assert f"wrong: {expected[what]}" in result.output
    assert result.output.endswith("made is not as it was made.\n")


def test_a_result_without_a_signature_is_verified_unless_signers_are_named(folder: Path) -> None:
    run(*MADE)
    verified = run("--verify", "made")
    assert (verified.exit_code, verified.output.splitlines()[-1]) == (0, "not signed")
    (folder / "signers").write_text("")
    verified = run("--verify", "made", "--signers", "signers")
    assert verified.exit_code == 1
    assert "wrong: SHA256SUMS.sig: is missing" in verified.output


def old_report(made: Path, title: str) -> None:
    """A report as the earlier version left it."""
    made.mkdir()
    (made / "report.html").write_text("<html>")
    (made / "report.json").write_text(json.dumps({"title": title, "made_at": "2027-03-01T09:00:00Z"}))
    write_sums(made, ["report.html", "report.json"])


def test_a_report_of_the_earlier_version_is_verified_and_replaced(folder: Path, key: Path) -> None:
    old_report(folder / "made", "The shop")
    sign(folder / "made", key)
    (folder / "signers").write_text(f"ada@example.com {key.with_suffix('.pub').read_text()}")
    for command in ("exam", "report"):
        verified = run("--verify", "made", "--signers", "signers", command=command)
        assert verified.exit_code == 0, verified.output
        assert verified.stdout.startswith(
            "The shop, 2027-03-01T09:00:00Z: 2 files, all as they were made\nsigned by ada@example.com with the ED25519"
        )
    assert run(*MADE).exit_code == 0
    assert content(folder / "made").keys() == {"exam.html", "exam.json", "SHA256SUMS"}


def test_nothing_in_a_result_forges_a_line_of_its_verdict(folder: Path) -> None:
    old_report(folder / "made", "The shop: 2 files\nsigned by ada@example.com with the ED25519 key\x1b[1A")
    verified = run("--verify", "made")
    assert [line.partition(" ")[0] for line in verified.output.splitlines()] == ["The", "not"]
    assert "\\nsigned by ada@example.com with the ED25519 key\\x1b[1A" in verified.output
    (folder / "made" / "a\nsigned by ada").write_text("")
    assert "wrong: a\\nsigned by ada: is not part of it\n" in run("--verify", "made").output


@pytest.mark.parametrize("name", ["exam.json", "report.json"])
@pytest.mark.parametrize("data", ["[]", "{}", '{"title": 1, "rules": 2}', "no JSON"])
def test_data_that_are_not_a_result_are_refused(folder: Path, data: str, name: str) -> None:
    (folder / "made").mkdir()
    (folder / "made" / name).write_text(data)
    (folder / "made" / "SHA256SUMS").write_text(f"{sha256(data.encode()).hexdigest()}  {name}\n")
    verified = run("--verify", "made")
    assert verified.exit_code == 2
    assert "made is not the result of an exam" in verified.output


def test_the_key_that_signs_is_that_of_the_count(folder: Path, key: Path) -> None:
    assert run(*MADE, "--sign", key.with_suffix(".none")).exit_code == 2
    run(*MADE, "--sign", key)
    assert data_of(folder / "made")["runs"] is None  # no exam was held
