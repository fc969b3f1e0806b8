"""Rules: which gifts are sent on roster dates (kind `hr`) or deal events (kind `crm`) (T-2.36, T-2.37, A7.12, D10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.instants import local_date, local_hour, parse_date
from giftsim.engine.kernel.setting import flag
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.table import Record, TableSpec
from giftsim.services.gifting.domain.fulfilment.products import PRODUCTS
from giftsim.services.gifting.domain.team.design.template import TemplateItem
from giftsim.services.gifting.domain.team.orders import order_items
from giftsim.services.gifting.domain.team.orders.order_items import Contents
from giftsim.services.gifting.domain.team.people.crm_contact import CONTACTS, Contact
from giftsim.services.gifting.domain.team.people.upcoming_dates import BIRTHDAY, WORK_ANNIVERSARY, ZONE
from giftsim.services.gifting.domain.team.team_errors import validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, find_record, public_id, tenant_table

DEAL_WON, STAGE_CHANGED = "deal_won", "stage_changed"


class DealEvent(Record, frozen=True, gc=False):
    """One event of a contact (a slot) of a team (a slot); `date` is its day in Los Angeles, `YYYY-MM-DD`."""

    team: int
    contact: int
    trigger_type: str
    date: str


DEAL_EVENTS: TableSpec[DealEvent] = TableSpec("team.deal", DealEvent, groups={"team": "team"})


def add_deal_event(state: State, contact: Contact, trigger_type: str, date: str) -> DealEvent:
    """Add an event of a contact."""
    return state[DEAL_EVENTS].add(DealEvent(state[DEAL_EVENTS].next_n, contact.team, contact.n, trigger_type, date))


def find_contact(state: State, team: int, provider: str, object_type: str, contact_id: str) -> Contact | None:
    """The contact with an id of the CRM, or None; `team` is a slot."""
    reference = (provider, object_type, contact_id)
    for contact in state[CONTACTS].rows_in("team", team):
        if (contact.provider, contact.object_type, contact.id) == reference:
            return contact
    return None


def deal_events(state: State, team: int, trigger_type: str) -> list[tuple[DealEvent, Contact]]:
    """The events of a type with their contacts, in the order in which they were added."""
    events = [event for event in state[DEAL_EVENTS].rows_in("team", team) if event.trigger_type == trigger_type]
    return [(event, state[CONTACTS].get(event.contact)) for event in events]


FIRST_ID = 90_000_001
HR, CRM, NEW_HIRE = "hr", "crm", "new_hire"
MANUAL = "manual"
TRIGGERS: Final[Mapping[str, tuple[str, ...]]] = {
    HR: (BIRTHDAY, WORK_ANNIVERSARY, NEW_HIRE),
    CRM: (DEAL_WON, STAGE_CHANGED),
}
_FIELDS = (
    "name",
    "trigger_type",
    "gift_sender",
    "approval_mode",
    "budget_per_send_cents",
    "budget_monthly_cents",
    "active",
)


class Rule(TenantRecord, frozen=True, gc=False):
    """What triggers a gift and what it contains; a budget of None is unlimited.

    Its gifts wait for an approval, whatever its `approval_mode` (A7.12).
    """

    kind: str
    name: str
    trigger_type: str
    items: tuple[TemplateItem, ...]
    updated_ms: int
    gift_sender: str | None = None
    approval_mode: str = MANUAL
    budget_per_send_cents: int | None = None
    budget_monthly_cents: int | None = None
    active: bool = True


RULES: TableSpec[Rule] = tenant_table("team.rule", Rule)


def create_rule(state: State, tenant: Tenant, query_kind: str | None, body: Mapping[str, Any]) -> Rule:
    """Create a rule of the kind in the query or in the body.

    ValidationFailed if these differ, for a trigger of the other kind, and for unknown products.
    """
    kind = kind_of(query_kind, body)
    columns = _columns(state, kind, body)
    n = state[RULES].next_n
    rule_id = public_id(state, tenant, "rule", n, FIRST_ID)
    rule = state[RULES].add(Rule(n, tenant.owner, rule_id, state.now_ms, kind, updated_ms=state.now_ms, **columns))
    update_timer(state, wanted=any_active(state))
    return rule


def change_rule(state: State, rule: Rule, body: Mapping[str, Any]) -> Rule:
    """Change a rule to the members of a body. ValidationFailed for another kind, and as for `create_rule`."""
    if body.get("kind", rule.kind) != rule.kind:
        raise validation_error("kind", "must be the rule's own kind, which cannot change")
    changed = msgspec.structs.replace(rule, **_columns(state, rule.kind, body))
    if changed != rule:
        changed = state[RULES].put(msgspec.structs.replace(changed, updated_ms=state.now_ms))
        update_timer(state, wanted=any_active(state))
    return changed


def delete_rule(state: State, rule: Rule) -> None:
    """Delete a rule; the gifts that it made stay."""
    state[RULES].drop(rule.n)
    update_timer(state, wanted=any_active(state))


def find_rule(state: State, tenant: Tenant, raw: object) -> Rule:
    """The rule with a public id, of either kind. NotFound if there is none."""
    return find_record(state, RULES, tenant, raw)


def rule_slots(state: State, tenant: Tenant) -> Sequence[int]:
    """The slots of a tenant's rules, in order of creation."""
    return state[RULES].slots_in("owner", tenant.owner)


