"""How scenarios are played against a service: what is left out, what is waited for, and what is new in each run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from giftsim.cli.compare import ComparisonRun
from giftsim.cli.compare import compare as command
from giftsim.workbench.compare.credentials import Credentials
from tests.compare.planted import MUSEUM, PARTNER, PLANTED
from tests.compare.service import CREDENTIALS, NOW, Change, Reply, Service, compare, found, run_service


def test_every_planted_difference_is_found_and_none_is_invented() -> None:
    with run_service(PLANTED.values()) as service:
        result = compare(service.origin, "--json")
    assert result.exit_code == 1, result.output
    assert found(result) == sorted(PLANTED)


def test_an_equal_service_with_another_seed_has_no_differences_also_when_it_has_records_of_an_earlier_run() -> None:
    again = ["scenarios/partner/order_and_back.yaml", "scenarios/team/test_key_setup.yaml"]
    with run_service(seed=99) as service:
        results = [compare(service.origin, "--json", "--spend", *files) for files in ([], again)]
    assert [(result.exit_code, found(result)) for result in results] == [(0, []), (0, [])], results[0].output


def test_each_difference_names_its_place_in_the_file_and_the_contract_and_what_it_rests_on() -> None:
    changes = [PLANTED["createSpecialEvent", "status", "status"], PLANTED["buyMuseumTickets", "extra_member", "$.seat"]]
    with run_service(changes) as service:
        result = compare(service.origin, "scenarios/museum/whole_visit.yaml")
    lines = result.stdout.splitlines()
    assert lines[0] == "createSpecialEvent  POST /v1.1/special-events  (museum)"
    assert lines[1] == "  status: giftsim 201, the service 200  [C1 public sample]"
    assert lines[2] == "    scenarios/museum/whole_visit.yaml:14: step 3, POST /v1.1/special-events as museum"
    assert lines[4] == "buyMuseumTickets  POST /v1.1/tickets  (museum)"
    assert lines[5] == "  $.seat, extra member: giftsim absent, the service a text  [C1 public sample]"
    assert lines[6].endswith("as museum, and 1 more place")
    assert lines[-1] == f"2 differences in 2 operations: 15 calls of 1 scenario compared with {service.origin}"


HEAD = "scenario: A scenario\nsandbox: free\n"
HOURS = "  - {call: GET /v1.1/museum-hours, as: museum}\n"
PREVIEW = """
vars: {logo: "https://cdn.team.example/logo.png"}
steps:
  - call: POST /api/teams/v1/artwork
    as: team.live_approver
    headers: {Idempotency-Key: logo}
    body: {url: "${logo}", name: Logo}
    save: {logo_id: $.id}
  - call: POST /api/teams/v1/artwork/previews
    as: team.live_approver
    headers: {Idempotency-Key: mug}
    body: {product_id: 101, placements: {front: {artwork_id: "${logo_id}", fit: contain}}}
    save: {mug: $.id}
  - advance: 5s
  - call: GET /api/teams/v1/previews/${mug}
    as: team.live_approver
  - advance: 1h
