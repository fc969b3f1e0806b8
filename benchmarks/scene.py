"""What the measurements work on: a simulator in process, orders by the thousand, a server in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from giftsim import Simulator
from giftsim.gateway.in_process_client import InProcessClient

KEY = {"Authorization": "Bearer pk_live_default_prepaid"}
RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
_serial = count()


def order(addressed: bool = False) -> dict[str, Any]:
    """A team order of one mug for one recipient, under an idempotency key of its own."""
    to = {"name": "Bo", "address": RENO} if addressed else {"name": "Bo", "email": "bo@example.com"}
    return {
        "idempotency_key": f"bench-{next(_serial)}",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01", "quantity": 1}],
        "recipients": [to],
    }


def funded() -> tuple[Simulator, InProcessClient]:
    """A simulator whose prepaid key can pay for anything."""
    simulator = Simulator(fixture="empty")
    client = simulator.client
    fund(client)
    return simulator, client


def fund(client: InProcessClient) -> None:
    """Give the prepaid key's account more than it will ever spend."""
    body = {"key": "partner.prepaid", "add_cents": 10**11}
    made = client.call("POST", "/_sim/v1/worlds/default/simulate/account", body=body)
    assert made.status == 200, made.text


def place(client: InProcessClient, many: int, addressed: bool = False) -> None:
    """Create orders through the front door."""
    for _ in range(many):
        answer = client.call("POST", "/api/external/team-orders", body=order(addressed), headers=KEY)
        assert answer.status == 201, answer.text


def advance(client: InProcessClient, by: str) -> dict[str, Any]:
    """Move the default world's clock."""
    answer = client.call("POST", "/_sim/v1/worlds/default/clock/advance", body={"by": by})
    assert answer.status == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


@contextmanager
def serving(*options: str) -> Iterator[dict[str, Any]]:
    """A server in a process of its own; its start-up line."""
    run_sim = Path(__file__).parent.parent / "run_sim.py"
    command = [sys.executable, str(run_sim), "--port", "0", "--json", "--clock", "manual", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield {**json.loads(process.stdout.readline()), "pid": process.pid}
        finally:
            process.terminate()


def resident_mb(pid: int) -> float:
    """Resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6
