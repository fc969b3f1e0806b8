"""What a replay of a recording finds, call by call, and the moments at which another one can begin (G479)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from giftsim.engine.client.response import Response
from giftsim.engine.kernel.state import State
from giftsim.engine.log.inputs import WorldConfig
from giftsim.engine.webhooks.attempt import ATTEMPT, Attempt
from giftsim.engine.webhooks.event import EVENT, Event
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.traffic.call_judge import Learned, Touched
from giftsim.workbench.traffic.event_judge import JudgedEvent
from giftsim.workbench.traffic.outside_world import Act
from giftsim.workbench.traffic.recorded_traffic import RecordedCall

NO_ANSWER: Final = Response(0, {}, b"")
Sent = tuple[tuple[Attempt, Event], ...]
_REQUEST_ID: Final = "x-request-id"


class JudgedCall(msgspec.Struct):
    """A recorded call after a replay; `left_out` says why it was not judged, `read` are the settings that it read.

    `path`, `body` and `headers` are what the world was sent, `answer` is what it answered. `learned` is what it taught
    the judge, `touched` what the judge looked at among all that it knew. `sent` are the webhooks since the call before.

    A replay that goes like an earlier one has the very answers and webhooks of that.
    """

    call: RecordedCall
    path: str
    body: bytes
    headers: Mapping[str, str]
    answer: Response = NO_ANSWER
    is_strange: bool = False
    findings: list[Finding] = []
    left_out: str | None = None
    read: frozenset[str] = frozenset()
    learned: Learned = Learned()
    touched: frozenset[Touched] = frozenset()
    sent: Sent = ()


class Moment(NamedTuple):
    """A replay before a call, whose position is `number`, and the place of that call among all that it does.

    The attempts of webhooks before `sent_to` were seen by earlier calls.
    """

    number: int
    place: int
    config: WorldConfig
    state: State
    now_ms: int
    sent_to: int
    late: list[Act]
    keys: set[str]


class Outcome(msgspec.Struct):
    """What a replay found. `read` are the settings that were read in it, `unplayed` the acts that the world refused.

    `deliveries` are what the world sent, and `touched` is what the judge of the events looked at. `moments` are those
    at which a replay of a part can begin.
    """

    calls: list[JudgedCall]
    events: list[JudgedEvent]
    read: frozenset[str]
    unplayed: list[str]
    deliveries: list[Mapping[str, Any]]
    touched: frozenset[Touched]
    moments: list[Moment]


Watch = Callable[[int, JudgedCall], bool]  # whether to go on after a call, which is given with its position


def sent_since(state: State, number: int) -> Sent:
    """The attempts from a slot on that are kept, with their events."""
    attempts, events = state[ATTEMPT].rows[number:], state[EVENT]
    return tuple((each, events.get(each.event)) for each in attempts if each is not None)


def is_same(answer: Response, other: Response) -> bool:
    """Whether two answers are the same but for the ids of their requests, which count on from world to world."""
    if answer.status != other.status or len(answer.body) != len(other.body):
        return False
    ids = [each.headers.get(_REQUEST_ID, "") for each in (answer, other)]
    headers = [{name: value for name, value in each.headers.items() if name != _REQUEST_ID} for each in (answer, other)]
    if headers[0] != headers[1]:
        return False
    return answer.body == other.body or answer.body.replace(ids[0].encode(), ids[1].encode()) == other.body
