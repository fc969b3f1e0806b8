"""What clients do to the other world: orders, undo, redo, snapshots, resets, forks; and how they follow its changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from tests.simulation.client import Client
from tests.simulation.exchange import NoAnswer, Violation, request
from tests.simulation.workload import DEFAULT, OTHER, OTHER_KEY, move, order_body
from tests.support.moves import ORDERS

POLLS = 6


def other_order(client: Client) -> None:
    """Order in the other world. An undo may take it back."""
    client.call("POST", ORDERS, order_body(client.tag("other")), OTHER_KEY)


def other_held(client: Client) -> None:
    """Order in the other world with a fault that holds the call."""
    client.call("POST", ORDERS, order_body(client.tag("other")), OTHER_KEY, waits=True, X_Sim_Fault="hold")


def other_claim(client: Client) -> None:
    """Claim an order of the other world."""
    client.call("POST", f"{OTHER}/simulate/claim", {"team_order_id": 1001, "recipient": 0})


def fork(client: Client) -> None:
    """Copy the other world, order in the copy, and perhaps delete it."""
    answer = move(client, "fork", "other")
    if answer.status != 201:
        return
    made = answer.json()["id"]
    client.call("POST", ORDERS, order_body(client.tag("fork")), f"pk_live_{made}_prepaid")
    if client.random.random() < 0.5:
        move(client, "delete", made)


def follow(client: Client) -> None:
    """Follow the changes of a world with a cursor, and see at the end that nothing was missed."""
    world = client.random.choice((DEFAULT, OTHER, OTHER))
    seen: dict[int, Any] = {}
    deaths, cursor = client.run.deaths, None
    for _ in range(POLLS):
        after = "" if cursor is None else f"&after={cursor}"
        answer = client.call("GET", f"{world}/changes?wait={client.random.choice((0, 1))}{after}", waits=True)
        if answer.status != 200 or client.run.deaths != deaths:
            return
        found = answer.json()
        cursor = found["next"]
        _take_in(seen, found["changes"], client.event.n)
        client.run.scheduler.sleep(client.random.random() * 0.3)
    listed = client.call("GET", f"{world}/changes?limit=1000")
    if listed.status != 200 or client.run.deaths != deaths:
        return
    assert cursor is not None
    changes = listed.json()["changes"]
    _take_in(seen, [change for change in changes if change["n"] > cursor], client.event.n)
    if seen != {change["n"]: change["kind"] for change in changes}:
        raise Violation(f"who followed the changes of {world} knows {sorted(seen)}, not {_numbers(changes)}", "cursor")


def _take_in(seen: dict[int, Any], changes: list[Any], number: int) -> None:
    """Add changes to what a follower knows; after a `rewound` it forgets those after its `to`."""
    for change in changes:
        if change["n"] in seen or change["n"] < max(seen, default=0):
            raise Violation(f"follow {number}: change {change['n']} comes after {max(seen)}", "cursor")
        if change["kind"] == "rewound":
            for n in [n for n in seen if n > change["to"]]:
                del seen[n]
        seen[change["n"]] = change["kind"]


def _numbers(changes: list[Any]) -> list[int]:
    return [change["n"] for change in changes]


def stream(client: Client) -> None:
    """Stream the changes of a world for a while, and go without a word."""
    line = client.connect(waits=True)
    world = client.random.choice((DEFAULT, OTHER))
    try:
        line.send(request("GET", f"{world}/changes", Accept="text/event-stream"))
        line.read_head()
        until_s = client.run.scheduler.now_s + client.random.random() * 3
        numbers: list[int] = []
        while (chunk := line.read_chunk(until_s)) is not None:
            numbers += [int(row[4:]) for row in chunk.decode().split("\n") if row.startswith("id: ")]
        if numbers != sorted(set(numbers)):
            raise Violation(f"a stream of changes is not in order: {numbers}", "cursor")
    except NoAnswer:
        pass
    finally:
        line.close()


WILD_ACTIONS: Final[Mapping[str, Callable[[Client], object]]] = {
    "other_order": other_order,
    "other_held": other_held,
    "other_release": partial(move, name="release", world="other"),
    "other_claim": other_claim,
    **{name: partial(move, name=name, world="other") for name in ("undo", "redo", "snapshot", "restore", "reset")},
    "fork": fork,
    "follow": follow,
    "stream": stream,
}
