"""Calls that can charge are known from the contracts, and are never made in a scenario that is marked as free."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from giftsim import Simulator
from giftsim.workbench.compare.called_operation import CalledOperation, parse_call
from giftsim.workbench.compare.counterpart import can_charge
from giftsim.workbench.compare.library import marked_files
from giftsim.workbench.compare.plan import FREE, SPENDS
from giftsim.workbench.scenario import load_scenario
from giftsim.workbench.scenario.steps.call_steps import Call
from tests.compare.planted import MUSEUM, PARTNER, edited, with_header
from tests.compare.service import CREDENTIALS, Change, Reply, compare, run_service

KEY = "pk_live_default_prepaid"
PASSWORD = "museum-pass"
ENCODED = b64encode(f"museum:{PASSWORD}".encode()).decode()
FILES = ["scenarios/museum/whole_visit.yaml", "scenarios/partner/subscriptions.yaml"]
SECRETS = (KEY, PASSWORD, ENCODED, *CREDENTIALS.values())


def echoed(reply: Reply) -> Reply:
    """An error that repeats the credential where values are shown: as its code, and as the name of a member."""
    data = reply.json()
    data["error"] |= {"code": KEY, KEY: 1}
    return reply.with_json(data)


def refused(reply: Reply) -> Reply:
    """A 401 that repeats the credential."""
    return Reply(401, {**reply.headers, "www-authenticate": KEY}, f'{{"error": "{KEY} is unknown"}}'.encode())


ECHOES = [
    Change(f"GET {PARTNER}/webhooks/999999999", (404,), echoed),
    Change(f"GET {PARTNER}/webhooks", (200,), with_header("location", f"https://x.example/?key={KEY}")),
    Change(f"POST {PARTNER}/webhooks", (201,), edited(lambda data: data["endpoint"].update(status=KEY))),
    Change(f"POST {MUSEUM}/tickets", (201,), edited(lambda data: data.update(ticketType=f"Basic {ENCODED}"))),
]


def written(folder: Path, result: Result) -> str:
    """All that a comparison printed and wrote."""
    return "".join((result.output, *(path.read_text() for path in folder.iterdir())))


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_service_that_repeats_credentials_brings_them_into_no_output(tmp_path: Path, form: list[str]) -> None:
    files = ["--out", str(tmp_path / "differences.yaml"), "--har", str(tmp_path / "service.har")]
    with run_service(ECHOES) as service:
        result = compare(service.origin, *form, *files, *FILES)
    text = written(tmp_path, result)
    assert result.exit_code == 1
    assert "***" in text
    assert [secret for secret in SECRETS if secret in text] == []


@pytest.mark.parametrize("path", [f"{MUSEUM}/museum-hours", f"{PARTNER}/webhooks"])
def test_a_credential_that_is_not_accepted_ends_the_comparison_by_its_name(tmp_path: Path, path: str) -> None:
    with run_service([Change(f"(GET|POST) {path}", (200, 201), refused)]) as service:
        result = compare(service.origin, "--har", str(tmp_path / "service.har"), *FILES)
    name = "museum" if "museum" in path else "partner.prepaid"
    assert result.exit_code == 2
    assert result.stderr == (
        f"Error: the service does not accept the credential {name} (401): check its variable and --target\n"
    )
    assert [secret for secret in SECRETS if secret in written(tmp_path, result)] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("option", "message"), [
    (f"partner.prepaid={KEY}", "--credential partner.prepaid=...: behind = stands the name of an environment variable"),
    (KEY, "--credential takes NAME=VARIABLE"),
    ("partner.prepaid=NO_SUCH", "--credential partner.prepaid=NO_SUCH: the environment has no variable NO_SUCH"),
    ("partner.prepaid=BROKEN", "--credential partner.prepaid=BROKEN: the value has characters that no header can have"),
    ("museum=ONE_WORD", "--credential museum=...: the value of the variable must be user:password"),
])  # fmt: skip
def test_a_wrong_credential_is_refused_without_showing_what_was_given(
    monkeypatch: pytest.MonkeyPatch, option: str, message: str
) -> None:
    monkeypatch.setenv("BROKEN", f"{KEY}\nx")
    monkeypatch.setenv("ONE_WORD", KEY)
    result = compare("http://127.0.0.1:1", "--credential", option, credentials={})
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert KEY not in result.output


def test_a_redirect_is_not_followed_so_that_no_credential_reaches_another_host() -> None:
    with run_service() as elsewhere:
        moved = Change(f"GET {PARTNER}/webhooks/\\d+", (200,), lambda _reply: Reply(
            307, {"location": f"{elsewhere.origin}{PARTNER}/webhooks/1"}, b"",
        ))  # fmt: skip
        with run_service([moved]) as service:
            result = compare(service.origin, FILES[1])
    assert result.exit_code == 1
    assert "status, a redirect, which was not followed: giftsim 200, the service 307" in result.stdout
    assert elsewhere.calls == []


def test_the_service_gets_the_credentials_and_no_header_of_giftsims_own() -> None:
    with run_service() as service:
        compare(service.origin, *FILES)
    names = {name for headers in service.headers for name in headers}
    sent = {headers.get("HTTP_AUTHORIZATION") for headers in service.headers}
    assert sent == {f"Bearer {KEY}", f"Basic {ENCODED}", None}
    assert not any(name.startswith("HTTP_X_SIM") for name in names)
    assert {headers["HTTP_USER_AGENT"].partition("/")[0] for headers in service.headers} == {"giftsim"}


TERMS = {"payment_method": "net_terms"}
ORDER = """
scenario: An order in a scenario that says it is free
sandbox: free
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body: {idempotency_key: k, gift_sender: Ada, items: [{sku_code: MUG-01}], recipients: [{name: Bo}]}
    expect: {status: 422}
  - call: GET /api/external/team-orders
    as: partner.prepaid
