"""`giftsim exam` of an app: its verdict, its exit status, its seed, its lines, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from giftsim.workbench.exam.rules import all_rules
from giftsim.workbench.trace.file import read_trace_file
from tests.exam.command_line import content, data_of, run
from tests.exam.planted.first_integration import NewKeyOnRetry
from tests.exam.sample_shop import EXAMPLE, ROOT, Shop, serving
from tests.support.free_ports import free_ports
from tests.support.traces import check_format

ONCE = ("--only", "pays_once", "--rounds", "1")
HASH = sha256(b"giftsim exam 7").hexdigest()


@pytest.fixture(scope="module")
def right() -> Iterator[str]:
    """The address of the sample shop."""
    with serving(Shop([])) as url:
        yield url


@pytest.fixture(scope="module")
def wrong() -> Iterator[str]:
    """The address of a shop that pays twice."""
    with serving(NewKeyOnRetry()) as url:
        yield url


def test_json_has_the_verdict_and_nothing_else(folder: Path, right: str) -> None:
    done = run("--app", right, *ONCE, "--seed", 7, "--json")
    assert done.exit_code == 0, done.output
    verdict = json.loads(done.stdout)
    assert list(verdict) == ["seed", "seed_hash", "passed", "runs", "rules"]
    assert (verdict["seed"], verdict["seed_hash"], verdict["passed"], verdict["runs"]) == (7, HASH, True, 1)
    [row] = verdict["rules"]
    [rule] = [each for each in all_rules() if each.id == "pays_once"]
    assert row == {
        "id": "pays_once",
        "rule": rule.rule,
        "sources": list(rule.sources),
        "outcome": "passed",
        "reason": "",
        "why": "",
        "mend": "",
        "trace": "",
        "probes": 1,
    }
    data = data_of(folder / ".giftsim/exam")
    assert {name: data[name] for name in verdict} == verdict
    assert (data["app"], data["receiver"], data["only"]) == (right, None, ["pays_once"])


def test_a_broken_rule_has_its_reason_its_why_and_its_trace(folder: Path, wrong: str) -> None:
    done = run("--app", wrong, "--only", "pays_once", "--seed", 7, "--out", "made", "--junit", "made.xml")
    assert done.exit_code == 1, done.output
    [row] = data_of(folder / "made")["rules"]
    assert row["outcome"] == "failed"
    assert "the app sent the same again with another key" in row["why"]
    assert row["mend"].startswith("the app has to repeat a call with the key of the first")
    trace = read_trace_file((folder / "made" / row["trace"]).read_bytes())
    check_format(trace)
    assert trace["verdicts"][0]["sentence"] == row["why"].rstrip(".")
    assert (trace["test"]["id"], trace["test"]["failure"]["message"]) == ("pays_once", row["reason"])
    asked = trace["test"]["output"]["What the app was asked, and its answers"]
    assert 'POST /giftsim/start {"simulator":' in asked
    assert re.search(r'^20\S+Z  POST /giftsim/do \{"action":"order",.*\n    200 \{"state": ?"\w+"', asked, re.MULTILINE)
    assert '"key":"pk_live_***","webhook_url":' in asked
    assert '"secret":"whsec_***"' in asked
    assert "museum-pass" not in asked
    assert [line for line in done.stdout.splitlines() if line.startswith("failed")] == [
        f"failed      pays_once: {row['reason']}"
    ]
    assert f"  trace: made/{row['trace']}" in done.stdout
    assert "1 of 1 rule is broken.\n1 failed (seed 7, run 1)\nmade/exam.html\n" in done.stdout
    assert {"exam.html", "exam.json", "SHA256SUMS", row["trace"]} == content(folder / "made").keys()
    [case] = Xml.parse(folder / "made.xml").getroot().iter("testcase")
    assert (case.get("classname"), case.get("name")) == ("giftsim.exam", "pays_once")
    assert [(each.tag, each.get("message")) for each in case] == [("failure", row["why"]), ("system-out", None)]


def test_the_same_seed_draws_the_same(folder: Path, wrong: str) -> None:
    reasons = []
    for _ in range(2):
        run("--app", wrong, "--only", "pays_once", "--seed", 11, "--out", "made")
        reasons.append(data_of(folder / "made")["rules"][0]["reason"])
    assert reasons[0] == reasons[1] != ""
    run("--app", wrong, "--only", "pays_once", "--seed", 12, "--out", "made")
    assert data_of(folder / "made")["rules"][0]["reason"] != reasons[0]


def test_the_hash_of_the_seed_comes_before_and_the_seed_after(folder: Path, right: str) -> None:
    lines = run("--app", right, *ONCE, "--seed-hash").stdout.splitlines()
    seed = data_of(folder / ".giftsim/exam")["seed"]
    assert lines[0] == f"seed hash: {sha256(f'giftsim exam {seed}'.encode()).hexdigest()}"
    assert lines.index(f"seed: {seed}") > lines.index("passed      pays_once")
    other = run("--app", right, *ONCE, "--seed-hash", "--json")
    seed = json.loads(other.stdout)["seed"]
    assert other.stderr.splitlines()[0] == f"seed hash: {json.loads(other.stdout)['seed_hash']}"
    assert other.stderr.splitlines()[-1] == f"seed: {seed}"


def test_each_exam_of_an_app_is_counted_for_each_key(folder: Path, right: str, key: Path) -> None:
    counted = []
    for signed in ((), (), ("--sign", key), ("--sign", key.with_suffix(".pub"))):
        if signed != ("--sign", key.with_suffix(".pub")):
            run("--app", right, *ONCE, *signed)
            counted.append(data_of(folder / ".giftsim/exam")["runs"])
    assert counted == [1, 2, 1]


def test_where_no_count_can_be_kept_the_exam_is_held(folder: Path, right: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("GIFTSIM_STATE", str(folder / "file" / "state"))
    done = run("--app", right, *ONCE, "--seed", 1)
    assert (done.exit_code, data_of(folder / ".giftsim/exam")["runs"]) == (0, None)
    assert "1 passed (seed 1)" in done.stdout


def test_rules_that_the_budget_does_not_reach_are_skipped(folder: Path, right: str) -> None:
    done = run("--app", right, "--budget", "1s", "--rounds", "1", "--seed", 3)
    assert done.exit_code == 1, done.output
    rules = data_of(folder / ".giftsim/exam")["rules"]
    skipped = [row["id"] for row in rules if row["outcome"] == "skipped"]
    assert 0 < len(skipped) < len(all_rules()) == len(rules)
    assert f"not reached: {', '.join(skipped)}" in done.stdout


def test_a_group_has_the_rules_that_name_it(folder: Path, right: str) -> None:
    run("--app", right, "--only", "readiness", "--budget", "1s", "--rounds", "1")
    expected = [rule.id for rule in all_rules() if "readiness" in rule.groups]
    assert [row["id"] for row in data_of(folder / ".giftsim/exam")["rules"]] == expected


def test_what_the_app_does_not_offer_does_not_fail(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [rule, *_] = [rule for rule in all_rules() if set(rule.needs) - {"order", "break", "mend"}]
    lacks = next(iter(set(rule.needs) - {"order"}))
    for name in [name for name in EXAMPLE.ACTIONS if name.startswith(lacks)]:
        monkeypatch.delitem(EXAMPLE.ACTIONS, name)
    with serving(Shop([])) as url:
        done = run("--app", url, *ONCE, "--only", rule.id)
    assert done.exit_code == 0, done.output
    outcomes = {row["id"]: row["outcome"] for row in data_of(folder / ".giftsim/exam")["rules"]}
    assert outcomes == {"pays_once": "passed", rule.id: "not_offered"}
    assert f"not offered {rule.id}: " in done.stdout


def test_a_command_starts_the_app_and_the_app_ends_with_the_exam(folder: Path) -> None:
    url = f"http://127.0.0.1:{free_ports(1)}"
    done = run("--app", url, "--app-command", f"exec python3 {ROOT}/examples/shop.py {{port}}", *ONCE)
    assert done.exit_code == 0, done.output
    again = run("--app", url, *ONCE)
    assert (again.exit_code, "cannot be reached" in again.stderr) == (2, True)


def test_the_error_of_an_app_that_does_not_start_ends_with_what_it_wrote(folder: Path) -> None:
    url = f"http://127.0.0.1:{free_ports(1)}"
    done = run("--app", url, "--app-command", "echo no module named shop >&2; exit 4", *ONCE)
    assert done.exit_code == 2
    assert done.stderr.endswith("exit 4\n  no module named shop\n")


def test_the_list_has_every_rule() -> None:
    lines = run("--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [rule.id for rule in all_rules()]


def test_the_list_of_some_rules_says_what_each_rests_on_and_which_probes_show_it() -> None:
    lines = run("--list", "--only", "refuses_old_webhooks").stdout.splitlines()
    assert (lines[0].split()[0], lines[1]) == ("refuses_old_webhooks", "  needs: order")
    assert [line.split()[0] for line in lines[2:4]] == ["P-6.14:", "G127:"]
    assert lines[4].startswith("  probe stale_timestamp: a genuine webhook that was signed ten minutes ago: 4xx. ")
    refused = run("--list", "--only", "pays_onze")
    assert (refused.exit_code, "--only: there is no rule 'pays_onze'; did you mean" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "name your app: --app http://127.0.0.1:PORT, or a webhook receiver"),
        (("--app", "https://shop.example"), "is not the address of an app"),
        (("--app", "{url}", "--only", "pays_onze"), "--only: there is no rule 'pays_onze'; did you mean pays_once?"),
        (("--app", "{url}", "--only", "readyness"), "did you mean readiness?"),
        (("--app", "{url}", "--budget", "60"), "it takes a time such as 60s or 2m, not '60'"),
        (("--app", "{url}", "--receiver", "{url}"), "--app and --receiver are two exams"),
        (("--app", "{url}", "--start-path", "start"), "--start-path is a path like /giftsim/start"),
        (("--app", "{url}", "--secret", "whsec_a"), "--secret cannot take effect: it belongs to --receiver"),
        (("--app", "{url}", "--signers", "junit.xml"), "it belongs to --verify"),
        (("--app", "{url}"), "the exam could not be held: the app at {url} cannot be reached"),
        (("--app", "{url}", "--label", "app"), "--label takes NAME=TEXT"),
        (("--tests", "junit.xml", "--seed", "1"), "there is no exam without --app or --receiver"),
        (("--tests", "junit.xml", "--budget", "1s"), "it belongs to --app"),
        (("--tests", "junit.xml", "--junit", "made.xml"), "--junit cannot take effect: there is no exam without --app"),
        (("--tests", "other.xml"), "it begins with <html>"),
        (("--tests", "broken.xml"), "broken.xml is not XML"),
        (("--coverage", "junit.xml"), "junit.xml is not a coverage"),
        (("--assumptions", "junit.xml"), "junit.xml is not JSON"),
        (("--tests", "junit.xml", "--sign", "junit.xml"), "junit.xml"),
        (("--verify", "nowhere"), "nowhere is not the result of an exam"),
    ],
)
def test_what_it_cannot_do_is_refused_with_the_reason(folder: Path, options: tuple[str, ...], message: str) -> None:
    (folder / "other.xml").write_text("<html/>")
    (folder / "broken.xml").write_text("<testsuite>")
    url = f"http://127.0.0.1:{free_ports(1)}"
    done = run(*(option.format(url=url) for option in options))
    assert done.exit_code == 2, done.output
    assert message.format(url=url) in " ".join(done.output.split())


def test_former_commands_are_exams_and_say_so(folder: Path, right: str) -> None:
    played = run("readiness", "--app", right, "--json", command="play")
    assert played.stderr.startswith("giftsim: `giftsim play readiness` is now `giftsim exam --only readiness`")
    assert data_of(folder / ".giftsim/exam")["only"] == ["readiness"]
    made = run("--out", "made", "--junit", "junit.xml", "--title", "The shop", "--label", "app=1", command="report")
    assert made.exit_code == 1
    assert made.stderr.startswith("giftsim: `giftsim report` is now `giftsim exam`")
    assert data_of(folder / "made")["labels"] == {"app": "1", "title": "The shop"}
    verified = run("--verify", "made", command="report")
    assert verified.exit_code == 0, verified.output
