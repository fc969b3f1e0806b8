"""Why a webhook did not come, or did nothing: who was subscribed, what was sent, and what the app answered."""

from __future__ import annotations

from typing import Final

from giftsim.workbench.why import mends
from giftsim.workbench.why.facts import Facts, mark
from giftsim.workbench.why.rule import Rule
from giftsim.workbench.why.verdict import Verdict


def not_subscribed(facts: Facts) -> Verdict | None:
    """The event happened, and no endpoint of anybody was ever subscribed to its type."""
    event = next((entry for entry in facts.asked_events if not entry["event"]["audience"]), None)
    if event is None:
        return None
    type_ = event["event"]["type"]
    if any(type_ in facts.final[key].get("kinds", ()) for key in facts.keys("endpoint")):
        return None
    subject = next((each for each in facts.every_subject if event["event"].get("about") in each.keys), None)
    return Verdict(
        kind="not_subscribed",
        sentence=f"{type_} happened at {event['at']}, but no endpoint was subscribed to it, so nothing was sent",
        marks=(mark(event, "happened, and nobody was subscribed"),),
        mend=mends.subscribe(type_, subject and facts.credential_of(subject)),
    )


RULES: Final = (Rule("not_subscribed", not_subscribed),)
