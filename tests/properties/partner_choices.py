"""What partners' random actions choose from: orders, faults, changes of accounts, receivers."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.properties.branch import PARTNER_KEYS
from tests.support.orders import address_recipients, email_recipients

KEYS = PARTNER_KEYS
HOSTS = ("one.partner.example", "two.partner.example")
KINDS = ["team_order.claimed", "team_order.shipped", "team_order.delivered", "team_order.needs_attention"]
CREDIT_CENTS = 60_000
SPANS = ("1m", "1h", "1h", "7h", "1d", "3d", "12d")
FAULTS = (
    None,
    None,
    None,
    None,
    "charge=card_charge_failed",
    "crash=after_charge",
    "drop=after",
    "drop=before",
    "status=503",
)
ANSWERED = (200, 201, 402, 409, 503)
TEE = {"merchant_product_id": 102, "fixed_options": {"1021": 10212}, "choice_variation_ids": [1022], "quantity": 1}

places = st.integers(0, 9)
faults = st.sampled_from(FAULTS)
events = st.none() | st.fixed_dictionaries(
    {"days": st.integers(0, 9), "rush": st.booleans(), "kit_assembly": st.booleans()}
)
link_orders = st.one_of(
    st.fixed_dictionaries(
        {"recipients": st.builds(email_recipients, st.integers(1, 3)), "claim_expiry_days": st.integers(1, 20)}
    ),
    st.fixed_dictionaries(
        {"recipients": st.builds(email_recipients, st.integers(1, 2)), "open_seats": st.integers(1, 2)}
    ),
    st.fixed_dictionaries({"recipients": st.builds(email_recipients, st.just(2)), "items": st.just([TEE])}),
)
address_orders = st.fixed_dictionaries(
    {"recipients": st.builds(address_recipients, st.integers(1, 3), quantity=st.integers(1, 3))}
)
account_changes = st.one_of(
    st.fixed_dictionaries({"add_cents": st.integers(1, 30_000)}),
    st.fixed_dictionaries({"add_cents": st.integers(1, 9_000), "card": st.sampled_from(("none", "good", "declined"))}),
    st.fixed_dictionaries({"card": st.just("good"), "card_fallback": st.booleans()}),
    st.fixed_dictionaries({"daily_limit_cents": st.none() | st.integers(9_000, 90_000)}),
)
receiver_entries = st.sampled_from(
    (
        {"then": {"status": 200}},
        {"then": {"status": 200}},
        {"then": {"status": 503}},
        {"script": [{"status": 500}, {"timeout": True}, {"reset": True}], "then": {"status": 204}},
        {"outage": (2, 9)},  # days from now
        {"mode": "refuse"},
        {"addresses": ["10.0.0.5"]},
    )
)
