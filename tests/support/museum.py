"""A client of the museum interface, and valid request bodies."""

from __future__ import annotations

import base64
from typing import Any

from giftsim.build import CONTRACTS
from giftsim.engine.client.response import Response
from giftsim.engine.gateway.contract import Contract
from tests.support.api_clients import PartnerClient
from tests.support.responses import expect_status
from tests.support.worlds import World

MUSEUM_CONTRACT = Contract.load(CONTRACTS["museum"])
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"

# Each operation, called so that only its credentials decide whether it is let in.
OPERATIONS = {
    "getMuseumHours": ("GET", "/museum-hours"),
    "listSpecialEvents": ("GET", "/special-events"),
    "createSpecialEvent": ("POST", "/special-events"),
    "getSpecialEvent": ("GET", "/special-events/{event}"),
    "updateSpecialEvent": ("PATCH", "/special-events/{event}"),
    "deleteSpecialEvent": ("DELETE", "/special-events/{event}"),
    "buyMuseumTickets": ("POST", "/tickets"),
    "getTicketCode": ("GET", "/tickets/{ticket}/qr"),
}


class MuseumClient(PartnerClient):
    """The museum interface of a world; every response is checked against the contract."""

    def __init__(self, world: World) -> None:
        super().__init__(world.client, MUSEUM_CONTRACT, world.credentials["museum"]["headers"])
        self.world = world

    def get_hours(self, query: str = "") -> Any:
        """GET the hours, which must succeed; the JSON."""
        return expect_status(self.get(f"/museum-hours{query}"), 200).json()

    def list_events(self, query: str = "") -> Any:
        """GET the list of events, which must succeed; the JSON."""
        return expect_status(self.get(f"/special-events{query}"), 200).json()

    def event_names(self, query: str = "") -> list[str]:
        """The names in the list of events."""
        return [event["name"] for event in self.list_events(query)]

    def create_event(self, **members: Any) -> Any:
        """POST an event, which must succeed; the JSON."""
        return expect_status(self.post("/special-events", event_body(**members)), 201).json()

    def get_event(self, event_id: str) -> Response:
        """GET an event."""
        return self.get(f"/special-events/{event_id}")

    def update_event(self, event_id: str, body: Any) -> Response:
        """PATCH an event."""
        return self.call("PATCH", f"/special-events/{event_id}", body)

    def cancel_event(self, event_id: str) -> Response:
        """DELETE an event."""
        return self.delete(f"/special-events/{event_id}")

    def request_ticket(self, **members: Any) -> Response:
        """POST a ticket, by default for general entry; the response."""
        return self.post("/tickets", ticket_body(**members))

    def buy_ticket(self, **members: Any) -> Any:
        """POST a ticket, which must succeed; the JSON."""
        return expect_status(self.request_ticket(**members), 201).json()

    def get_qr(self, ticket_id: str) -> Response:
        """GET the QR code of a ticket."""
        return self.get(f"/tickets/{ticket_id}/qr")


def event_body(**members: Any) -> dict[str, Any]:
    """The body of an event; a member given as None is left out."""
    body = {
        "name": "Mermaid Treasure Identification and Analysis",
        "location": "Under the seaaa 🦀 🎶 🌊.",
        "eventDescription": "Join us as we review a rare collection of 20 thingamabobs.",
        "dates": ["2027-01-05", "2027-01-08"],
        "price": 30,
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def ticket_body(**members: Any) -> dict[str, Any]:
    """The body of a purchase; a member given as None is left out."""
    body = {"ticketType": "general", "ticketDate": "2027-01-07", "email": "todd@example.com", **members}
    return {name: value for name, value in body.items() if value is not None}


def basic_auth(user: str, password: str) -> dict[str, str]:
    """The headers of a user name and password."""
    return {"Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


def problem_title(answer: Response, status: int = 400, kind: str = "validation_failed") -> str:
    """The title of a refusal, which must have this status and type and no other members (C5)."""
    assert answer.status == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert sorted(problem) == ["title", "type"]
    assert problem["type"] == kind
    return str(problem["title"])
