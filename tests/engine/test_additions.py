"""What an addition touches by hand: each is made on a copy of the product, in these files alone, and used there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.engine.copied_tree import CopiedTree

START = """
from giftsim import Simulator
from giftsim.workbench.scenario import check_scenario, load_scenario, play
simulator = Simulator()
client = simulator.client
W = "/_sim/v1/worlds/default"
KEYS = client.call("GET", W).json()["credentials"]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
def call(method, path, body=None, status=200, key=None, **headers):
    named = KEYS[key]["headers"] if key else {}
    response = client.call(method, path, body=body, headers={**named, **headers})
    assert response.status == status, (method, path, response.status, response.text)
    return response
def played(text):
    scenario = load_scenario(text)
    check_scenario(scenario, client)
    report = play(scenario, client)
    assert report.outcome == "passed", report.timeline
"""


@pytest.fixture(scope="module")
def copied() -> Iterator[CopiedTree]:
    with TemporaryDirectory() as folder:
        yield CopiedTree(Path(folder))


@pytest.fixture
def tree(copied: CopiedTree) -> Iterator[CopiedTree]:
    yield copied
    copied.restore()


# ---- An effect of a fault: its row, and where it acts

EFFECT = """
RETIRING = EffectType(
    Member("retiring", Yes(), "The response says that the operation goes.", note="The operation is said to go."),
    "true (in the header nothing)",
    does="the response says by a header that the operation will go",
    acts_on="every operation",
)
"""
ACTS = """
    if "retiring" in call.effect:
        response.headers["Deprecation"] = "true"
"""
USES_EFFECT = """
def retires(**headers):
    return call("GET", "/api/external/team-orders", key="partner.prepaid", **headers).headers.get("deprecation")
assert "retiring" in [each["name"] for each in call("GET", W + "/faults/choices").json()["effects"]]
call("POST", W + "/faults", {"id": "old", "effect": {"retiring": True}, "match": {"operation": "listTeamOrders"}}, 201)
assert retires() == "true"
call("DELETE", W + "/faults/old")
assert retires() is None
assert retires(**{"X-Sim-Fault": "retiring"}) == "true"
assert "retiring" in call("GET", "/w/default/faults?effect=retiring").text
call("POST", "/w/default/faults", "effect=retiring&value=true&target=partner+listTeamOrders", 303, **FORM)
assert retires() == "true"
played('''
scenario: An operation goes
steps:
  - fault: {effect: {retiring: true}}
  - call: GET /api/external/team-orders
    as: partner.prepaid
    expect: {status: 200, headers: {Deprecation: "true"}}
''')
"""


def test_an_effect_of_a_fault_is_a_row_and_the_place_where_it_acts(tree: CopiedTree) -> None:
    tree.add("engine/gateway/faults/effects.py", EFFECT)
    tree.insert("engine/gateway/faults/injection.py", "    _uncount_unless_acted(call, None)\n", ACTS)
    tree.generate()
    tree.run(START + USES_EFFECT)
    assert len(tree.touched) == 2


# ---- A verb of the control API: the contract, and its handler

VERB = """
  /worlds/{w}/simulate/rename:
    parameters: [World]
    post:
      operationId: simulateRename
      tags: [Simulate]
      summary: Give a product another name
      requestBody:
        required: true
        x-body:
          type: object
          additionalProperties: false
          required: [product, name]
          properties:
            product: {$ref: '#/components/schemas/ProductName'}
            name: {type: string, minLength: 1, maxLength: 100}
      responses:
        '200': *product
        x-answers: [badRequest, noProduct]
