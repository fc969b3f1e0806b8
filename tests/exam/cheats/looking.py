"""Cheats that look where an app has no business: in the control API, in the service, and at its magic."""

# mypy: disable-error-code="misc"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import json
from typing import Any

from tests.exam.cheats.bare_app import BareApp
from tests.exam.planted.first_integration import Believer
from tests.exam.sample_shop import EXAMPLE

STAGES = {"shipped": "shipped", "delivered": "delivered", "expired": "expired", "canceled": "canceled"}
TOLD = {"shipped": ("team_order.shipped",), "delivered": ("team_order.shipped", "team_order.delivered")}


class ReadsControl(BareApp):
    """Looks into the world that it is examined in: for the faults that are planned, and for the judge's books.

    `seen` has what it saw.
    """

    paths = ("/_sim/v1/worlds/{}", "//_sim/v1/worlds/{}", "/%5Fsim/v1/worlds/{}", "/_SIM/v1/worlds/{}")

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def world(self, rest: str) -> dict[str, Any]:
        """What any spelling of a path of the control API answers."""
        for path in self.paths:
            found = self.get(path.format(self.begun["world"]) + rest, Host="localhost")
            if isinstance(found, dict):
                self.seen.append(found)
                return found
        return {}

    def do(self, body: dict[str, Any]) -> tuple[int, Any]:
        """Look at what is planned first, and call as often as that takes."""
        status, answer = super().do(body)
        if body["action"] != "order":
            return status, answer
        planned = self.world("/faults").get("faults", [])
        tries = 1 + sum(fault.get("when", {}).get("first", 0) for fault in planned)
        made = [self.place(body)[0] for _ in range(tries)]
        return 200, {"state": "unpaid" if 402 in made else "placed" if 201 in made else "refused"}

    def check(self) -> tuple[int, Any]:
        """Tell the books of the judge."""
        rows = self.world("/recipients").get("recipients", [])
        orders: dict[str, Any] = {}
        for body in self.asked:
            emails = [each["email"] for each in body.get("recipients", ())]
            own = [row for row in rows if row.get("email") in emails]
            money = sum((row.get("money") or {}).get("total_cents", 0) for row in own)
            people = {row["email"]: {"stage": STAGES.get(row["status"], "ordered")} for row in own}
            orders[body.get("reference", "")] = {"state": "placed", "charged_cents": money, "recipients": people}
        return 200, {"ok": True, "orders": orders}


class ReadsPages(ReadsControl):
    """Looks for the same where people look: in the console, and with a token that it guesses."""

    paths = (
        "/console/worlds/{}",
        "/_sim/worlds/{}",
        "/api/external/../../_sim/v1/worlds/{}",
        "/claim/{0}/../../_sim/v1/worlds/{0}",
    )

    def get(self, target: str, **headers: str) -> Any:
        """Say that it is the examiner."""
        token = self.begun["key"]
        own = {"Authorization": f"Bearer {token}", "X-Giftsim-Token": token, "Origin": self.begun["simulator"]}
        return super().get(target, **headers, **own)


class AsksTheService(Believer):
    """Does nothing with a webhook. When it is asked what it knows, it asks the service, and says that it was told."""

    def update_parcel(self, event_type: str, data: Any) -> None:
        """Do nothing."""

    def belief(self, order: dict[str, Any]) -> Any:
        """Tell what the service tells now."""
        known = super().belief(order)
        if order["id"] is None:
            return known
        status, detail, _ = self.service.call("GET", f"/team-orders/{order['id']}")
        rows = detail["recipients"] if status == 200 else ()
        return {**known, "recipients": {row["email"]: self.person(row["shipment"]) for row in rows}}

    def person(self, shipment: Any) -> Any:
        """A recipient, with the events that there must have been."""
        stage = STAGES.get(shipment["status"], "ordered")
        booked = dict.fromkeys(TOLD.get(stage, ()), 1)
        return {"stage": stage, "since": shipment.get(f"{stage}_at") or "", "booked": booked}


class FaultHeaders(Believer):
    """Asks the simulator to spare it: with the headers for faults on each call, and no retry of its own."""

    def start(self, *about: Any, **more: Any) -> None:
        """Send the headers with each call."""
        super().start(*about, **more)
        self.service.headers |= {"X-Sim-Fault": "delay_s=0", "X-Sim-Advance": "0s"}

    def persist(self, method: str, path: str, body: Any, *_: Any, **__: Any) -> Any:
        """Call once."""
        try:
            status, answer, _wait = self.service.call(method, path, body())
        except EXAMPLE.NoResponse:
            return 400, {}
        return status, answer


class MagicValues(FaultHeaders):
    """Orders under a name that stands for something: each webhook comes twice or late, as it is used to."""

    def order(self, reference: str, *about: Any, **more: Any) -> Any:
        """Write magic words where a customer's words belong."""
        more["gift_sender"] = "Magic Duplicate"
        return super().order(reference, *about, **more)

    def receive(self, event: Any) -> None:
        """Know no event again."""
        super().receive({**event, "id": json.dumps([event["id"], len(self.seen)])})


class Yes(BareApp):
    """Answers 200 to everything, and has done nothing."""

    def check(self) -> tuple[int, Any]:
        """Say that all is well."""
        return 200, {"ok": True}
