"""The work that calls and timers make, counted and not timed: `python -m tests.support.work` prints it as JSON.

It runs in a process of its own, because the plugins of this test suite replace methods of the product. With the name of
an operation, as in `python -m tests.support.work create`, it lists the functions that the operation calls.
"""

from __future__ import annotations

import gc
import json
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.kernel.table import Table

KEY = {"Authorization": "Bearer pk_live_default_prepaid"}
TEAM_KEY = {"Authorization": "Bearer ptk_live_default_approver"}
RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
ORDERS, WORLDS, CODERS = "/api/external/team-orders", "/_sim/v1/worlds", ("msgspec", "json", "_json")
WRITES = {Table.add.__code__, Table.put.__code__, Table.drop.__code__}
WARM_UP, SAMPLE, PARCELS = 40, 25, 40
WITHOUT_GARBAGE = ("create", "read", "list_page", "refuse", "fork", "world", "advance")

Make = Callable[[], object]


class Work:
    """What some operations did: calls of Python functions by name, writes to tables, and encodings of JSON."""

    def __init__(self) -> None:
        self.functions: Counter[str] = Counter()
        self.writes = self.encodings = 0

    def count(self, make: Make) -> Work:
        """Count what `make` does."""
        sys.setprofile(self._note)
        try:
            make()
        finally:
            sys.setprofile(None)
        return self

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            self.functions[f"{code.co_filename.rpartition('giftsim/')[2]}:{code.co_qualname}"] += 1
            self.writes += code in WRITES
        elif event == "c_call" and argument.__name__.removeprefix("json_") in ("encode", "decode", "dumps", "loads"):
            owner = getattr(argument, "__self__", None)
            module = getattr(argument, "__module__", None) or type(owner).__module__
            self.encodings += str(module).partition(".")[0] in CODERS

    def per(self, number: int) -> dict[str, float]:
        """The figures for each of so many operations."""
        calls = sum(self.functions.values())
        return {"calls": calls / number, "writes": self.writes / number, "encodings": self.encodings / number}


class Operations:
    """The operations that are measured, in a world of their own."""

    def __init__(self) -> None:
        self.client = Simulator(fixture="empty").client
        self.made = 0
        self._control("/simulate/account", {"key": "partner.prepaid", "add_cents": 10**9})

    def create(self, **recipient: Any) -> None:
        """Create an order of one mug for one recipient."""
        self.made += 1
        body = json.dumps(
            {
                "idempotency_key": f"work-{self.made}", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
                "recipients": [{"name": "Bo", **(recipient or {"email": "bo@example.com"})}],
            }
        ).encode()  # fmt: skip
        expect(self.client.call("POST", ORDERS, body=body, headers=KEY).status, 201)

    def read(self) -> None:
        """Read an order."""
        expect(self.client.call("GET", f"{ORDERS}/1001", headers=KEY).status, 200)

    def list_page(self) -> None:
        """List 25 orders."""
        expect(self.client.call("GET", f"{ORDERS}?limit=25", headers=KEY).status, 200)

    def refuse(self) -> None:
        """Refuse an order without items, recipients and sender."""
        expect(self.client.call("POST", ORDERS, body={"items": []}, headers=KEY).status, 400)

    def fork(self) -> None:
        """Fork the world, write to the fork, and delete it."""
        expect(self.client.call("POST", f"{WORLDS}/default/fork", body={"id": "fork"}).status, 201)
        expect(self.client.call("POST", f"{WORLDS}/fork/undo").status, 200)
        expect(self.client.call("DELETE", f"{WORLDS}/fork").status, 200)

    def fork_calls(self, world: str) -> int:
        """Fork the world; how many Python functions that called."""
        work = Work().count(lambda: self.client.call("POST", f"{WORLDS}/default/fork", body={"id": world}))
        return sum(work.functions.values())

    def world(self) -> None:
        """Make a world of a fixture, and delete it, as each test does."""
        expect(self.client.call("POST", WORLDS, body={"id": "new", "fixture": "empty"}).status, 201)
        expect(self.client.call("DELETE", f"{WORLDS}/new").status, 200)

    def advance(self) -> None:
        """Advance until all parcels have arrived; each fires four timers."""
        self._control("/clock/advance", {"by": "30d"})

    def wait(self) -> None:
        """Advance by ten days in which nothing is due."""
        self._control("/clock/advance", {"by": "10d"})

    def _control(self, path: str, body: Any) -> None:
        expect(self.client.call("POST", f"{WORLDS}/default{path}", body=body).status, 200)