"""
VERB_HANDLER = '''

def simulate_rename(call: Call) -> Response:
    """Give a product another name."""
    import msgspec
    from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, find_product
    with change_state(call) as state:
        product = find_product(state, call.body["product"])
        renamed = state[PRODUCTS].put(msgspec.structs.replace(product, name=call.body["name"]))
        return Response(200, product_view(state, renamed))
'''
USES_VERB = """
verbs = {each["verb"]: each for each in call("GET", W + "/simulate").json()["verbs"]}
assert verbs["rename"]["summary"] == "Give a product another name"
before = call("GET", W + "/changes?from=now").json()["next"]
assert call("POST", W + "/simulate/rename", {"product": "MUG-01", "name": "Cup"}).json()["name"] == "Cup"
assert call("POST", W + "/simulate/rename", {"product": "MUG-01"}, 400).json()["error"]["code"] == "invalid_body"
assert call("GET", W + "/changes").json()["changes"]
assert "simulateRename" in call("GET", "/openapi/control.json").text
played('''
scenario: A mug has another name
steps:
  - simulate: rename
    with: {product: MUG-01, name: Cup}
    expect: {body: {name: Cup}}
''')
recording = call("GET", W + "/calls/scenario").text
assert "simulate: rename" in recording
played(recording)
call("POST", W + "/undo", {"to": before})
assert call("GET", W + "/catalogue?q=Cup").json()["catalogue"] == []
"""
PYTEST = """
def test_a_mug_is_renamed(giftsim):
    assert giftsim.simulate("rename", product="MUG-01", name="Cup")["name"] == "Cup"
"""


def test_a_verb_is_an_operation_of_the_contract_and_its_handler(tree: CopiedTree) -> None:
    needs_none = "        '409': {description: The product needs no review., x-codes: [invalid_state]}\n"
    tree.insert("engine/control/contract.yaml", f"{needs_none}        x-answers: [badRequest, noProduct]\n", VERB)
    tree.add("services/gifting/records/product_records.py", VERB_HANDLER)
    tree.generate()
    tree.run(START + USES_VERB)
    (tree.folder / "test_renamed.py").write_text(PYTEST)
    tree.execute("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "giftsim_pytest.entry", "test_renamed.py")
    assert len(tree.touched) == 2


# ---- A page of the console: its module, and its template

PAGE = '''"""The timers of a world, in the order in which they fire."""

from __future__ import annotations

from flask import Blueprint, Response

from giftsim.console.control_client import current_world
from giftsim.console.page import Place, render_page

BLUEPRINT = Blueprint("timers", __name__)
PLACES = (Place("Timers", "timers.show", "e", "clock", "World", of="partner"),)


@BLUEPRINT.get("/w/<world>/timers")
def show() -> Response:
    """The first timers."""
    return render_page("timers.html", timers=current_world().get("timers", limit=100)["timers"])
'''
TEMPLATE = """{% extends "base.html" %}
{% block title %}Timers{% endblock %}
{% block main %}
<h1>Timers</h1>
<ol>{% for timer in timers %}<li>{{ timer.due }} {{ timer.kind }}</li>{% endfor %}</ol>
{% endblock %}
"""
USES_PAGE = """
import re
def links(page):
    return list(dict.fromkeys(re.findall('<a href="([^"]*)"( aria-current="page")? data-key="(.)"', page)))
home = call("GET", "/w/default/").text
[(path, present, key)] = [each for each in links(home) if each[2] == "e"]
assert (path, present) == ("/w/default/timers", "")
assert [each[2] for each in links(home)] == [*"hogcimwlfvpauesdtr"]
page = call("GET", path).text
assert "<h1>Timers</h1>" in page and page.count("<li>") > 5
assert [each for each in links(page) if each[1]] == [(path, ' aria-current="page"', "e")]
assert "<dt><kbd>g</kbd> <kbd>e</kbd></dt><dd>Timers</dd>" in page
museum = Simulator(services=["museum"]).client.call("GET", "/w/default/").text
assert [each[2] for each in links(museum)] == [*"hwlfusdtr"]
"""


def test_a_page_of_the_console_is_a_module_and_a_template(tree: CopiedTree) -> None:
    tree.add("console/pages/timers.py", PAGE)
    tree.add("console/templates/timers.html", TEMPLATE)
    tree.run(START + USES_PAGE)
    assert len(tree.touched) == 2


# ---- A type of webhook event: the contract, the place where it happens, and a scenario in which it does

EVENT = """\
  order.labeled:
    post:
      operationId: orderLabeled
      tags: [Webhooks]
      summary: A single order got its label
      x-source: [P-6.7]
      security: []
      parameters: *signed
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/OrderLabeledDelivery'}
      responses: *receipts
