"""The proxy of `run`, called by a program that writes bytes: its own address, what is not HTTP, many calls at once."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.served_simulator import ROOT, serve_simulator

HOST = "gifts.vendor.example"
HTTP, HTTPS = f"http://{HOST}", f"https://{HOST}"
ORDERS = "/api/external/team-orders"
# What programs in these tests have at hand. PORT in what they send is the port of the proxy.
KIT = """
import json, os, signal, socket, ssl, threading
from contextlib import suppress
from urllib.parse import urlsplit

PORT = urlsplit(os.environ["http_proxy"]).port
SIMULATOR = urlsplit(os.environ["GIFTSIM_URL"]).port


def opened(*lines, waits=True):
    client = socket.create_connection(("127.0.0.1", PORT), timeout=60)
    client.sendall(b"".join(line.encode("latin-1").replace(b"PORT", b"%d" % PORT) + b"\\r\\n" for line in lines))
    return client


def rest(client):
    data = b""
    with suppress(ConnectionError):
        while more := client.recv(65536):
            data += more
    return data.decode("latin-1")


def answer(*lines):
    with opened(*lines) as client:
        return rest(client)


def tunnel(target):
    client = opened(f"CONNECT {target} HTTP/1.1", "Host: x", "")
    return client, client.recv(65536).decode()


def get(url, *fields):
    return answer(f"GET {url} HTTP/1.1", "Host: x", "Connection: close", *fields, "")


def threads_of_proxy():
    return len(os.listdir(f"/proc/{os.getppid()}/task"))


def at_once(many, call):
    '''How often each result came when so many threads call at one moment.'''
    start, results = threading.Barrier(many), []
    def run():
        start.wait()
        try:
            results.append(call())
        except Exception as error:
            results.append(repr(error))
    threads = [threading.Thread(target=run) for _ in range(many)]
    for each in threads: each.start()
    for each in threads: each.join()
    return {each: results.count(each) for each in results}
"""


def run(folder: Path, app: str, *arguments: str, descriptors: int | None = None) -> tuple[Any, str]:
    """Run a program, as it is or with so many descriptors for giftsim; the JSON that it prints, and standard error."""
    (folder / "app.py").write_text(KIT + app)
    words = [sys.executable, str(ROOT / "run_sim.py"), "run", *arguments, "--", sys.executable, "app.py"]
    limit = f"ulimit -n {descriptors}; " if descriptors else ""
    done = subprocess.run(
        ["sh", "-c", f"{limit}exec {shlex.join(words)}"], capture_output=True, text=True, cwd=folder,
        env={"GIFTSIM_STATE": str(folder / "state"), "PATH": "/usr/bin:/bin"}, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


OWN_SPELLINGS = ["127.0.0.1", "localhost", "0.0.0.0", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]


@pytest.mark.parametrize("routes", [[HTTP], [HTTP, "http://127.0.0.1", "https://localhost"]], ids=["vendor", "own"])
def test_it_never_passes_a_call_to_itself(routes: list[str], tmp_path: Path) -> None:
    app = f"""
answers = []
for host in {OWN_SPELLINGS}:
    answers.append(get(f"http://{{host}}:PORT/"))
    client, begun = tunnel(f"{{host}}:PORT")
    if begun.startswith("HTTP/1.1 200"):
        client.sendall(f"GET / HTTP/1.1\\r\\nHost: {{host}}:{{PORT}}\\r\\nConnection: close\\r\\n\\r\\n".encode())
        begun = rest(client)
    answers.append(begun)
answers.append(answer("GET / HTTP/1.1", "Host: 127.0.0.1:PORT", "Connection: close", ""))
print(json.dumps([[[each[9:12], each.partition("\\r\\n\\r\\n")[2]] for each in answers], threads_of_proxy()]))
"""
    options = [word for route in routes for word in ("--route", route)]
    (answers, threads), errors = run(tmp_path, app, "--others", "pass", *options)
    assert {status for status, _ in answers} <= {"400", "403"}, answers
    loops = [json.loads(body)["error"] for status, body in answers if status == "400"]
    assert {loop["code"] for loop in loops} == {"calls_itself"}
    assert all("is the proxy of giftsim run itself, so the call would loop" in loop["message"] for loop in loops)
    assert threads < 100  # and not as many as the system has
    assert "giftsim: not called: 0.0.0.0:" in errors


def test_a_tunnel_inside_a_tunnel_is_refused(tmp_path: Path) -> None:
    app = f"""
