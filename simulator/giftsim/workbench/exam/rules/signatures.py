"""Rules about signatures: which webhooks an app believes, and which it refuses."""

from __future__ import annotations

from typing import Final

from giftsim.workbench.exam.exam_rule import READINESS, RECEIVER, Rule
from giftsim.workbench.exam.receiver.own_webhooks import of_receiver, send_probes
from giftsim.workbench.exam.receiver.probe import Secrets
from giftsim.workbench.exam.receiver.probes import probes_of
from giftsim.workbench.exam.sitting import Sitting

SPOILED: Final = {
    "bad_signature": "a wrong signature",
    "stale_signature": "a signature that is ten minutes old",
    "future_signature": "a signature from ten minutes ahead",
}
KINDS: Final = ("team_order.claimed", "team_order.shipped", "team_order.delivered")


def _spelled_by_the_service(sitting: Sitting) -> None:
    """Webhooks as the service spells them."""
    sitting.begin()
    orders = [sitting.order(sitting.draw.between(3, 5), address=True), sitting.order(2, address=False)]
    sitting.claim_all(orders[1])
    sitting.advance("idle")
    sitting.expect_accepted()
    sitting.expect_told(*orders)


def _spoiled_first(sitting: Sitting) -> None:
    """The first attempt for each type comes with a signature that is wrong, old or from the future."""
    sitting.begin()
    effects = sitting.random.sample(sorted(SPOILED), len(KINDS))
    for kind, effect in zip(KINDS, effects, strict=True):
        sitting.fault(id=effect, match={"event": kind}, when={"first": 1}, effect={"webhook": effect})
    order = sitting.order(1, address=False)
    sitting.claim_all(order)
    sitting.advance("idle")
    for row in sitting.attempts():
        sitting.expect(
            row["fault"] is None or row["outcome"] != "delivered",
            f"the app accepted a webhook of type {row['type']} with {SPOILED.get(row['fault'], '')}",
            [row["event_id"]],
        )
    sitting.expect_told(order)


def _rotation(sitting: Sitting) -> None:
    """A second endpoint with the same URL: until the first is deleted, events come twice, with either secret."""
    sitting.begin()
    order = sitting.order(sitting.draw.between(1, 3), address=True)
    first = sitting.endpoint
    _, new = sitting.subscribe()
    secrets = [sitting.secret, new]
    sitting.random.shuffle(secrets)
    sitting.app.do("secrets", secrets=secrets)
    sitting.advance("4d")
    sitting.expect_accepted()
    sitting.call("DELETE", f"/api/external/webhooks/{first}")
    sitting.app.do("secrets", secrets=[new])
    sitting.advance("idle")
    sitting.expect_accepted()
    sitting.expect_told(order)


def _told_both(sitting: Sitting) -> None:
    """Webhooks signed with either of two secrets."""
    sitting.begin()
    new = f"whsec_{sitting.draw.word()}"
    sitting.app.do("secrets", secrets=[sitting.secret, new])
    probes = (*probes_of("takes_new_secrets"), *probes_of("reads_every_signature"))
    send_probes(sitting, probes, Secrets(sitting.secret, next=new))


def _replaced(sitting: Sitting) -> None:
    """Webhooks signed with a secret that was replaced."""
    sitting.begin()
    old, new = sitting.secret, f"whsec_{sitting.draw.word()}"
    if sitting.draw.one_of(True, False):
        sitting.app.do("secrets", secrets=[old, new])
    sitting.app.do("secrets", secrets=[new])
    probes = (*probes_of("refuses_old_secrets"), *probes_of("reads_every_signature"))
    send_probes(sitting, probes, Secrets(new, old=old))


RULES = (
    Rule(
        id="verifies_raw_bytes",
        rule="A webhook is verified by the bytes that came, however its JSON is spelled.",
        sources=("P-6.13",),
        probes=(of_receiver("verifies_raw_bytes"), _spelled_by_the_service),
        groups=(RECEIVER,),
    ),
    Rule(
        id="refuses_forged_webhooks",
        rule="A webhook without the right signature is refused, and nothing of it is believed.",
        sources=("P-6.12", "P-6.13", "G127"),
        probes=(of_receiver("refuses_forged_webhooks"), _spoiled_first),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="refuses_old_webhooks",
        rule="A webhook is accepted within 300 seconds of its signing, and refused after and before that.",
        sources=("P-6.14", "G127"),
        probes=(of_receiver("refuses_old_webhooks"),),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="reads_every_signature",
        rule="A signature header may have several signatures and unknown fields, in any order.",
        sources=("P-6.12", "G127"),
        probes=(of_receiver("reads_every_signature"),),
        groups=(RECEIVER,),
    ),
    Rule(
        id="takes_new_secrets",
        rule="While a secret is replaced, webhooks signed with either are accepted, and booked once.",
        sources=("P-2.39", "P-6.20", "G220"),
        probes=(_rotation, _told_both),
        needs=("order", "secrets"),
        groups=(READINESS, RECEIVER),
    ),
    Rule(
        id="refuses_old_secrets",
        rule="A secret that was replaced proves nothing.",
        sources=("P-2.39", "G220"),
        probes=(_replaced,),
        needs=("order", "secrets"),
        groups=(RECEIVER,),
    ),
)
