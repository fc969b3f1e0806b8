"""The example shop, which also sends gifts over the team API and buys tickets: right, or with one mistake."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from http.client import HTTPConnection, HTTPException
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from giftsim.engine.worlds import system_clock
from tests.exam.sample_shop import EXAMPLE, TIMEOUT_S, Shop

HOME = ZoneInfo("America/Los_Angeles")
TRIES = 6
STAGES = ("ordered", "claimed", "shipped", "delivered")
ACTIONS = ("gift", "campaign", "rule", "ticket")


class TeamShop(Shop):
    """A right app. Gifts and campaigns are remembered by their references, and their keys follow from these."""

    def __init__(self, bugs: Any = ()) -> None:
        super().__init__(bugs, TIMEOUT_S)

    def start(self, simulator: str, key: str, secret: str, now: Any = None, **more: Any) -> None:
        """Delete all records and use this service."""
        super().start(simulator, key, secret, now)
        self.origin, self.team_key = urlsplit(simulator).netloc, more.get("team_key", "")
        self.museum = more.get("museum", {"user": "", "password": ""})
        self.secrets.append(more.get("team_secret", ""))
        self.gifts: dict[str, dict[str, Any]] = {}
        self.told: dict[int, list[str]] = {}
        self.spent: dict[int, tuple[str, int]] = {}
        self.made: dict[str, int] = {}
        self.tickets: dict[str, str] = {}

    def key_of(self, reference: str) -> str:
        """The idempotency key of an intent."""
        return f"team-{reference}"

    def team(self, method: str, path: str, body: Any = None, key: str = "") -> Any:
        """What the team API answers, in the end. Refused without an answer."""
        headers = {"Authorization": f"Bearer {self.team_key}", "Content-Type": "application/json"}
        for number in range(TRIES):
            if key:
                headers["Idempotency-Key"] = self.key_of_try(key, number)
            with suppress(OSError, HTTPException):
                status, answer, wait = self.once(method, f"/api/teams/v1{path}", body, headers)
                if status < 300:
                    return answer
                if status not in (409, 429, 503):
                    raise EXAMPLE.Refused(f"{method} {path} was answered {status}: {answer}")
                self.sleep(wait)
        raise EXAMPLE.Refused(f"{method} {path} was not answered")

    def key_of_try(self, key: str, _number: int) -> str:
        """The key of a further try of a call."""
        return key

    def once(self, method: str, path: str, body: Any, headers: Any) -> tuple[int, Any, int]:
        """One call: its status, JSON and Retry-After."""
        connection = HTTPConnection(self.origin, timeout=5)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read()), int(response.headers.get("Retry-After") or 0)
        finally:
            connection.close()

    def gift(self, reference: str, recipient: Any, item: str) -> Any:
        """Send a gift."""
        if reference not in self.gifts:
            who = {each: recipient[each] for each in ("name", "email")}
            body = {"recipients": [who], "gift": {"item_slug": item}, "message": "Thank you!"}
            made = self.team("POST", "/gifts", body, self.key_of(reference))
            self.gifts[reference] = {"id": made["id"], "email": recipient["email"], "state": "waiting"}
        return {"state": self.gifts[reference]["state"]}

    def campaign(self, reference: str, name: str, collection: str, recipients: Any) -> Any:
        """Make a campaign, and prepare its first batch."""
        if reference not in self.made:
            people = [{each: person[each] for each in ("name", "email")} for person in recipients]
            body = {"name": name, "collection": collection, "recipients": people}
            self.made[reference] = self.team("POST", "/large-campaigns", body, self.key_of(reference))["id"]
            self.process(self.made[reference], "prepare")
        return {"ok": True}

    def process(self, campaign: int, step: str) -> None:
        """Prepare or pay the next batch."""
        self.team("POST", f"/large-campaigns/{campaign}/process", {}, self.key_of(f"{campaign}-{step}"))

    def rule(
        self, reference: str, name: str, kind: str, person: Any, budget_cents: int, merchant_product_id: int = 101
    ) -> Any:
        """Send a gift on each birthday."""
        employee = {"work_email": person["email"], "first_name": person["first_name"], "birthday": person["birthday"]}
        self.team("POST", "/people", {"people": [self.employee(employee)]})
        bundle = {"items": [{"merchant_product_id": merchant_product_id, "quantity": 1}]}
        body = {
            "kind": "hr", "name": name, "trigger_type": kind, "bundle": bundle, "gift_sender": "All of us",
            "budget_per_send_cents": budget_cents,
        }  # fmt: skip
        self.team("POST", "/rules", body, self.key_of(reference))
        return {"ok": True}

    def employee(self, row: Any) -> Any:
        """The row of the roster."""
        return row

    def ticket(self, reference: str, email: str, date: str) -> Any:
        """Buy a ticket, and never again for this reference: the museum knows no keys."""
        if reference not in self.tickets:
            self.tickets[reference] = "bought"
            user = base64.b64encode(f"{self.museum['user']}:{self.museum['password']}".encode()).decode()
            headers = {"Authorization": f"Basic {user}", "Content-Type": "application/json"}
            body = {"ticketType": "general", "ticketDate": self.day(date), "email": email}
            self.once("POST", "/v1.1/tickets", body, headers)
        return {"ok": True}

    def day(self, day: str) -> str:
        """The day of a ticket."""
        return day

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Book an event about a gift or an approval; the shop does all others."""
        if event_type.startswith("gift.") and "gift_id" in data:
            self.told.setdefault(data["gift_id"], []).append(event_type)
            self.spend(data["gift_id"])
        elif event_type == "approval.decided" and data["resource_type"] == "gift":
            self.decided(data["resource_id"], data["status"])
        elif event_type == "approval.decided" and data["status"] == "approved":
            self.process(data["resource_id"], "pay")
        elif not event_type.startswith(("approval.", "gift.")):
            super().update_parcel(event_type, data)

    def decided(self, gift: int, _status: str) -> None:
        """A person has decided: what became of the gift, the service knows."""
        known = next((each for each in self.gifts.values() if each["id"] == gift), None)
        if known is not None:
            found = self.team("GET", f"/gifts/{gift}")["status"]
            known["state"] = {"awaiting_approval": "waiting", "rejected": "rejected"}.get(found, "sent")
        self.spend(gift)

    def spend(self, gift: int) -> None:
        """Book what a gift costs to its month, if it is paid."""
        found = self.team("GET", f"/gifts/{gift}")
        if found["payment_status"] == "paid":
            self.spent[gift] = (self.month(found["created_at"]), found["totals"]["total_cents"])

    def month(self, instant: str) -> str:
        """The month of an instant in Los Angeles."""
        return f"{datetime.fromisoformat(instant).astimezone(HOME):%Y-%m}"

    def errors(self) -> Iterator[str]:
        """Report a month whose books do not agree with the service's gifts."""
        theirs: Counter[str] = Counter()
        for gift in self.spent:
            found = self.team("GET", f"/gifts/{gift}")
            theirs[f"{datetime.fromisoformat(found['created_at']).astimezone(HOME):%Y-%m}"] += found["totals"][
                "total_cents"
            ]
        ours: Counter[str] = Counter()
        for month, cents in self.spent.values():
            ours[month] += cents
        if ours != theirs:
            yield f"our budgets are {dict(ours)}, and the gifts say {dict(theirs)}"

    def known_gifts(self) -> Any:
        """What the check tells of gifts."""
        return {reference: self.known_gift(gift) for reference, gift in self.gifts.items()}

    def known_gift(self, gift: Any) -> Any:
        """A gift as the check tells it."""
        kinds = self.told.get(gift["id"], [])
        stage = max((each.removeprefix("gift.") for each in kinds if each != "gift.sent"), key=STAGES.index, default="")
        person = {"stage": stage or "ordered", "booked": dict(Counter(kinds))}
        return {"state": gift["state"], "recipients": {gift["email"]: person}}


