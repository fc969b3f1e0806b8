# mypy: disable-error-code="misc"
"""`giftsim report`: its parts, its bytes, its signature, and what it refuses."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.workbench.trace.file import read_trace_file
from tests.readiness import shops
from tests.readiness.shops import TIMEOUT_S, Shop, serving
from tests.receiver_check.gift_app import SECRET, GiftApp, served
from tests.support.free_ports import free_ports

JUNIT = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest"><properties><property name="random_seed" value="42"/></properties>
<testcase classname="tests.test_shop" name="test_order" time="0.5"/>
<testcase classname="tests.test_shop" name="test_cancel">
<failure message="assert 1 == &lt;b&gt;&#10;more">long</failure></testcase>
<testcase classname="tests.test_shop" name="test_setup"><error message="no shop"/></testcase>
<testcase classname="tests.test_books" name="test_month"><skipped message="later"/></testcase>
</testsuite></testsuites>"""
AREA = {"met": ["createTeamOrder"], "missing": ["cancelTeamOrder"], "apart": [], "percent": 50.0}
COVERAGE = {"areas": {"operations": AREA, "events": {**AREA, "missing": [], "percent": 100.0}}, "next": []}
PROBE = {"name": "genuine", "outcome": "fail", "reason": "answered 500", "source": "P-6.13", "repeat": [{"body": "1"}]}


class Mistaken(Shop):
    """Finds its own records wrong in every scenario."""

    def __init__(self) -> None:
        super().__init__((), TIMEOUT_S)

    def errors(self) -> Iterator[str]:
        """Complain."""
        yield "<i>all</i> is wrong"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with what tests have left."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "junit.xml").write_text(JUNIT)
    return tmp_path


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key of ssh, with its public key beside it."""
    path = tmp_path_factory.mktemp("key") / "ada"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ada@example.com", "-f", str(path)], check=True
    )
    return path


def run(*options: object) -> Result:
    """Run the command."""
    return CliRunner(env={"GIFTSIM_SECRET": None}).invoke(main, ["report", *map(str, options)])


def data_of(folder: Path) -> dict[str, Any]:
    """The data of a report."""
    data: dict[str, Any] = json.loads((folder / "report.json").read_bytes())
    return data


def content(folder: Path) -> dict[str, bytes]:
    """The files of a report."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_has_the_tests_of_a_junit_file(folder: Path) -> None:
    result = run("--out", "made", "--junit", "junit.xml", "--title", "The shop", "--label", "app=1.4=2")
    assert result.exit_code == 1, result.output
    data = data_of(folder / "made")
    assert data["tests"]["counts"] == {"passed": 1, "failed": 1, "error": 1, "skipped": 1}
    assert [case["message"] for case in data["tests"]["not_passed"]] == ["assert 1 == <b>", "no shop", "later"]
    assert (data["title"], data["labels"], data["made_at"]) == ("The shop", {"app": "1.4=2"}, None)
    assert data["seeds"] == {"tests": ["random_seed 42"]}
    assert data["failed"] == {"tests": 2}
    assert [row["part"] for row in data["missing"]] == ["coverage", "receiver", "readiness"]
    assert result.output.splitlines()[-2:] == [
        "Failed: tests (2). Missing: coverage, webhook receiver, readiness pack.",
        "made/report.html",
    ]


def test_coverage_and_assumptions_are_taken_from_where_they_are_left(folder: Path) -> None:
    (folder / ".giftsim").mkdir()
    (folder / ".giftsim" / "coverage.json").write_text(json.dumps({**COVERAGE, "met": ["the keeper's own"]}))
    (folder / ".giftsim" / "assumptions.json").write_text('[{"id": "A1", "text": "Cents are <whole>"}]')
    assert run("--out", "made").exit_code == 0
    data, page = data_of(folder / "made"), (folder / "made" / "report.html").read_text()
    assert data["coverage"] == COVERAGE
    assert data["assumptions"] == [{"id": "A1", "text": "Cents are <whole>"}]
    assert "operations: 1 missing" in page
    assert "Cents are &lt;whole&gt;" in page
    assert '<b>50 %</b> <span class="soft">operations, events 100 %</span>' in page


