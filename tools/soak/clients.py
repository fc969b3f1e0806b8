"""The clients of a soak: threads that order, repeat, read, cancel, claim and buy, and note what was acknowledged."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import urlencode

from giftsim.engine.client.response import Response
from tests.support.moves import APPROVER, MOVES, NET_TERMS, ORDERS, PREPAID, TEAM_ORDERS, Known, credentials
from tests.support.orders import RENO, address_recipients, email_recipients, order_body
from tools.soak.calls import Caller, Lost, Request, SoakEnded
from tools.soak.findings import CHANGED, REFUSED, Findings
from tools.soak.ledger import Acknowledged, Book, WorldLedger
from tools.soak.plan import Plan
from tools.soak.server import Server

MAX_LINKS = 200

# Faults of single calls that a client asks for: the answer, or its lack, is not a failure.
HEADER_FAULTS = ("drop=before", "drop=after", "status=503", "delay_s=0.2", "crash=after_charge")


class Action(NamedTuple):
    """One thing that a client does, and how often in comparison with the others."""

    name: str
    weight: int


BUYER = (Action("create", 6), Action("repeat", 2), Action("read", 4), Action("list_orders", 1), Action("cancel", 1),
         Action("claim", 3), Action("resolve", 2), Action("ping", 1))  # fmt: skip
TEAM = (Action("create_for_team", 4), Action("read_for_team", 3), Action("buy_ticket", 2), Action("read_ticket", 2),
        Action("list_people", 1), Action("open_claim_page", 2))  # fmt: skip


class Client(threading.Thread):
    """One client of one world. Clients with the net-terms key are those whose calls the world's faults hit."""

    def __init__(self, number: int, plan: Plan, server: Server, findings: Findings, ledger: WorldLedger) -> None:
        super().__init__(name=f"client-{number}", daemon=True)
        role = number // plan.worlds % 4
        self.ledger, self.findings, self.pause_s = ledger, findings, 1 / plan.calls_s
        self.caller = Caller(server, findings)
        self.choices = plan.stream("client", number)
        self.actions = TEAM if role == 3 else BUYER
        self.faulty = role == 1
        self.credential = NET_TERMS if self.faulty else PREPAID
        self.keys = (f"{ledger.world}-{number}-{n}" for n in count())
        self.ending = threading.Event()

    def run(self) -> None:
        """Act until the soak ends."""
        weights = [action.weight for action in self.actions]
        with self.findings.watch_thread(SoakEnded):
            while not self.ending.is_set():
                began = time.monotonic()
                with self.ledger.gate.shared(), suppress(Lost):
                    getattr(self, self.choices.choices(self.actions, weights)[0].name)()
                self.ending.wait(max(0.0, self.pause_s - (time.monotonic() - began)))
        self.caller.close()

    def create(self) -> None:
        """Create an order with a new key."""
        self.order(next(self.keys))

    def repeat(self) -> None:
        """Send an acknowledged request again: the same bytes."""
        known = self._own()
        if known:
            self.order(self.choices.choice(known))

    def resolve(self) -> None:
        """Send a request again that ended without an answer."""
        with self.ledger.lock:
            unsure = [key for key, credential in self.ledger.partner.unsure.items() if credential == self.credential]
        if unsure:
            self.order(self.choices.choice(unsure))

    def order(self, key: str) -> None:
        """Create or repeat the order of a key, and note its acknowledgement."""
        known = self._note_sent(self.ledger.partner, key)
        fault = self.choices.choice(HEADER_FAULTS) if known is None and self.choices.random() < 0.04 else None
        headers = credentials(self.ledger.world, self.credential) | ({"X-Sim-Fault": fault} if fault else {})
        kind = "create" if known is None else "repeat"
        faulty = self.faulty or fault is not None
        answer = self.caller.send(Request(kind, "POST", ORDERS, body_of(key), headers, faulty))
        if answer.status == 201:
            created = answer.json()
            order = Acknowledged(created["team_order"]["id"], answer.body, self.credential)
            self._acknowledge(self.ledger.partner, key, order)
            if known is None:
                self._keep_links(created)
        elif answer.status == 200 and known is not None and known.body is None:
            return  # its payment was taken back, and then it was canceled: the key gives the canceled order (B6)
        elif known is not None and not faulty:
            self._fail(CHANGED, f"order {key} was acknowledged; now {answer.status} {answer.text[:200]}")
        elif answer.status < 500 and answer.status not in (402, 409) and not faulty:
            self._fail(REFUSED, f"order {key}: {answer.status} {answer.text[:200]}")

    def read(self) -> None:
        """Read an acknowledged order."""
        if known := self._own():
            key = self.choices.choice(known)
            with self.ledger.lock:
                order = self.ledger.partner.acknowledged.get(key)
            if order is not None:
                answer = self._move("read", "read", orders=[order.order_id])
                if answer.status == 404 and not self.faulty:
                    self._fail(CHANGED, f"order {key} ({order.order_id}) was acknowledged and is not found")

    def list_orders(self) -> None:
        """List the newest orders."""
        self._move("list_orders", "list")

    def cancel(self) -> None:
        """Cancel an acknowledged order; it stays listed."""
        if known := self._own():
            with self.ledger.lock:
                order = self.ledger.partner.acknowledged.get(self.choices.choice(known))
            if order is not None:
                self._move("cancel", "cancel", orders=[order.order_id])

    def claim(self) -> None:
        """Enter an address on the claim page, as a form."""
        if link := self._link():
            form = urlencode({f"address.{name}": value for name, value in RENO.items()}).encode()
            self.caller.send(Request("claim", "POST", link, form, {"Accept": "text/html"}))

    def open_claim_page(self) -> None:
        """Open the claim page of some order."""
        if link := self._link():
            self._move("open_claim_page", "claim page", links=[link])

    def ping(self) -> None:
        """Send a webhook to some endpoint of the account and wait for it."""
        with self.ledger.lock:
            endpoint = self.choices.choice(self.ledger.endpoints) if self.ledger.endpoints else None
        if endpoint is not None and not self.faulty:
            self._move("ping", "ping", endpoints=[endpoint])

    def create_for_team(self) -> None:
        """Create a team's order that awaits approval, or repeat one."""
        book = self.ledger.team
        with self.ledger.lock:
            known = list(book.unsure or book.acknowledged)
        key = self.choices.choice(known) if known and self.choices.random() < 0.3 else next(self.keys)
        before = self._note_sent(book, key)
        headers = credentials(self.ledger.world, APPROVER) | {"Idempotency-Key": key}
        body = {"collection": "welcome-kit", "headcount": 1, "recipients": email_recipients(1), "po_number": key}
        answer = self.caller.send(Request("create for a team", "POST", TEAM_ORDERS, body, headers))
        if answer.status == 201:
            self._acknowledge(book, key, Acknowledged(answer.json()["id"], answer.body, "approver"))
        elif answer.status not in (409, 429) or (before is not None and answer.status == 409):
            self._fail(REFUSED, f"team order {key}: {answer.status} {answer.text[:200]}")

    def read_for_team(self) -> None:
        """Read an acknowledged team order."""
        with self.ledger.lock:
            known = list(self.ledger.team.acknowledged.values())
        if known:
            order = self.choices.choice(known).order_id
            answer = self._move("read_for_team", "read for a team", team_orders=[order])
            if answer.status == 404:
                self._fail(CHANGED, f"team order {order} was acknowledged and is not found")

    def list_people(self) -> None:
        """List the team's roster."""
        self._move("list_people", "list people")

    def buy_ticket(self) -> None:
        """Buy a ticket to the museum."""
        answer = self._move("buy_ticket", "buy a ticket")
        if answer.status == 201:
            with self.ledger.lock:
                self.ledger.tickets.append(answer.json()["ticketId"])

    def read_ticket(self) -> None:
        """Read the code of an acknowledged ticket."""
        with self.ledger.lock:
            ticket = self.choices.choice(self.ledger.tickets) if self.ledger.tickets else None
        if ticket is not None:
            answer = self._move("read_ticket", "read a ticket", tickets=[ticket])
            if answer.status != 200:
                self._fail(CHANGED, f"ticket {ticket} was acknowledged and is not found")

    def _fail(self, kind: str, example: str) -> None:
        """Count a failure, unless the world's tester takes something back at this moment."""
        if not self.ledger.taking_back:
            self.findings.fail(kind, example)

    def _own(self) -> list[str]:
        with self.ledger.lock:
            acknowledged = self.ledger.partner.acknowledged
            return [key for key, order in acknowledged.items() if order.credential == self.credential]

    def _link(self) -> str | None:
        with self.ledger.lock:
            return self.choices.choice(self.ledger.links) if self.ledger.links else None

    def _note_sent(self, book: Book, key: str) -> Acknowledged | None:
        with self.ledger.lock:
            book.sent.add(key)
            known = book.acknowledged.get(key)
            if known is None:
                book.unsure[key] = self.credential
            return known

    def _acknowledge(self, book: Book, key: str, order: Acknowledged) -> None:
        with self.ledger.lock:
            known = book.acknowledged.get(key)
            if known is None or known.body is None:
                book.acknowledged[key] = order
            book.unsure.pop(key, None)
        self.findings.count("orders acknowledged" if known is None else "acknowledged answers repeated")
        if known is not None and known.body not in (None, order.body):
            self._fail(CHANGED, f"{key}: {known.body!r:.150} became {order.body!r:.150}")

    def _keep_links(self, created: Any) -> None:
        links = [row["claim"]["link"] for row in created["recipients"] if "link" in row["claim"]]
        with self.ledger.lock:
            self.ledger.links += ["/" + link.split("/", 3)[3] for link in links]
            del self.ledger.links[:-MAX_LINKS]

    def _move(self, name: str, kind: str, **known: Any) -> Response:
        """Make a move of the table, with this client's key if it is a partner's."""
        method, path, body, credential = MOVES[name].make(Known(self.ledger.world, **known), self.choices.choice)
        partner = credential == PREPAID
        headers = credentials(self.ledger.world, self.credential if partner else credential)
        return self.caller.send(Request(kind, method, path, body, headers, partner and self.faulty))


def body_of(key: str) -> dict[str, Any]:
    """The body of the order of a key: always the same; its `reference` names the key."""
    addressed = hash_of(key) % 3 == 0
    recipients = address_recipients(1) if addressed else email_recipients(1 + hash_of(key) % 2)
    return order_body(
        idempotency_key=key, reference=key, recipients=recipients, return_claim_links=None if addressed else True
    )


def hash_of(key: str) -> int:
    """A number that follows from the key."""
    return sum(key.encode())