def any_active(state: State) -> bool:
    """Whether any rule of the world is active."""
    return any(rule.active for rule in state[RULES])


def rule_contents(state: State, rule: Rule) -> Contents:
    """What the rule sends, at current prices."""
    lines = [
        {"merchant_product_id": state[PRODUCTS].get(line.product).id, "quantity": line.quantity} for line in rule.items
    ]
    return order_items.from_lines(state, lines, "bundle.items")


def kind_of(query_kind: str | None, body: Mapping[str, Any]) -> str:
    """The kind in the query or the body, `hr` if neither has one. ValidationFailed if they differ (D10)."""
    body_kind = str(body.get("kind", query_kind or HR))
    if query_kind not in (None, body_kind):
        raise validation_error("kind", "must be the kind in the query, or be left out")
    return body_kind


def _columns(state: State, kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a rule that a body sets."""
    columns = {name: body[name] for name in _FIELDS if name in body}
    if columns.get("trigger_type", TRIGGERS[kind][0]) not in TRIGGERS[kind]:
        raise validation_error("trigger_type", f"must be one of {', '.join(TRIGGERS[kind])} for the kind {kind}")
    if "bundle" in body:
        contents = order_items.from_lines(state, body["bundle"]["items"], "bundle.items")
        columns["items"] = tuple([TemplateItem(item.product, item.quantity) for item in contents.items])
    return columns


OWNER, RUN = "rules", "rules.run"
HOUR_OF_DAY = 9

AUTO = flag("rules.auto", True, "whether active rules run by themselves, daily at 09:00 in Los Angeles (G37)")


def update_timer(state: State, *, wanted: bool) -> None:
    """Schedule the next run if one is wanted, and cancel it if not."""
    armed = bool(state.timers.owned(OWNER, 0))
    if armed and not wanted:
        state.timers.clear(OWNER, 0)
    elif wanted and not armed:
        due_ms = next_rules_run(state.now_ms)
        if due_ms is not None:
            state.timers.set(due_ms, OWNER, 0, RUN, "rules run daily at 09:00 in Los Angeles")


def next_rules_run(after_ms: int) -> int | None:
    """The first 09:00 in Los Angeles after an instant; None at the end of the calendar."""
    day = parse_date(local_date(after_ms, ZONE))
    for candidate in (day, day + timedelta(days=1) if day < date.max else None):
        at_ms = None if candidate is None else _run_instant(candidate)
        if at_ms is not None and at_ms > after_ms:
            return at_ms
    return None


def timer_subject(_: State, _slot: int) -> str:
    """The run as the list of timers shows it."""
    return "all active rules"


def _run_instant(day: date) -> int:
    return local_hour(day, HOUR_OF_DAY, ZONE)