LEANING = {"test": "test_shop.py::test_mug", "decision": "B25", "variant": "slow_parcels", "failure": "assert <1> == 2"}


def test_tests_that_lean_on_a_guess_are_explained(folder: Path) -> None:
    found = {"touched": ["B25", "B1"], "leaning": [LEANING], "safe": ["B1"]}
    (folder / "found.json").write_text(json.dumps(found))
    assert run("--out", "made", "--assumptions", "found.json").exit_code == 0
    data, page = data_of(folder / "made"), (folder / "made" / "report.html").read_text()
    [row] = data["assumptions"]["leaning"]
    assert {**row, **LEANING} == row
    assert (row["title"], row["other"]) == ("Progress of shipments", "They take about twice as long.")
    assert row["safe"] == "Wait for the webhook instead of a number of days."
    assert "<pre>assert &lt;1&gt; == 2</pre>" in page
    assert "Not documented: The documents do not say how long production and shipping take." in page
    assert '<b>1</b> <span class="soft">test leans on a guess</span>' in page


def test_assumptions_without_a_test_that_leans_say_so(folder: Path) -> None:
    (folder / "found.json").write_text(json.dumps({"touched": ["B1"], "leaning": [], "safe": ["B1"]}))
    assert run("--out", "made", "--assumptions", "found.json").exit_code == 0
    assert "No test leans on a guess." in (folder / "made" / "report.html").read_text()


def test_a_check_of_the_receiver_is_read_or_made(folder: Path) -> None:
    (folder / "receiver.json").write_text(json.dumps({"probes": [PROBE]}))
    assert run("--out", "read", "--receiver-report", "receiver.json").exit_code == 1
    [probe] = data_of(folder / "read")["receiver"]["probes"]
    assert probe == {name: value for name, value in PROBE.items() if name != "repeat"}
    with served(GiftApp()) as url:
        made = [run("--out", name, "--receiver", url, "--secret", SECRET) for name in ("first", "second")]
    assert [result.exit_code for result in made] == [0, 0], made[0].output
    assert "receiver: 53 probes: 42 pass, 0 fail" in made[0].output
    assert data_of(folder / "first")["seeds"] == {"receiver": 1}
    assert content(folder / "first") == content(folder / "second")


def test_the_pack_is_played_against_the_app_and_what_fails_leaves_a_trace(folder: Path) -> None:
    with serving(shops.LastComesLast()) as app:
        result = run("--out", "made", "--app", app)
    assert result.exit_code == 1, result.output
    played = {each["name"]: each for each in data_of(folder / "made")["readiness"]["scenarios"]}
    assert len(played) == 20
    assert [name for name, each in played.items() if each["outcome"] != "passed"] == ["reordered_webhooks"]
    failed = played["reordered_webhooks"]
    assert 'bo@example.com.stage: expected "delivered", actual "shipped"' in failed["reason"]
    assert failed["sources"] == {"P-2.45": "`data.occurred_at` is the time of the fact, not of the sending."}
    trace = read_trace_file((folder / "made" / failed["trace"]).read_bytes())
    assert trace["test"]["id"] == "readiness/reordered_webhooks.yaml"
    assert trace["test"]["outcome"] == "failed"
    first = trace["verdicts"][0]
    assert first["kind"] == "arrived_out_of_order", first
    assert f"why: {first['sentence']}" in failed["reason"].splitlines()
    assert "is kept" not in trace["test"]["failure"]["text"]
    assert f'<a href="{failed["trace"]}">' in (folder / "made" / "report.html").read_text()


