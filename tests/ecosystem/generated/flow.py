"""The main flows with clients made of the published descriptions: `python flow.py ORIGIN`."""

import sys

import httpx
from control import Client as ControlClient
from control.api.clock import advance_clock
from control.api.simulate import simulate_claim
from control.api.worlds import create_world, delete_world
from control.models.advance_request import AdvanceRequest
from control.models.simulate_claim_body import SimulateClaimBody
from control.models.world_request import WorldRequest
from museum import AuthenticatedClient as MuseumClient
from museum.api.tickets import buy_museum_tickets
from museum.models.ticket_request import TicketRequest
from partner import AuthenticatedClient as PartnerClient
from partner.api.team_orders import create_team_order, get_team_order
from partner.models.team_order_request import TeamOrderRequest
from team import AuthenticatedClient as TeamClient
from team.api.people import list_people

ORIGIN = sys.argv[1]


def server(name: str) -> str:
    """The address in an interface's description."""
    return httpx.get(f"{ORIGIN}/openapi/{name}.json").json()["servers"][0]["url"]


control = ControlClient(server("control"))
world = create_world.sync(client=control, body=WorldRequest.from_dict({"fixture": "empty"}))
tokens = {name: each["headers"]["Authorization"] for name, each in world.to_dict()["credentials"].items()}


def token(name: str) -> str:
    """A credential of the world, without its scheme."""
    return tokens[name].partition(" ")[2]


partner = PartnerClient(server("partner"), token("partner.prepaid"))
order = {
    "idempotency_key": "generated", "gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}],
    "recipients": [{"name": "Bo", "email": "bo@example.com"}],
}  # fmt: skip
ordered = create_team_order.sync_detailed(client=partner, body=TeamOrderRequest.from_dict(order))
assert ordered.status_code == 201, ordered.content
number = ordered.parsed.team_order.id
claim = SimulateClaimBody.from_dict({"team_order_id": number, "recipient": 0})
claimed = simulate_claim.sync_detailed(world.id, client=control, body=claim)
assert claimed.status_code == 200, claimed.content
advanced = advance_clock.sync_detailed(world.id, client=control, body=AdvanceRequest.from_dict({"by": "10d"}))
assert advanced.status_code == 200, advanced.content
assert get_team_order.sync(number, client=partner).team_order.status == "delivered"
assert get_team_order.sync(999, client=partner).error.code == "team_order_not_found"

team = TeamClient(server("team"), token("team.live_approver"))
assert list_people.sync_detailed(client=team).status_code == 200

museum = MuseumClient(server("museum"), token("museum"), prefix="Basic")
ticket = {"ticketType": "general", "ticketDate": "2027-01-05", "email": "bo@example.com"}
bought = buy_museum_tickets.sync_detailed(client=museum, body=TicketRequest.from_dict(ticket))
assert bought.status_code == 201, bought.content
assert bought.parsed.confirmation_code.startswith("ticket-general-")

delete_world.sync_detailed(world.id, client=control)
print("all flows")