"""


class Clock:
    """A clock that moves only where something waits, and takes the service along."""

    def __init__(self, service: Service | None = None, call_takes_s: float = 0.0) -> None:
        self.now_s, self.pauses = 0.0, list[float]()
        self._service, self._call_takes_s = service, call_takes_s

    def monotonic(self) -> float:
        """The seconds on the clock; every look at it takes time."""
        self.now_s += self._call_takes_s
        return self.now_s

    def pause(self, span_s: float) -> None:
        """Let time pass."""
        self.now_s += span_s
        self.pauses.append(span_s)
        if self._service is not None:
            self._service.advance(span_s)


def run(service: Service, clock: Clock, *arguments: str) -> int:
    """Run the command with another clock; its exit status."""
    fixed = ["--target", service.origin, "--allow-simulator", "--now", NOW]
    given = command.make_context("compare", [*fixed, *arguments]).params
    return ComparisonRun(given, Credentials(CREDENTIALS), clock).run()


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[[str], str]:
    """Write a scenario of these steps, or of this text after its head; its path."""

    def write(text: str) -> str:
        file = tmp_path / "scenario.yaml"
        file.write_text(HEAD + (text if "steps:" in text else f"steps:\n{text}"))
        return str(file)

    return write


def test_what_a_service_cannot_do_is_left_out_on_both_sides_and_named_with_its_reason(
    scenario: Callable[[str], str],
) -> None:
    file = scenario(
        HOURS + "  - {advance: 1d}\n"
        "  - {simulate: account, with: {key: partner.prepaid, wallet_cents: 1}}\n"
        "  - {settings: {clamp_limits: true}}\n"
        "  - {fault: {match: {interface: museum}, effect: {status: 503}, optional: true}}\n"
        "  - {control: GET /ledger, save: {ledger: $}}\n"
        '  - {call: "GET /v1.1/special-events/${ledger}", as: museum}\n'
        '  - {call: "GET ${origin}/claim/x"}\n'
        "  - {call: GET /claim/default/nobody}\n"
        "  - {call: GET /v1.1/museum-hours, as: museum, background: hours}\n"
        "  - {await: hours}\n"
        "  - {call: GET /v1.1/museum-hours, as: museum, headers: {X-Sim-Fault: status=503}}\n"
        "  - {fork: other}\n"
        "  - {call: GET /v1.1/museum-hours, as: museum, in: other}\n"
        "  - {call: GET /v1.1/museum-hours?limit=99, as: museum}\n"
    )
    with run_service() as service:
        result = compare(service.origin, file)
    assert result.exit_code == 0, result.output
    assert service.calls == [f"GET {MUSEUM}/museum-hours"] * 2
    reasons = [line.partition(f"{file}:")[2] for line in result.stdout.splitlines() if file in line]
    assert [reason.rpartition(": ")[2] for reason in reasons] == [
        "a service's clock cannot be moved; with --patience 1d it is waited for",
        "nobody acts for the people of a service",
        "a service has no settings",
        "a service has no faults on demand",
        "a service has no test-control API",
        "${ledger} is not known here",
        "${origin} is not known here",
        "it calls none of the interfaces",
        "it is made in the background",
        "it waits for a call in the background",
        "a service has no faults on demand",
        "a service cannot be copied",
        "it runs in a fork of the world",
    ]


def test_with_patience_an_advance_is_waited_for_and_one_that_is_longer_is_left_out(
    scenario: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    with run_service() as service:
        clock = Clock(service)
        status = run(service, clock, "--patience", "10s", scenario(PREVIEW))
    assert status == 0, capsys.readouterr().out
    assert 5.0 in clock.pauses
    assert "left out:\n" in capsys.readouterr().out


def test_calls_leave_the_gap_between_them_that_was_asked_for(scenario: Callable[[str], str]) -> None:
    with run_service() as service:
        clock = Clock()
        run(service, clock, "--calls-per-second", "4", scenario(HOURS * 3))
    assert clock.pauses == [0.25, 0.25]


def test_an_answer_that_takes_longer_than_slow_is_a_difference(
    scenario: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    with run_service() as service:
        status = run(service, Clock(call_takes_s=3), "--slow", "2", scenario(HOURS))
    assert status == 1
    line = "  time: giftsim at most 2 s, the service more than 2 s\n"
    assert line in capsys.readouterr().out


def test_a_429_is_waited_for_as_it_says_and_the_second_ends_the_comparison(
    scenario: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    limits = [Reply(429, {"retry-after": "7"}, b"")]
    once = Change(f"GET {MUSEUM}/museum-hours", (200,), lambda reply: limits.pop() if limits else reply)
    with run_service([once]) as service:
        clock = Clock()
        assert run(service, clock, scenario(HOURS)) == 0, capsys.readouterr().out
        assert clock.pauses[0] == 7.0
        service.changes = (once._replace(make=lambda _reply: Reply(429, {"retry-after": "0"}, b"")),)
        ended = compare(service.origin, scenario(HOURS))
        service.changes = (once._replace(make=lambda _reply: Reply(429, {"retry-after": "3600"}, b"")),)
        too_long = compare(service.origin, scenario(HOURS))
    assert (ended.exit_code, too_long.exit_code) == (2, 2)
    assert "limits calls (429): slow down with --calls-per-second" in ended.stderr
    assert "asks to wait 3,600 s: try again later" in too_long.stderr


def test_keys_and_references_are_new_in_each_run_and_equal_ones_stay_equal(scenario: Callable[[str], str]) -> None:
    bodies: list[object] = []
    seen = Change(f"POST {PARTNER}/team-orders", (201, 409, 422), lambda reply: reply)
    order = (
        "  - call: POST /api/external/team-orders\n    as: partner.prepaid\n"
        "    body: {idempotency_key: KEY, reference: spring, gift_sender: Ada, items: [{sku_code: MUG-01}],\n"
        "           recipients: [{name: Bo, email: bo@example.com}]}\n"
    )
    file = scenario(order.replace("KEY", "one") * 2 + order.replace("KEY", "two"))
    Path(file).write_text(Path(file).read_text(encoding="utf-8").replace("free", "spends"), encoding="utf-8")
    with run_service([seen]) as service:
        service.on_body = bodies.append
        assert [compare(service.origin, "--spend", file).exit_code for _ in range(2)] == [0, 0]
    keys = [body["idempotency_key"] for body in bodies if isinstance(body, dict)]
    references = {body["reference"] for body in bodies if isinstance(body, dict)}
    assert [keys[0] == keys[1], keys[0] == keys[2], keys[0] == keys[3]] == [True, False, False]
    assert all(key.startswith(("one-r", "two-r")) for key in keys)
    assert len(references) == 2


def test_list_shows_the_calls_and_makes_none(scenario: Callable[[str], str]) -> None:
    steps = HOURS + '  - {call: "GET /v1.1/special-events/${start_date}", as: museum, repeat: 3}\n  - {advance: 1d}\n'
    listed = compare("http://127.0.0.1:1", "--list", scenario(steps))
    as_json = compare("http://127.0.0.1:1", "--list", "--json", scenario(steps))
    assert listed.exit_code == 0, listed.output
    file = scenario(steps)
    assert listed.stdout.splitlines() == [
        f"{file}:4: GET /v1.1/museum-hours as museum  (getMuseumHours)",
        f"{file}:5: GET /v1.1/special-events/${{start_date}} as museum, 3 times  (getSpecialEvent)",
        "2 calls of 1 scenario; none was made",
    ]
    assert [call["operation"] for call in json.loads(as_json.stdout)["calls"]] == ["getMuseumHours", "getSpecialEvent"]


def test_a_difference_of_a_repeated_call_has_one_place(scenario: Callable[[str], str]) -> None:
    file = scenario("  - {call: GET /v1.1/museum-hours, as: museum, repeat: 3}\n" + HOURS)
    with run_service(
        [Change(f"GET {MUSEUM}/museum-hours", (200,), lambda reply: reply._replace(status=203))]
    ) as service:
        result = compare(service.origin, "--json", file)
    [difference] = json.loads(result.stdout)["differences"]
    assert [place.rpartition(": ")[0] for place in difference["seen"]] == [f"{file}:4", f"{file}:5"]
    assert json.loads(result.stdout)["calls"] == 4


def test_operation_plays_the_scenarios_that_call_it_and_reports_its_differences_alone() -> None:
    with run_service(PLANTED.values()) as service:
        result = compare(service.origin, "--json", "--operation", "buyMuseumTickets")
    assert found(result) == [("buyMuseumTickets", "extra_member", "$.seat")]
    assert {call.split()[1].split("/")[1] for call in service.calls} == {"v1.1"}


def test_var_gives_the_service_a_value_of_its_own(scenario: Callable[[str], str]) -> None:
    file = scenario(
        'vars: {day: "2027-02-01"}\nsteps:\n  - {call: "GET /v1.1/museum-hours?startDate=${day}", as: museum}\n'
    )
    with run_service() as service:
        result = compare(service.origin, "--var", "day=soon", file)
        unknown = compare(service.origin, "--var", "dya=soon", file)
    assert "status: giftsim 200, the service 400" in result.stdout
    assert unknown.stderr == "Error: --var dya=...: no scenario has such a variable in `vars`; did you mean day?\n"


def test_setting_tries_another_decision_in_giftsims_worlds(scenario: Callable[[str], str]) -> None:
    file = scenario("  - {call: GET /v1.1/museum-hours?limit=99, as: museum}\n")
    with run_service() as service:
        other = compare(service.origin, "--setting", "clamp_limits=true", file)
        wrong = compare(service.origin, "--setting", "clamp_limit=true", file)
    assert (other.exit_code, wrong.exit_code) == (1, 2)
    assert "giftsim 200, the service 400" in other.stdout
    assert "the world beside the service could not be created" in wrong.stderr
    assert "clamp_limits" in wrong.stderr


def test_a_value_that_the_service_does_not_send_leaves_out_what_needs_it_and_not_the_rest(
    scenario: Callable[[str], str],
) -> None:
    lost = Change(f"POST {MUSEUM}/special-events", (201,), lambda reply: reply.with_json({"name": "Owls"}))
    event = "{name: Owls, location: Attic, eventDescription: Chairs., dates: [], price: 0}"
    file = scenario(
        f"  - {{call: POST /v1.1/special-events, as: museum, body: {event}, save: {{owls: $.eventId}}}}\n"
        f'  - {{call: "GET /v1.1/special-events/${{owls}}", as: museum}}\n{HOURS}'
    )
    with run_service([lost]) as service:
        result = compare(service.origin, "--json", file)
    report = json.loads(result.stdout)
    assert [each["reason"] for each in report["left_out"]] == ["${owls} is not known here"]
    assert service.calls[-1] == f"GET {MUSEUM}/museum-hours"
    assert {each["operation"] for each in report["differences"]} == {"createSpecialEvent"}
