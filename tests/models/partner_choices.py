"""What the partner machine chooses from: orders, mistakes in them, addresses, accounts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st

from tests.models.partner_timetable import STAGES
from tests.models.partner_webhooks import KINDS

Json = dict[str, Any]

# Of the catalogue in the fixture: what the model's account may order, what belongs to another, what needs a review.
MUG, PEN, TEE, ENGRAVED, FOREIGN = "MUG-01", "PEN-01", "102", "ENGR-01", "NEXT-01"
PRICES = {MUG: 1800, PEN: 600, TEE: 2500, ENGRAVED: 3200}
TEE_LINE = {"merchant_product_id": 102, "fixed_options": {"1021": 10212}, "choice_variation_ids": [1022]}
SELECTION = {"1022": 10222}
GUEST = {"name": "Bo", "email": "bo@example.com"}

US = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
ADDRESSES: list[Json] = [
    US,
    US,
    {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"},
    {"address1": "80 Wellington St", "city": "Ottawa", "state": "ON", "zip": "K1A 0B1", "country": "CA"},
    *({**US, "zip": postcode} for postcode in ("00011", "00012", "00013", "00014")),
]

HOSTS = ("all.partner.example", "one.partner.example", "two.partner.example")
# 0 and 1 stand for the next instant at which something is due, and for the second before it.
SPANS = (0, 0, 1, 60, 3_600, 7 * 3_600, 86_400, 2 * 86_400, 5 * 86_400)
# How a call may go wrong, and what that does to its charge; the first two lose only the answer, or the whole call.
FAULTS = (
    "",
    "",
    "",
    "",
    "",
    "drop=after",
    "drop=before",
    "status=503",
    "crash=after_charge",
    "charge=card_charge_failed",
)
TARGETS = ("in_production", "labeled", "shipped", "delivered", "delayed", "rejected")
ORDER_STATUSES = ("unpaid", "collecting_addresses", "in_progress", "shipped", "delivered", "canceled")

places = st.integers(0, 9)
# The status of the parcel that something happens to, if there is one in it.
statuses = st.sampled_from((*STAGES, "awaiting", "expired", "delayed", "rejected", "canceled"))
# Several moves of a parcel, among them those that take a delayed one up again.
paths = st.lists(st.sampled_from(TARGETS), min_size=1, max_size=2) | st.sampled_from(
    (
        ["in_production", "delayed", "in_production"],
        ["labeled", "delayed", "labeled"],
        ["labeled", "delayed", "in_production", "shipped"],
        ["delayed", "delayed", "delivered"],
        ["in_production", "rejected", "shipped"],
    )
)
waiting = st.sampled_from(("awaiting", "awaiting", "expired", "submitted", "canceled"))
claimants = st.sampled_from(("link", "seat", "account"))
guests = st.sampled_from(
    (
        GUEST,
        {"name": "Bo", "email": "BO@example.com"},
        *({"name": name, "email": f"{name.lower()}@example.com"} for name in ("Cy", "Di", "Ed")),
        {"name": "Bo", "email": ""},
        {"name": " ", "email": "bo@example.com"},
    )
)
foreign = st.sampled_from((0, 0, 0, 9))  # the id of a recipient of nobody, or none
addresses = st.sampled_from(ADDRESSES)
faults = st.sampled_from(FAULTS)
events = st.none() | st.fixed_dictionaries(
    {"days": st.integers(0, 9)}, optional={"rush": st.booleans(), "kit_assembly": st.booleans()}
)
items = st.lists(
    st.sampled_from(({"sku_code": MUG}, {"sku_code": MUG, "quantity": 2}, {"sku_code": PEN, "quantity": 3})),
    min_size=1, max_size=2,
)  # fmt: skip
members = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(("Spring mugs", None)),
        "po_number": st.just("PO-7"),
        "gift_message": st.sampled_from(("Hello", None)),
        "card": st.sampled_from(({"message": "Hi"}, {"sender": "Ada", "message": None}, {"message": " "}, {}, None)),
        "return_claim_links": st.sampled_from((True, False, None)),
    },
)


def _people(count: int) -> list[Json]:
    return [{"name": f"Person {place}", "email": f"person{place}@example.com"} for place in range(count)]


linked = st.fixed_dictionaries(
    {"recipients": st.builds(_people, st.integers(1, 3)), "items": items | st.just([TEE_LINE])},
    optional={
        "open_seats": st.sampled_from((1, 2, 0, None)),
        "destination_countries": st.sampled_from((["US"], ["US", "GB", "CA"], ["GB"], None)),
        "claim_expiry_days": st.sampled_from((1, 3, 20, None)),
    },
)
addressed = st.fixed_dictionaries(
    {
        "items": items,
        "recipients": st.lists(
            st.fixed_dictionaries(
                {"name": st.just("Ann"), "address": addresses},
                optional={
                    "quantity": st.integers(1, 3),
                    "email": st.sampled_from(("ann@example.com", None)),
                    "ship_on": st.sampled_from((0, 2, 4, 9, None)),
                },
            ),
            min_size=1, max_size=3,
        ),
    }
)  # fmt: skip

# One mistake each; several may be made at once, and the first in the documents' order is reported.
MISTAKES: Mapping[str, Callable[[Json], Json]] = {
    "seats with addresses": lambda body: {**body, "open_seats": 1, "recipients": [{"name": "Ann", "address": US}]},
    "too many recipients": lambda body: {**body, "recipients": _people(101)},
    "too many seats": lambda body: {**body, "recipients": _people(1), "open_seats": 100},
    "unknown country": lambda body: {**body, "destination_countries": ["JP"]},
    "no items": lambda body: {**body, "items": []},
    "items null": lambda body: {**body, "items": None},
    "no quantity": lambda body: {**body, "items": [{"sku_code": MUG, "quantity": 0}]},
    "no item": lambda body: {**body, "items": [{"quantity": 1}]},
    "no recipients": lambda body: {**body, "recipients": []},
    "recipients null": lambda body: {**body, "recipients": None},
    "mixed": lambda body: {**body, "recipients": [*_people(1), {"name": "Ann", "address": US}]},
    "no sender": lambda body: {**body, "gift_sender": " "},
    "sender null": lambda body: {**body, "gift_sender": None},
    "event in the past": lambda body: {**body, "event": {"date": "2027-01-03"}},
    "unknown item": lambda body: {**body, "items": [{"sku_code": "NO-SUCH"}]},
    "another's item": lambda body: {**body, "items": [{"sku_code": FOREIGN}]},
    "no email": lambda body: {**body, "recipients": [*_people(1), {"name": "Cy"}]},
    "ship_on has passed": lambda body: {
        **body,
        "recipients": [{"name": "Ann", "address": US}, {"name": "Cy", "address": US, "ship_on": "2027-01-03"}],
    },
    "no state": lambda body: {**body, "recipients": [{"name": "Ann", "address": {**US, "state": ""}}]},
    "a foreign postcode": lambda body: {**body, "recipients": [{"name": "Ann", "address": {**US, "zip": "K1A 0B1"}}]},
    "two without email": lambda body: {**body, "recipients": [{"name": "Cy"}, *_people(1), {"name": "Di"}]},
    "not reviewed": lambda body: {**body, "items": [{"sku_code": ENGRAVED}]},
}
mistakes = st.lists(
    st.sampled_from(sorted(name for name in MISTAKES if "null" not in name)), min_size=1, max_size=2, unique=True
)

account_changes = st.one_of(
    st.fixed_dictionaries({"add_cents": st.integers(1, 30_000)}),
    st.fixed_dictionaries({"card": st.sampled_from(("none", "good", "declined"))}),
    st.fixed_dictionaries({"card_fallback": st.booleans()}),
    st.fixed_dictionaries({"daily_limit_cents": st.none() | st.integers(3_000, 30_000)}),
)
# What calls depend on, and its new value.
changes = st.one_of(
    st.tuples(st.just("account"), st.tuples(st.integers(0, 2), account_changes)),
    st.tuples(st.just("receiver"), st.tuples(st.sampled_from(HOSTS), st.sampled_from((200, 204, 302, 503, None)))),
    st.tuples(st.just("reconcile"), st.sampled_from(("never", "paid", "failed"))),
    st.tuples(st.just("price"), st.integers(1, 4_000)),
    st.tuples(st.just("review"), st.booleans()),
)
kinds = st.lists(st.sampled_from(KINDS), min_size=1, unique=True)