"""
EVENT_BODY = """\
    OrderLabeledDelivery:
      type: object
      additionalProperties: false
      required: *envelope
      x-member-sources:
        P-2.41: [id, type, created_at, data]
      properties:
        id: *eventId
        type: {type: string, const: order.labeled}
        created_at: {$ref: '#/components/schemas/Instant'}
        data: {$ref: '#/components/schemas/OrderFact'}

"""
USES_EVENT = """
hook = {"url": "https://hooks.partner.example/gifts", "events": ["order.labeled"]}
call("POST", "/api/external/webhooks", hook, 201, "partner.prepaid")
[step] = [each for each in call("GET", W + "/coverage").json()["next"] if each["gap"] == "order.labeled"]
assert step["scenario"] == "together/every_event"
compile(step["pytest"], "test_pasted.py", "exec")
assert "together/every_event" in step["pytest"] and "together/every_event" in step["vitest"]
assert "order.labeled" in call("GET", W + "/faults/choices").json()["events"]
call("POST", W + "/faults", {"effect": {"webhook": "duplicate"}, "match": {"event": "order.labeled"}}, 201)
call("POST", W + "/simulate/single_order", {"to": "shipped"})
call("POST", W + "/clock/advance", {"by": "2h"})
sent = call("GET", W + "/deliveries").json()["deliveries"]
assert [each["type"] for each in sent] == ["order.labeled"] * 2
assert "order.labeled" in call("GET", "/w/default/webhooks").text
assert "order.labeled" in call("GET", "/openapi/partner.json").text
assert "order.labeled" in call("GET", "/_sim/v1/reference/events?limit=100").text
played(open("scenarios/together/every_event.yaml").read())
from tools.docgen.event_pages import events
assert "### order.labeled" in events("partner")
"""


def test_a_type_of_event_is_in_the_contract_happens_in_the_domain_and_in_a_scenario(tree: CopiedTree) -> None:
    contract = "services/gifting/interfaces/partner/contract.yaml"
    kinds = "team_order.claimed, team_order.shipped, team_order.delivered, team_order.needs_attention, order.shipped,"
    schema = "            schema: {$ref: '#/components/schemas/OrderDeliveredDelivery'}\n"
    tree.insert(contract, f"{schema}      responses: *receipts\n", EVENT)
    tree.insert(contract, "          properties: {shipment: *handedIn}\n\n", EVENT_BODY)
    tree.insert(contract, f"      enum: [{kinds}\n             order.delivered", ", order.labeled")
    tree.insert(contract, "                 order.shipped, order.delivered, ", "order.labeled, ")
    tree.insert(
        "services/gifting/domain/fulfilment/shipment_progress.py", "_EVENTS: Final = {", 'LABELED: "order.labeled", '
    )
    tree.insert("scenarios/together/every_event.yaml", f"[{kinds} order.delivered", ", order.labeled")
    tree.generate()
    tree.run(START + USES_EVENT)
    assert len(tree.touched) == 3


# ---- An operation: the contract, its handler with the view, and the domain

OPERATION = """
  /team-orders/{id}/rename:
    post:
      operationId: renameTeamOrder
      tags: [Team orders]
      summary: Give a team order another name
      x-source: [P-4.10]
      x-capability: team_orders
      parameters: [*teamOrderId]
      requestBody:
        required: true
        x-body:
          type: object
          additionalProperties: false
          required: [name]
          x-member-sources: {P-2.2: [name]}
          properties: {name: {type: string, minLength: 1, maxLength: 200}}
        x-examples:
          summer: {summary: Another season, value: {name: Summer mugs}}
      responses:
        '200':
          description: The order has the name.
          x-source: [P-4.10]
          x-body:
            type: object
            additionalProperties: false
            required: [id, name]
            x-member-sources: {P-2.2: [id, name]}
            properties: {id: {$ref: '#/components/schemas/Id'}, name: {type: string}}
        '404':
          description: The account has no such team order.
          x-source: [P-7.18]
          x-codes: [team_order_not_found]
        x-answers: [badBody]
