"""How the world of partners is compared with the model."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
import sys
from typing import Any

from hypothesis.stateful import invariant

from giftsim import Simulator
from tests.models.compare import assert_same
from tests.models.partner import Partner
from tests.models.partner_choices import ENGRAVED, PRICES
from tests.models.partner_money import NET_TERMS, PREPAID, Account, Key
from tests.models.partner_orders import MANIFEST, Order, Parcel
from tests.models.partner_replies import Reply
from tests.models.partner_webhooks import DAY, Endpoint, instant
from tests.models.world import Answer, ModelMachine

API = "/api/external"
START = 1_799_053_200  # 2027-01-04T09:00:00Z
CREDIT = 30_000


class PartnerChecks(ModelMachine):
    """Two accounts: one prepaid with two keys, and one on net terms."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator)
        self.model = Partner(START, PRICES, (ENGRAVED,))
        prepaid, terms = Account(PREPAID, 500_000), Account(NET_TERMS, 0, credit_limit=CREDIT)
        self.keys = [Key("partner.prepaid", prepaid), Key("second", prepaid), Key("partner.net_terms", terms)]
        self.sent: list[tuple[Key, dict[str, Any]]] = []
        self.seen = self.steps = self.mailed = 0

    def go_to(self, at: int) -> None:
        """Advance the world and the model."""
        self.world.advance(to=instant(at))
        self.model.advance(at)

    def parcels(self, *statuses: str) -> list[Parcel]:
        """The parcels in these statuses, or all if there are none."""
        every = [parcel for order in self.model.orders for parcel in order.parcels]
        return [parcel for parcel in every if parcel.status in statuses] or every

    @staticmethod
    def pick(found: list[Any], place: int) -> Any:
        """One of several."""
        return found[place % len(found)]

    def compare(self, reply: Reply, answer: Answer) -> None:
        """Compare an answer with the reply that the model demands: status, code and body."""
        assert (answer.status, answer.code) == (reply.status, reply.code), (answer, reply)
        if reply.status in (200, 201):
            assert_same(reply.json, answer.json, "the answer")
        for name, value in (reply.json or {}).items() if reply.code else ():
            actual = [row["recipient_index"] for row in answer.json["errors"]] if name == "rows" else answer.json[name]
            assert_same(value, actual, f"{name} of the error")

    @invariant()
    def check(self) -> None:
        """Compare what arrived since the last step, the lists, one detail after the other, and what accounts have."""
        self.steps += 1
        self.check_arrivals()
        self.check_mails()
        for key in (self.keys[0], self.keys[2]):
            listed = self.world.call(key.name, "GET", f"{API}/team-orders?limit=100").json
            assert_same(self.model.listed(key.account, limit=100), listed, f"the list of {key.name}")
        self.check_details(self.steps)
        rows = {row["label"]: row for row in self.world.view("accounts")}
        for label, account in (("prepaid", self.keys[0].account), ("net_terms", self.keys[2].account)):
            has = {"wallet_cents": account.wallet, "held_cents": account.held, "owed_cents": account.owed}
            assert_same(has, {name: rows[label][name] for name in has}, f"account {label}")

    def check_details(self, turn: int | None = None) -> None:
        """Compare the details of orders with new links and of the one whose turn it is, or of all."""
        for place, order in enumerate(self.model.orders):
            new = any(parcel.has_link and parcel.link.value is None for parcel in order.parcels)
            if turn is None or place == turn % len(self.model.orders) or new or order.parcels[0].id.value is None:
                path = f"{API}/team-orders/{order.id.value}?include=claim_links"
                read = self.world.call(order.key.name, "GET", path).json
                assert_same(order.detail(self.model.now, links=True), read, f"order {order.id}")

    def check_endpoints(self) -> None:
        """Compare the endpoints of both accounts, and their deliveries."""
        for key in (self.keys[0], self.keys[2]):
            endpoints = self.model.webhooks.of(key.account)
            listed = self.world.call(key.name, "GET", f"{API}/webhooks").json
            assert_same({"endpoints": [each.row() for each in endpoints]}, listed, f"the endpoints of {key.name}")
            for endpoint in endpoints:
                read = self.world.call(key.name, "GET", f"{API}/webhooks/{endpoint.id.value}").json
                assert_same(endpoint.detail(), read, f"endpoint {endpoint.id}")

    def check_arrivals(self) -> None:
        """Compare what arrived since the last step, in its order."""
        new = self.world.view(f"deliveries?after={self.seen}")
        arrived = self.model.webhooks.arrivals[self.seen :]
        assert_same([each.json() for each in arrived], [_attempt(row) for row in new], "what arrived")
        for each, row in zip(arrived, new, strict=True):
            assert_same(each.event.body(), json.loads(row["request"]["body"]), f"the body of {each.event.id}")
            _check_signature(each.endpoint, row)
        self.seen += len(new)

    def check_mails(self) -> None:
        """Compare what was mailed since the last step."""
        new = self.world.view(f"mail?after={self.mailed}")
        self.mailed += len(new)
        expected = [(instant(each.at), each.to, "claim_link") for each in self.model.mails]
        assert_same(expected, [(row["at"], row["to"], row["kind"]) for row in new], "what was mailed")
        self.model.mails.clear()

    def teardown(self) -> None:
        """Unless there is a difference already, compare everything once more after 20 days."""
        if sys.exc_info()[0] is None and self.steps:
            self.check_endpoints()
            self.go_to(self.model.now + 20 * DAY)
            self.check()
            self.check_details()
            self.check_endpoints()
        super().teardown()

    def check_manifest(self, name: str, path: str, order: Order) -> None:
        """Compare the rows of a manifest (P-4.9, B35)."""
        text = self.world.client.call("GET", path, headers=self.world.credentials[name]["headers"]).text
        rows = [{column: row[column] for column in MANIFEST} for row in csv.DictReader(io.StringIO(text))]
        assert_same([parcel.manifest_row(self.model.now) for parcel in order.parcels], rows, "the manifest")


def _attempt(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("at", "url", "event_id", "type", "attempt", "status")}


def _check_signature(endpoint: Endpoint, row: dict[str, Any]) -> None:
    """P-6.10 to P-6.14, B43."""
    headers, body = row["request"]["headers"], row["request"]["body"]
    stamp = headers["X-Service-Signature"].partition(",")[0].removeprefix("t=")
    assert instant(int(stamp)) == row["at"]
    mac = hmac.new(endpoint.secret.value.encode(), f"{stamp}.{body}".encode(), hashlib.sha256).hexdigest()
    assert headers["X-Service-Signature"] == f"t={stamp},v1={mac}"
    assert (headers["X-Service-Event"], headers["X-Service-Event-Id"]) == (row["type"], row["event_id"])
