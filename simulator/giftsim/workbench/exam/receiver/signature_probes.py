"""Probes of signatures: what proves that a webhook is the service's, and what does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from giftsim.engine.webhooks.signature import EVENT_ID_HEADER, TOLERANCE_S, signature_digest
from giftsim.workbench.exam.receiver.probe import Probe, RightAnswer, Shot, Signature, Signing, Sources
from giftsim.workbench.exam.receiver.stock import Event, Stock

WRONG = "0" * 64
EDGE_S = TOLERANCE_S - 30  # as near to the tolerance as a busy machine allows
FORM = (("P-6.12", "G127"), ("T-6.18", "A6.4", "G127"))
DIGEST = (("P-6.13",), ("T-6.19",))
SECRET = (("P-5.6", "G220"), ("A6.8", "G220"))
SIGNED_ID = (("P-6.20", "P-6.13"), ("T-6.21", "T-6.19"))
AGE = (("P-6.14", "G127"), ("T-6.20", "A6.4", "G127"))


def one_shot(right: RightAnswer, **shot: Any) -> Callable[[Stock], Sequence[Shot]]:
    """One request with a fresh event."""
    return lambda stock: [Shot(event=stock.story()[0], right=right, **shot)]


def _accepted(name: str, sends: str, why: str, sources: Sources, signature: Signature, age_s: int = 0) -> Probe:
    return Probe(name, sends, why, sources, one_shot(RightAnswer.ACCEPT, signature=signature, age_s=age_s))


def _refused(name: str, sends: str, why: str, sources: Sources, signature: Signature, age_s: int = 0) -> Probe:
    return Probe(
        name, sends, why, sources, one_shot(RightAnswer.REFUSE, signature=signature, age_s=age_s), RightAnswer.REFUSE
    )


def _altered(name: str, sends: str, why: str, alter: Callable[[bytes], bytes]) -> Probe:
    """A probe whose body changes after it was signed."""

    def shots(stock: Stock) -> Sequence[Shot]:
        event = stock.story()[0]
        return [Shot(event=event, right=RightAnswer.REFUSE, sent=alter(event.body))]

    return Probe(name, sends, why, DIGEST, shots, RightAnswer.REFUSE)


def _changed_letter(body: bytes) -> bytes:
    """Another body of the same length, which is still JSON: one letter of a type is another one."""
    return re.sub(rb"(?<=team_order\.)\w|(?<=gift\.)\w", lambda found: found[0].upper(), body, count=1)


def _spaced(body: bytes) -> bytes:
    """The same JSON with one more blank."""
    return body.replace(b"{", b"{ ", 1)


def _of_another_event(stock: Stock) -> Sequence[Shot]:
    """An event with the signature of another, which is genuine."""
    event, other = stock.story()[0], stock.story()[0]
    return [Shot(event=event, right=RightAnswer.REFUSE, body=other.body, sent=event.body), Shot(event=other)]


def _replaced(signing: Signing) -> str:
    """The digest of an old request under a fresh time."""
    old = signing.t - 2 * TOLERANCE_S
    return f"t={signing.t},v1={signature_digest(signing.secrets.current, old, signing.body)}"


def _two_times(signing: Signing) -> str:
    old = signing.t - 2 * TOLERANCE_S
    return f"t={signing.t},t={old},v1={signature_digest(signing.secrets.current, old, signing.body)}"


def _changed_digit(signing: Signing) -> str:
    value = signing.header()
    return value[:-1] + ("0" if value[-1] != "0" else "1")


def _forged_first(stock: Stock) -> Sequence[Shot]:
    """Before each event a forged copy, with the id of the genuine one."""
    return [shot for event in stock.story() for shot in (_forged(event), Shot(event=event))]


def _forged(event: Event) -> Shot:
    return Shot(event=event, right=RightAnswer.REFUSE, signature=_changed_digit)


def _other_header_id(stock: Stock) -> Sequence[Shot]:
    """After each event a copy with another id in its header."""
    return [shot for event in stock.story() for shot in (Shot(event=event), _renamed(event))]


def _renamed(event: Event) -> Shot:
    return Shot(event=event, right=RightAnswer.EITHER, headers={EVENT_ID_HEADER: f"{event.id}0"})


SIGNATURE_PROBES: tuple[Probe, ...] = (
    _altered(
        "changed_body",
        "a genuine webhook of which one letter was changed after signing",
        "The digest covers the raw body, so another body has another digest.",
        _changed_letter,
    ),
    _altered(
        "changed_spacing",
        "a genuine webhook whose JSON was spaced differently after signing",
        "The digest covers the raw bytes. A receiver that accepts this one parses the body and writes it again first,"
        " and will refuse genuine webhooks.",
        _spaced,
    ),
    Probe(
        "another_body",
        "an event with the signature of another, and that one",
        "The digest covers the raw body, so a signature that was seen proves nothing of another body.",
        DIGEST,
        _of_another_event,
        RightAnswer.REFUSE,
    ),
    _refused(
        "changed_signature",
        "a signature of which the last digit is changed",
        "The whole digest must match.",
        DIGEST,
        _changed_digit,
    ),
    _refused(
        "shortened_signature",
        "the first half of the right digest",
        "The whole digest must match, not only as much of it as was sent.",
        DIGEST,
        lambda signing: f"t={signing.t},v1={signing.v1[:32]}",
    ),
    _refused(
        "no_signature",
        "a webhook without a signature header",
        "Anyone can send a request. Only the signature proves that the service did.",
        FORM,
        lambda _: None,
    ),
    _refused("empty_signature", "an empty signature header", "An empty header proves nothing.", FORM, lambda _: ""),
    _refused(
        "no_digest",
        "a signature header with only its `t`",
        "Without a `v1` there is nothing to compare.",
        FORM,
        lambda signing: f"t={signing.t}",
    ),
    _refused(
        "no_timestamp",
        "a signature header with only its `v1`",
        "The time is part of what is signed.",
        FORM,
        lambda signing: f"v1={signing.v1}",
    ),
    _refused(
        "garbled_timestamp",
        "a `t` that is not a number",
        "A receiver must refuse a header that it cannot read, and not break.",
        FORM,
        lambda signing: f"t=soon,v1={signing.v1}",
    ),
    _refused(
        "signature_not_ascii",
        "a `v1` with a letter outside ASCII",
        "Functions that compare in constant time may raise an error for such text. A receiver must refuse it, and not"
        " break.",
        FORM,
        lambda signing: f"t={signing.t},v1=\xe9{WRONG[1:]}",
    ),
    _refused(
        "another_secret",
        "a webhook signed with the secret of another endpoint",
        "Each endpoint has its own secret.",
        DIGEST,
        lambda signing: signing.header("whsec_of_another_endpoint"),
    ),
    _refused(
        "secret_without_prefix",
        "a webhook signed with the secret without its `whsec_`",
        "The key is the whole secret as it was shown.",
        (("P-5.6", "B43"), ("T-6.19", "A6.8", "B43")),
        lambda signing: signing.header(signing.secrets.current.removeprefix("whsec_") or "x"),
    ),
    _refused(
        "stale_timestamp",
        "a genuine webhook that was signed ten minutes ago",
        "Receivers accept timestamps within 300 seconds. An older one may be a recorded request that somebody sends"
        " again.",
        AGE,
        Signing.header,
        2 * TOLERANCE_S,
    ),
    _refused(
        "future_timestamp",
        "a webhook that is signed ten minutes ahead",
        "Receivers accept timestamps within 300 seconds, before and after.",
        AGE,
        Signing.header,
        -2 * TOLERANCE_S,
    ),
    _refused(
        "replaced_timestamp",
        "the digest of an old webhook under the current time",
        "The digest covers the time, so nobody can make an old request look new.",
        DIGEST,
        _replaced,
    ),
    _refused(
        "two_timestamps",
        "a header with two times, of which the old one was signed",
        "A header has one `t`. With two, a receiver may check the age of one and the digest of the other.",
        FORM,
        _two_times,
    ),
    _accepted(
        "old_within_tolerance",
        "a genuine webhook that was signed four and a half minutes ago",
        "Timestamps within 300 seconds are accepted.",
        AGE,
        Signing.header,
        EDGE_S,
    ),
    _accepted(
        "ahead_within_tolerance",
        "a genuine webhook that is signed four and a half minutes ahead",
        "Clocks differ, and timestamps within 300 seconds are accepted.",
        AGE,
        Signing.header,
        -EDGE_S,
    ),
    _accepted(
        "second_of_two_signatures",
        "two `v1`, of which the second is right",
        "While a secret is replaced, a header may have a digest of each. One has to match.",
        FORM,
        lambda signing: f"t={signing.t},v1={WRONG},v1={signing.v1}",
    ),
    _accepted(
        "first_of_two_signatures",
        "two `v1`, of which the first is right",
        "One has to match. A receiver that reads the header into a dictionary keeps only the last.",
        FORM,
        lambda signing: f"t={signing.t},v1={signing.v1},v1={WRONG}",
    ),
    _accepted(
        "unknown_signature_field",
        "a signature header with a `v0` too",
        "A later version of the scheme may add fields. Others than `t` and `v1` are ignored.",
        FORM,
        lambda signing: f"t={signing.t},v0={WRONG},v1={signing.v1}",
    ),
    _accepted(
        "fields_in_other_order",
        "a signature header with its `v1` before its `t`",
        "The fields have names, so their order says nothing.",
        FORM,
        lambda signing: f"v1={signing.v1},t={signing.t}",
    ),
    Probe(
        "rotated_secret",
        "a webhook signed with the secret that is about to replace the present one",
        "A secret is shown once, when its endpoint is created. To replace it, create a second endpoint with the same"
        " URL, and accept both secrets until you delete the first.",
        SECRET,
        one_shot(RightAnswer.ACCEPT, signature=lambda signing: signing.header(signing.secrets.next)),
        needs="next_secret",
    ),
    Probe(
        "retired_secret",
        "a webhook signed with a secret that was replaced",
        "Once its endpoint is deleted, the service signs nothing with a secret.",
        SECRET,
        one_shot(RightAnswer.REFUSE, signature=lambda signing: signing.header(signing.secrets.old)),
        RightAnswer.REFUSE,
        needs="old_secret",
    ),
    Probe(
        "forged_first",
        "before each event of a parcel, a forged copy of it",
        "A receiver that remembers ids before it verifies takes the genuine event for a repetition, and loses it.",
        SIGNED_ID,
        _forged_first,
        effect=True,
    ),
    Probe(
        "replayed_under_another_id",
        "each event of a parcel, then again with another id in its header",
        "The signature covers the body alone. A receiver that takes the id from the header can be made to count an"
        " event again.",
        SIGNED_ID,
        _other_header_id,
        RightAnswer.EITHER,
        effect=True,
    ),
    Probe(
        "unsigned_garbage",
        "bytes that are not JSON, without a signature",
        "Everything reaches a public address. A receiver verifies before it parses, and refuses without breaking.",
        (("P-6.13", "G218"), ("T-6.19", "G218")),
        one_shot(RightAnswer.REFUSE, signature=lambda _: None, sent=b"\xff\xfe{not json"),
        RightAnswer.REFUSE,
    ),
)