def test_an_action_that_the_app_does_not_do_is_not_a_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(shops.EXAMPLE.ACTIONS, "settle")
    with serving(Shop((), TIMEOUT_S)) as app:
        assert run("--out", "made", "--app", app).exit_code == 0
    readiness = data_of(folder / "made")["readiness"]
    assert readiness["counts"] == {"passed": 19, "failed": 0, "not offered": 1}
    [skipped] = [each for each in readiness["scenarios"] if each["outcome"] == "not offered"]
    assert (skipped["name"], skipped["reason"]) == ("net_terms_used_up", "POST /giftsim/do settle answered 501")
    assert skipped["trace"] is None


def test_the_same_inputs_give_the_same_bytes(folder: Path) -> None:
    options = ("--junit", "junit.xml", "--at", "2027-03-01T10:00:00+01:00", "--label", "app=1")
    with serving(Mistaken()) as app:
        for name in ("first", "second"):
            assert run("--out", name, "--app", app, *options).exit_code == 1
    first, second = content(folder / "first"), content(folder / "second")
    real_time = "traces/rate_limit.html"  # the clock of its world runs
    assert len([name for name in first if name.startswith("traces/")]) == 19
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} <= {real_time, "SHA256SUMS"}
    assert data_of(folder / "first")["made_at"] == "2027-03-01T09:00:00Z"
    assert b"<i>all" not in first["report.html"]


def test_a_report_replaces_an_earlier_one_and_nothing_else(folder: Path) -> None:
    (folder / "receiver.json").write_text(json.dumps({"probes": []}))
    with serving(shops.LastComesLast()) as app:
        run("--out", "made", "--app", app)
    assert run("--out", "made").exit_code == 0
    assert content(folder / "made").keys() == {"report.html", "report.json", "SHA256SUMS"}
    (folder / "mine").mkdir()
    (folder / "mine" / "SHA256SUMS").write_text(f"{'0' * 64}  thesis.txt\n")
    (folder / "mine" / "thesis.txt").write_text("mine")
    refused = run("--out", "mine")
    assert (refused.exit_code, (folder / "mine" / "thesis.txt").read_text()) == (2, "mine")
    assert "has files that are not those of a report" in refused.output


def test_the_sums_are_those_of_the_files(folder: Path) -> None:
    run("--out", "made")
    sums = dict(line.split("  ")[::-1] for line in (folder / "made" / "SHA256SUMS").read_text().splitlines())
    files = content(folder / "made")
    assert sums == {name: sha256(files[name]).hexdigest() for name in ("report.html", "report.json")}


def test_a_signature_says_who_signed(folder: Path, key: Path) -> None:
    for _ in range(2):  # a report that is made again is signed again, with the same bytes
        assert run("--out", "made", "--title", "The shop", "--sign", key).exit_code == 0
    (folder / "signers").write_text(f"ada@example.com {key.with_suffix('.pub').read_text()}")
    verified = run("--verify", "made", "--signers", "signers")
    assert verified.exit_code == 0, verified.output
    assert verified.output.startswith(
        "The shop: 2 files, all as they were made\nsigned by ada@example.com with the ED25519"
    )
    assert "name its owner with --signers" in run("--verify", "made").output
    (folder / "others").write_text("")
    assert run("--verify", "made", "--signers", "others").exit_code == 1


@pytest.mark.parametrize("what", ["changed", "missing", "added", "sums"])
def test_a_report_that_is_not_as_it_was_made_is_noticed(folder: Path, key: Path, what: str) -> None:
    made = folder / "made"
    run("--out", "made", "--sign", key)
    data = (made / "report.json").read_bytes()
    if what == "missing":
        (made / "report.html").unlink()
    elif what == "added":
        (made / "more.html").write_text("all is well")
    else:
        (made / "report.json").write_bytes(data.replace(b"integration", b"INTEGRATION"))
    if what == "sums":  # somebody who changes a file changes its sum as well
        sums, changed = made / "SHA256SUMS", (made / "report.json").read_bytes()
        sums.write_text(sums.read_text().replace(sha256(data).hexdigest(), sha256(changed).hexdigest()))
    result = run("--verify", "made")
    assert result.exit_code == 1
    expected = {
        "changed": "report.json: has changed",
        "missing": "report.html: is missing",
        "added": "more.html: is not part of the report",
        "sums": "SHA256SUMS.sig: ",
    }
    assert f"wrong: {expected[what]}" in result.output
    assert result.output.endswith("made is not as it was made.\n")