def expect(found: object, expected: object) -> None:
    """Refuse a measurement of something that failed."""
    if found != expected:
        raise AssertionError(f"{found!r} in place of {expected!r}")


def work_of(name: str) -> tuple[Work, int]:
    """The work of an operation, and how many of it were made."""
    operations = Operations()
    make: Make = getattr(operations, name)
    if name == "advance":
        for _ in range(PARCELS):
            operations.create(address=RENO)
        return Work().count(make), 4 * PARCELS
    if name == "wait":
        make()
        return Work().count(make), 1
    for _ in range(WARM_UP):
        operations.create()
        make()
    return Work().count(make), 1


def bytes_of(name: str) -> dict[str, float]:
    """The bytes that an operation takes at its peak, and those that it leaves, on average."""
    operations = Operations()
    make: Make = getattr(operations, name)
    for _ in range(WARM_UP):
        operations.create()
        make()
    tracemalloc.start()
    make()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    make()
    peak = tracemalloc.get_traced_memory()[1] - before
    for _ in range(SAMPLE - 1):
        make()
    left = (tracemalloc.get_traced_memory()[0] - before) / SAMPLE
    tracemalloc.stop()
    return {"peak_bytes": peak, "left_bytes": left}


def garbage_of(name: str) -> int:
    """The objects of an operation that only the garbage collector can free."""
    make: Make = getattr(operations := Operations(), name)
    operations.create()
    make()
    gc.collect()
    gc.disable()
    make()
    left = gc.collect()
    gc.enable()
    return left


def rule_run_calls(people: int) -> int:
    """The Python calls of a day with a daily rule and so many people, none of whom is due."""
    client: InProcessClient = Simulator().client
    rows = [{"work_email": f"p{n}@example.com", "birthday": "06-15"} for n in range(people)]
    rule = {"name": "A", "trigger_type": "birthday", "bundle": {"items": [{"merchant_product_id": 101, "quantity": 1}]}}
    for path, body in (("/people", {"people": rows}), ("/rules?kind=hr", rule)):
        headers = {**TEAM_KEY, "Idempotency-Key": path}
        expect(client.call("POST", f"/api/teams/v1{path}", body=body, headers=headers).status // 100, 2)
    advance = f"{WORLDS}/default/clock/advance"
    client.call("POST", advance, body={"by": "1d"})
    work = Work().count(lambda: client.call("POST", advance, body={"by": "1d"}))
    return sum(work.functions.values())


def fork_calls(orders: int) -> int:
    """The Python calls of a fork of a world in which so many orders were created by calls."""
    operations = Operations()
    for _ in range(orders):
        operations.create()
    operations.fork_calls("first")
    operations.create()
    return operations.fork_calls("second")


def figures() -> dict[str, dict[str, float]]:
    """The work of every operation."""
    found: dict[str, dict[str, float]] = {}
    for name in ("create", "read", "list_page", "world", "advance", "wait"):
        work, number = work_of(name)
        found[name] = work.per(number)
        if name in ("create", "read", "list_page"):
            found[name] |= bytes_of(name)
    found["garbage"] = {name: garbage_of(name) for name in WITHOUT_GARBAGE}
    found["rules"] = {"calls with 10 people": rule_run_calls(10), "calls with 400 people": rule_run_calls(400)}
    found["forks"] = {"calls after 10 orders": fork_calls(10), "calls after 500 orders": fork_calls(500)}
    return found


def main() -> None:
    """Print the figures, or the functions of one operation."""
    if len(sys.argv) == 1:
        sys.stdout.write(json.dumps(figures()))
        return
    work, number = work_of(sys.argv[1])
    for function, times in work.functions.most_common():
        sys.stdout.write(f"{times / number:7.2f} {function}\n")
    for what, value in work.per(number).items():
        sys.stdout.write(f"{value:7.2f} {what} in all\n")


if __name__ == "__main__":
    main()
