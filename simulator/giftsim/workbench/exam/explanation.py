"""What a result says of a broken rule: why, in sentences that tell what the app did, and what would mend it.

The reason of the finding comes first. The first verdict of the trace follows that tells what the app did, and not what
the exam did, such as a fault that it planned or a webhook that it withheld.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from giftsim.workbench.exam.service_books import STAGES
from giftsim.workbench.why.advice import advice
from giftsim.workbench.why.verdict import Mend

# Verdicts that tell what the app did, and of these: those whose advice is more than that the app has to differ.
OF_THE_APP: Final = (
    "charged_twice",
    "answered_early",
    "page_moved",
    "not_read_again",
    "dropped_as_duplicate",
    "refused_by_app",
    "no_answer_from_app",
)
WITH_ADVICE: Final = ("charged_twice", "answered_early", "page_moved", "not_read_again")
ANSWERS: Final = ("refused_by_app", "no_answer_from_app")  # which giftsim itself gives for an app during an outage
NO_LINE: Final = msgspec.structs.asdict(Mend())
ORDER: Final = "arrived_out_of_order"  # which the exam saw to: it explains a stage that an app says


def explain(reason: str, verdicts: Sequence[Mapping[str, Any]], app: str) -> tuple[str, str]:
    """The `why` and the `mend` of a finding, the second one often empty. `app` is the URL of the app."""
    first = next((each for each in verdicts if _tells(each, reason, app)), None)
    if first is None:
        return sentence(reason), ""
    mend = advice(first) if first["kind"] in WITH_ADVICE else ""
    return f"{sentence(reason)} {sentence(first['sentence'])}", mend


def of_exam(reason: str, why: str, mend: str, verdicts: Sequence[Mapping[str, Any]], app: str) -> list[dict[str, Any]]:
    """The verdicts for the trace of a finding: its `why`, then what else tells what the app did.

    A fault that the exam planned is not why, and a line that changes the world mends no app.
    """
    telling = [{**each, "mend": dict(NO_LINE)} for each in verdicts if _tells(each, reason, app)]
    marks = telling[0]["marks"] if telling else []
    own = {"kind": "exam", "sentence": why.rstrip("."), "marks": marks, "mend": dict(NO_LINE), "why_not": mend or None}
    return [own, *(each for each in telling if sentence(each["sentence"]) not in why)]


def _tells(verdict: Mapping[str, Any], reason: str, app: str) -> bool:
    """Whether a verdict tells a reader of the reason more about the app."""
    if verdict["kind"] in ANSWERS:
        return app in verdict["sentence"]
    if verdict["kind"] == ORDER:
        return reason.rpartition(" ")[2] in STAGES
    return verdict["kind"] in OF_THE_APP


def sentence(text: str) -> str:
    """A reason as a sentence of its own."""
    end = "" if text.endswith((".", "…", "?", "!")) else "."
    is_word = text.partition(" ")[0].isalpha()  # and not the name of an event or an operation
    return f"{text[:1].upper() if is_word else text[:1]}{text[1:]}{end}"


def found_beside(why: str, reason: str) -> str:
    """The reason, unless its `why` begins with it."""
    return "" if why.startswith(sentence(reason).rstrip(".")) else reason
