"""What leaves your machine (docs/explanation/how-it-works.md): a process that uses every interface asks no name and no
other machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.support.application import GIFT
from tests.support.orders import order_body
from tests.support.served_simulator import ROOT

# What is written outside the run's own folder is counted too: Python names every file that it opens.
WATCHED = """
import json, os, sys
sent, written = [], []

def watch(event, args):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        sent.append(str(args[0]))
    elif event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        sent.append(str(args[1]))
    elif event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        written.append(str(args[0]))

sys.addaudithook(watch)
"""
RUN = """
from giftsim import Simulator
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world

order, gift = json.loads(sys.argv[1]), json.loads(sys.argv[2])
simulator = Simulator(fixture="bare")
server = simulator.listen("127.0.0.1", 0)
server.start()
with open_world(InProcess(simulator)) as sim:
    sim.subscribe("team_order.shipped")
    sim.subscribe("approval.decided", credential="team.live_approver")
    sim.claim(sim.call("POST", "/api/external/team-orders", order, credential="partner.prepaid"))
    key = {"Idempotency-Key": "a"}
    sim.approve(sim.call("POST", "/api/teams/v1/gifts", gift, credential="team.live_approver", headers=key))
    artwork = {"url": "https://files.partner.example/logo.png", "name": "Logo"}
    key = {"Idempotency-Key": "b"}
    sim.call("POST", "/api/teams/v1/artwork", artwork, credential="team.live_approver", headers=key)
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    sim.call("POST", "/mcp", call, credential="team.live_approver")
    sim.advance("10d")
    assert len(sim.webhooks()) > 1 and sim.mail()
    assert sim.play("museum/" + sys.argv[3]).outcome == "passed"
simulator.close()
server.stop()
print(json.dumps({"sent": sent, "written": written}))
"""


def test_a_process_that_uses_every_interface_connects_to_nothing_and_writes_nothing(tmp_path: Path) -> None:
    scenario = min((ROOT / "scenarios" / "museum").glob("*.yaml")).stem
    environment = {"PYTHONPATH": str(ROOT / "simulator"), "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    arguments = (json.dumps(order_body()), json.dumps(GIFT), scenario)
    done = subprocess.run(
        [sys.executable, "-c", WATCHED + RUN, *arguments], capture_output=True, text=True, timeout=60, check=False,
        cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["sent"] == ["127.0.0.1"], "only the address on which the server listens is looked up"
    assert [path for path in result["written"] if "__pycache__" not in path] == []  # the contracts of a checkout
    assert list(tmp_path.iterdir()) == []
