"""A body against the contract: everything that is wrong with it, by field, in words that echo no value (A8.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from giftsim.domain.team.problem import ValidationFailed, Wrong
from giftsim.gateway.call import Call
from giftsim.gateway.schema import Violation, dotted

Rule = Callable[[Call], Iterable[Wrong]]
ROWS = "people"


def make_judge(rules: Mapping[str, Rule]) -> Callable[[Call, Sequence[Violation]], None]:
    """What judges bodies: first the schema's violations, and if there are none the operation's own rule."""

    def judge(call: Call, violations: Sequence[Violation]) -> None:
        wrong = list(dict.fromkeys(_wrong(violation) for violation in violations))
        rule = rules.get(call.operation.id)
        if not wrong and rule is not None:
            wrong = list(rule(call))
        if wrong:
            raise ValidationFailed(wrong)

    return judge


def _wrong(violation: Violation) -> Wrong:
    """A row of `people` is named by its index, and its members within it (A8.2)."""
    path = violation.path
    if len(path) > 1 and path[0] == ROWS and isinstance(path[1], int):
        return Wrong(dotted(path[2:]), violation.words, path[1])
    return Wrong(dotted(path), violation.words)
