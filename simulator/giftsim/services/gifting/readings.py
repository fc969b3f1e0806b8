"""Other readings of what the documents of gifting leave open about answers: each is a setting, and off by default."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from giftsim.engine.gateway.other_readings import Answer, each_object
from giftsim.engine.gateway.other_readings import reading_of as reading

# ---- Statuses and codes

OTHER_STATUSES: Final[Mapping[str, int]] = {
    "session_required": 401,
    "test_key_required": 422,
    "proof_version_stale": 422,
    "payment_not_permitted": 403,
    "too_many_webhooks": 422,
}


def _status_of(code: str) -> Callable[[Answer], None]:
    def change(answer: Answer) -> None:
        if answer.code == code:
            answer.status = OTHER_STATUSES[code]

    return change


DOCUMENTED_CODES: Final = frozenset({"insufficient_scope"})


def _generic_code(answer: Answer) -> None:
    if answer.interface == "team" and answer.error is not None and answer.code not in DOCUMENTED_CODES:
        answer.error["code"] = f"error_{answer.status}"


def _provider_code(answer: Answer) -> None:
    if answer.code == "provider_unavailable" and answer.error is not None:
        answer.error["code"] = "service_unavailable"


def _created_as_ok(answer: Answer) -> None:
    if answer.interface == "team" and answer.status in (201, 202):
        answer.status = 200


def _no_wait_for_key(answer: Answer) -> None:
    if answer.interface == "team" and answer.status == 409:
        answer.headers.pop("Retry-After", None)


def _renamed(interface: str, operations: str, names: Mapping[str, str], member: str = "status") -> Callable[..., None]:
    """Give values of a member other names, in the answers of the operations whose id fits a pattern."""
    fits = re.compile(operations).fullmatch

    def rename(record: dict[str, Any]) -> dict[str, Any]:
        value = record.get(member)
        return {**record, member: names[value]} if isinstance(value, str) and value in names else record

    def change(answer: Answer) -> None:
        if answer.interface == interface and answer.status < 400 and fits(answer.operation):
            answer.body = each_object(answer.body, rename)

    return change


def _no_details(answer: Answer) -> None:
    if answer.interface == "team" and answer.error is not None:
        answer.error.pop("details", None)


def _rows_without_recipients(answer: Answer) -> None:
    if answer.interface == "team" and answer.operation in ("listGifts", "listTeamOrders") and answer.status == 200:
        for row in answer.body["data"]:
            row.pop("recipients", None)


# In the order in which they act.
READINGS: Final = {
    each.setting.name: each
    for each in (
        *(
            reading(f"{code}_is_{status}", f"errors with the code {code} have the status {status}", _status_of(code))
            for code, status in OTHER_STATUSES.items()
        ),
        reading("created_is_200", "what the team interface creates or accepts is answered 200 (A7.3)", _created_as_ok),
        reading("generic_codes", "codes that no document names are `error_` and the status (A2.1)", _generic_code),
        reading("shared_provider_code", "a provider's outage has the code service_unavailable (A8.5)", _provider_code),
        reading("no_wait_for_key", "a 409 of the team interface has no Retry-After (A3.3)", _no_wait_for_key),
        reading(
            "other_order_status",
            "a team order in production has the status in_progress (A1.1)",
            _renamed("team", r".*(Order|Orders)", {"in_production": "in_progress"}),
        ),
        reading(
            "other_approval_status",
            "an approval that was canceled or superseded is withdrawn (A1.2)",
            _renamed("team", r".*Approvals?", {"canceled": "withdrawn", "superseded": "withdrawn"}),
        ),
        reading(
            "other_proof_status",
            "a proof without a version has the status draft (A1.4)",
            _renamed("team", r".*", {"awaiting_version": "draft"}, "proof_status"),
        ),
        reading(
            "other_certificate_status",
            "a tax certificate that waits for its review is received (A1.10)",
            _renamed("team", r".*(Certificate|Certificates|BillingProfile)", {"pending_review": "received"}),
        ),
        reading(
            "other_parcel_status",
            "a parcel with a label has the status packed (B23)",
            _renamed("partner", r".*TeamOrders?", {"labeled": "packed"}),
        ),
        reading("no_details", "errors of the team interface have no details (A8.6)", _no_details),
        reading(
            "rows_without_recipients",
            "lists of gifts and team orders lack the recipients of each row (G380)",
            _rows_without_recipients,
        ),
    )
}
SETTINGS: Final = tuple(each.setting for each in READINGS.values())