class TeamHandler(EXAMPLE.Handler):  # type: ignore[name-defined]
    """The shop's endpoints, with the further actions, and gifts in the check."""

    protocol_version = "HTTP/1.0"  # one request in each connection, since `rfile` is replaced

    rfile: Any

    def do_POST(self) -> None:  # noqa: N802  # the name that the server calls
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(raw) if self.path == "/giftsim/do" else {}
        if body.get("action") not in ACTIONS:
            self.rfile = BytesIO(raw)
            super().do_POST()
            return
        try:
            self.respond(200, getattr(self.server.shop, body.pop("action"))(**body))
        except EXAMPLE.Refused as error:
            self.respond(502, {"error": str(error)})

    def respond(self, status: int, body: Any) -> None:
        """Add what the team does."""
        if "actions" in body:
            body = {"actions": [*body["actions"], *ACTIONS]}
        if "orders" in body and self.command == "GET":
            body["gifts"] = self.server.shop.known_gifts()
        super().respond(status, body)


class NewKeyForEachTry(TeamShop):
    """Draws a key for each call."""

    def key_of_try(self, key: str, number: int) -> str:
        """Draw it."""
        return key if number == 0 or "prepare" in key else system_clock.fresh_id()


class ForgetsGifts(TeamShop):
    """Does not know what it was asked for before."""

    def gift(self, reference: str, recipient: Any, item: str) -> Any:
        """Send it again, with another key."""
        self.gifts.pop(reference, None)
        return super().gift(reference, recipient, item)

    def key_of(self, reference: str) -> str:
        """Draw one."""
        return f"{reference}-{system_clock.fresh_id()}"


