"""Rules about signatures: which webhooks an app believes, and which it refuses."""

from __future__ import annotations

from giftsim.workbench.exam.receiver.own_webhooks import send_probes
from giftsim.workbench.exam.receiver.probe import Probe, Secrets
from giftsim.workbench.exam.receiver.probes import probes_of
from giftsim.workbench.exam.rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.sitting import Sitting

SPOILED = ("bad_signature", "stale_signature", "future_signature")


def _forgeries(sitting: Sitting) -> None:
    """Webhooks that anybody could send, about the app's own orders."""
    sitting.begin()
    send_probes(sitting, probes_of("refuses_forged_webhooks"))


def _spoiled_first(sitting: Sitting) -> None:
    """The first attempt of each event comes with a signature that is wrong, old or from the future."""
    sitting.begin()
    effects = sitting.random.sample(SPOILED, 3)
    kinds = ("team_order.claimed", "team_order.shipped", "team_order.delivered")
    for kind, effect in zip(kinds, effects, strict=True):
        sitting.fault(match={"event": kind}, when={"first": 1}, effect={"webhook": effect})
    order = sitting.order(1, address=False)
    sitting.claim_all(order)
    sitting.advance("idle")
    spoiled = [row for row in sitting.attempts() if row["fault"]]
    for row in spoiled:
        sitting.expect(
            row["outcome"] != "delivered",
            f"the app accepted a webhook of type {row['type']} with {_SPOILED_HOW[row['type'], tuple(effects)]}",
            [row["event_id"]],
        )
    sitting.expect_books(order)
