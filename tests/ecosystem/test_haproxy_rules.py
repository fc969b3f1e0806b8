"""The proxy reads the world of a call as giftsim itself does, for every mixture of credentials (G10, G136)."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from itertools import product

import pytest

from giftsim import Simulator
from giftsim.cli.haproxy import configuration, on_this_machine, process_of, processes
from giftsim.engine.gateway.call import Call, Interface
from giftsim.engine.worlds.registry import root_of
from tests.support.free_ports import free_ports
from tests.support.tools import require_tool
from tests.support.waiting import TIMEOUT_S, wait_until

MANY = 7
CHOICE = "    use_backend process%[var(txn.process)]"
ANSWER = '    http-request return status 200 content-type text/plain lf-string "%[var(txn.process)]"'
PATHS = ("/api/external/team-orders", "/api/teams/v1/team", "/v1.1/museum-hours")


def basic(text: str) -> str:
    return "Basic " + base64.b64encode(text.encode()).decode()


AUTHORIZATIONS = (
    None, "", "Bearer", "Basic !!!",
    "Bearer pk_live_one_prepaid", "bearer pk_live_one--w1_prepaid", "Bearer  pk_live_one_prepaid",
    "Bearer pk_live_one_prepaid ", "Bearer pk_test_one_prepaid", "Bearer pk_live_One_prepaid",
    "Token pk_live_one_prepaid", "Bearer pk_live_one_pre_paid", "Bearer pk_live_one",
    "Bearer pk_live_" + "a" * 40 + "_prepaid", "Bearer pk_live_" + "a" * 41 + "_prepaid",
    "Bearer ptk_live_two_approver", "BEARER ptk_test_two--w2_first", "Bearer   ptk_live_two_approver  ",
    "Bearer ptk_live_two_key-of-mine", "Bearer xptk_live_two_approver", "Session ptk_live_two_approver",
    "Session sess_three_owner", "session sess_three--a--b_owner", "Bearer sess_three_owner",
    "Session sess_three_own-er",
    basic("museum:museum-pass"), basic("museum.four:museum-pass"), basic("museum.four--w1:x:y"), basic("museum.:x"),
    basic("museum.four.x:y"), basic("visitor:x"), basic("visitor.four:x"), "basic " + basic("museum.four:x")[6:],
)  # fmt: skip
KEYS = (None, "ptk_live_five_approver", "pk_live_five_prepaid", "ptk_test_five--w1_first")
COOKIES = (None, "session=sess_six_owner", "theme=dark; session=sess_six--w3_member", "session=none")
NAMED = (None, "seven", "seven--w9")


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a proxy that answers with the number of the process that it would choose."""
    haproxy = require_tool("haproxy", "haproxy")
    port = free_ports(1)
    text = configuration(f"127.0.0.1:{port}", processes(on_this_machine(MANY, 1), "http://127.0.0.1", None, ()))
    assert text.count(CHOICE) == 1
    folder = tmp_path_factory.mktemp("proxy")
    file = folder / "haproxy.cfg"
    file.write_text(text.replace(CHOICE, f"{ANSWER}\n{CHOICE}"))
    with subprocess.Popen([haproxy, "-f", str(file), "-q"], cwd=folder, stdin=subprocess.DEVNULL) as process:
        wait_until(lambda: listens(port))
        yield port
        process.terminate()


def listens(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)) as connection:
        try:
            connection.connect()
        except OSError:
            return False
        return True


def world_of(simulator: Simulator, interface: Interface, path: str, headers: dict[str, str]) -> str:
    """The world to which giftsim takes a call, or `default` for one without."""
    environ = {f"HTTP_{name.upper().replace('-', '_')}": value.strip() for name, value in headers.items()}
    call = Call("GET", path.removeprefix(interface.contract.prefix), "", environ, b"", interface, simulator.registry)
    return interface.credential_world_id(call) or call.header("X-Sim-World") or "default"


@pytest.mark.parametrize("path", PATHS)
def test_the_proxy_and_giftsim_agree_on_the_world_of_a_call(proxy: int, simulator: Simulator, path: str) -> None:
    [interface] = [each for each in simulator.interfaces if path.startswith(f"{each.contract.prefix}/")]
    wrong = []
    with closing(HTTPConnection("127.0.0.1", proxy, timeout=TIMEOUT_S)) as connection:
        for authorization, key, cookie, named in product(AUTHORIZATIONS, KEYS, COOKIES, NAMED):
            given = {"Authorization": authorization, "X-API-Key": key, "Cookie": cookie, "X-Sim-World": named}
            headers = {name: value for name, value in given.items() if value is not None}
            connection.request("GET", path, headers=headers)
            chosen = int(connection.getresponse().read())
            world = world_of(simulator, interface, path, headers)
            if chosen != process_of(root_of(world), MANY):
                wrong.append((world, chosen, headers))
    assert wrong == []


@pytest.mark.parametrize(
    ("method", "path", "world"),
    [
        ("GET", "/_sim/v1/worlds/one", "one"),
        ("POST", "/_sim/v1/worlds/one--w1/clock/advance", "one"),
        ("GET", "/_sim/v1/worlds/%6fne/journal?limit=3", "one"),
        ("GET", "/claim/two--w4/token", "two"),
        ("GET", "/previews/two/token.png", "two"),
        ("GET", "/_sim/v1/worlds", "default"),
        ("GET", "/_sim/v1/worlds?limit=1", "default"),
        ("GET", "/openapi/team.json", "default"),
        ("GET", "/", "default"),
    ],
)
def test_the_proxy_finds_the_world_in_a_path(proxy: int, method: str, path: str, world: str) -> None:
    with closing(HTTPConnection("127.0.0.1", proxy, timeout=TIMEOUT_S)) as connection:
        connection.request(method, path)
        assert int(connection.getresponse().read()) == process_of(world, MANY)


@pytest.mark.parametrize(
    ("body", "world"),
    [
        ('{"id": "one"}', "one"),
        (' \n {"seed": 1, "fixture": {"id": "no", "extends": {"id": "no"}}, "id" :"one--x"}', "one"),
        ('{"settings": {"a": "\\"id\\": \\"no\\""}, "id": "one"}', "one"),
        ('{"now": "}{", "id": "one"}', "one"),
    ],
)
def test_the_proxy_finds_the_world_in_the_body_that_creates_it(proxy: int, body: str, world: str) -> None:
    with closing(HTTPConnection("127.0.0.1", proxy, timeout=TIMEOUT_S)) as connection:
        connection.request("POST", "/_sim/v1/worlds", body, {"Content-Type": "application/json"})
        assert int(connection.getresponse().read()) == process_of(world, MANY)


def test_a_prefix_in_the_header_chooses_the_process_of_a_world_without_an_id(proxy: int) -> None:
    with closing(HTTPConnection("127.0.0.1", proxy, timeout=TIMEOUT_S)) as connection:
        chosen = set()
        for headers in ({"X-Sim-World": "p3"}, {"X-Sim-World": "p3"}, *({} for _ in range(60))):
            connection.request("POST", "/_sim/v1/worlds", "{}", headers)
            answer = int(connection.getresponse().read())
            assert not headers or answer == process_of("p3", MANY)
            chosen.add(answer)
    assert len(chosen) > 3
