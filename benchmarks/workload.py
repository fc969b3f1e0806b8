"""What the benchmarks share: in-process simulators, orders, the clock, and server processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from giftsim import Simulator
from giftsim.engine.client.in_process import InProcessClient

KEY = {"Authorization": "Bearer pk_live_default_prepaid"}
RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
A_MINUTE = 500_000  # orders, which is half of what the plan of the key allows
_serial = count()


def order(addressed: bool = False) -> dict[str, Any]:
    """The body of a team order of one mug for one recipient, with a new idempotency key."""
    recipient = {"name": "Bo", "address": RENO} if addressed else {"name": "Bo", "email": "bo@example.com"}
    return {
        "idempotency_key": f"bench-{next(_serial)}",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01", "quantity": 1}],
        "recipients": [recipient],
    }


def funded() -> tuple[Simulator, InProcessClient]:
    """A new simulator whose prepaid key can pay for anything, and its client."""
    simulator = Simulator(fixture="empty")
    client = simulator.client
    fund(client)
    return simulator, client


def fund(client: InProcessClient) -> None:
    """Add enough money to the account of the prepaid key for any benchmark."""
    body = {"key": "partner.prepaid", "add_cents": 10**11}
    response = client.call("POST", "/_sim/v1/worlds/default/simulate/account", body=body)
    assert response.status == 200, response.text


def place(client: InProcessClient, many: int, addressed: bool = False) -> None:
    """Create orders over the partner interface, at most half a million in a minute of the world's clock."""
    for number in range(many):
        if number and number % A_MINUTE == 0:
            advance(client, "60s")
        response = client.call("POST", "/api/external/team-orders", body=order(addressed), headers=KEY)
        assert response.status == 201, response.text


def advance(client: InProcessClient, by: str, world: str = "default") -> dict[str, Any]:
    """Advance a world's clock; the result."""
    response = client.call("POST", f"/_sim/v1/worlds/{world}/clock/advance", body={"by": by})
    assert response.status == 200, response.text
    result: dict[str, Any] = response.json()
    return result


@contextmanager
def serving(*options: str) -> Iterator[dict[str, Any]]:
    """A server in a process of its own: the JSON line of its start, and its `pid`."""
    run_sim = Path(__file__).parent.parent / "run_sim.py"
    command = [sys.executable, str(run_sim), "--port", "0", "--json", "--clock", "manual", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield {**json.loads(process.stdout.readline()), "pid": process.pid}
        finally:
            process.terminate()


def processor_s(pid: int) -> float:
    """The seconds of processor time that a process has taken."""
    user, system = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def peak_mb(pid: int) -> float:
    """The most resident memory that a process has had, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) * 1024 / 1e6


def resident_mb(pid: int) -> float:
    """The resident memory of a process, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1])
    return pages * 4096 / 1e6
