"""`serve --https`: TLS ends in front of the server, by the local authority or by a certificate of the user (G263)."""

from __future__ import annotations

import json
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection, RemoteDisconnected
from pathlib import Path

import pytest
import trustme
from click.testing import CliRunner, Result
from cryptography.x509 import NameConstraints, load_pem_x509_certificate

from giftsim.cli.main import main
from giftsim.engine.client.over_http import HttpClient
from tests.support.orders import order_body
from tests.support.served_simulator import ROOT, ServedSimulator, serve_simulator

HEALTH = "/_sim/v1/health"
KEY = {"Authorization": "Bearer pk_live_default_prepaid", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a user who has no authority yet."""
    return {"GIFTSIM_STATE": str(tmp_path_factory.mktemp("state") / "of giftsim")}


@pytest.fixture(scope="module")
def served(state: dict[str, str]) -> Iterator[ServedSimulator]:
    with serve_simulator("--https", environment=state) as served:
        yield served


def run(state: dict[str, str], *arguments: str) -> Result:
    return CliRunner(env=state).invoke(main, arguments)


def trusting(state: dict[str, str]) -> ssl.SSLContext:
    """A client that accepts what the authority of `giftsim serve trust` signs, and nothing else."""
    return ssl.create_default_context(cafile=json.loads(run(state, "serve", "trust", "--json").stdout)["certificate"])


def client(served: ServedSimulator, state: dict[str, str], host: str = "127.0.0.1") -> HttpClient:
    return HttpClient(f"https://{host}:{served.banner['port']}", timeout_s=60, context=trusting(state))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_client_that_trusts_the_authority_calls_by_https(
    served: ServedSimulator, state: dict[str, str], host: str
) -> None:
    with closing(client(served, state, host)) as http:
        for _ in range(3):  # by one connection
            assert http.call("GET", HEALTH).json()["status"] == "ready"
        assert http.call("POST", "/_sim/v1/worlds", body={"id": f"by-{host.replace('.', '-')}"}).status == 201


def test_a_client_that_does_not_trust_it_refuses(served: ServedSimulator) -> None:
    connection = HTTPSConnection("127.0.0.1", served.banner["port"], timeout=60, context=ssl.create_default_context())
    with closing(connection), pytest.raises(ssl.SSLCertVerificationError):
        connection.request("GET", HEALTH)


def test_plain_http_is_told_to_use_https(served: ServedSimulator) -> None:
    with closing(HTTPConnection("127.0.0.1", served.banner["port"], timeout=60)) as connection:
        connection.request("GET", HEALTH)
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["error"]["code"]) == (400, "https_only")


def test_the_banner_and_the_links_of_mails_say_https(served: ServedSimulator, state: dict[str, str]) -> None:
    origin = f"https://127.0.0.1:{served.banner['port']}"
    assert served.banner["origin"] == origin
    assert served.banner["control"] == f"{origin}/_sim/v1"
    with closing(client(served, state)) as http:
        http.call("POST", "/_sim/v1/worlds", body={"id": "linked", "fixture": "empty"})
        key = {"Authorization": "Bearer pk_live_linked_prepaid"}
        assert http.call("POST", "/api/external/team-orders", body=order_body(), headers=key).status == 201
        link = http.call("GET", "/_sim/v1/worlds/linked/mail").json()["mail"][0]["links"][0]
        assert link.startswith(f"{origin}/claim/linked/")
        assert http.call("GET", link.removeprefix(origin), headers={"Accept": "text/html"}).status == 200


def test_a_dropped_answer_is_a_closed_connection_without_one(served: ServedSimulator, state: dict[str, str]) -> None:
    connection = HTTPSConnection("127.0.0.1", served.banner["port"], timeout=60, context=trusting(state))
    with closing(connection):
        body = json.dumps(order_body())
        connection.request("POST", "/api/external/team-orders", body, {**KEY, "X-Sim-Fault": "drop=after"})
        with pytest.raises((RemoteDisconnected, ssl.SSLEOFError)):
            connection.getresponse()


def test_a_large_body_arrives_whole(served: ServedSimulator, state: dict[str, str]) -> None:
    world = {"settings": {}, "id": "large", "fixture": "empty"}
    with closing(client(served, state)) as http:
        made = http.call("POST", "/_sim/v1/worlds", body=" " * 3_000_000 + json.dumps(world), headers=KEY)
        assert (made.status, made.json()["id"]) == (201, "large")


def test_silent_and_broken_connections_disturb_nobody(served: ServedSimulator, state: dict[str, str]) -> None:
    with socket.create_connection(("127.0.0.1", served.banner["port"])) as silent:
        with socket.create_connection(("127.0.0.1", served.banner["port"])) as broken:
            broken.sendall(b"\x16nothing of TLS")
        with closing(client(served, state)) as http:
            assert http.call("GET", HEALTH).status == 200
        assert silent.fileno() > 0


@pytest.mark.parametrize("command", [["wait", "--timeout", "0"], ["now"], ["orders", "--limit", "1"], ["worlds"]])
def test_commands_call_a_simulator_with_https(
    served: ServedSimulator, state: dict[str, str], command: list[str]
) -> None:
    done = run(state, *command, "--url", served.banner["origin"])
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("command", "status"), [("wait --timeout 0", 1), ("now", 3)])
def test_a_command_that_does_not_know_the_authority_says_so(
    served: ServedSimulator, tmp_path: Path, command: str, status: int
) -> None:
    done = run({"GIFTSIM_STATE": str(tmp_path)}, *command.split(), "--url", served.banner["origin"])
    assert done.exit_code == status
    assert "is not accepted: CERTIFICATE_VERIFY_FAILED; see `giftsim serve trust`" in done.stderr


def test_commands_find_a_simulator_whose_environment_says_https() -> None:
    done = CliRunner(env={"GIFTSIM_HTTPS": "1", "GIFTSIM_PORT": "1"}).invoke(main, ["open", "--print"])
    assert done.stdout == "https://127.0.0.1:1/\n" or "https://127.0.0.1:1" in done.output


def test_the_authority_is_made_once_and_its_key_is_private(state: dict[str, str]) -> None:
    before = Path(json.loads(run(state, "serve", "trust", "--json").stdout)["certificate"])
    content = before.read_bytes()
    assert json.loads(run(state, "serve", "trust", "--json").stdout)["certificate"] == str(before)
    assert before.read_bytes() == content
    assert stat.S_IMODE((before.parent / "ca-key.pem").stat().st_mode) == 0o600
    assert b"PRIVATE" not in content


def test_the_authority_names_what_it_may_certify_and_ends_when_the_page_says(
    served: ServedSimulator, state: dict[str, str]
) -> None:
    certificate = load_pem_x509_certificate(Path(state["GIFTSIM_STATE"], "authority/ca.pem").read_bytes())
    pem = ssl.get_server_certificate(("127.0.0.1", served.banner["port"]))
    leaf = load_pem_x509_certificate(pem.encode())
    for each in (certificate, leaf):
        assert (each.not_valid_before_utc.year, each.not_valid_after_utc.isoformat()[:10]) == (2000, "2038-01-01")
    permitted = certificate.extensions.get_extension_for_class(NameConstraints)
    assert permitted.critical
    names = [str(each.value) for each in permitted.value.permitted_subtrees or ()]
    assert {"localhost", "test", "127.0.0.0/8", "::1/128"} <= set(names)
    assert "com" not in {name.rpartition(".")[2] for name in names if not name[-1].isdecimal()}


def test_a_name_that_the_authority_may_not_certify_is_refused(state: dict[str, str]) -> None:
    refused = run(state, "serve", "--https", "--port", "0", "--host-name", "shop.example.com")
    assert refused.exit_code == 2
    assert "may not certify shop.example.com" in refused.stderr
    assert "--certificate" in refused.stderr


def test_a_folder_or_a_key_that_others_can_write_is_refused(tmp_path: Path) -> None:
    state = {"GIFTSIM_STATE": str(tmp_path)}
    assert run(state, "serve", "trust").exit_code == 0
    folder = tmp_path / "authority"
    for path in (folder, folder / "ca-key.pem"):
        before = path.stat().st_mode
        path.chmod(before | stat.S_IWOTH)
        refused = run(state, "serve", "--https", "--port", "0")
        assert (refused.exit_code, f"others can write {path}" in refused.stderr) == (2, True), refused.stderr
        path.chmod(before)


def test_trust_prints_the_file_and_a_variable_for_each_client(state: dict[str, str]) -> None:
    variables = json.loads(run(state, "serve", "trust", "--json").stdout)["variables"]
    shown = run(state, "serve", "trust").stdout
    assert {"NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE"} < variables.keys()
    assert all(f"    {name}={value}\n" in shown for name, value in variables.items())
    exported = run(state, "serve", "trust", "--export").stdout
    printed = subprocess.run(
        ["sh", "-c", f"{exported}printenv JAVA_TOOL_OPTIONS"], capture_output=True, text=True, check=True
    )
    assert printed.stdout == f"{variables['JAVA_TOOL_OPTIONS']}\n"


def test_a_state_folder_that_cannot_be_written_is_refused_with_the_way_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run({"GIFTSIM_STATE": str(tmp_path / "file" / "giftsim")}, "serve", "trust")
    assert done.exit_code == 2
    assert "cannot be kept in" in done.stderr
    assert "GIFTSIM_STATE" in done.stderr


def test_without_trustme_the_message_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['trustme'] = None; from giftsim.cli.main import main; main(['serve', '--https'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 2
    message = " ".join(done.stderr.split())
    assert "pip install trustme, or install giftsim with the extra `https`; or name a certificate" in message


@pytest.fixture
def own(tmp_path: Path) -> dict[str, Path]:
    """Files of a certificate that the user has from elsewhere: apart, together, and the key of another one."""
    authority = trustme.CA()
    leaf, other = authority.issue_cert("localhost", "127.0.0.1"), authority.issue_cert("localhost")
    files = {name: tmp_path / f"{name}.pem" for name in ("authority", "certificate", "key", "both", "other")}
    authority.cert_pem.write_to_path(files["authority"])
    leaf.cert_chain_pems[0].write_to_path(files["certificate"])
    leaf.private_key_pem.write_to_path(files["key"])
    leaf.private_key_and_cert_chain_pem.write_to_path(files["both"])
    other.private_key_pem.write_to_path(files["other"])
    return files


@pytest.mark.parametrize("is_one_file", [True, False])
def test_a_certificate_of_the_user(own: dict[str, Path], is_one_file: bool) -> None:
    options = ["--certificate", str(own["both" if is_one_file else "certificate"])]
    with serve_simulator(*options, *([] if is_one_file else ["--key", str(own["key"])])) as served:
        context = ssl.create_default_context(cafile=own["authority"])
        with closing(HttpClient(served.banner["origin"], timeout_s=60, context=context)) as http:
            assert http.call("GET", HEALTH).status == 200


@pytest.mark.parametrize(
    ("certificate", "key", "message"),
    [
        ("certificate", "other", "the key belongs to another certificate"),
        ("key", "key", "cannot be used: it takes PEM"),
        ("absent", None, "absent.pem: No such file or directory"),
        ("certificate", None, "cannot be used"),
    ],
)
def test_files_that_are_not_a_certificate_are_refused(
    own: dict[str, Path], tmp_path: Path, certificate: str, key: str | None, message: str
) -> None:
    options = ["--certificate", str(tmp_path / f"{certificate}.pem"), *(["--key", str(own[key])] if key else [])]
    done = CliRunner().invoke(main, ["serve", "--port", "0", *options])
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_a_key_without_a_certificate_is_refused(own: dict[str, Path]) -> None:
    done = CliRunner().invoke(main, ["serve", "--key", str(own["key"])])
    assert done.exit_code == 2
    assert "--key cannot take effect: only --certificate takes it" in done.stderr
