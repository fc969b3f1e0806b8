"""The peers: how each is started, and a read and a create that are the nearest to giftsim's."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.peers.wrk import NUMBER, Request
from benchmarks.workload import KEY, order
from giftsim import Simulator

JSON = {"Content-Type": "application/json"}
PACKAGES = Path(__file__).parent / "packages"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
ORDERS = "/api/external/team-orders"


@dataclass(frozen=True)
class Peer:
    """A server to compare with. `command` gives its command line for a port and a folder for its files.

    `create` is sent once before the reads, and makes the record that `read` reads. `does` says what a call does there.
    `stream` is the path of a stream that is read all the time.
    """

    name: str
    does: str
    command: Callable[[int, Path], list[str]]
    read: Request
    create: Request
    first: tuple[Request, ...] = ()
    stream: str = ""


def order_text() -> str:
    """The body of an order with another key in each request."""
    return json.dumps({**order(), "idempotency_key": f"bench-{NUMBER}"})


def partner_contract(folder: Path) -> Path:
    """The published contract of the partner interface, in a file."""
    path = folder / "partner.json"
    path.write_bytes(Simulator(fixture="bare").client.call("GET", "/openapi/partner.json").body)
    return path


def _prism(port: int, folder: Path) -> list[str]:
    return ["prism", "mock", "--host", "127.0.0.1", "--port", str(port), str(partner_contract(folder))]


def _mountebank(port: int, folder: Path) -> list[str]:
    """State in injected JavaScript, as its users keep it."""
    store = (
        "function (config) { config.state.rows = config.state.rows || {}; const row = JSON.parse(config.request.body);"
        " const id = Object.keys(config.state.rows).length + 1; config.state.rows[id] = row;"
        " return {statusCode: 201, headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify(Object.assign({id: id}, row))}; }"
    )
    find = (
        "function (config) { const row = (config.state.rows || {})[config.request.path.split('/').pop()];"
        " return {statusCode: row ? 200 : 404, headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify(row || {})}; }"
    )
    stubs = [
        {"predicates": [{"equals": {"method": "POST"}}], "responses": [{"inject": store}]},
        {"responses": [{"inject": find}]},
    ]
    imposter = {"port": port, "protocol": "http", "stubs": stubs}
    (folder / "imposters.json").write_text(json.dumps({"imposters": [imposter]}))
    return [
        "mb", "--port", str(port + 1), "--allowInjection", "--configfile", str(folder / "imposters.json"),
        "--nologfile", "--loglevel", "error", "--pidfile", str(folder / "mb.pid"), "--localOnly",
    ]  # fmt: skip


def _json_server(port: int, folder: Path) -> list[str]:
    (folder / "db.json").write_text(json.dumps({"orders": [{"id": 1, "gift_sender": "Ada"}]}))
    return ["json-server", "--host", "127.0.0.1", "--port", str(port), "--quiet", str(folder / "db.json")]


def _mockoon(port: int, _: Path) -> list[str]:
    return [
        "mockoon-cli", "start", "--data", str(PACKAGES / "mockoon.json"), "--port", str(port),
        "--hostname", "127.0.0.1", "--disable-log-to-file",
    ]  # fmt: skip


def _giftsim(port: int, _: Path) -> list[str]:
    return ["giftsim", "serve", "--port", str(port), "--clock", "manual", "--fixture", "empty"]


def _giftsim_watched(port: int, _: Path) -> list[str]:
    return ["giftsim", "serve", "--port", str(port), "--clock", "running", "--fixture", "empty"]


STRIPE = {"Authorization": f"Basic {b64encode(b'sk_test_1:').decode()}"}
SIGNED = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=key/20270101/us-east-1/s3/aws4_request, SignedHeaders=host, "
    "Signature=0"
}
SMALL = json.dumps({"gift_sender": "Ada", "reference": NUMBER, "items": [{"sku_code": "MUG-01", "quantity": 1}]})
FUND = Request(
    "POST",
    "/_sim/v1/worlds/default/simulate/account",
    JSON,
    json.dumps({"key": "partner.prepaid", "add_cents": 10**11}),
)

GIFTSIM = Peer(
    "giftsim", "full work: money, idempotency, records, timers", _giftsim, Request("GET", f"{ORDERS}/1001", KEY),
    Request("POST", ORDERS, {**KEY, **JSON}, order_text()), (FUND,),
)  # fmt: skip

WATCHED = replace(
    GIFTSIM, name="giftsim, clock running, console open", command=_giftsim_watched,
    stream="/w/default/changes?after=0",
)  # fmt: skip

PEERS = (
    GIFTSIM,
    WATCHED,
    Peer("Prism", "a stateless mock of giftsim's own contract", _prism, Request("GET", "/team-orders/1001", KEY),
         Request("POST", "/team-orders", {**KEY, **JSON}, order_text())),
    Peer("mountebank", "state in injected JavaScript, no validation", _mountebank, Request("GET", "/orders/1"),
         Request("POST", "/orders", JSON, SMALL)),
    Peer("Mockoon", "a data bucket, no validation", _mockoon, Request("GET", "/orders/1"),
         Request("POST", "/orders", JSON, SMALL)),
    Peer("json-server", "a JSON file, no validation", _json_server, Request("GET", "/orders/1"),
         Request("POST", "/orders", JSON, SMALL)),
    Peer("moto", "objects in a simulated bucket",
         lambda port, _: ["moto_server", "-H", "127.0.0.1", "-p", str(port)], Request("GET", "/bucket/first", SIGNED),
         Request("PUT", "/bucket/first", {**SIGNED, **JSON}, SMALL), (Request("PUT", "/bucket", SIGNED),)),
    Peer("localstripe", "customers of a simulated payment service",
         lambda port, _: ["localstripe", "--port", str(port), "--from-scratch"],
         Request("GET", "/v1/customers/{id}", STRIPE),
         Request("POST", "/v1/customers", {**STRIPE, **FORM}, f"description={NUMBER}")),
)  # fmt: skip
