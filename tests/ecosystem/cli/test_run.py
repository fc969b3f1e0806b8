"""The command `run`: what its proxy does with calls of other hosts, with streams and with credentials."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path

import pytest

from tests.cli.test_run import ORDERS, VENDOR, run
from tests.support.http_receiver import OK_RESPONSE, HttpReceiver, http_receiver, respond_always


def test_a_call_with_a_credential_of_its_own_keeps_it_unless_the_route_replaces_it(tmp_path: Path) -> None:
    words = ("GET", VENDOR + ORDERS, "", "Authorization", "Bearer pk_live_of_production_1234")
    kept = run(tmp_path, "--route", f"{VENDOR}=partner.prepaid", words=words)
    assert kept.stdout.startswith("401 ")
    assert "is not one of this world" in kept.stderr
    assert "of_production" not in kept.stderr
    replaced = run(tmp_path, "--route", f"{VENDOR}=partner.prepaid,replace_key", words=words)
    assert replaced.stdout.startswith("200 ")


def test_a_route_may_have_a_path_and_lead_to_another(tmp_path: Path) -> None:
    route = f"{VENDOR}/v2=partner.prepaid,to=/api/external"
    assert run(tmp_path, "--route", route, words=("GET", f"{VENDOR}/v2/team-orders?limit=1")).stdout.startswith("200 ")
    beside = run(tmp_path, "--route", route, words=("GET", f"{VENDOR}/v1/team-orders"))
    assert json.loads(beside.stdout.removeprefix("403 "))["error"]["code"] == "host_refused"
    assert f"giftsim: not called: {VENDOR}/v1/team-orders\n" in beside.stderr


def test_this_machine_is_called_though_others_are_refused(tmp_path: Path) -> None:
    with http_receiver(respond_always(OK_RESPONSE)) as other:
        done = run(tmp_path, "--route", VENDOR, words=("POST", f"http://127.0.0.1:{other.port}/", "{}"))
    assert done.stdout == "200 ok\n"


def test_another_host_is_refused_by_name(tmp_path: Path) -> None:
    done = run(tmp_path, "--route", VENDOR, words=("GET", "http://other.example/path?secret=1"))
    assert done.stdout.startswith("403 ")
    assert "giftsim: not called: http://other.example\n" in done.stderr
    assert f"giftsim: nothing called {VENDOR}; does the app have another address" in done.stderr


def test_without_a_path_nothing_is_subscribed(tmp_path: Path) -> None:
    app = "import os; print('GIFTSIM_WEBHOOK_SECRET' in os.environ)"
    done = run(tmp_path, "--webhooks", "http://127.0.0.1:9000", app=app)
    assert done.stdout == "False\n"
    assert "giftsim: no webhooks were sent to http://127.0.0.1:9000" in done.stderr


# Its words: the URL of a stream, and that by which the stream goes on. It reads each piece before the next is sent.
STREAM_APP = """
import http.client, os, sys, urllib.request
url, go_on = sys.argv[1:]
proxy = http.client.HTTPConnection(os.environ["http_proxy"].removeprefix("http://"), timeout=60)
proxy.request("GET", url)
answer = proxy.getresponse()
for _ in range(3):
    print(answer.read1().decode())
    urllib.request.urlopen(go_on)
print(answer.read().decode() or "the end")
"""


class SlowHost:
    """A server that sends a piece of its body whenever another call asks for it."""

    def __init__(self, framing: bytes, pieces: tuple[bytes, ...]) -> None:
        self._head, self._pieces = b"HTTP/1.1 200 OK\r\n" + framing + b"\r\n", pieces
        self._asked = threading.Semaphore(0)

    def __call__(self, connection: socket.socket, _: HttpReceiver) -> None:
        if b" /stream " not in connection.recv(65536):
            self._asked.release()
            connection.sendall(OK_RESPONSE)
            return
        connection.sendall(self._head)
        for piece in self._pieces:
            connection.sendall(piece)
            self._asked.acquire(timeout=60)


CHUNKED = b"Transfer-Encoding: chunked\r\n", (b"3\r\none\r\n", b"3\r\ntwo\r\n", b"5\r\nthree\r\n", b"0\r\n\r\n")
COUNTED = b"Content-Length: 11\r\n", (b"one", b"two", b"three")
UNTIL_ITS_END = b"", (b"one", b"two", b"three")


@pytest.mark.parametrize(("framing", "pieces"), [CHUNKED, COUNTED, UNTIL_ITS_END])
def test_an_answer_of_another_host_is_passed_on_as_it_comes(
    tmp_path: Path, framing: bytes, pieces: tuple[bytes, ...]
) -> None:
    with http_receiver(SlowHost(framing, pieces)) as other:
        url = f"http://127.0.0.1:{other.port}"
        done = run(tmp_path, "--route", VENDOR, app=STREAM_APP, words=(f"{url}/stream", f"{url}/go-on"))
    assert done.stdout.split("\n") == ["one", "two", "three", "the end", ""], done.stderr


def test_an_answer_that_breaks_off_breaks_off_for_the_app(tmp_path: Path) -> None:
    with http_receiver(SlowHost(b"Content-Length: 12\r\n", COUNTED[1])) as other:
        url = f"http://127.0.0.1:{other.port}"
        done = run(tmp_path, "--route", VENDOR, app=STREAM_APP, words=(f"{url}/stream", f"{url}/go-on"))
    assert done.stdout.split("\n") == ["one", "two", "three", ""]
    assert "IncompleteRead" in done.stderr


def test_a_stream_of_the_simulator_is_passed_on(tmp_path: Path) -> None:
    app = f"""
import os, requests
headers = {{"Accept": "text/event-stream"}}
with requests.get("http://changes.example/changes?from=now", headers=headers, stream=True, timeout=60) as got:
    lines = got.iter_lines()
    for _ in range(3):
        requests.get("{VENDOR}{ORDERS}", timeout=60)
        print(next(line.decode() for line in lines if line.startswith(b"id")))
"""
    route = "http://changes.example,to=/_sim/v1/worlds/default"
    done = run(tmp_path, "--route", f"{VENDOR}=partner.prepaid", "--route", route, app=app)
    assert done.stdout == "id: 1\nid: 2\nid: 3\n", done.stderr


def test_a_host_sees_that_the_app_has_left_though_it_sends_nothing(tmp_path: Path) -> None:
    has_left = threading.Event()

    def behave(connection: socket.socket, _: HttpReceiver) -> None:
        if b" /stream " in connection.recv(65536):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            assert connection.recv(65536) == b""
            has_left.set()
        else:
            connection.sendall(OK_RESPONSE if has_left.wait(60) else b"")

    app = """
import http.client, os, sys, urllib.request
proxy = http.client.HTTPConnection(os.environ["http_proxy"].removeprefix("http://"), timeout=60)
proxy.request("GET", sys.argv[1])
with proxy.getresponse() as answer:
    print(answer.read1())
proxy.close()
urllib.request.urlopen(sys.argv[2])
"""
    with http_receiver(behave) as other:
        url = f"http://127.0.0.1:{other.port}"
        done = run(tmp_path, "--route", VENDOR, app=app, words=(f"{url}/stream", f"{url}/left"))
    assert (done.returncode, done.stdout) == (0, "b'one'\n"), done.stderr
