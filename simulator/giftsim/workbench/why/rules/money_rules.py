"""Why money moved twice: an answer was lost, and the app sent the same intent again with another key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from giftsim.workbench.why.facts import WORDS, Entry, Facts, mark
from giftsim.workbench.why.index import is_lost
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Verdict

CHARGE: Final = "charge"
_IN_BODY, _IN_HEADERS = "idempotency_key", "idempotency-key"


def charged_twice(facts: Facts) -> Verdict | None:
    """A call was sent again after its answer was lost, with another key, and both charged."""
    for later in facts.index.calls.after_loss:
        for earlier in facts.causes(later, "repeats"):
            charged = is_lost(earlier) and _charged(earlier) and _charged(later) and _key(earlier) != _key(later)
            if charged and _is_asked(facts, earlier, later):
                return _verdict(facts, earlier, later)
    return None


def _verdict(facts: Facts, earlier: Entry, later: Entry) -> Verdict:
    first, second = (_told(facts, entry) for entry in (earlier, later))
    return Verdict(
        kind="charged_twice",
        sentence=f"the answer to {earlier['title']} was lost, and the app sent the same again with another key:"
        f" {first}, and {second}",
        marks=(mark(earlier, "charged, and its answer was lost"), mark(later, "the same again, with another key")),
        why_not=f"no line outside the app helps: it has to repeat a call with the key of the first, {_key(earlier)}",
    )


def _told(facts: Facts, entry: Entry) -> str:
    made = " and ".join(_made(facts, entry))
    return f"{_key(entry) or 'no key'} charged {_charged(entry)}" + (f" for {made}" if made else "")


def _made(facts: Facts, entry: Entry) -> Iterator[str]:
    """What a call made: orders, gifts and campaigns."""
    keys = [change["record"] for change in entry.get("changes", ()) if change["what"] == "added"]
    refs = (facts.records.get(key, {}).get("of") for key in keys)
    made = dict.fromkeys((ref["kind"], ref["id"]) for ref in refs if ref is not None and ref["kind"] in WORDS)
    return (f"{WORDS[kind]} {id_}" for kind, id_ in made if kind not in ("event", "approval"))


def _is_asked(facts: Facts, *entries: Entry) -> bool:
    """Whether the question is about what one of these calls made, or names nothing."""
    return facts.names_none or any(
        str(subject) in _made(facts, entry) for subject in facts.subjects for entry in entries
    )


def _charged(entry: Entry) -> str:
    """The amount that a call charged, as text; empty for none."""
    moves = [move for move in entry.get("ledger", ()) if move["kind"] == CHARGE]
    cents = sum(amount for move in moves for _, amount in move["postings"] if amount > 0)
    return f"${cents / 100:,.2f}" if cents else ""


def _key(entry: Entry) -> str | None:
    """The idempotency key of a call, in its body or its headers."""
    request = entry["call"]["request"]
    headers = {name.lower(): value for name, value in request.get("headers", {}).items()}
    try:
        body = msgspec.json.decode(request.get("body", "null"))
    except msgspec.DecodeError:
        body = None
    key = body.get(_IN_BODY) if isinstance(body, dict) else None
    return key if isinstance(key, str) else headers.get(_IN_HEADERS)


RULES: Final = (Rule("charged_twice", charged_twice),)
