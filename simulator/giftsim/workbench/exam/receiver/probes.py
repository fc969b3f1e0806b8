"""The table of all probes, in the order in which they run, and the rule of the exam that each shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from giftsim.engine.kernel.texts import suggest_name
from giftsim.workbench.exam.receiver.delivery_probes import DELIVERY_PROBES, GATES
from giftsim.workbench.exam.receiver.probe import Probe
from giftsim.workbench.exam.receiver.signature_probes import SIGNATURE_PROBES

SHOWS: Final[Mapping[str, tuple[str, ...]]] = {
    "answers_in_time": ("redirect", "slow_answer"),
    "verifies_raw_bytes": (
        "genuine", "changed_body", "changed_spacing", "long_body", "many_spellings", "unicode",
        "emoji", "wrong_method", "content_type_with_charset", "wrong_content_type",
    ),
    "refuses_forged_webhooks": (
        "another_body", "changed_signature", "shortened_signature", "no_signature", "empty_signature", "no_digest",
        "no_timestamp", "garbled_timestamp", "signature_not_ascii", "another_secret", "secret_without_prefix",
        "replaced_timestamp", "two_timestamps", "forged_first", "unsigned_garbage",
    ),
    "refuses_old_webhooks": (
        "stale_timestamp", "future_timestamp", "old_within_tolerance", "ahead_within_tolerance",
    ),
    "reads_every_signature": (
        "second_of_two_signatures", "first_of_two_signatures", "unknown_signature_field", "fields_in_other_order",
    ),
    "takes_new_secrets": ("rotated_secret",),
    "refuses_old_secrets": ("retired_secret",),
    "books_each_event_once": (
        "replayed_under_another_id", "misnamed_event", "duplicate", "duplicate_in_parallel", "duplicate_a_day_later",
    ),
    "orders_events_by_time": ("reordered_pair",),
    "survives_unknown_kinds": ("every_event_type", "ping", "unknown_event_type"),
    "survives_unknown_members": ("unknown_member", "missing_member", "null_member", "number_bounds"),
    "takes_webhooks_at_once": ("burst",),
    "reports_its_failures": ("failure_reported", "redelivery_after_500"),
}  # fmt: skip


RULE_OF: Final = {name: rule for rule, names in SHOWS.items() for name in names}
_ROWS: Final = {probe.name: probe for probe in (*GATES, *SIGNATURE_PROBES, *DELIVERY_PROBES)}
PROBES: tuple[Probe, ...] = tuple(_ROWS[name] for name in RULE_OF)
BY_NAME: Final = {probe.name: probe for probe in PROBES}


def probes_of(rule: str) -> tuple[Probe, ...]:
    """The probes that show whether a receiver obeys a rule of the exam, in the order of the table."""
    return tuple(BY_NAME[name] for name in SHOWS.get(rule, ()))


def choose_probes(names: tuple[str, ...]) -> tuple[Probe, ...]:
    """The probes of these names, all if there are none; ValueError names the nearest one."""
    for name in names:
        if name not in BY_NAME:
            raise ValueError(f"there is no probe {name[:60]!r}; {suggest_name(name, list(BY_NAME))}")
    return tuple(probe for probe in PROBES if not names or probe.name in names)
