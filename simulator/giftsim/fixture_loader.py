"""Fixtures: starting worlds, as YAML files; a fixture may extend another, and may ask for people to be made up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from giftsim.worlds.problem import InvalidWorld

if TYPE_CHECKING:
    from faker import Faker

HOME = Path(__file__).parent
MOST_GENERATED = 10_000
DEPARTMENTS = ("Design", "Engineering", "Finance", "Legal", "Marketing", "Operations", "People", "Sales", "Support")
SECTIONS = (
    "extends", "settings", "accounts", "teams", "products", "keys", "orders", "billing", "collections", "people", "crm",
    "sends", "deals", "museum",
)  # fmt: skip
FOLDERS = (HOME / "_data" / "fixtures", HOME.parents[1] / "fixtures")


def read_fixture(fixture: str | dict[str, Any]) -> dict[str, Any]:
    """The fixture's data with everything it extends; InvalidWorld names a fixture that is not there."""
    data = peopled(_file(fixture) if isinstance(fixture, str) else fixture)
    _check_sections(data)
    base = data.get("extends")
    return data if base is None else merged(read_fixture(base), data)


def fixture_print(fixture: str | dict[str, Any]) -> str:
    """The hash of all that a fixture says, by which it is known again (G5)."""
    return sha256(msgspec.json.encode(read_fixture(fixture), order="deterministic")).hexdigest()[:16]


def _check_sections(data: dict[str, Any]) -> None:
    """A section that nothing plants would leave the world without what it says."""
    for name in data:
        if name not in SECTIONS:
            near = get_close_matches(str(name), SECTIONS, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(SECTIONS)}"
            raise InvalidWorld(f"a fixture has no section {str(name)[:60]!r}; {hint}")


def peopled(data: dict[str, Any]) -> dict[str, Any]:
    """The data with made-up rows in the entries of `people` and `crm` that say `generated: 40`.

    An entry's `seed` (1) makes other people; the same number and seed make the same ones.
    """
    for section, invent in INVENTED.items():
        entries = data.get(section)
        if isinstance(entries, list):
            data = {**data, section: [_generated(entry, invent) for entry in entries]}
    return data


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """`over` upon `base`: lists are joined, objects merged, all else replaced."""
    result = dict(base)
    for name, value in over.items():
        was = result.get(name)
        if isinstance(was, dict) and isinstance(value, dict):
            result[name] = merged(was, value)
        elif isinstance(was, list) and isinstance(value, list):
            result[name] = was + value
        else:
            result[name] = value
    result.pop("extends", None)
    return result


def _generated(entry: Any, invent: Callable[[Faker, int], dict[str, Any]]) -> Any:
    """The entry with its rows; people come from Faker, which only those pay for who ask for it."""
    if not isinstance(entry, dict) or "generated" not in entry:
        return entry
    from faker import Faker

    count, seed, rows = entry["generated"], entry.get("seed", 1), entry.get("rows", [])
    if type(count) is not int or not 0 <= count <= MOST_GENERATED or type(seed) is not int or type(rows) is not list:
        raise InvalidWorld(f"generated goes from 0 to {MOST_GENERATED}, seed is a whole number, and rows is a list")
    fake = Faker("en_US")
    fake.seed_instance(seed)
    rest = {name: value for name, value in entry.items() if name not in ("generated", "seed")}
    return {**rest, "rows": [*rows, *(invent(fake, i) for i in range(1, count + 1))]}


def _person(fake: Faker, number: int) -> dict[str, Any]:
    first, last = fake.first_name(), fake.last_name()
    return {
        "work_email": f"{first}.{last}{number}@people.example".lower(),
        "first_name": first,
        "last_name": last,
        "birthday": f"{fake.random_int(1, 12):02}-{fake.random_int(1, 28):02}",
        "started": f"{fake.random_int(1, 3650)}d",
        "department": fake.random_element(DEPARTMENTS),
        "location": fake.city(),
        "country": "US",
        "zip": fake.postcode(),
        "status": "active",
    }


def _contact(fake: Faker, number: int) -> dict[str, Any]:
    name = fake.first_name(), fake.last_name()
    return {
        "id": f"{700_000 + number}",
        "object_type": fake.random_element(("contact", "contact", "contact", "lead")),
        "name": " ".join(name),
        "email": f"{'.'.join(name)}{number}@clients.example".lower(),
        "company": fake.company(),
        "title": fake.job()[:200],
    }


INVENTED: Mapping[str, Callable[[Faker, int], dict[str, Any]]] = MappingProxyType({"people": _person, "crm": _contact})


def names() -> list[str]:
    """The fixtures that come with the simulator."""
    return sorted({path.stem for folder in FOLDERS if folder.is_dir() for path in folder.glob("*.yaml")})


@lru_cache(maxsize=32)
def _file(name: str) -> dict[str, Any]:
    for path in (*(folder / f"{name}.yaml" for folder in FOLDERS), Path(name)):
        if path.suffix in (".yaml", ".yml", ".json") and path.is_file():
            data = yaml.load(path.read_bytes(), yaml.CSafeLoader)
            if not isinstance(data, dict):
                raise InvalidWorld(f"the fixture {name} is no object")
            return data
    raise InvalidWorld(f"there is no fixture {name[:60]!r}; there are {', '.join(names())}")
