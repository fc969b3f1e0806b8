"""The result of running a step."""

from __future__ import annotations

from typing import NamedTuple

from giftsim.scenario.matching import Failure
from giftsim.scenario.recorded_response import ResponseDifference


class StepResult(NamedTuple):
    """A short text for the timeline if the step passed, else its failures and the response that it got.

    `difference` is how that response differs from the recorded one.
    """

    text: str = ""
    failures: tuple[Failure, ...] = ()
    response: str = ""
    difference: ResponseDifference | None = None
