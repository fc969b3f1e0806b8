"""Where calls go: one origin for all interfaces or a base for each, and addresses that are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from socket import socket
from ssl import CERT_REQUIRED

import pytest

from giftsim import Simulator
from giftsim.engine.gateway.call import ConnectionDropped
from giftsim.engine.worlds import system_clock
from giftsim.workbench.compare.credentials import NO_CREDENTIALS
from giftsim.workbench.compare.service_client import Pace, ServiceClient
from giftsim.workbench.compare.target import CannotCompare, parse_targets
from tests.compare.planted import MUSEUM, PLANTED
from tests.compare.service import CREDENTIALS, Change, Reply, compare, found, run_service
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver

FILE = "scenarios/museum/whole_visit.yaml"
READ = """
scenario: Two reads
sandbox: free
steps:
  - {call: GET /v1.1/museum-hours, as: museum}
  - {call: GET /v1.1/special-events, as: museum}
"""


def dropped(_reply: Reply) -> Reply:
    """The connection breaks in place of an answer."""
    raise ConnectionDropped


def say_nothing(_connection: socket, receiver: HttpReceiver) -> None:
    """Keep a call waiting."""
    receiver.released.wait(10)


def bases(simulator: Simulator, *targets: str) -> dict[str, str]:
    """The URL that the paths of each interface are below."""
    contracts = {each.name: each.contract for each in simulator.interfaces if each.simulated}
    return {name: base.origin + base.path for name, base in parse_targets(targets, contracts).items()}


def test_an_origin_is_for_all_interfaces_and_a_named_base_for_one(simulator: Simulator) -> None:
    everywhere = "https://sandbox.vendor.example"
    assert bases(simulator, everywhere) == {
        "team": f"{everywhere}/api/teams/v1",
        "partner": f"{everywhere}/api/external",
        "museum": f"{everywhere}/v1.1",
    }
    assert bases(simulator, "museum=https://museum.example:8443/") == {"museum": "https://museum.example:8443"}
    assert bases(simulator, f"{everywhere}/eu/", "team=http://[::1]:80/t")["team"] == "http://[::1]:80/t"
    assert bases(simulator, f"{everywhere}/eu/")["partner"] == f"{everywhere}/eu/api/external"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("vendor.example", "is not the URL of a service"),
        ("ftp://vendor.example", "is not the URL of a service"),
        ("https://vendor.example:port", "has an invalid port"),
        ("https://ada:secret@vendor.example", "has a user, a query or a fragment"),
        ("https://vendor.example?key=1", "has a user, a query or a fragment"),
        ("http://vendor.example", "is not encrypted; write https://"),
        ("http://127.0.0.1:8080/_sim/v1/worlds/default", "is an address of a world of giftsim, not of a service"),
        ("http://127.0.0.1:8080/claim/default/x", "is an address of a world of giftsim, not of a service"),
        ("http://127.0.0.1:8080/openapi/team.json", "is an address of a world of giftsim, not of a service"),
        ("https://vendor.example/api/external", "write --target partner=https://vendor.example/api/external"),
        ("musem=https://vendor.example", "there is no interface 'musem'; did you mean museum?"),
    ],
)
def test_a_target_that_is_not_a_service_is_refused(simulator: Simulator, target: str, message: str) -> None:
    with pytest.raises(CannotCompare) as refused:
        bases(simulator, target)
    assert message in str(refused.value)
    assert "secret" not in str(refused.value)


def test_a_base_takes_the_place_of_the_contracts_path() -> None:
    with run_service() as service:
        result = compare(f"museum={service.origin}/elsewhere/v1.1", FILE)
    assert result.exit_code == 1
    assert set(service.calls) == {call for call in service.calls if call.split()[1].startswith("/elsewhere/v1.1/")}


def test_a_target_that_is_giftsim_itself_is_refused_unless_that_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "read.yaml"
    file.write_text(READ)
    with run_service() as service:
        refused = compare(service.origin, str(file), allow=False)
    assert refused.exit_code == 2
    assert refused.stderr == (
        f"Error: {service.origin} is giftsim itself, which shows nothing about the service; to compare two simulators "
        "all the same, add --allow-simulator\n"
    )


def test_the_comparison_ends_at_the_first_call_without_an_answer_and_reports_what_it_found_before(
    tmp_path: Path,
) -> None:
    file = tmp_path / "read.yaml"
    file.write_text(READ)
    slow = Change(f"GET {MUSEUM}/museum-hours", (200,), lambda reply: reply._replace(status=203))
    with run_service([slow]) as service:
        service.changes += (Change(f"GET {MUSEUM}/special-events", (200,), dropped),)
        result = compare(service.origin, "--har", str(tmp_path / "service.har"), str(file))
    assert result.exit_code == 2
    assert "status: giftsim 200, the service 203" in result.stdout
    assert result.stderr.startswith(f"Error: call 2, GET /v1.1/special-events: {service.origin} gave no answer: ")
    assert not (tmp_path / "service.json").exists()


def test_a_service_that_cannot_be_reached_ends_it_with_one_line(tmp_path: Path) -> None:
    file = tmp_path / "read.yaml"
    file.write_text(READ)
    result = compare("http://127.0.0.1:1", str(file))
    failure = "http://127.0.0.1:1 gave no answer: Connection refused"
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: call 1, GET /v1.1/museum-hours: {failure}\n"


def test_a_service_whose_encryption_cannot_be_verified_gets_no_credential(tmp_path: Path) -> None:
    file = tmp_path / "read.yaml"
    file.write_text(READ)
    received: list[bytes] = []

    def answer(connection: socket, _receiver: HttpReceiver) -> None:
        received.append(connection.recv(4096))
        connection.sendall(OK_RESPONSE)

    with http_receiver(answer) as plain:
        result = compare(f"https://127.0.0.1:{plain.port}", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"https://127.0.0.1:{plain.port} could not be verified: " in result.stderr
    assert len(received) == 1
    assert b"Authorization" not in received[0]


def test_certificates_and_host_names_are_checked() -> None:
    client = ServiceClient({}, {}, NO_CREDENTIALS, Pace(1, system_clock), system_clock, 1.0)
    assert (client.tls.verify_mode, client.tls.check_hostname) == (CERT_REQUIRED, True)


def test_an_answer_that_does_not_come_in_time_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "read.yaml"
    file.write_text(READ)
    with http_receiver(say_nothing) as silent:
        result = compare(f"http://127.0.0.1:{silent.port}", "--timeout", "0.05", str(file))
    assert result.exit_code == 2
    assert result.stderr.endswith(f"{silent.port} did not answer within 0.05 s; see --timeout\n")


def test_a_service_that_knows_no_path_of_an_interface_is_told_apart_from_one_that_differs() -> None:
    with run_service() as service:
        wrong = compare(f"museum={service.origin}/v2", FILE)
        right = compare(f"museum={service.origin}/v1.1", FILE)
    hint = "The service knows no path of the museum interface. If its paths begin elsewhere: --target museum=URL\n"
    assert (wrong.exit_code, hint in wrong.stdout) == (1, True)
    assert (right.exit_code, hint in right.stdout) == (0, False)


FILES = [f"scenarios/{name}.yaml" for name in ("museum/whole_visit", "partner/subscriptions", "partner/order_and_back")]
OWN = """
scenario: One read
sandbox: free
steps:
  - call: GET /v1.1/museum-hours
    as: museum
