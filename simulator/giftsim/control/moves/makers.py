"""What makes each transition of the machines: a verb of the control API, or somebody else.

A test holds this against the machines: every trigger is in one of the two tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple


class Verb(NamedTuple):
    """A verb below `/simulate`, and what its body says beside the name of the record."""

    name: str
    members: Mapping[str, Any] = MappingProxyType({})


def _to(status: str) -> Verb:
    return Verb("shipment", {"to": status})


VERBS: Final[Mapping[tuple[str, str], Verb]] = MappingProxyType(
    {
        ("shipment", "claim"): Verb("claim"),
        ("shipment", "resend"): Verb("claim_link"),
        ("shipment", "produce"): _to("in_production"),
        ("shipment", "label"): _to("labeled"),
        ("shipment", "ship"): _to("shipped"),
        ("shipment", "deliver"): _to("delivered"),
        ("shipment", "delay"): _to("delayed"),
        ("shipment", "reject"): _to("rejected"),
        ("charge", "settle"): Verb("outcome", {"outcome": "paid"}),
        ("charge", "fail"): Verb("outcome", {"outcome": "failed"}),
        ("payment", "settle"): Verb("payment", {"outcome": "settled"}),
        ("payment", "fail"): Verb("payment", {"outcome": "failed"}),
        ("payment", "lose"): Verb("payment", {"outcome": "uncertain"}),
        ("invoice", "pay"): Verb("invoice"),
        ("certificate", "accept"): Verb("certificate", {"outcome": "accepted"}),
        ("certificate", "reject"): Verb("certificate", {"outcome": "rejected"}),
        ("approval", "approve"): Verb("approval", {"decision": "approve"}),
        ("approval", "reject"): Verb("approval", {"decision": "reject"}),
        ("large_campaign", "approve"): Verb("approval", {"decision": "approve"}),
        ("proof", "approve"): Verb("proof", {"decision": "approve"}),
        ("proof", "request_changes"): Verb("proof", {"decision": "request_changes"}),
        ("proof", "sign"): Verb("proof", {"decision": "sign"}),
        ("preview", "finish"): Verb("preview", {"outcome": "ready"}),
        ("preview", "fail"): Verb("preview", {"outcome": "failed"}),
    }
)

_CLOCK = "the clock does this by itself when it is due"
_KEY = "a key of the team does this, by {}"

OTHERS: Final[Mapping[tuple[str, str], str]] = MappingProxyType(
    {
        ("shipment", "expire"): _CLOCK,
        ("shipment", "cancel"): "the account or team cancels, by cancelTeamOrder; a rejected approval does it too",
        ("charge", "reconcile_paid"): _CLOCK,
        ("charge", "reconcile_failed"): _CLOCK,
        ("invoice", "void"): "refunding or canceling what it bills does this",
        ("approval", "cancel"): "canceling what it is about does this",
        ("approval", "expire"): _CLOCK,
        ("approval", "supersede"): "a new price, or a payment without the approval, does this",
        ("large_campaign", "ask"): "preparing or repricing its last batch does this",
        ("large_campaign", "complete"): "the payment of its last batch does this",
        ("large_campaign", "reprice"): _KEY.format("updateLargeCampaign"),
        ("large_campaign", "pause"): _KEY.format("updateLargeCampaign"),
        ("large_campaign", "resume"): _KEY.format("updateLargeCampaign"),
        ("large_campaign", "stop"): _KEY.format("processLargeCampaign") + "; a rejected approval does it too",
        ("campaign_batch", "prepare"): _KEY.format("processLargeCampaign"),
        ("campaign_batch", "reprice"): _KEY.format("updateLargeCampaign"),
        ("campaign_batch", "pay"): _KEY.format("processLargeCampaign"),
        ("campaign_batch", "fail"): "a payment of it that fails does this",
        ("campaign_batch", "drop"): "stopping its campaign does this",
        ("proof", "submit"): _KEY.format("addProofVersion"),
    }
)
