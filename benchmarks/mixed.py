"""Mixed calls in eight worlds: reads, orders, claims, refusals, advances, undos, restores, forks and resets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from giftsim.engine.client.in_process import InProcessClient
from giftsim.engine.client.response import Response
from tests.support.moves import MOVES, WORLDS, Known, credentials

T = TypeVar("T")
NAMES = ("default", "m1", "m2", "m3", "m4", "m5", "m6", "m7")
RESET_EVERY = 8_000  # calls of a world


class MixedCalls:
    """A sequence of calls to the worlds in turn. In ten calls of a world are six reads and two orders.

    Every hundredth call is an undo, every 500th a snapshot or its restore, every 1,000th a fork that is used and
    deleted, and every 8,000th a reset; not all worlds are reset at once, so that together they are of the same size.
    """

    def __init__(self, client: InProcessClient) -> None:
        self.client = client
        self.count = 0
        self._known = {name: Known(name, orders=[1050], snapshots=["kept"]) for name in NAMES}

    def create_worlds(self) -> None:
        """Create the worlds that do not exist yet."""
        for name in NAMES[1:]:
            self.client.call("POST", WORLDS, body={"id": name, "fixture": "empty"})

    def run(self, calls: int) -> None:
        """Make the next calls."""
        for _ in range(calls):
            round_, place = divmod(self.count, len(NAMES))
            self._step(NAMES[place], round_)
            self.count += 1

    def _step(self, world: str, n: int) -> None:
        kind = n % 10
        if (n + NAMES.index(world) * 1_000) % RESET_EVERY == RESET_EVERY - 1:
            self._move(world, "reset")
        elif n % 1_000 == 999:
            self._fork(world)
        elif n % 500 == 499:
            self._move(world, "snapshot" if n % 2_000 < 1_000 else "restore")
        elif n % 100 == 99:
            self._move(world, "undo")
        elif kind == 3:
            self._move(world, "advance" if n % 200 < 10 else "claim")
        else:
            self._move(world, {0: "create", 1: "create", 2: "refuse", 4: "list_orders"}.get(kind, "read"))

    def _fork(self, world: str) -> None:
        fork = Known(self._move(world, "fork").json()["id"])
        for move in ("list_orders", "undo", "delete"):
            self._send(fork, move)

    def _move(self, world: str, move: str) -> Response:
        known = self._known[world]
        answer = self._send(known, move)
        if move == "create" and answer.status == 201:
            known.orders = [answer.json()["team_order"]["id"]]  # moves are about the last one
        elif answer.status == 402:
            self._send(known, "fund")
        return answer

    def _send(self, known: Known, move: str) -> Response:
        method, path, body, credential = MOVES[move].make(known, self._next)
        headers = {**credentials(known.world, credential), "User-Agent": "giftsim-benchmark"}
        answer = self.client.call(method, path, body=body, headers=headers)
        assert answer.status < 500, answer.text
        return answer

    def _next(self, choices: Sequence[T], /) -> T:
        return choices[self.count % len(choices)]