client, begun = tunnel("{HOST}:80")
client.sendall(b"CONNECT {HOST}:80 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
print(json.dumps([begun[:12], rest(client)[:12]]))
"""
    assert run(tmp_path, app, "--route", HTTP)[0] == ["HTTP/1.1 200", "HTTP/1.1 501"]


REQUESTS = {
    "target that is not a URL": ["GET http://[/ HTTP/1.1", "Host: x", ""],
    "no Host": ["GET / HTTP/1.1", ""],
    "two lengths": [f"POST {HTTP}/ HTTP/1.1", "Host: x", "Content-Length: 1", "Content-Length: 2", "", "ab"],
    "length beside chunks": [
        f"POST {HTTP}/ HTTP/1.1", "Host: x", "Content-Length: 3", "Transfer-Encoding: chunked", "", "0", ""
    ],
    "unescaped UTF-8": [f"GET {HTTP}/ä HTTP/1.1".encode().decode("latin-1"), "Host: x", "Connection: close", ""],
    "large body": [
        f"POST {HTTP}{ORDERS} HTTP/1.1", "Host: x", "Authorization: Bearer pk_live_default_prepaid",
        "Content-Length: 99999999", ""
    ],
    "HTTP/2": ["PRI * HTTP/2.0", "", "SM", ""],
    "no HTTP": ["\x01\x02", ""],
    "large header": [f"GET {HTTP}/ HTTP/1.1", "Host: x", f"X-Large: {'x' * 70_000}", ""],
}  # fmt: skip


def test_what_no_server_accepts_is_answered_as_serve_answers_it(tmp_path: Path) -> None:
    app = f"print(json.dumps([answer(*lines) for lines in {list(REQUESTS.values())!r}]))"
    answers, errors = run(tmp_path, app, "--route", f"{HTTP}=partner.prepaid")
    with serve_simulator() as served:
        for name, (lines, got) in dict(
            zip(REQUESTS, zip(REQUESTS.values(), answers, strict=True), strict=True)
        ).items():
            sent = "".join(f"{line}\r\n" for line in lines).replace(HTTP, f"http://127.0.0.1:{served.client.port}")
            wanted = raw_exchange(served.client.port, sent.encode("latin-1"))
            assert _comparable(got) == _comparable(wanted.decode("latin-1")), name
    assert "Traceback" not in errors
    assert f"giftsim: a client spoke HTTP/2 to {HOST}, and giftsim speaks HTTP/1.1" in errors


def raw_exchange(port: int, sent: bytes) -> bytes:
    """What a server on this machine answers to bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(sent)
        return b"".join(iter(lambda: client.recv(65536), b""))


def _comparable(answer: str) -> tuple[str, str]:
    """The status, and the message without the id of the call."""
    head, _, body = answer.partition("\r\n\r\n")
    return head.partition("\r\n")[0], body.partition('"request_id"')[0]


def test_names_without_an_address_get_an_answer_too(tmp_path: Path) -> None:
    urls = [f"http://{'a' * 70}.example/", "http://x:99999/", "http://127.0.0.1:0/", "http://[1:2]/", "ftp://x/"]
    app = f"print(json.dumps([get(url)[9:12] for url in {urls!r}] + [tunnel('x:99999')[1][9:12]]))"
    statuses, errors = run(tmp_path, app, "--others", "pass", "--route", HTTP)
    assert statuses == ["502", "400", "502", "400", "421", "400"]
    assert "Traceback" not in errors


def test_a_large_body_is_not_passed_on(tmp_path: Path) -> None:
    app = """
print(json.dumps(answer("POST http://127.0.0.1:1/ HTTP/1.1", "Host: x", "Content-Length: 99999999", "")[9:12]))
"""
    assert run(tmp_path, app, "--route", HTTP)[0] == "413"


@pytest.mark.parametrize(("many", "descriptors", "fields"), [(400, 1024, ()), (100, 256, ("X-Sim-Fault: delay_s=1",))])
def test_many_calls_at_once_are_all_answered(
    many: int, descriptors: int, fields: tuple[str, ...], tmp_path: Path
) -> None:
    app = f"print(json.dumps(at_once({many}, lambda: get('{HTTP}{ORDERS}', *{fields})[:12])))"
    results, errors = run(tmp_path, app, "--route", f"{HTTP}=partner.prepaid", descriptors=descriptors)
    assert results == {"HTTP/1.1 200": many}
    assert errors == f"giftsim: {many} calls to {HTTP}\n  200 GET {ORDERS} ({many} times)\n"


def test_many_calls_with_tls_at_once_are_all_answered(tmp_path: Path) -> None:
    app = f"""
context = ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
def call():
    with context.wrap_socket(tunnel("{HOST}:443")[0], server_hostname="{HOST}") as client:
        client.sendall(b"GET {ORDERS} HTTP/1.1\\r\\nHost: {HOST}\\r\\nConnection: close\\r\\n\\r\\n")
        return rest(client)[:12]
print(json.dumps(at_once(100, call)))
"""
    assert run(tmp_path, app, "--route", f"{HTTPS}=partner.prepaid", descriptors=256)[0] == {"HTTP/1.1 200": 100}


def test_connections_without_a_request_give_way(tmp_path: Path) -> None:
    """With 160 descriptors there are 32 connections."""
    app = f"""
idle = [opened() for _ in range(32)]
print(json.dumps([get("{HTTP}{ORDERS}")[:12] for _ in range(3)]))
"""
    results, errors = run(tmp_path, app, "--route", f"{HTTP}=partner.prepaid", descriptors=160)
    assert results == ["HTTP/1.1 200"] * 3
    assert "refused" not in errors


def test_more_connections_than_it_holds_are_refused_and_one_line_says_so(tmp_path: Path) -> None:
    app = f"""
busy = [tunnel(f"127.0.0.1:{{SIMULATOR}}")[0] for _ in range(32)]
refused = [get("{HTTP}{ORDERS}")[:12] for _ in range(3)]
for each in busy: each.close()
while (last := get("{HTTP}{ORDERS}")[:12]) == refused[0]: pass
print(json.dumps([*refused, last]))
"""
    results, errors = run(tmp_path, app, "--route", f"{HTTP}=partner.prepaid", descriptors=160)
    assert results == ["HTTP/1.1 503"] * 3 + ["HTTP/1.1 200"]
    assert errors.count("all 32 connections of the proxy are busy: more are refused with 503 until one is free") == 1


def test_it_outlives_a_time_without_descriptors(tmp_path: Path) -> None:
    app = f"""
busy = [opened(f"CONNECT 127.0.0.1:{{SIMULATOR}} HTTP/1.1", "Host: x", "") for _ in range(56)]
for _ in range(20_000):
    if len(os.listdir(f"/proc/{{os.getppid()}}/fd")) > 61: break
for each in busy: each.close()
while not (last := get("{HTTP}{ORDERS}")[:12]).endswith("200"): pass
print(json.dumps(last))
"""
    results, errors = run(tmp_path, app, "--route", f"{HTTP}=partner.prepaid", descriptors=64)
    assert results == "HTTP/1.1 200"
    assert "Traceback" not in errors


def test_calls_to_this_machine_are_passed_on_as_they_are(tmp_path: Path) -> None:
    app = """
server = socket.create_server(("127.0.0.1", 0))
def serve():
    client, _ = server.accept()
    seen.append(client.recv(65536).decode())
    client.sendall(b"HTTP/1.1 201 Made\\r\\nServer: mine\\r\\nDate: then\\r\\nContent-Length: 2\\r\\n\\r\\nok")
    client.close()
seen = []
thread = threading.Thread(target=serve); thread.start()
got = answer(f"GET http://127.0.0.1:{server.getsockname()[1]}/a%2Fb?c HTTP/1.1", "Host: x", "Connection: close", "")
thread.join()
print(json.dumps([seen[0].splitlines()[0], got]))
"""
    (request, got), _ = run(tmp_path, app, "--route", HTTP)
    assert request == "GET /a%2Fb?c HTTP/1.1"
    assert got == "HTTP/1.1 201 Made\r\nserver: mine\r\ndate: then\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"


def test_the_summary_counts_what_clients_did_right_before_the_program_ended(tmp_path: Path) -> None:
    """Giftsim is stopped meanwhile, so that it sees the ends of the program and of all connections at one moment."""
    app = f"""
giftsim, (ended, lives) = os.getppid(), os.pipe()
if os.fork() == 0:
    os.close(lives)
    os.read(ended, 1)
    os.kill(giftsim, signal.SIGCONT)
    os._exit(0)
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
clients = [context.wrap_socket(tunnel("{HOST}:443")[0]) for _ in range(200)]
print(json.dumps(len(clients)), flush=True)
os.kill(giftsim, signal.SIGSTOP)
os._exit(0)
"""
    _, errors = run(tmp_path, app, "--route", HTTPS)
    assert f"giftsim: nothing called {HTTPS}, but a client connected\n" in errors
    assert f"a client ended its connection to {HOST} before a call (200 times): it may not trust" in errors
