"""The rows of fixtures that are `generated`: people and contacts, the same for the same seed (G273).

Names, jobs and the order of the draws are those of Faker, which made these rows up to version 0.2.0. The licence of the
names is in `names-LICENSE.txt`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random  # noqa: TID251 - seeded by the fixture
from typing import Any, Final, TypeVar

NAMES: Final = Path(__file__).parent / "names.json"
DEPARTMENTS: Final = (
    "Design", "Engineering", "Finance", "Legal", "Marketing", "Operations", "People", "Sales", "Support",
)  # fmt: skip
OBJECTS: Final = ("contact", "contact", "contact", "lead")
LONGEST_TITLE: Final = 200
_PART: Final = re.compile(r"\{\{(\w+)\}\}")
T = TypeVar("T")


class Draws:
    """Random choices, of which the seed decides all."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def one_of(self, choices: Sequence[T]) -> T:
        """One of several."""
        return self._random.choice(choices)

    def number(self, least: int, most: int) -> int:
        """A whole number."""
        return self._random.randint(least, most)

    def named(self, kind: str) -> str:
        """A name of a kind, such as `first_name` or `company`; frequent ones come more often."""
        names, weights = _names()[kind]
        chosen = self._random.choices(names, cum_weights=weights)[0] if weights else self.one_of(names)
        return _PART.sub(lambda part: self.named(part[1]), chosen)


@cache
def _names() -> Mapping[str, tuple[list[str], list[float]]]:
    """The names of each kind, and how often each comes, added up; nothing if all come as often."""
    kinds = json.loads(NAMES.read_bytes())
    return {kind: (list(names), list(accumulate(names.values()) if isinstance(names, dict) else ()))
            for kind, names in kinds.items()}  # fmt: skip


def person(draws: Draws, number: int) -> dict[str, Any]:
    """A row of `people`."""
    first, last = draws.named("first_name"), draws.named("last_name")
    return {
        "work_email": f"{first}.{last}{number}@people.example".lower(),
        "first_name": first,
        "last_name": last,
        "birthday": f"{draws.number(1, 12):02}-{draws.number(1, 28):02}",
        "started": f"{draws.number(1, 3650)}d",
        "department": draws.one_of(DEPARTMENTS),
        "location": draws.named("city"),
        "country": "US",
        "zip": f"{draws.number(501, 99950):05}",
        "status": "active",
    }


def contact(draws: Draws, number: int) -> dict[str, Any]:
    """A row of `crm`."""
    name = draws.named("first_name"), draws.named("last_name")
    return {
        "id": f"{700_000 + number}",
        "object_type": draws.one_of(OBJECTS),
        "name": " ".join(name),
        "email": f"{'.'.join(name)}{number}@clients.example".lower(),
        "company": draws.named("company"),
        "title": draws.named("job")[:LONGEST_TITLE],
    }


GENERATORS: Final[Mapping[str, Callable[[Draws, int], dict[str, Any]]]] = {"people": person, "crm": contact}
