"""What clients do: orders, reads, claims, pipelines, and everything else that the control API has for a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from giftsim.engine.url_paths import CONTROL
from tests.simulation.client import Client
from tests.simulation.exchange import Answer, Line, Violation, request
from tests.support import orders
from tests.support.moves import MOVES, ORDERS, WEBHOOKS, WORLDS, Known

DEFAULT, OTHER = f"{WORLDS}/default", f"{WORLDS}/other"
KEY, OTHER_KEY = "pk_live_default_prepaid", "pk_live_other_prepaid"
HOST = "hooks{}.example.com"
PORTS = (9001, 9002)


def order_body(reference: str) -> dict[str, Any]:
    """The body of an order, which names it."""
    recipients = [{"name": "Bo", "email": f"{reference}@example.com"}]
    return orders.order_body(idempotency_key=reference, reference=reference, recipients=recipients)


def move(client: Client, name: str, world: str = "default", *, waits: bool = False) -> Answer:
    """Make a move of the table in a world."""
    known = Known(world, orders=[1001], snapshots=["kept"])
    method, path, body, _ = MOVES[name].make(known, client.random.choice)
    return client.call(method, path, body, waits=waits)


def prepare(client: Client) -> None:
    """Make the other world, and send the webhooks of both to receivers outside if the plan has them."""
    client.insist("POST", f"{CONTROL}/worlds", {"id": "other", "fixture": "empty", "seed": 2})
    if not client.run.plan.receivers:
        return
    for n, port in enumerate(PORTS):
        for world, key in ((DEFAULT, KEY), (OTHER, OTHER_KEY)):
            host = HOST.format(n)
            to = {"mode": "forward", "to": f"http://127.0.0.1:{port}"}
            client.insist("PUT", f"{world}/receivers/{host}", to)
            hook = {"url": f"https://{host}/gifts", "events": ["team_order.claimed", "team_order.shipped"]}
            client.insist("POST", WEBHOOKS, hook, key)


def order(client: Client) -> None:
    """Order until that is acknowledged, with the same key, as a careful app does."""
    reference = client.tag("order")
    client.run.expected.tried.add(reference)
    answer = client.insist("POST", ORDERS, order_body(reference), KEY)
    if answer.status not in (200, 201):
        raise Violation(f"the order {reference} was answered {answer.status} {answer.code}", "refused")
    client.run.expected.acknowledge(reference, answer.json()["team_order"])


def read(client: Client) -> None:
    """Read an acknowledged order."""
    known = client.run.expected.orders
    if not known:
        return
    wanted = client.random.choice(list(known.values()))
    answer = client.insist("GET", f"{ORDERS}/{wanted.number}", key=KEY)
    check_order(answer, wanted.number, wanted.reference)


def check_order(answer: Answer, number: int, reference: str) -> None:
    """Violation unless this is an order."""
    if answer.status != 200:
        raise Violation(f"the acknowledged order {number} is answered {answer.status} {answer.code}", "lost order")
    found = answer.json()["team_order"]
    if (found["id"], found["reference"]) != (number, reference):
        raise Violation(f"the order {number} {reference} was answered with {found['id']}", "wrong client")


def pipeline(client: Client) -> None:
    """Send many requests at once, and read their answers, each of which names its request."""
    words = [client.tag("nobody") for _ in range(client.random.choice((3, 10, 60)))]
    data = b"".join(request("GET", f"{CONTROL}/worlds/{word}") for word in words)

    def make(line: Line) -> Answer:
        line.send(data)
        for word in words[:-1]:
            check_names(line.read(), word)
        return line.read()

    check_names(client.exchange(make), words[-1])


def check_names(answer: Answer, word: str) -> None:
    """Violation unless an answer is about a world of this name."""
    if answer.code != "service_unavailable" and f"'{word}'".encode() not in answer.body:
        raise Violation(f"the call about {word} was answered with {answer.body[:120]!r}", "wrong client")


def claim(client: Client) -> None:
    """Claim an acknowledged order, which sends a webhook."""
    known = client.run.expected.orders
    if not known:
        return order(client)
    wanted = client.random.choice(list(known.values()))
    answer = client.insist("POST", f"{DEFAULT}/simulate/claim", {"team_order_id": wanted.number, "recipient": 0})
    if answer.status not in (200, 409, 410):
        raise Violation(f"the claim of {wanted.number} was answered {answer.status} {answer.code}", "refused")
    return None


def books(client: Client) -> None:
    """Read the ledger, whose entries balance at any moment."""
    answer = client.insist("GET", f"{DEFAULT}/ledger")
    for entry in answer.json()["ledger"]:
        if sum(posting["cents"] for posting in entry["postings"]):
            raise Violation(f"the books do not balance: {entry}", "books")


def settled(client: Client) -> None:
    """List the deliveries, which waits for those under way."""
    client.call("GET", f"{DEFAULT}/deliveries", waits=True)


def hold(client: Client) -> None:
    """Order with a fault that holds the call."""
    reference = client.tag("held")
    client.run.expected.tried.add(reference)
    answer = client.call("POST", ORDERS, order_body(reference), KEY, waits=True, X_Sim_Fault="hold")
    if answer.status in (200, 201):
        client.run.expected.acknowledge(reference, answer.json()["team_order"])


def release(client: Client) -> None:
    """Release all held calls."""
    move(client, "release")


def advance(client: Client) -> None:
    """Let time pass, in either world."""
    world = client.random.choice((DEFAULT, DEFAULT, OTHER))
    client.call("POST", f"{world}/clock/advance", {"by": client.random.choice(("1h", "1d", "9d"))})


def clock(client: Client) -> None:
    """Let a clock run fast for a while."""
    world = client.random.choice((DEFAULT, OTHER))
    client.call("PUT", f"{world}/clock", {"mode": "running", "rate": client.random.choice((60, 36_000))})
    client.run.scheduler.sleep(client.random.random())
    client.insist("PUT", f"{world}/clock", {"mode": "manual"})


CALM_ACTIONS: Final[Mapping[str, Callable[[Client], None]]] = {
    "order": order,
    "read": read,
    "pipeline": pipeline,
    "claim": claim,
    "books": books,
    "settled": settled,
    "hold": hold,
    "release": release,
    "advance": advance,
    "clock": clock,
}
