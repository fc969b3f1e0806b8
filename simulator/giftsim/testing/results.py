"""The types of what the members of the fixture return, as the test-control API documents them.

They are plain dictionaries: a type checker and an IDE know their members. Instants are texts like
`2027-01-04T09:00:00Z`, and amounts are in cents.
"""

# Generated from control/contract.yaml: `python -m tools docgen` renews this file.

from typing import Any, Literal, NotRequired, TypedDict

# How an attempt ended; None while it is under way.
Outcome = Literal[
    "delivered",
    "http_status",
    "timeout",
    "dns_error",
    "connection_refused",
    "connection_reset",
    "tls_error",
    "blocked_address",
    "refused",
]

# The word for a situation that can be rehearsed.
RehearsalName = Literal[
    "parcel-rejected",
    "parcel-delayed",
    "parcel-lost",
    "parcel-returned",
    "parcel-refused",
    "parcel-found",
    "delivered-elsewhere",
    "tracking-replaced",
    "tracking-late",
    "scans-out-of-order",
    "holiday",
    "card-closed",
    "refund-failed",
    "balance-spent",
    "payment-uncertain",
    "ach-returned",
    "paid-after-cancel",
    "underpaid",
    "paid-twice",
    "product-gone",
    "option-gone",
    "file-gone",
    "address-corrected",
    "mail-bounced",
    "more-people-than-seats",
    "contact-merged",
    "contact-deleted",
    "provider-half",
    "provider-down",
]


class Parcel(TypedDict):
    """What one recipient gets; returned by `claim`, `ship` and `listed("parcels")`."""

    order_id: int
    external_id: str
    channel: str
    team_order_id: int | str | None
    gift_id: int | str | None
    campaign_id: int | str | None
    recipient_id: int | str | None
    name: str | None
    email: str | None
    status: str
    country: str | None
    ship_on: str | None
    card: dict[str, Any] | None
    carrier: str | None
    tracking_number: str | None
    tracking_url: str | None
    cancel_reason: str | None
    claim_link: str | None
    claim_expires_at: str | None
    claimed_at: str | None
    produced_at: str | None
    labeled_at: str | None
    shipped_at: str | None
    delivered_at: str | None


class Approval(TypedDict):
    """A request for a yes; returned by `approve`, `reject` and `listed("approvals")`."""

    id: int | str
    team_id: int
    livemode: bool
    status: Literal["pending", "approved", "rejected", "canceled", "superseded"]
    resource_type: Literal["team_order", "gift", "large_campaign"]
    resource_id: int | str
    about: dict[str, Any]
    amount_cents: int
    outdated: bool
    note: str | None
    decision_note: str | None
    decided_by: str | None
    created_at: str
    decided_at: str | None
    expires_at: str | None


class Actor(TypedDict):
    """A person who acts without further calls; returned by `actor`."""

    id: str
    recipient: NotRequired[str]
    claims: NotRequired[str]
    address: NotRequired[dict[str, Any]]
    selection: NotRequired[dict[str, Any]]
    approver: NotRequired[str]
    decides: NotRequired[Literal["approve", "reject", "never"]]
    after: NotRequired[str]
    note: NotRequired[str]
    asked: int
    waiting: int
    acted: int
    refused: int
    last_acted_at: str | None
    last_refusal: dict[str, Any] | None


class Account(TypedDict):
    """A partner key's account; returned by `fund`."""

    account_id: int
    label: str
    billing_mode: Literal["prepaid", "net_terms"]
    wallet_cents: int
    held_cents: int
    owed_cents: int
    card: Literal["none", "good", "declined"]
    card_fallback: bool
    credit_limit_cents: int
    daily_limit_cents: int | None
    limits: list[dict[str, Any]]
    keys: list[str]
    spent_today_cents: dict[str, int]


class Fault(TypedDict):
    """A fault and how often it was injected; returned by `fault`, `fail_charges` and `faults`."""

    id: str
    match: dict[str, Any]
    when: dict[str, Any]
    effect: dict[str, Any]
    calls: int
    hits: int


class Fired(TypedDict):
    """A timer that fired."""

    at: str
    kind: str
    subject: str


class Change(TypedDict):
    """What happened to one record."""

    subject: str
    about: dict[str, Any] | None
    kinds: list[str]
    at: str


class Attempt(TypedDict):
    """An attempt to deliver a webhook."""

    seq: int
    at: str
    event_id: str
    type: str
    url: str
    attempt: int
    outcome: Outcome | None
    status: int | None


