"""A simulator of one service: it runs with all that the engine has, and loads nothing of the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from giftsim import Simulator
from giftsim.services.known import UnknownService
from tests.support.served_simulator import ROOT

MUSEUM_ALONE = """
import sys
from giftsim import Simulator
from giftsim.services.museum.museum_settings import authorization_header

simulator = Simulator(services=["museum"])
client, world = simulator.client, "/_sim/v1/worlds/default"

def call(method, path, body=None, status=200, **headers):
    response = client.call(method, path, body=body, headers=headers)
    assert response.status == status, (method, path, response.status, response.text)
    return response

def visit(method, path, body=None, status=200, world_id="default"):
    return call(method, path, body, status, Authorization=authorization_header(world_id))

TICKET = {"ticketType": "general", "ticketDate": "2027-01-05", "email": "a@example.com"}
sold = visit("POST", "/v1.1/tickets", TICKET, 201).json()
"""
LEFT = """
GIFTING = ("giftsim.services.gifting",)
print(sorted(name for name in sys.modules if name.startswith(GIFTING)))
"""
PIECES = {
    "nothing": "",
    "clock": """
call("POST", f"{world}/clock/advance", {"by": "2d"})
assert call("GET", f"{world}/clock").json()["now"] == "2027-01-06T09:00:00Z"
assert call("GET", f"{world}/timers").json()["timers"]
call("POST", f"{world}/clock/advance", {"until": "next", "dry_run": True})
""",
    "coverage": """
found = call("GET", f"{world}/coverage").json()
assert found["areas"]["operations"]["met"] == ["buyMuseumTickets"]
assert set(found["areas"]["operations"]["missing"]) <= {step["gap"] for step in found["next"]}
assert call("GET", "/w/default/coverage", Accept="text/html").status == 200
""",
    "control API": """
described = call("GET", world).json()
assert list(described["credentials"]) == ["museum"] and list(described["urls"]) == ["museum", "control"]
assert call("GET", f"{world}/museum/tickets").json()["tickets"][-1]["ticket_id"] == sold["ticketId"]
assert call("GET", f"{world}/calls").json()["calls"][-1]["operation"] == "buyMuseumTickets"
assert call("GET", f"{world}/calls/1/effects").json()["changes"][0]["record"]["kind"] == "museum_ticket"
for path in ("changes", "deliveries", "events", "endpoints", "receivers", "faults", "faults/choices", "settings",
             "usage", "fingerprint"):
    call("GET", f"{world}/{path}")
for path in ("machines", "reference/settings", "reference/routes", "reference/errors", "reference/magic_values",
             "fixtures", "health"):
    call("GET", f"/_sim/v1/{path}")
call("GET", f"{world}/orders", status=404)
assert "/mcp" not in call("GET", "/").text
call("POST", "/mcp", {}, status=404)
""",
    "faults": """
call("POST", f"{world}/faults", {"match": {"credential": "museum"}, "effect": {"status": 400}}, 201)
visit("POST", "/v1.1/tickets", TICKET, 400)
""",
    "undo": """
call("POST", f"{world}/undo", {"count": 1})
assert call("GET", f"{world}/museum/tickets").json()["tickets"][1:] == []
""",
    "fork": """
call("POST", f"{world}/fork", {"id": "other"}, 201)
visit("POST", "/v1.1/tickets", TICKET, 201, world_id="other")
differ = call("GET", f"{world}/diff?with=other").json()
assert [each["kind"] for each in differ["kinds"]] == ["museum_ticket"]
""",
    "record and replay": """
recording = call("GET", f"{world}/calls/scenario").text
report = call("POST", "/_sim/v1/scenarios/play", recording).json()
assert report["outcome"] == "passed", report
""",
    "recovery": """
import tempfile, pathlib
journal = pathlib.Path(tempfile.mkdtemp()) / "journal"
first = Simulator(services=["museum"], journal=journal)
headers = {"Authorization": authorization_header("default")}
assert first.client.call("POST", "/v1.1/tickets", body=TICKET, headers=headers).status == 201
first.close()
second = Simulator(services=["museum"], journal=journal)
assert second.recovered
assert len(second.client.call("GET", f"{world}/museum/tickets").json()["tickets"]) == 2
second.close()
""",
    "trace": """
assert "museum_ticket" in call("GET", f"{world}/trace", Accept="application/json").text
""",
    "scenarios": """
import pathlib
for file in sorted(pathlib.Path("scenarios/museum").glob("*.yaml")):
    report = call("POST", "/_sim/v1/scenarios/play", file.read_text()).json()
    assert report["outcome"] == "passed", report
""",
    "console": """
import re
seen, ahead = set(), ["/w/default/", "/w/default/find?q=mu"]
while ahead:
    path = ahead.pop()
    seen.add(path)
    links = re.findall(r'href="(/w/[^"#?]*)', call("GET", path, Accept="text/html").text)
    ahead += {link for link in links if "/scenarios/" not in link} - seen - {*ahead}
assert {"/w/default/museum", "/w/default/calls", "/w/default/worlds", "/w/default/reference"} <= seen
assert not [path for path in seen if "/orders" in path or "/money" in path]
""",
    "pytest fixture": """
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
with open_world(InProcess(simulator)) as giftsim:
    giftsim.advance("1d")
    hours = giftsim.call("GET", "/v1.1/museum-hours", headers=giftsim.headers("museum"))
    assert hours.status == 200, hours.text
""",
}


def modules_of_gifting(piece: str) -> list[str]:
    """The modules of gifting that are loaded after a piece of a program with the museum alone."""
    done = subprocess.run(
        [sys.executable, "-c", MUSEUM_ALONE + piece + LEFT],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "simulator")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    loaded: list[str] = json.loads(done.stdout.splitlines()[-1].replace("'", '"'))
    return loaded


@pytest.mark.parametrize("piece", PIECES)
def test_the_museum_runs_alone_and_loads_nothing_of_gifting(piece: str) -> None:
    assert modules_of_gifting(PIECES[piece]) == []


def test_by_default_every_service_runs() -> None:
    every = Simulator(fixture="bare")
    assert every.services == ("gifting", "museum")
    assert [each.name for each in every.interfaces] == ["team", "partner", "museum", "control"]


def test_gifting_runs_without_the_museum() -> None:
    alone = Simulator(services=["gifting"], fixture="bare")
    assert [each.name for each in alone.interfaces] == ["team", "partner", "control"]
    assert alone.client.call("GET", "/v1.1/museum-hours").status == 404
    assert "museum" not in alone.client.call("GET", "/_sim/v1/worlds/default").json()["credentials"]
    home = alone.client.call("GET", "/w/default/", headers={"Accept": "text/html"})
    assert home.status == 200
    assert 'href="/w/default/museum"' not in home.text


@pytest.mark.parametrize(
    ("services", "message"),
    [
        (["musem"], "there is no service 'musem'; did you mean museum?"),
        (["opera"], "there is no service 'opera'; "),
        ([], "name at least one service; there are gifting, museum"),
    ],
)
def test_an_unknown_service_is_refused_with_the_names_known(services: list[str], message: str) -> None:
    with pytest.raises(UnknownService) as refused:
        Simulator(services=services)
    assert message in refused.value.message
