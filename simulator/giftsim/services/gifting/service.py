"""Gifting as a service: two interfaces, the page for recipients, and everything that they show and do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine.gateway.call import Interface
from giftsim.engine.gateway.effect_types import types_in
from giftsim.engine.gateway.need import Health
from giftsim.engine.gateway.reason import Question, Reason
from giftsim.engine.gateway.record_kind import Ref
from giftsim.engine.gateway.record_search import Search
from giftsim.engine.gateway.simulated_service import (
    Activity,
    Credentials,
    Greeting,
    MagicRow,
    Output,
    Page,
    Service,
    Simulated,
)
from giftsim.engine.kernel.definitions import PackageDefinitions, merge_definitions
from giftsim.engine.kernel.instants import format_instant
from giftsim.engine.kernel.state import State
from giftsim.engine.worlds.registry import DEFAULT
from giftsim.services.fixture_loader import check_bodies
from giftsim.services.gifting import charge_effects, journey, readings, records
from giftsim.services.gifting.claim_tokens import SECRETS
from giftsim.services.gifting.coverage_facts import COVERAGE
from giftsim.services.gifting.domain import seed
from giftsim.services.gifting.domain.actor_schedule import DEFINITIONS as ACTORS
from giftsim.services.gifting.domain.api_key import LIVE
from giftsim.services.gifting.domain.domain_definitions import DEFINITIONS as DOMAIN
from giftsim.services.gifting.domain.fulfilment.fulfilment import FIRST_ID, FULFILMENTS
from giftsim.services.gifting.domain.fulfilment.mail import MAILS, Mail
from giftsim.services.gifting.domain.money.account import ACCOUNTS
from giftsim.services.gifting.domain.money.charge import CHARGES, PAID, RECONCILE, reschedule_unknown
from giftsim.services.gifting.domain.team.campaigns.campaign import BATCHES
from giftsim.services.gifting.domain.team.orders.gift import GIFTS
from giftsim.services.gifting.domain.team.team_definitions import DEFINITIONS as TEAM
from giftsim.services.gifting.domain.team.team_definitions import seed_team_sections
from giftsim.services.gifting.domain.team.webhook_subscription import TEST_TYPE
from giftsim.services.gifting.domain.webhook_kinds import KINDS as WEBHOOK_KINDS
from giftsim.services.gifting.interfaces.claim import CLAIM
from giftsim.services.gifting.interfaces.partner.authentication import IDEMPOTENCY_SCOPE
from giftsim.services.gifting.interfaces.partner.error_envelope import ERROR_SHAPE
from giftsim.services.gifting.interfaces.partner.partner_settings import PAGE_SIZE, PING_DATA
from giftsim.services.gifting.interfaces.team import payments
from giftsim.services.gifting.magic.magic_definitions import DEFINITIONS as MAGIC
from giftsim.services.gifting.money_moves import LEDGER
from giftsim.services.gifting.owners import OWNERS
from giftsim.services.gifting.records import key_credentials
from giftsim.services.gifting.records.gifting_kinds import CHARGE, KEY, KINDS, MAIL, ORDER, PARCEL, RECIPIENT, WALLET
from giftsim.services.secrets import PARTNER_KEY, TEAM_KEY

if TYPE_CHECKING:
    from flask import Blueprint

    from giftsim.engine.gateway.rehearsal import Rehearsal
    from giftsim.engine.gateway.wsgi_app import WsgiApp, WsgiCallable
    from giftsim.engine.pages.errors import ErrorWords
    from giftsim.engine.worlds.registry import Registry

PACKAGE = Path(__file__).parent


# ---- Interfaces and pages, each imported by its first call


def _team() -> Interface:
    from giftsim.services.gifting.interfaces.team.team_interface import team

    return team()


def _partner() -> Interface:
    from giftsim.services.gifting.interfaces.partner.partner_interface import partner

    return partner()


def _claim_page(registry: Registry) -> Blueprint:
    from giftsim.services.gifting.interfaces.claim.pages import claim_page

    return claim_page(registry)


def _images(registry: Registry) -> Blueprint:
    from giftsim.services.gifting.interfaces.team.image_routes import image_routes

    return image_routes(registry)


def _claim_words() -> ErrorWords:
    from giftsim.services.gifting.interfaces.claim.form_page import CLAIM_WORDS

    return CLAIM_WORDS


def _assistants(app: WsgiApp, version: str, knows_host: Callable[[Mapping[str, Any]], bool]) -> WsgiCallable:
    from giftsim.services.gifting.interfaces.team.mcp_endpoint import McpEndpoint

    return McpEndpoint(app, app.interfaces[TEAM_INTERFACE.base], version, knows_host)


def _searches() -> Sequence[Search[Any]]:
    from giftsim.services.gifting.records.searches import SEARCHES

    return SEARCHES


def _claimed(state: State, n: int) -> tuple[Ref | None, str]:
    recipient = state[RECIPIENT.table].get(n)
    return RECIPIENT.ref(state, recipient), f"{recipient.name}: {PARCEL.label_of(state, recipient.shipment)}"


TEAM_INTERFACE: Final = Simulated("/api/teams/v1", PACKAGE / "interfaces/team/contract/index.yaml", _team)
PARTNER_INTERFACE: Final = Simulated("/api/external", PACKAGE / "interfaces/partner/contract.yaml", _partner)
CLAIM_PAGE: Final = Page(CLAIM, "/claim/{w}", "the claim page", _claimed, "enterClaim", _claim_words)


# ---- What the engine tells of


def _mail_view(mail: Mail) -> dict[str, Any]:
    """A mail without its links, which differ on the copy that a dry run advances."""
    return {
        "seq": mail.n + 1,
        "at": format_instant(mail.at_ms),
        "to": mail.to,
        "kind": mail.kind,
        "subject": mail.subject,
    }


def _mail_facts(mail: Mail) -> dict[str, Any]:
    """A mail in a trace. The links in it are secrets, so their number stands for them."""
    return {"to": mail.to, "kind": mail.kind, "subject": mail.subject, "links": len(mail.links)}


MAILED: Final = Output(
    "mail",
    MAIL,
    _mail_view,
    words=lambda mail: f"{mail.kind} to {mail.to}: {mail.subject}",
    title=lambda mail: f"{mail.subject}, to {mail.to}",
    facts=_mail_facts,
    brief=("seq", "to", "subject"),
    tokens=lambda mail: [link.rpartition("/")[2] for link in mail.links],
)


def _orders(state: State) -> int:
    """How many orders were placed: fulfilments but for those of gifts and of batches."""
    prepared = sum(batch.fulfilment is not None for batch in state[BATCHES])
    return state[FULFILMENTS].next_n - state[GIFTS].next_n - prepared


def _placed(state: State, first: int, end: int) -> list[str]:
    """The labels of new orders, gifts and campaigns."""
    refs = (ORDER.ref_of(state, n) for n in range(first, end))
    return [f"{ref.kind} {ref.id}" if ref else "" for ref in refs]


def _charged(state: State, first: int, end: int) -> int:
    """What new charges took, in cents."""
    charges = (state[CHARGES].at(n) for n in range(first, end))
    return sum(charge.amount_cents for charge in charges if charge is not None and charge.status == PAID)


ACTIVITY: Final = (
    Activity("orders", FULFILMENTS, _placed, words=lambda labels: labels, leads=True),
    Activity(
        "mail",
        MAILS,
        lambda _, first, end: max(0, end - first),
        words=lambda count: [f"{count} mail"] if count else [],
    ),
    Activity(
        "charged_cents",
        CHARGES,
        _charged,
        words=lambda cents: [f"charged {cents / 100:,.2f}"] if cents else [],
    ),
)


def _interfaces(origin: str, world: str) -> list[tuple[str, str, str]]:
    partner, team = PARTNER_KEY.make("prepaid", world, LIVE), TEAM_KEY.make("approver", world, LIVE)
    return [
        ("partner interface", f"{origin}{PARTNER_INTERFACE.base}", f"Authorization: Bearer {partner}"),
        ("team interface", f"{origin}{TEAM_INTERFACE.base}", f"Authorization: Bearer {team}"),
    ]


def _first_steps(origin: str, control: str, state: State) -> str:
    order, key = FIRST_ID + state[FULFILMENTS].next_n, PARTNER_KEY.make("prepaid", DEFAULT, LIVE)
    return STEPS.format(origin=origin, control=control, order=order, key=key)


STEPS: Final = """\
Order a mug for Bo, claim it as Bo would, let six days pass, and see it delivered:

  curl -s {origin}/api/external/team-orders -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' -d \\
    '{{"idempotency_key": "first", "gift_sender": "Ada", "items": [{{"sku_code": "MUG-01"}}],
      "recipients": [{{"name": "Bo", "email": "bo@example.com"}}]}}'

  curl -s {control}/worlds/default/simulate/claim -H 'Content-Type: application/json' -d \\
    '{{"team_order_id": {order}, "recipient": 0}}'

  curl -s {control}/worlds/default/clock/advance -H 'Content-Type: application/json' -d '{{"by": "6d"}}'

  curl -s {origin}/api/external/team-orders/{order} -H 'Authorization: Bearer {key}'
