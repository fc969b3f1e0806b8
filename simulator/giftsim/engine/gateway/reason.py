"""Why a record is not where somebody expected it, as its service reads it from the state alone.

What a service says here is proved by the trace: each change that a reason names must be among its entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from giftsim.engine.gateway.record_kind import Id

CAUSE, AT = "{cause}", "{at}"
ADVANCE = "advance"


class Proof(NamedTuple):
    """A change that proves a reason: the record in a slot of a table got `value` in `member`, or was added for None.

    `what` are a few words on it. Members and values are those of traces: the instant of `expired_ms` is a text.
    """

    table: str
    slot: int
    member: str | None
    value: Any
    what: str


class Act(NamedTuple):
    """What would change it: a verb below `/simulate`, or ADVANCE with the time `by` which the clock has to advance.

    `pytest` is the method of the fixture, if it has one for the verb.
    """

    verb: str
    body: Mapping[str, Any]
    pytest: str | None = None


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One reason. `kind` is that of its verdict, `codes` are those of the errors with which calls are refused for it.

    In `sentence`, `{at}` stands for when the changes were that are like the first proof, such as `at` with an instant,
    and `{cause}` for what made them. `why_not` says why no act helps, where there is none.
    """

    kind: str
    sentence: str
    proofs: tuple[Proof, ...]
    acts: tuple[Act, ...] = ()
    why_not: str | None = None
    codes: frozenset[str] = frozenset()


class Question(NamedTuple):
    """What is asked of a service: a record as answers refer to it, and what was expected in place of what is.

    `expected` is a status or the type of an event, None for whatever comes next; `actual` the status that was seen.
    With the `code` of an error, only the reasons for which calls are refused with it.
    """

    ref: str
    id: Id
    expected: str | None = None
    actual: str | None = None
    code: str | None = None
