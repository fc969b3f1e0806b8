"""A state of the domain alone, without HTTP: an account with a key, products, and the events emitted."""

from __future__ import annotations

from typing import Any

from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.instants import parse_duration, parse_instant
from giftsim.engine.kernel.signals import connect
from giftsim.engine.kernel.state import EMITTED, State
from giftsim.engine.problem import ERRORS
from giftsim.services.gifting.domain.api_key import API_KEYS, ApiKey, issue_key
from giftsim.services.gifting.domain.domain_definitions import DEFINITIONS
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, PartnerOrder, recipient_rows
from giftsim.services.gifting.domain.fulfilment.order_charge import charge_order
from giftsim.services.gifting.domain.fulfilment.order_placement import place_unpaid_order
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS, SKUS, Option, Product, Sku, Variation
from giftsim.services.gifting.domain.fulfilment.recipient import Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import Shipment
from giftsim.services.gifting.domain.fulfilment.validation import validate_order
from giftsim.services.gifting.domain.money.account import ACCOUNTS, Account, balance_cents, change_account, open_account
from giftsim.services.gifting.domain.money.charge import CHARGES, PAID, Charge, ChargeFault, fail_charge, settle_charge
from giftsim.services.gifting.domain.money.money_errors import PaymentRefused
from giftsim.services.gifting.domain.money.net_terms_settlement import open_net_terms_settlement, settle_or_raise

NOW = "2027-01-04T09:00:00Z"
RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
LONDON = {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"}

SIZE = Variation(1021, "Size", (Option(10211, "S"), Option(10212, "M")))
COLOUR = Variation(1022, "Colour", (Option(10221, "Black"), Option(10222, "Navy")))


def email_order_body(*names: str, **members: Any) -> dict[str, Any]:
    """A create body without addresses: a recipient per name, one mug each."""
    recipients = [{"name": name, "email": f"{name.lower()}@example.com"} for name in names or ("Bo",)]
    return {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": recipients, **members}


def address_order_body(*addresses: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A create body with addresses: a recipient per address, one mug each."""
    recipients = [{"name": f"Bo {i}", "address": address} for i, address in enumerate(addresses or (RENO,))]
    return {"gift_sender": "Ada", "items": [{"sku_code": "MUG-01"}], "recipients": recipients, **members}


class PartnerDomain:
    """One account and actions on it, each in its own transaction."""

    def __init__(self, now: str = NOW, **account: Any) -> None:
        self.events: list[tuple[str, str, int, dict[str, Any]]] = []
        definitions = merge_definitions(
            DEFINITIONS, PackageDefinitions(connections=(connect(EMITTED, self._record_event),))
        )
        self.state = State(definitions.compiled(ERRORS), 1, parse_instant(now))
        with self.state.transaction():
            self.state[PRODUCTS].add(Product(0, 101, "mug-01", "Mug", 1000))
            self.state[PRODUCTS].add(Product(1, 102, "tee-01", "Tee", 2500, variations=(SIZE, COLOUR)))
            self.state[SKUS].add(Sku(0, 10100, "MUG-01", 0))
            self.state[SKUS].add(Sku(1, 10200, "TEE-01", 1, ((1021, 10211), (1022, 10221))))
            self.n = open_account(self.state, {"wallet_cents": 500_000, "card": "good", **account}).n
            self.key_n = issue_key(self.state, "partner", name="first", account=self.n).n

    def _record_event(self, _: State, kind: str, owner: str, subject: int, /, **facts: Any) -> None:
        self.events.append((kind, owner, subject, facts))

    @property
    def account(self) -> Account:
        return self.state[ACCOUNTS].get(self.n)

    @property
    def key(self) -> ApiKey:
        return self.state[API_KEYS].get(self.key_n)

    @property
    def event_types(self) -> list[str]:
        return [kind for kind, *_ in self.events]

    def change_account(self, **choices: Any) -> None:
        with self.state.transaction():
            change_account(self.state, self.account, choices)

    def change_settings(self, **settings: Any) -> None:
        with self.state.transaction():
            for name, raw in settings.items():
                self.state.set_setting(name.replace("__", "."), raw)

    def place(self, body: dict[str, Any]) -> PartnerOrder:
        """Validate and place an order, without charging."""
        with self.state.transaction():
            items = validate_order(self.state, self.account, body, ())
            return place_unpaid_order(self.state, self.account, self.key, body, items)

    def charge(self, order: PartnerOrder, key: ApiKey | None = None, **fault: Any) -> Charge | PaymentRefused:
        with self.state.transaction():
            return charge_order(self.state, order, key or self.key, ChargeFault(**fault))

    def resolve_charge(self, order: PartnerOrder, outcome: str) -> Charge:
        """Close the order's charge, whose outcome is unknown, as `paid` or `failed`."""
        n = self.order(order).charge
        assert n is not None
        with self.state.transaction():
            charge = self.state[CHARGES].get(n)
            return settle_charge(self.state, charge) if outcome == PAID else fail_charge(self.state, charge)

    def settle(self, amount_cents: int | None = None, **fault: Any) -> Charge:
        """Charge the card for what is owed, or for a part of it."""
        with self.state.transaction():
            charge = open_net_terms_settlement(self.state, self.account, self.key, amount_cents, ChargeFault(**fault))
            return settle_or_raise(self.state, charge, ChargeFault(**fault))

    def buy(self, body: dict[str, Any]) -> PartnerOrder:
        """Place and pay for an order; the order afterwards."""
        order = self.place(body)
        assert isinstance(self.charge(order), Charge)
        return self.order(order)

    def order(self, order: PartnerOrder) -> PartnerOrder:
        """The current record of the order."""
        current = self.state[FULFILMENTS].get(order.n)
        assert isinstance(current, PartnerOrder)
        return current

    def rows(self, order: PartnerOrder) -> list[tuple[Recipient, Shipment]]:
        return list(recipient_rows(self.state, self.order(order)))

    def statuses(self, order: PartnerOrder) -> list[str]:
        return [shipment.status for _, shipment in self.rows(order)]

    def advance(self, by: str) -> None:
        """Advance the clock by a duration and fire the due timers."""
        to_ms = self.state.now_ms + parse_duration(by)
        while (timer := self.state.timers.peek()) and timer.due_ms <= to_ms:
            self.state.fire(timer)
        self.state.now_ms = to_ms

    def wallet_by_ledger(self) -> int:
        return balance_cents(self.state, self.account.owner, self.account.wallet)

    def card_by_ledger(self) -> int:
        """The amount charged to the card, less refunds."""
        return -balance_cents(self.state, self.account.owner, self.account.external_source)
