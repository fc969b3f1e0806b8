"""A world in which all has happened that a page of the console shows, with hostile texts in what others write."""

from __future__ import annotations

import json
from pathlib import Path

from giftsim import Simulator
from giftsim.engine.url_paths import CONTROL
from tests.support.museum import MuseumClient
from tests.support.orders import RENO, email_recipients
from tests.support.partner.catalogue import TEE_LINE
from tests.support.responses import created
from tests.support.team.artwork import create_artwork, create_preview
from tests.support.team.clients import TeamClients
from tests.support.team.people import person_row
from tests.support.team.proofs import add_version, create_branded_order, first_proof, review
from tests.support.worlds import ExistingWorld

STORY = Path(__file__).parents[2] / "scenarios" / "together" / "every_event.yaml"
HOSTILE = "<script>alert(1)</script>\"'&<b>"

UNCLAIMED = """scenario: A mug that nobody claims
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
    expect: {status: 201}
    save: {order: $.team_order.id}
  - advance: 10d # long enough
  - call: GET /api/external/team-orders/${order}
    as: partner.prepaid
    expect: {status: 200, body: {team_order: {status: delivered}}}
"""

FAILING = f"""# {HOSTILE}
scenario: {json.dumps(HOSTILE)}
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: story
      gift_sender: Ada
      name: {json.dumps(HOSTILE)}
      items: [{{sku_code: MUG-01}}]
      recipients: [{{name: {json.dumps(HOSTILE)}, email: bo@example.com}}]
    expect: {{status: 201, body: {{team_order: {{status: {json.dumps(HOSTILE)}}}}}}}
"""


def play_story(simulator: Simulator) -> str:
    """Play every kind of event in a world of its own, keep it, and let more happen there; the world's id."""
    path, headers = f"{CONTROL}/scenarios/play?keep=true", {"Content-Type": "application/yaml"}
    report = simulator.client.call("POST", path, body=STORY.read_bytes(), headers=headers).json()
    assert report["outcome"] == "passed", report
    world = ExistingWorld(simulator, report["world"])
    order_as_partner(world)
    order_as_team(world)
    visit_museum(world)
    fail_calls_and_deliveries(world)
    world.call_control("POST", "/snapshots", {"name": "before"})
    world.call_control("POST", "/fork", {})
    step_through(simulator, FAILING)
    return world.id


def step_through(simulator: Simulator, text: str = "", name: str = "") -> str:
    """Play six steps of a scenario, from its text or by its name in the library; the path of the session's page."""
    sessions, headers = f"{CONTROL}/scenarios/sessions", {"Content-Type": "application/yaml"}
    query = f"?name={name}" if name else ""
    session = simulator.client.call("POST", f"{sessions}{query}", body=text, headers=headers).json()
    assert simulator.client.call("POST", f"{sessions}/{session['id']}/step", body={"count": 6}).status == 200
    return f"/w/{session['world']}/scenarios/sessions/{session['id']}"


def order_as_partner(world: ExistingWorld) -> None:
    """Orders of a partner: claimed, waiting and unpaid ones."""
    partner = world.partner()
    texts = {
        "gift_sender": HOSTILE,
        "gift_message": HOSTILE,
        "name": HOSTILE,
        "reference": HOSTILE,
        "po_number": "PO-1",
    }
    people = email_recipients(2, name=HOSTILE)
    order = created(
        partner.create_order(
            idempotency_key="story", items=[TEE_LINE], recipients=people, return_claim_links=True, **texts
        )
    )
    token = order["recipients"][0]["claim"]["link"].rsplit("/", 1)[1]
    address = {**RENO, "address1": HOSTILE, "city": HOSTILE}
    assert world.claim(token, address=address, selection={"1022": 10221}).status == 200
    world.partner("partner.no_funds").create_order(idempotency_key="story-unpaid")


def order_as_team(world: ExistingWorld) -> None:
    """A team's gifts and orders that wait for approval, proofs, previews, people and branding."""
    team = TeamClients(world)
    team.live.patch("/recipient-branding", {"primary_color": "#F2B705", "sender_name": HOSTILE})
    people = [person_row("hostile", first_name=HOSTILE, department=HOSTILE)]
    team.live.post_json("/people", {"people": people})
    guest = [{"name": HOSTILE, "email": "guest@example.com"}]
    gift = {"recipients": guest, "gift": {"collection_slug": "welcome-kit"}, "message": HOSTILE}
    team.requester.post_json("/gifts", gift)
    order = create_branded_order(team.live)
    add_version(team.live, first_proof(team.live, order)["id"], notes=HOSTILE)
    review(team.live, first_proof(team.live, order)["id"], {"decision": "request_changes", "note": HOSTILE})
    artwork = create_artwork(team.live, name=HOSTILE)["id"]
    add_version(team.live, first_proof(team.live, order)["id"], artwork_id=artwork)
    create_preview(team.live)


def visit_museum(world: ExistingWorld) -> None:
    """A special event, and a ticket."""
    museum, day = MuseumClient(world), f"{world.now[:8]}28"
    museum.create_event(name=HOSTILE, location=HOSTILE, eventDescription=HOSTILE, dates=[day])
    museum.buy_ticket(ticketDate=day)


def fail_calls_and_deliveries(world: ExistingWorld) -> None:
    """A receiver with hostile answers, a delivery that is given up, one that is held, a fault, and a refused call."""
    host = "hooks.story.example"
    world.partner().subscribe("team_order.shipped", "team_order.claimed", host=host)
    answer = {"status": 500, "body": HOSTILE}
    world.set_receiver(host, mode="capture", then=answer)
    partner = world.partner()
    token = created(partner.create_order(idempotency_key="story-failed", return_claim_links=True))["recipients"][0]
    assert world.claim(token["claim"]["link"].rsplit("/", 1)[1], address=RENO).status == 200
    world.advance("5d")
    world.add_fault({"delay_s": 1}, match={"operation": "sendGift"}, id="slow-gifts")
    partner.get(f"/team-orders/{HOSTILE}")
    partner.post("/team-orders", {"idempotency_key": HOSTILE, "items": HOSTILE})