"""


@pytest.mark.parametrize(
    ("call", "credential", "body", "charges"),
    [
        ("POST /api/external/team-orders", "partner.prepaid", {}, True),
        ("POST /api/external/billing/settle", "partner.net_terms", {}, True),
        ("POST /api/external/team-orders/1/cancel", "partner.prepaid", {}, False),
        ("GET /api/external/team-orders", "partner.prepaid", None, False),
        ("POST /api/external/no-such-path", "partner.prepaid", {}, False),
        ("POST /api/teams/v1/team-orders", "team.live_approver", {}, False),
        ("POST /api/teams/v1/team-orders", "team.live_approver", TERMS, True),
        ("POST /api/teams/v1/team-orders", "team.live_approver", '{"payment_method": "net_terms"}', True),
        ("POST /api/teams/v1/team-orders", "team.test", TERMS, False),
        ("POST /api/teams/v1/team-orders", None, TERMS, True),
        ("POST /api/teams/v1/large-campaigns/1/process", "team.live_approver", {}, True),
        ("POST /api/teams/v1/funding", "team.live_approver", {"method": "bank_transfer"}, False),
        ("POST /api/teams/v1/funding", "team.live_approver", {"method": "net_terms"}, True),
        ("POST /v1.1/tickets", "museum", {}, False),
    ],
)
def test_what_can_charge(simulator: Simulator, call: str, credential: str | None, body: Any, charges: bool) -> None:
    assert can_charge(_called(simulator, call), credential, body) is charges


def test_the_library_has_marked_scenarios_for_every_interface_and_says_of_each_whether_it_charges(
    simulator: Simulator,
) -> None:
    marks: dict[tuple[str, str], set[str]] = {}
    for scenario in map(load_scenario, marked_files()):
        calls = [step for step in scenario.steps if isinstance(step, Call) and not step.path.startswith("${")]
        all_called = [(_called(simulator, f"{call.method} {call.path}"), call) for call in calls]
        charges = any(can_charge(called, call.credential, call.body) for called, call in all_called)
        assert scenario.sandbox == (SPENDS if charges else FREE), scenario.file
        for called, _ in all_called:
            marks.setdefault((called.interface, scenario.sandbox), set()).add(scenario.file)
    assert {each: len(files) for each, files in marks.items()} == {
        ("partner", FREE): 3, ("partner", SPENDS): 6, ("team", FREE): 3, ("museum", FREE): 2,
    }  # fmt: skip


def test_a_call_that_can_charge_is_not_made_in_a_free_scenario_not_even_with_spend(tmp_path: Path) -> None:
    file = tmp_path / "order.yaml"
    file.write_text(ORDER)
    with run_service() as service:
        result = compare(service.origin, "--spend", str(file))
    assert result.exit_code == 0, result.output
    assert service.calls == ["GET /api/external/team-orders"]
    assert f"  {file}:5: POST /api/external/team-orders as partner.prepaid: createTeamOrder can charge" in result.stdout


@pytest.mark.parametrize(("mark", "reason"), [
    ("", "it is not marked with `sandbox`; --unmarked plays it all the same"),
    ("sandbox: spends\n", "it charges the account, which needs --spend"),
])  # fmt: skip
def test_a_scenario_without_a_mark_and_one_that_charges_are_left_out_unless_a_flag_allows_them(
    tmp_path: Path, mark: str, reason: str
) -> None:
    file = tmp_path / "order.yaml"
    file.write_text(ORDER.replace("sandbox: free\n", mark))
    with run_service() as service:
        refused = compare(service.origin, str(file))
        calls = list(service.calls)
        allowed = compare(service.origin, "--spend" if mark else "--unmarked", str(file))
    assert (refused.exit_code, calls) == (2, [])
    assert refused.stderr == f"Error: there is nothing to compare\n  {file}: {reason}\n"
    assert allowed.exit_code == 0
    assert ("POST /api/external/team-orders" in service.calls) is bool(mark)


def _called(simulator: Simulator, call: str) -> CalledOperation:
    contracts = {each.name: each.contract for each in simulator.interfaces if each.simulated}
    method, _, path = call.partition(" ")
    called = parse_call(contracts, method, path)
    assert called is not None, call
    return called
