"""What clients do that is rude, slow or wrong. The others must not notice, and nothing may remain of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from giftsim.engine.url_paths import CONTROL
from tests.simulation.client import Client
from tests.simulation.exchange import Answer, Line, NoAnswer, Violation, request
from tests.simulation.workload import KEY, check_names, order_body
from tests.support.moves import ORDERS

WRONG = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    b"GET /_sim/v1/health HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
    b"POST /_sim/v1/worlds HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n",
)
SOON_S = 0.3


def slow(client: Client) -> None:
    """Send an order in small pieces, with pauses."""
    reference = client.tag("slow")
    client.run.expected.tried.add(reference)
    data = request("POST", ORDERS, order_body(reference), KEY)

    def make(line: Line) -> Answer:
        line.send_slowly(data, client.random, SOON_S)
        return line.read("POST")

    answer = client.exchange(make)
    if answer.status == 201:
        client.run.expected.acknowledge(reference, answer.json()["team_order"])
    elif answer.status != 503:
        raise Violation(f"the slow order {reference} was answered {answer.status} {answer.code}", "refused")


def half_close(client: Client) -> None:
    """Send requests, and then say that nothing more comes. They are answered all the same."""
    words = [client.tag("nobody") for _ in range(client.random.choice((1, 3)))]

    def make(line: Line) -> Answer:
        line.send(b"".join(request("GET", f"{CONTROL}/worlds/{word}") for word in words))
        line.half_close()
        for word in words[:-1]:
            check_names(line.read(), word)
        return line.read()

    check_names(client.exchange(make), words[-1])


def hang_up(client: Client) -> None:
    """Send an order, or a part of it, and break the connection. Nobody knows then whether it exists."""
    reference = client.tag("unknown")
    client.run.expected.tried.add(reference)
    data = request("POST", ORDERS, order_body(reference), KEY)
    line = client.connect()
    try:
        line.send(data[: client.random.choice((len(data), 1 + int(client.random.random() * len(data))))])
        client.run.scheduler.sleep(client.random.random() * 0.002)
    except NoAnswer:
        pass
    finally:
        line.reset()


def garbage(client: Client) -> None:
    """Send what is not a request that can be answered. The refusal is exact, or the connection is closed."""
    data = client.random.choice(WRONG)
    line = client.connect(waits=True)
    try:
        line.send(data)
        answer = line.read("POST")
    except NoAnswer:
        return
    finally:
        line.close()
    client.look_at(answer)
    if answer.status < 400:
        raise Violation(f"{data[:60]!r} was answered {answer.status}", "accepted")


def idle(client: Client) -> None:
    """Connect, and say nothing."""
    line = client.connect()
    client.run.scheduler.sleep(client.random.random() * 2)
    line.close()


def deaf(client: Client) -> None:
    """Ask for much, and read it late. It has not become less."""

    def make(line: Line) -> Answer:
        path = f"{CONTROL}/reference/routes"
        line.send(request("GET", path) * 3)
        client.run.scheduler.sleep(client.random.random() * 3)
        first = line.read()
        for _ in range(2):
            if line.read().body != first.body:
                raise Violation("an answer that was read late is not the same", "framing")
        return first

    client.exchange(make, waits=True)


RUDE_ACTIONS: Final[Mapping[str, Callable[[Client], None]]] = {
    "slow": slow,
    "half_close": half_close,
    "hang_up": hang_up,
    "garbage": garbage,
    "idle": idle,
    "deaf": deaf,
}