def test_a_report_without_a_signature_is_verified_unless_signers_are_named(folder: Path) -> None:
    run("--out", "made")
    verified = run("--verify", "made")
    assert (verified.exit_code, verified.output.splitlines()[-1]) == (0, "not signed")
    (folder / "signers").write_text("")
    verified = run("--verify", "made", "--signers", "signers")
    assert verified.exit_code == 1
    assert "wrong: SHA256SUMS.sig: is missing" in verified.output


def test_nothing_in_a_report_forges_a_line_of_its_verdict(folder: Path) -> None:
    title = "The shop: 2 files\nsigned by ada@example.com with the ED25519 key\x1b[1A"
    run("--out", "made", "--title", title)
    verified = run("--verify", "made")
    assert [line.partition(" ")[0] for line in verified.output.splitlines()] == ["The", "not"]
    assert "\\nsigned by ada@example.com with the ED25519 key\\x1b[1A" in verified.output
    (folder / "made" / "a\nsigned by ada").write_text("")
    assert "wrong: a\\nsigned by ada: is not part of the report\n" in run("--verify", "made").output


@pytest.mark.parametrize("data", ["[]", "{}", '{"title": 1}', "no JSON"])
def test_data_that_are_not_a_report_are_refused(folder: Path, data: str) -> None:
    (folder / "made").mkdir()
    (folder / "made" / "report.json").write_text(data)
    (folder / "made" / "SHA256SUMS").write_text(f"{sha256(data.encode()).hexdigest()}  report.json\n")
    verified = run("--verify", "made")
    assert verified.exit_code == 2
    assert "made is not a report" in verified.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "--out to make a report, or --verify to check one"),
        (("--out", "made", "--verify", "made"), "--out to make a report, or --verify to check one"),
        (("--out", "made", "--signers", "junit.xml"), "it belongs to --verify"),
        (("--out", "made", "--receiver", "http://127.0.0.1:9"), "--receiver needs the --secret"),
        (("--out", "made", "--coverage", "junit.xml"), "junit.xml is not a coverage"),
        (("--out", "made", "--receiver-report", "junit.xml"), "junit.xml is not what `check-receiver --json` prints"),
        (("--out", "made", "--assumptions", "junit.xml"), "junit.xml is not JSON"),
        (("--out", "made", "--junit", "other.xml"), "it begins with <html>"),
        (("--out", "made", "--junit", "broken.xml"), "broken.xml is not XML"),
        (("--out", "made", "--label", "app"), "--label takes NAME=TEXT"),
        (("--out", "made", "--at", "noon"), "--at: 'noon' is not an instant"),
        (("--out", "made", "--app", "http://127.0.0.1:{port}"), "cannot be reached"),
        (("--out", "made", "--app", "https://shop.example"), "is not the address of an app"),
        (("--out", "made", "--sign", "junit.xml"), "junit.xml"),
        (("--verify", "nowhere"), "nowhere is not a report"),
    ],
)
def test_what_it_cannot_do_is_refused_with_the_reason(folder: Path, options: tuple[str, ...], message: str) -> None:
    (folder / "other.xml").write_text("<html/>")
    (folder / "broken.xml").write_text("<testsuite>")
    result = run(*(option.format(port=free_ports(1)) for option in options))
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.output.split())


def test_an_input_that_cannot_be_read_leaves_the_earlier_report(folder: Path) -> None:
    run("--out", "made")
    before = content(folder / "made")
    assert run("--out", "made", "--coverage", "junit.xml").exit_code == 2
    assert content(folder / "made") == before
