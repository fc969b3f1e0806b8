"""Free text of every operation may contain what looks like an address or a claim link; naming members are judged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import count
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from giftsim import Simulator
from giftsim.client.response import Response
from giftsim.gateway.contract import Operation, resolve
from tests.claims import claims
from tests.support.api_clients import PARTNER_CONTRACT, ApiClient
from tests.support.museum import MUSEUM_CONTRACT, MuseumClient, event_body
from tests.support.orders import RENO
from tests.support.orders import order_body as partner_body
from tests.support.team.artwork import create_artwork, create_template, mug_preview_body, template_body
from tests.support.team.campaigns import campaign_body
from tests.support.team.clients import TEAM_CONTRACT, TeamClients
from tests.support.team.orders import create_order, order_body, typed_recipients
from tests.support.team.people import person_row, upsert_people
from tests.support.team.proofs import add_version, create_branded_order, first_proof
from tests.support.team.rules import MUG, create_rule
from tests.support.worlds import World

Path = tuple[str, ...]
Call = tuple[ApiClient, str, Any]  # the client, the path, and a body that has every text of the operation
CONTRACTS = {"partner": PARTNER_CONTRACT, "team": TEAM_CONTRACT, "museum": MUSEUM_CONTRACT}
ADDRESS = "bo@secret.example"
TEXTS = ("@", "%40", "/claim/x", ADDRESS)
# Members that name a record, a file or a place, and are therefore looked up or judged.
NAMING = {"sku_code", "collection", "collection_slug", "item_slug", "provider", "id", "object_type", "url", "country"}
JUDGED = {*NAMING, "primary_color", "birthday", "person_id"}
JUDGED_IN = {("createTeamOrder", ("recipients", "[]", "address", name)) for name in ("state", "zip")}
NEW = {"idempotency_key", "code"}  # what two calls may not have in common
NUMBERS = count(1)

MENU = [
    {"label": "L", "items": [{"merchant_product_id": 101}]},
    {"label": "M", "items": [{"merchant_product_id": 102}]},
]
PROFILE = dict.fromkeys(("address1", "address2", "city", "state", "zip"), "L")
PERSON = dict.fromkeys(("first_name", "last_name", "department", "location", "zip", "status"), "L")
SETUP = {"setup": {"mode": "bundle", "bundle_items": [{"merchant_product_id": 101}], "gift_choices": MENU}}


def strings_of(op: Operation) -> dict[Path, Mapping[str, Any]]:
    """Where the body of an operation takes a string, with its schema in the contract."""
    return dict(_strings(op, op.node["requestBody"]["content"]["application/json"]["schema"], ()))


def texts_of(op: Operation) -> set[Path]:
    """Where it takes free text."""
    return {path for path, node in strings_of(op).items() if not _is_judged(op, path, node)}


def _is_judged(op: Operation, path: Path, node: Mapping[str, Any]) -> bool:
    return not {"enum", "format"}.isdisjoint(node) or path[-1] in JUDGED or (op.id, path) in JUDGED_IN


def _strings(op: Operation, node: Any, path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    if not isinstance(node, Mapping):
        return
    node = resolve(op.document, node)
    if "string" in (node["type"] if isinstance(node.get("type"), list) else [node.get("type")]):
        yield path, node
    for name, member in node.get("properties", {}).items():
        yield from _strings(op, member, (*path, name))
    yield from _strings(op, node.get("additionalProperties"), (*path, "*"))
    yield from _strings(op, node.get("items"), (*path, "[]"))
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in node.get(keyword, ()):
            yield from _strings(op, part, path)


def put(value: Any, path: Path, text: str) -> bool:
    """Put the text where the path leads in a body; whether it leads anywhere."""
    if path[0] in ("[]", "*"):
        inner = value if path[0] == "[]" else value.values()
        return True in [put(each, path[1:], text) for each in inner]
    if not isinstance(value, dict) or path[0] not in value:
        return False
    if path[1:] not in ((), ("[]",)):
        return put(value[path[0]], path[1:], text)
    value[path[0]] = [text] if path[1:] else text
    return True


OPERATIONS = {f"{name}.{op.id}": op for name, contract in CONTRACTS.items() for op in contract.operations.values()
              if op.body_schema is not None and texts_of(op)}  # fmt: skip


def new(text: str) -> str:
    """The text with a number that no other has."""
    return f"{text}{next(NUMBERS)}"


class Calls:
    """For each operation with free text, calls that succeed and together have each of its texts; by its id."""

    def __init__(self, world: World) -> None:
        self.team, self.world = TeamClients(world), world
        self.live, self.partner = self.team.live, world.partner()

    def team_order(self) -> Any:
        return create_order(self.live)["id"]

    def proof(self) -> Any:
        return first_proof(self.live, create_branded_order(self.live))["id"]

    def reviewed(self) -> Any:
        return add_version(self.live, self.proof())["id"]

    def placed(self) -> int:
        order = partner_body(idempotency_key=f"placed {next(NUMBERS)}")
        return int(self.partner.post("/team-orders", order).json()["team_order"]["id"])

    def owing(self) -> Any:
        """A client of an account that owes the price of an order."""
        client = self.world.partner("partner.net_terms")
        client.post("/team-orders", partner_body(idempotency_key=f"owed {next(NUMBERS)}"))
        return client

    def replacement(self, **members: Any) -> Call:
        """The call that replaces a new template."""
        made = create_template(self.live)
        return self.live, f"/templates/{made['id']}", template_body(revision=made["revision"], **members)


def all_calls(c: Calls, name: str) -> list[Call]:
    """The calls of one operation."""
    row = CALLS[name](c)
    return row if isinstance(row, list) else [row]


CALLS: dict[str, Callable[[Calls], Any]] = {
    "partner.createTeamOrder": lambda c: (c.partner, "/team-orders", partner_body(
        idempotency_key="L", name="L", reference="L", po_number="L", gift_sender="L", gift_message="L",
        card={"message": "L", "sender": "L"},
        recipients=[{"name": "L", "company": "L", "gift_message": "L", "address": dict(RENO)}])),
    "partner.cancelTeamOrder": lambda c: (c.partner, f"/team-orders/{c.placed()}/cancel", {"reason": "L"}),
    "partner.settleBalance": lambda c: (c.owing(), "/billing/settle", {"amount_cents": 1, "idempotency_key": "L"}),
    "team.createKey": lambda c: (c.team.owner, "/keys", {
        "name": "L", "mode": "live", "role": "requester", "scopes": ["catalog:read"]}),
    "team.upsertPeople": lambda c: (c.live, "/people", {"people": [person_row(**PERSON)]}),
    "team.updatePerson": lambda c: (c.live, f"/people/{upsert_people(c.live, person_row())[0]['id']}", PERSON),
    "team.sendGift": lambda c: (c.live, "/gifts", {"message": "L", "mode": "bundle", "gift_choices": MENU,
        "gift": {"items": [{"merchant_product_id": 101}]}, "recipients": [{"name": "L", "email": "bo@example.com"}]}),
    "team.createTeamOrder": lambda c: [
        (c.live, "/team-orders", order_body(name="L", gift_message="L", po_number="L", occasion="L")),
        (c.live, "/team-orders", {"recipients": typed_recipients(1), **SETUP}),
        (c.live, "/team-orders", {"recipients": typed_recipients(1), "mode": "bundle", "gift_choices": MENU, **SETUP})],
    "team.updateTeamOrder": lambda c: (c.live, f"/team-orders/{c.team_order()}", {"po_number": "L"}),
    "team.cancelTeamOrder": lambda c: (c.live, f"/team-orders/{c.team_order()}/cancel", {"reason": "L"}),
    "team.requestApproval": lambda c: (c.live, f"/team-orders/{c.team_order()}/request-approval", {"note": "L"}),
    "team.createLargeCampaign": lambda c: [
        (c.live, "/large-campaigns", campaign_body(1, name="L", gift_message="L", occasion="L")),
        (c.live, "/large-campaigns", {"recipients": typed_recipients(1), **SETUP}),
        (c.live, "/large-campaigns", {"recipients": typed_recipients(1), "mode": "bundle", "gift_choices": MENU,
                                      **SETUP})],
    "team.quoteStoreOrder": lambda c: (c.live, "/store/quote", {
        "items": [{"merchant_product_id": 101, "quantity": 1}], "recipients": typed_recipients(1)}),
    "team.createStoreOrder": lambda c: (c.live, "/store/orders", {
        "items": [{"merchant_product_id": 101, "quantity": 1}], "recipients": typed_recipients(1)}),
    "team.createCostCenter": lambda c: (c.live, "/cost-centers", {"code": "L", "name": "L"}),
    "team.replaceBillingProfile": lambda c: (c.live, "/billing/profile", {
        "legal_name": "L", "billing_email": "bo@example.com", "address": {**PROFILE, "country": "US"}}),
    "team.createTaxCertificate": lambda c: (c.live, "/tax-certificates", {
        "url": "https://files.example.com/resale.pdf", "region": "L"}),
    "team.createArtwork": lambda c: (c.live, "/artwork", {"url": "https://cdn.example.com/logo.png", "name": "L"}),
    "team.createPreview": lambda c: (c.live, "/artwork/previews", mug_preview_body(
        0, placements={"front": {"artwork_id": create_artwork(c.live)["id"], "fit": "L"}})),
    "team.createTemplate": lambda c: [
        (c.live, "/templates", template_body(name="L", occasion="L", **SETUP)),
        (c.live, "/templates", template_body(mode="bundle", gift_choices=MENU))],
    "team.replaceTemplate": lambda c: [
        c.replacement(name="L", occasion="L", **SETUP), c.replacement(mode="bundle", gift_choices=MENU)],
    "team.updateRecipientBranding": lambda c: (c.live, "/recipient-branding", {"sender_name": "L"}),
    "team.addProofVersion": lambda c: (c.live, f"/proofs/{c.proof()}/versions", {
        "artwork_id": create_artwork(c.live)["id"], "notes": "L"}),
    "team.reviewProof": lambda c: (c.live, f"/proofs/{c.reviewed()}/review", {
        "decision": "request_changes", "note": "L"}),
    "team.createRule": lambda c: (c.live, "/rules", {
        "kind": "hr", "name": "L", "trigger_type": "birthday", "gift_sender": "L", "bundle": {"items": [MUG]}}),
    "team.updateRule": lambda c: (c.live, f"/rules/{create_rule(c.live)['id']}", {"name": "L", "gift_sender": "L"}),
    "museum.createSpecialEvent": lambda c: (MuseumClient(c.world), "/special-events", event_body()),
    "museum.updateSpecialEvent": lambda c: (
        MuseumClient(c.world), f"/special-events/{MuseumClient(c.world).create_event()['eventId']}",
        {"name": "L", "location": "L", "eventDescription": "L"}),
}  # fmt: skip


@pytest.fixture(scope="module")
def calls(simulator: Simulator) -> Iterator[Calls]:
    """The calls, in one world."""
    world = World(simulator, fixture="empty")
    yield Calls(world)
    world.client.call("DELETE", f"/_sim/v1/worlds/{world.id}")


@claims("T-1.9", "T-1.10")
@pytest.mark.parametrize("name", OPERATIONS)
def test_free_text_of_any_kind_is_accepted_and_read(calls: Calls, name: str) -> None:
    op = OPERATIONS[name]
    placed: set[Path] = set()
    for text in TEXTS:
        for client, path, given in all_calls(calls, name):
            body = deepcopy(given)
            placed |= {where for where in texts_of(op) if put(body, where, new(text) if where[-1] in NEW else text)}
            response = client.call(op.method, path, body)
            assert 200 <= response.status < 300, response.text
            for shown in (response, *reads(calls, client, path, response)):
                assert shown.status == 200 or shown is response, shown.text
                assert client.contract is not TEAM_CONTRACT or ADDRESS not in shown.text, shown.text
    assert placed == texts_of(op)


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_member_that_is_judged_is_refused_or_accepted(calls: Calls, name: str) -> None:
    op = OPERATIONS[name]
    for text in TEXTS:
        for where in strings_of(op):
            client, path, body = all_calls(calls, name)[0]
            if put(body, where, new(text)):
                assert client.call(op.method, path, body).status < 500


@pytest.mark.parametrize("text", TEXTS)
def test_a_path_or_query_with_such_a_text_is_answered(calls: Calls, text: str) -> None:
    clients: list[ApiClient] = [calls.partner, calls.live, calls.team.owner, MuseumClient(calls.world)]
    for client in clients:
        for op in client.contract.operations.values():
            path = re.sub(r"\{\w+\}", quote(text, safe=""), op.template)
            query = urlencode({each.name: text for each in op.query_params})
            response = client.call(op.method, f"{path}?{query}", None if op.body_schema is None else {})
            assert response.status < 500
            assert client.contract is not TEAM_CONTRACT or ADDRESS not in response.text


def reads(calls: Calls, client: ApiClient, path: str, response: Response) -> Iterator[Response]:
    """The record that was just written, as soon as it is made and later; and the lists that contain it."""
    written = response.json()
    path = path.removeprefix("/artwork") if path.endswith("/previews") else path
    identity = written.get("id") or written.get("eventId") or written.get("team_order", written).get("id")
    for advance in (False, True):
        if advance:
            calls.world.advance("1m")
        for each in (path, f"{path}/{identity}" if identity else path):
            match = client.contract.match(each)
            if match and match[0].operation("GET"):
                yield client.get(each)
