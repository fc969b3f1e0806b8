"""How the lists of gifting are searched, beside those of orders, gifts and campaigns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from giftsim.engine.gateway.record_search import Outcome, Search, SearchField
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.mail import CLAIM_LINK, SHARED_CLAIM_LINK
from giftsim.services.gifting.domain.fulfilment.products import SKUS, Product
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS, Recipient
from giftsim.services.gifting.domain.fulfilment.shipment import SHIPMENTS
from giftsim.services.gifting.domain.team.design import proof
from giftsim.services.gifting.domain.team.orders.approval import Approval
from giftsim.services.gifting.domain.team.orders.team_order import OrderItem
from giftsim.services.gifting.records.gifting_kinds import (
    APPROVAL,
    CERTIFICATE,
    CHARGE,
    CONTACT,
    INVOICE,
    KEY,
    LEDGER_ENTRY,
    MAIL,
    PERSON,
    PREVIEW,
    PRODUCT,
    PROOF,
    RECIPIENT,
)
from giftsim.services.gifting.records.key_credentials import credential_name
from giftsim.services.gifting.records.order_searches import SEARCHES as OF_ORDERS
from giftsim.services.gifting.records.titles import order_title, resource_title


def _recipient_text(state: State, row: Recipient) -> Iterator[object]:
    yield from (row.name, row.email, row.company)
    yield order_title(state, state[FULFILMENTS].get(row.order))


def _recipient_parts(state: State, row: Recipient) -> tuple[object, ...]:
    order = state[FULFILMENTS].rows[row.order]
    return row, order, order and state[RECIPIENTS].rows[order.first_recipient]


def _approval_text(state: State, row: Approval) -> Iterator[object]:
    yield from (row.id, row.resource_id, row.note, row.decision_note)
    yield resource_title(state, row.resource_type, row.resource)


def _proof_text(state: State, item: OrderItem) -> Iterator[object]:
    yield from (item.id, item.name, resource_title(state, item.resource_type, item.order))


def _product_text(state: State, product: Product) -> Iterator[object]:
    codes = (sku.code for sku in state[SKUS].rows_in("product", product.n))
    yield from (product.id, product.slug, product.name, *codes)


RECIPIENT_SEARCH: Final = Search(
    "recipients",
    RECIPIENT,
    "a recipient",
    "the name, the address, the company and the title of the order",
    text=_recipient_text,
    parts=_recipient_parts,
    fields=(
        SearchField(
            "who",
            "the name, the email address or the company",
            "who:bo@example.com",
            of=lambda _, row: (row.name, row.email, row.company),
            in_part=True,
        ),
        SearchField(
            "parcel",
            "the status of the parcel",
            "parcel:shipped",
            of=lambda state, row: (state[SHIPMENTS].get(row.shipment).status,),
        ),
    ),
)
PERSON_SEARCH: Final = Search(
    "people",
    PERSON,
    "a person",
    "the id, the name, the email address and the department",
    text=lambda _, row: (row.id, row.display_name, row.work_email, row.department),
    at=lambda row: row.created_ms,
    fields=(
        SearchField(
            "who",
            "the name or the email address",
            "who:zoe@example.com",
            of=lambda _, row: (row.display_name, row.work_email),
            in_part=True,
        ),
    ),
)
CONTACT_SEARCH: Final = Search(
    "contacts",
    CONTACT,
    "a contact",
    "the id, the name, the email address, the company and the title",
    text=lambda _, row: (row.id, row.name, row.email, row.company, row.title),
    fields=(
        SearchField(
            "who",
            "the name, the email address or the company",
            "who:zoe@example.com",
            of=lambda _, row: (row.name, row.email, row.company),
            in_part=True,
        ),
    ),
)
MAIL_SEARCH: Final = Search(
    "mail",
    MAIL,
    "a mail",
    "the address, the subject",
    text=lambda _, row: (row.to, row.subject),
    at=lambda row: row.at_ms,
    fields=(
        SearchField(
            "who", "the address that it is to", "who:bo@example.com", of=lambda _, row: (row.to,), in_part=True
        ),
        SearchField(
            "kind",
            "its kind",
            f"kind:{CLAIM_LINK}",
            of=lambda _, row: (row.kind,),
            values=(CLAIM_LINK, SHARED_CLAIM_LINK),
        ),
    ),
)
APPROVAL_SEARCH: Final = Search(
    "approvals",
    APPROVAL,
    "an approval",
    "its id, its notes, and the id and title of what is approved",
    text=_approval_text,
    at=lambda row: row.created_ms,
    fields=(
        SearchField(
            "kind",
            "what is approved",
            "kind:gift",
            of=lambda _, row: (row.resource_type,),
        ),
    ),
    failed=Outcome("rejected", ("rejected",)),
    waiting=Outcome("pending", ("pending",)),
)
PROOF_SEARCH: Final = Search(
    "proofs",
    PROOF,
    "a proof",
    "its id, the product, and the title of its order",
    text=_proof_text,
    at=lambda row: row.created_ms,
    waiting=Outcome(
        "it is not signed yet", tuple(each for each in proof.PROOF.states if each not in proof.PROOF.final)
    ),
)
PREVIEW_SEARCH: Final = Search(
    "previews",
    PREVIEW,
    "a preview",
    "its id",
    text=lambda _, row: (row.id,),
    at=lambda row: row.created_ms,
    failed=Outcome("its rendering failed", ("failed",)),
    waiting=Outcome("it is not rendered yet", ("pending",)),
)
CHARGE_SEARCH: Final = Search(
    "payments",
    CHARGE,
    "a payment",
    "its id, and why it failed",
    text=lambda _, row: (row.transaction_id, row.code),
    at=lambda row: row.opened_at_ms,
    fields=(SearchField("why", "why it failed", "why:insufficient_funds", of=lambda _, row: (row.code,)),),
    failed=Outcome("failed", ("failed",)),
    waiting=Outcome("it has no outcome yet", ("sent",)),
)
INVOICE_SEARCH: Final = Search(
    "invoices",
    INVOICE,
    "an invoice",
    "its id, its number, and what it is for",
    text=lambda _, row: (row.id, row.number, row.bill and row.bill.id),
    at=lambda row: row.created_ms,
    waiting=Outcome("open", ("open",)),
)
CERTIFICATE_SEARCH: Final = Search(
    "certificates",
    CERTIFICATE,
    "a certificate",
    "its id, its address and its region",
    text=lambda _, row: (row.id, row.url, row.region),
    at=lambda row: row.created_ms,
    failed=Outcome("rejected", ("rejected",)),
    waiting=Outcome("pending review", ("pending_review",)),
)
LEDGER_SEARCH: Final = Search(
    "ledger",
    LEDGER_ENTRY,
    "an entry",
    "its kind, and what it is for",
    text=lambda _, row: (row.kind, row.ref),
    at=lambda row: row.at_ms,
    fields=(SearchField("kind", "its kind", "kind:refund", of=lambda _, row: (row.kind,)),),
)
KEY_SEARCH: Final = Search(
    "keys",
    KEY,
    "a key",
    "its name, title, role and plan",
    text=lambda _, row: (credential_name(row), row.title, row.role, row.plan),
    at=lambda row: row.made_at_ms,
    fields=(SearchField("kind", "its interface", "kind:partner", of=lambda _, row: (row.interface,)),),
)
PRODUCT_SEARCH: Final = Search(
    "catalogue", PRODUCT, "a product", "its id, its name and its SKU codes", text=_product_text
)

SEARCHES: Final[Sequence[Search[Any]]] = (
    *OF_ORDERS,
    RECIPIENT_SEARCH,
    PERSON_SEARCH,
    CONTACT_SEARCH,
    MAIL_SEARCH,
    APPROVAL_SEARCH,
    PROOF_SEARCH,
    PREVIEW_SEARCH,
    CHARGE_SEARCH,
    INVOICE_SEARCH,
    CERTIFICATE_SEARCH,
    LEDGER_SEARCH,
    KEY_SEARCH,
    PRODUCT_SEARCH,
)