"""


def test_a_snapshot_of_a_service_that_differs_shows_the_same_differences_when_the_service_is_gone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "service.json"
    with run_service(PLANTED.values()) as service:
        live = compare(service.origin, "--json", "--spend", "--record", str(file), *FILES)
    later = compare("", "--json", "--snapshot", str(file), credentials={}, named=False)
    assert (live.exit_code, later.exit_code) == (1, 1), later.output
    assert len(found(live)) == 10
    assert found(later) == found(live)
    assert json.loads(later.stdout)["calls"] == json.loads(live.stdout)["calls"]


def test_a_snapshot_of_an_equal_service_has_no_differences_and_no_value_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "service.json"
    with run_service() as service:
        compare(service.origin, "--spend", "--record", str(file), *FILES)
    assert compare("", "--snapshot", str(file), credentials={}, named=False).exit_code == 0
    text = file.read_text()
    told = re.findall(
        r"(?!0{8})[0-9a-f]{8}-[0-9a-f]{4}|whsec_\w+\d|https?://|@example|2027-01-\d\dT\d\d:\d\d:0[1-9]|Bo\b", text
    )
    answers = [answer for scenario in json.loads(text)["scenarios"] for answer in scenario["answers"]]
    assert told == []
    assert all(value not in text for value in CREDENTIALS.values())
    assert answers[2]["answer"]["body"] == {
        "eventId": "string id_uuid eventId#1 of SpecialEvent.eventId",
        "name": "string sent", "location": "string sent", "eventDescription": "string sent",
        "dates": ["string sent", "string sent"], "price": "number",
    }  # fmt: skip


def test_a_snapshot_does_not_fit_a_file_that_has_changed_since(tmp_path: Path) -> None:
    scenario, file = tmp_path / "hours.yaml", tmp_path / "service.json"
    scenario.write_text(OWN)
    with run_service() as service:
        compare(service.origin, "--record", str(file), str(scenario))
    scenario.write_text(f"# a comment changes nothing\n{OWN}")
    assert compare("", "--snapshot", str(file), credentials={}, named=False).exit_code == 0
    scenario.write_text(OWN.replace("hours", "hours?limit=2"))
    changed = compare("", "--snapshot", str(file), credentials={}, named=False)
    assert changed.exit_code == 2
    said = "giftsim: --snapshot works in this release only: use --traffic FILE\n"
    assert changed.stderr == f"{said}Error: {scenario} has changed since the snapshot was recorded: record it again\n"


def test_a_file_that_compare_did_not_write_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("buy milk\n")
    with run_service() as service:
        for option in ("--har", "--out"):
            refused = compare(service.origin, option, str(notes), FILES[0])
            assert refused.exit_code == 2
            message = f"Error: {option} {notes}: the file is not one that `compare` wrote, and stays as it is\n"
            assert refused.stderr == message
    assert (notes.read_text(), service.calls) == ("buy milk\n", [])
    unread = compare("", "--snapshot", str(notes), credentials={}, named=False)
    assert (unread.exit_code, f"Error: --snapshot {notes} is not a snapshot" in unread.stderr) == (2, True)