"""


def _after_settings(state: State, names: Collection[str]) -> None:
    if RECONCILE.name in names:
        reschedule_unknown(state)


def _magic() -> Iterable[MagicRow]:
    from giftsim.services.gifting.magic.reference_table import rows

    return rows()


def _rehearsals() -> Sequence[Rehearsal]:
    from giftsim.services.gifting.rehearsals.rehearsal_table import REHEARSALS

    return REHEARSALS


def _health() -> Sequence[Health]:
    from giftsim.services.gifting.needs import HEALTH

    return HEALTH


def _reasons(state: State, question: Question) -> Sequence[Reason]:
    from giftsim.services.gifting.why.reasons import reasons  # only who asks why pays for it

    return reasons(state, question)


KEYS: Final = Credentials(
    key_credentials.keys_and_sessions,
    key_credentials.name_in_headers,
    key_credentials.name_of_key,
    key_credentials.interface_of,
    key_credentials.shared_names,
)
PARTNER: Final = PackageDefinitions(
    settings=(ERROR_SHAPE, IDEMPOTENCY_SCOPE, PAGE_SIZE, PING_DATA, TEST_TYPE, *readings.SETTINGS),
    connections=payments.CONNECTIONS,
)

GIFTING: Final = Service(
    name="gifting",
    interfaces={"team": TEAM_INTERFACE, "partner": PARTNER_INTERFACE},
    definitions=merge_definitions(DOMAIN, PARTNER, TEAM, ACTORS, MAGIC),
    fixture_checks=(check_bodies,),
    seeds=(seed.seed_world, seed_team_sections),
    credentials=(KEYS,),
    secrets=(SECRETS,),
    owners=OWNERS,
    webhook_kinds=WEBHOOK_KINDS,
    outputs=(MAILED,),
    ledger=LEDGER,
    pages=(CLAIM_PAGE,),
    web=(_claim_page, _images),
    mounts={"/mcp": _assistants},
    readings=(readings.READINGS,),
    after_settings=(_after_settings,),
    kinds=KINDS,
    searches=(_searches,),
    areas=(records.__name__, journey.__name__),
    health=(_health,),
    counts={"orders": _orders},
    unsaid=frozenset({"account", "first_recipient", "first_shipment"}),
    slots={"order": ORDER, "recipient": RECIPIENT, "shipment": PARCEL, "charge": CHARGE, "key": KEY},
    prefixes=("team.",),
    started_by=(ORDER.table, PARCEL.table, ACCOUNTS, WALLET.table),
    activity=ACTIVITY,
    greetings=(Greeting(_interfaces, _first_steps),),
    magic=(_magic,),
    effects=types_in(charge_effects),
    coverage=(COVERAGE,),
    families=("team", "partner"),
    rehearsals=(_rehearsals,),
    reasons=(_reasons,),
)
