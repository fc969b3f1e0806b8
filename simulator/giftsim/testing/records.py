"""The types of the rows that `listed` returns, as the test-control API documents them."""

# Generated from control/contract.yaml: `python -m tools docgen` renews this file.

from typing import Any, Literal, TypedDict

from giftsim.testing.results import Outcome


class Timer(TypedDict):
    """Something that is due."""

    due: str
    kind: str
    subject: str
    about: dict[str, Any] | None
    because: str


class Order(TypedDict):
    """An order of any interface."""

    id: int | str
    title: str
    account_id: int | None
    team_id: int | None
    key: str | None
    created_at: str
    paid_at: str | None
    name: str | None
    reference: str | None
    status: str
    address_mode: str
    summary: dict[str, int]
    shared_claim_link: str | None
    total_cents: int
    charged_cents: int
    refunded_cents: int


class TeamPayment(TypedDict):
    """A payment of a team."""

    payment_id: int | str
    team_id: int
    livemode: bool
    key: str | None
    method: Literal["balance", "net_terms", "bank_transfer", "us_bank_account"]
    status: Literal["pending", "reserved", "uncertain", "settled", "failed"]
    amount_cents: int
    refunded_cents: int
    month: str | None
    resource_type: str
    resource_id: int | str
    about: dict[str, Any]
    to_balance: bool
    invoice_id: int | str | None
    receipt_id: int | str | None
    created_at: str
    settled_at: str | None


class Payment(TypedDict):
    """A charge of a partner key's account."""

    id: str
    account_id: int
    key: str | None
    purpose: str
    team_order_id: int | None
    about: dict[str, Any] | None
    status: Literal["sent", "paid", "failed"]
    amount_cents: int
    wallet_cents: int
    card_cents: int
    code: str | None
    opened_at: str
    closed_at: str | None
    team_payment: TeamPayment | None


class Posting(TypedDict):
    """One side of an entry."""

    account: str
    cents: int


class LedgerEntry(TypedDict):
    """An entry in the double-entry book of money."""

    seq: int
    at: str
    kind: str
    owner: str
    ref: str
    about: dict[str, Any] | None
    postings: list[Posting]


class Option(TypedDict):
    """One choice."""

    id: int
    name: str
    on_sale: bool


class Variation(TypedDict):
    """What may be chosen of a product."""

    id: int
    name: str
    options: list[Option]


class Sku(TypedDict):
    """A product with all its choices made."""

    id: int
    code: str
    price_cents: int
    on_sale: bool
    options: dict[str, int]


class Product(TypedDict):
    """A product of the catalogue."""

    id: int
    slug: str
    name: str
    price_cents: int
    personalization: str
    on_sale: bool
    account_id: int | None
    reviewed_for: list[int]
    variations: list[Variation]
    skus: list[Sku]


class Credit(TypedDict):
    """A team's terms."""

    status: Literal["none", "active", "suspended"]
    net_days: int
    credit_limit_cents: int
    outstanding_cents: int
    available_cents: int


class Team(TypedDict):
    """A team."""

    team_id: int
    label: str
    name: str
    plan: Literal["sandbox", "starter", "growth", "enterprise"]
    api_enabled: bool
    agent_access: bool
    ach_enabled: bool
    balance_cents: int
    reserved_cents: int
    limits: list[dict[str, Any]]
    credit: Credit


class Endpoint(TypedDict):
    """A webhook endpoint."""

    id: int
    account_id: int | None
    team_id: int | None
    key: str | None
    url: str
    events: list[str]
    status: Literal["active", "disabled"]
    pending: int
    dead: int
    created_at: str


class WebhookRequest(TypedDict):
    """A request as it was sent."""

    headers: dict[str, str]
    body: str


class Delivery(TypedDict):
    """An attempt to deliver a webhook, with the request."""

    seq: int
    at: str
    url: str
    event_id: str
    type: str
    attempt: int
    mark: Literal["resend", "duplicate", "ping"] | None
    fault: str | None
    request: WebhookRequest
    outcome: Outcome | None
    status: int | None
    next_attempt_at: str | None
    delivery: Literal["pending", "delivered", "dead", "dropped"] | None
    endpoint: int
    about: dict[str, Any] | None


class LoggedRequest(TypedDict):
    """The request of a logged call, redacted."""

    method: str
    path: str
    headers: dict[str, str]
    body: str | None


class LoggedCall(TypedDict):
    """A call of a client."""

    seq: int
    at: str
    interface: str | None
    operation: str | None
    credential: str | None
    request: LoggedRequest
    response: dict[str, Any] | None
    fault: str | None
    note: str | None