# What an advance did; returned by `advance`. `fired` is there on request.
Advance = TypedDict(
    "Advance",
    {
        "from": str,
        "to": str,
        "fired": NotRequired[list[Fired]],
        "fired_count": int,
        "hourly_runs": int,
        "fired_by_kind": dict[str, int],
        "changed": list[Change],
        "deliveries": list[Attempt],
        "delivery_count": int,
        "events_by_type": dict[str, int],
        "mail": list[dict[str, Any]],
        "mail_count": int,
        "next_due": str,
        "slow": list[dict[str, Any]],
        "app_clock": NotRequired[dict[str, Any]],
        "canceled": bool,
        "dry_run": bool,
    },
)


class Step(TypedDict):
    """One answer of a scripted receiver."""

    status: NotRequired[int]
    delay_s: NotRequired[float]
    location: NotRequired[str]
    body: NotRequired[str]
    timeout: NotRequired[Literal[True]]
    reset: NotRequired[Literal[True]]
    refuse: NotRequired[Literal[True]]
    tls_error: NotRequired[Literal[True]]
    dns_error: NotRequired[Literal[True]]


class Receiver(TypedDict):
    """How a host answers webhooks; returned by `receiver`."""

    host: str
    mode: Literal["capture", "forward", "refuse", "hold"]
    to: str | None
    script: list[Step]
    used: int
    then: Step | None
    addresses: list[str] | None
    outage: dict[str, Any] | None
    host_header: Literal["keep", "target"]


class Key(TypedDict):
    """A new key; returned by `key`."""

    name: str
    interface: str
    mode: Literal["live", "test"]
    key: str
    headers: dict[str, str]
    account_id: int | None
    capabilities: list[Literal["team_orders"]]
    team_id: int | None
    role: Literal["approver", "requester"] | None
    scopes: list[
        Literal[
            "catalog:read",
            "people:read",
            "people:write",
            "contacts:read",
            "gifts:send",
            "orders:read",
            "orders:write",
            "orders:pay",
            "artwork:write",
            "rules:write",
            "billing:read",
            "billing:write",
            "webhooks:manage",
        ]
    ]
    pay_limits: dict[str, Any] | None
    limits: list[dict[str, Any]]
    plan: str
    revoked: bool


class Event(TypedDict):
    """A webhook event, with or without subscribers; returned by `events`."""

    seq: int
    id: str
    type: str
    account_id: int | None
    at: str
    created_at: str | None
    subject: str
    about: dict[str, Any] | None
    facts: dict[str, Any]
    audience: int
    status: Literal["waiting", "pending", "delivered", "dead", "dropped", "unsubscribed"]
    data: dict[str, Any] | None


class Mail(TypedDict):
    """A mail that the service would send; returned by `mail`."""

    seq: int
    at: str
    to: str
    kind: str
    subject: str
    links: list[str]
    text: str
    about: dict[str, Any] | None
    bounced_at: str | None
    read: bool


class Parcels(TypedDict):
    """The parcels that `ship` moved."""

    parcels: list[Parcel]


class Rehearsal(TypedDict):
    """A situation that can be rehearsed; returned by `rehearsals`."""

    name: str
    about: str
    fear: str
    happens: str
    check: str
    takes: list[str]
    needs: list[list[str]]
    steps: list[dict[str, Any]]
    decisions: list[dict[str, Any]]


class Rehearsed(TypedDict):
    """What a rehearsal did, and what to check then; returned by `rehearse`."""

    name: str
    done: list[dict[str, Any]]
    happens: str
    check: str


class UndoneCall(TypedDict):
    """A call that `undo` removed, or `redo` brought back."""

    at: str
    method: str
    path: str


class Mark(TypedDict):
    """An entry of the world's trace that proves a verdict."""

    entry: int
    what: str


class Mend(TypedDict):
    """The line that would change it, to paste."""

    pytest: str | None
    vitest: str | None
    curl: str | None
    scenario: str | None


class Verdict(TypedDict):
    """Why something did not happen, in one sentence; returned by `why`."""

    kind: str
    sentence: str
    marks: list[Mark]
    mend: Mend
    why_not: str | None


class Subscription(TypedDict):
    """A new webhook endpoint; returned by `subscribe`. A partner's is in `endpoint`, a team's is the object itself."""

    secret: str
    endpoint: NotRequired[dict[str, Any]]
    signature_header: NotRequired[str]
    id: NotRequired[int]
    url: NotRequired[str]
    events: NotRequired[list[str]]
    balance_threshold_cents: NotRequired[int | None]
    livemode: NotRequired[bool]
    created_at: NotRequired[str]
