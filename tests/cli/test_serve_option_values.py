"""Options of `serve` that cannot take effect are refused with the reason, before anything starts."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.request import urlopen

import pytest
from click.testing import CliRunner, Result

from giftsim.cli.main import main
from giftsim.cli.serve_option_values import InvalidOptions, read_public_url
from giftsim.workbench.compare.observed import Observations
from tests.support.served_simulator import PythonProcess, serve_simulator


def refusal(*options: str) -> str:
    """The last line of the message of a start that must be refused."""
    result: Result = CliRunner().invoke(main, ["--port", "0", "--json", *options])
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert isinstance(result.exception, SystemExit)
    return result.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "url",
    [
        "gifts.example", "gifts.example:8443", "//gifts.example", "ftp://gifts.example", "https://", "https://:8443",
        "https://gifts.example?a=b", "https://gifts.example#a", "https://gifts.example:99999", "https://gifts.example:x",
        "https://gifts.example:0", "https://gifts exam.ple", "https://gifts.example\n", "https://büro.example", "",
        "https://gifts.example/a b", "https://gifts.example//", "http://[::1", "yes",
    ],
)  # fmt: skip
def test_a_public_url_that_is_not_a_url_is_refused(url: str) -> None:
    assert "--public-url is the address that clients use" in refusal("--public-url", url)


def test_the_refusal_of_a_public_url_does_not_show_its_password() -> None:
    message = refusal("--public-url", "https://ada:hush@gifts.example")
    assert "...@gifts.example" in message
    assert "hush" not in message
    assert "hush" not in refusal("--forward", "hooks.partner.example=http://ada:hush@127.0.0.1:9")
    assert "hush" not in refusal("--forward", "=http://ada:hush@127.0.0.1:9")


@pytest.mark.parametrize(
    "url", ["http://localhost:8080", "HTTPS://Gifts.example:8443", "http://[::1]:80", "http://a/b-c"]
)
def test_a_public_url_is_kept_without_the_slash_at_its_end(url: str) -> None:
    assert read_public_url(url) == url
    assert read_public_url(f"{url}/") == url
    with pytest.raises(InvalidOptions):
        read_public_url(f"{url}//")


@pytest.mark.parametrize(
    "name", ["http://sim.example.org", "sim.example.org:8080", "sim.example.org/", "*", "", "ü.example"]
)
def test_a_host_name_that_no_call_can_have_is_refused(name: str) -> None:
    assert "--host-name is a name without scheme and port" in refusal("--host-name", name)


def test_two_receivers_for_one_host_are_refused() -> None:
    options = [
        f"--forward={host}=http://127.0.0.1:{port}" for host, port in (("hooks.a.example", 1), ("Hooks.A.example", 2))
    ]
    assert "--forward has two URLs for Hooks.A.example" in refusal(*options)


def test_an_allowance_for_a_metadata_service_is_refused() -> None:
    assert "--forward-allow: 169.254.169.254 is link-local" in refusal("--forward-allow", "169.254.169.254")


def test_a_start_that_continues_a_journal_refuses_another_clock_and_another_time(tmp_path: Path) -> None:
    file = tmp_path / "worlds.journal"
    options = ["--journal", str(file), "--fixture", "bare"]
    began = ["--clock", "manual", "--now", "2027-03-01T09:00:00Z"]
    with serve_simulator(*options, *began) as served:
        served.client.call("POST", "/_sim/v1/worlds/default/clock/advance", body={"by": "1d"})
    written = file.read_bytes()

    message = refusal(*options, "--clock", "running@60")
    assert "--clock running@60 cannot take effect: its clock moves only when you advance it" in message
    message = refusal(*options, "--now", "2027-05-01T00:00:00Z", "--clock", "running")
    assert "--now 2027-05-01T00:00:00Z cannot take effect: its time is 2027-03-02T09:00:00Z" in message
    assert "--clock running cannot take effect" in message
    assert "Leave that out, or start with another file" in message
    assert file.read_bytes() == written

    for again in ((), began):  # a start like the first one continues
        with serve_simulator(*options, *again) as served:
            clock = served.client.call("GET", "/_sim/v1/worlds/default/clock").json()
            assert (clock["now"], clock["mode"]) == ("2027-03-02T09:00:00Z", "manual")


def test_a_clock_that_was_changed_since_does_not_contradict(tmp_path: Path) -> None:
    options = ["--journal", str(tmp_path / "worlds.journal"), "--fixture", "bare"]
    with serve_simulator(*options, "--clock", "manual") as served:
        clock = "/_sim/v1/worlds/default/clock"
        assert served.client.call("PUT", clock, body={"mode": "running", "rate": 60}).status == 200
    for again in ("manual", "running@60"):
        with serve_simulator(*options, "--clock", again) as served:
            assert served.client.call("GET", clock).json()["rate"] == 60
    assert "runs at 60 x real time" in refusal(*options, "--clock", "running@61")


@pytest.mark.parametrize("services", ["opera", "museum,opera", "museum,"])
def test_serve_refuses_a_service_that_there_is_not(services: str) -> None:
    assert "there is no service" in refusal("--services", services)
    assert "gifting" in refusal("--services", "opera")
    assert "did you mean museum?" in refusal("--services", "musem")


def test_a_server_of_the_museum_alone_says_what_it_has() -> None:
    with serve_simulator("--services", "museum") as served:
        described = served.client.call("GET", "/_sim/v1/worlds/default").json()
        assert list(described["urls"]) == ["museum", "control"]
        headers = described["credentials"]["museum"]["headers"]
        assert served.client.call("GET", "/v1.1/museum-hours", headers=headers).status == 200
        assert served.client.call("GET", "/api/external/team-orders").status == 404


def test_what_traffic_contradicts_is_named_at_the_start(tmp_path: Path) -> None:
    file = tmp_path / "observed.json"
    observations = Observations()
    observations.begin("app.har", b"1", date="2027-01-04", exchanges=3)
    observations.add("app.har", "A1.2", fits=False, settings={"approvals.pay_on_approve": False})
    observations.write(file)
    process = PythonProcess("run_sim.py", "--port", "0", "--json", "--observed", str(file))
    try:
        origin = json.loads(process.line())["origin"]
        with urlopen(f"{origin}/_sim/v1/statements?id=A1.2") as answer:
            [row] = json.load(answer)["statements"]
    finally:
        status, errors = process.end()
    assert (status, row["observed"]["differs"]) == (0, 1)
    said = " ".join(errors.split())
    assert "recorded traffic contradicts A1.2" in said
    assert "contradicted once in app.har of 2027-01-04; it fits with approvals.pay_on_approve: false" in said
    file.write_text("{")
    assert "is not a file that `giftsim compare --observed` wrote" in refusal("--observed", str(file))