class CountsTwice(TeamShop):
    """Books an event that arrives twice twice."""

    def __init__(self) -> None:
        super().__init__(["duplicates"])


class OnePerPerson(TeamShop):
    """Sends nobody a second gift."""

    def gift(self, reference: str, recipient: Any, item: str) -> Any:
        """Look for the person."""
        for known in self.gifts.values():
            if known["email"] == recipient["email"]:
                return {"state": known["state"]}
        return super().gift(reference, recipient, item)


class SentAtOnce(TeamShop):
    """Believes that a gift is sent when the call is answered."""

    def gift(self, reference: str, recipient: Any, item: str) -> Any:
        """Believe it."""
        super().gift(reference, recipient, item)
        self.gifts[reference]["state"] = "sent"
        return {"state": "sent"}


class YesIsSent(TeamShop):
    """Concludes from a yes that the gift is sent."""

    def decided(self, gift: int, status: str) -> None:
        """Do not look at the gift."""
        super().decided(gift, status)
        for known in self.gifts.values():
            if known["id"] == gift and status == "approved":
                known["state"] = "sent"


class AsksAnew(TeamShop):
    """Sends a rejected gift once more."""

    def decided(self, gift: int, status: str) -> None:
        """Ask again."""
        super().decided(gift, status)
        if status == "rejected":
            known = next(each for each in self.gifts.values() if each["id"] == gift)
            body = {"recipients": [{"name": "Again", "email": known["email"]}], "gift": {"item_slug": known["item"]}}
            self.team("POST", "/gifts", body, system_clock.fresh_id())

    def gift(self, reference: str, recipient: Any, item: str) -> Any:
        """Keep the item."""
        answer = super().gift(reference, recipient, item)
        self.gifts[reference]["item"] = item
        return answer


class MonthsInUtc(TeamShop):
    """Counts months in UTC."""

    def month(self, instant: str) -> str:
        """Cut it off."""
        return instant[:7]


class BooksTwice(TeamShop):
    """Books a gift when it was sent, and also when somebody approved it."""

    def decided(self, gift: int, status: str) -> None:
        """Add it once more if it is booked."""
        before = self.spent.get(gift)
        super().decided(gift, status)
        if before is not None:
            self.spent[gift] = (before[0], 2 * before[1])


class RulesAgain(TeamShop):
    """Makes a rule whenever it is asked for one."""

    def key_of(self, _reference: str) -> str:
        """Draw one."""
        return system_clock.fresh_id()


class NoLeapDay(TeamShop):
    """Keeps birthdays as dates of this year."""

    def employee(self, row: Any) -> Any:
        """Make 1 March of 29 February."""
        return {**row, "birthday": "03-01"} if row["birthday"] == "02-29" else row


class NextDay(TeamShop):
    """Counts the first day of a month as the last one."""

    def employee(self, row: Any) -> Any:
        """Come a day too late."""
        month, day = map(int, row["birthday"].split("-"))
        following = date(2028, month, day) + timedelta(days=1)
        return {**row, "birthday": f"{following:%m-%d}"}


class BuysAgain(TeamShop):
    """Does not know which tickets it bought."""

    def ticket(self, reference: str, email: str, date: str) -> Any:
        """Forget it."""
        self.tickets.pop(reference, None)
        return super().ticket(reference, email, date)


class DaysAsInstants(TeamShop):
    """Takes a day for its midnight in UTC, and shows that in Los Angeles."""

    def day(self, day: str) -> str:
        """Come back from there."""
        return f"{datetime.fromisoformat(f'{day}T00:00:00+00:00').astimezone(HOME):%Y-%m-%d}"