"""
OPERATION_HANDLER = '''

def rename_team_order(call: Call) -> Response:
    """Give an order another name."""
    order = rename(call.state, call.subject, call.body["name"])
    return Response(200, {"id": order.id, "name": order.name})
'''
OPERATION_DOMAIN = '''

def rename(state: State, order: PartnerOrder, name: str) -> Fulfilment:
    """Give an order another name."""
    return state[FULFILMENTS].put(msgspec.structs.replace(order, name=name))
'''
USES_OPERATION = """
order = {"idempotency_key": "a", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
         "recipients": [{"name": "Bo", "email": "bo@example.com"}]}
number = call("POST", "/api/external/team-orders", order, 201, "partner.prepaid").json()["team_order"]["id"]
path = f"/api/external/team-orders/{number}/rename"
assert call("POST", path, {"name": "Autumn"}, key="partner.prepaid").json() == {"id": number, "name": "Autumn"}
assert call("POST", path, {}, 400, "partner.prepaid").json()["error"]["code"] == "invalid_body"
call("POST", "/api/external/team-orders/1/rename", {"name": "Autumn"}, 404, "partner.prepaid")
fault = {"effect": {"status": 503}, "match": {"operation": "renameTeamOrder"}}
call("POST", W + "/faults", {"id": "busy", **fault}, 201)
call("POST", path, {"name": "Winter"}, 503, "partner.prepaid")
assert "Autumn" in call("GET", f"/w/default/orders/order/{number}").text
assert "renameTeamOrder" in call("GET", "/openapi/partner.json").text
played(call("GET", W + "/calls/scenario").text)
from giftsim.testing import InProcess
from giftsim.testing.world_for_test import open_world
fresh = Simulator()
def gaps(giftsim):
    return {each["gap"]: each for each in giftsim.control("GET", "/coverage")["next"]}
def follow(step):
    pasted = {}
    exec(step["pytest"], pasted)
    with open_world(InProcess(fresh)) as giftsim:
        next(value for name, value in pasted.items() if name.startswith("test_"))(giftsim)
        return gaps(giftsim)
with open_world(InProcess(fresh)) as giftsim:
    giftsim.call("GET", "/api/external/team-orders", credential="partner.prepaid")
    first = gaps(giftsim)["renameTeamOrder"]
further = follow(first)
assert "renameTeamOrder" not in further
assert "renameTeamOrder 404 team_order_not_found" not in follow(further["renameTeamOrder 404 team_order_not_found"])
"""


def test_an_operation_is_in_the_contract_and_has_a_handler_and_the_domain(tree: CopiedTree) -> None:
    partner = "services/gifting/interfaces/partner"
    conflict = "          x-headers: waiting\n          x-body: CancelError\n        x-answers: [badBody]\n"
    imported = "from giftsim.services.gifting.domain.fulfilment.fulfilment import (\n    FULFILMENTS,\n"
    tree.insert(f"{partner}/contract.yaml", conflict, OPERATION)
    tree.insert(f"{partner}/team_orders.py", imported, "    rename,\n")
    tree.add(f"{partner}/team_orders.py", OPERATION_HANDLER)
    tree.add("services/gifting/domain/fulfilment/fulfilment.py", OPERATION_DOMAIN)
    tree.run(START + USES_OPERATION)
    assert len(tree.touched) == 3
