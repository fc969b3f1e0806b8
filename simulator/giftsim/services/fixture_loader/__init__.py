"""Loads fixtures: the initial data of a world, as a YAML or JSON file.

A fixture may extend another one, and may ask for generated people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from giftsim.engine.data_folders import data_folders
from giftsim.engine.gateway import yaml_cache
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.kernel.merge_conflict import MESSAGE, conflict_line
from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.system import TooLarge, read_file
from giftsim.engine.worlds.world_errors import InvalidWorld
from giftsim.services.fixture_loader.check import MAX_BYTES, MAX_VALUES, check_fixture, check_merged
from giftsim.services.fixture_loader.generated_rows import GENERATORS, Draws

LARGER = 16  # times the bytes that a file has otherwise
LATER = "9999-12-31"  # stands for the date that `event_in` gives


# The interface and the operation of each kind of body.
CALLS = {
    "body": ("partner", "createTeamOrder"),
    "order": ("team", "createTeamOrder"),
    "gift": ("team", "sendGift"),
    "store": ("team", "createStoreOrder"),
}


def check_bodies(data: Mapping[str, Any], schema: Callable[[str, str], Schema]) -> None:
    """Raise InvalidWorld for a body that its call would refuse. `schema` gives that of an interface's operation."""
    keys = data.get("keys", {})
    for path, kind, body, key in _bodies(data):
        mode = keys.get(key, {}).get("mode", "live")
        violations = schema(*CALLS[kind]).for_mode(mode).violations(body)
        if violations:
            raise InvalidWorld(f"the fixture's {path}: {violations[0].message}")


def _bodies(data: Mapping[str, Any]) -> Iterator[tuple[str, str, Any, str]]:
    """Each body with its path, its kind and the name of its key."""
    for i, order in enumerate(data.get("orders", ())):
        body = {"idempotency_key": "fixture", **order["body"]}
        event = body.get("event", {})
        if order.get("event_in") is not None and isinstance(event, Mapping):
            body["event"] = {**event, "date": LATER}
        yield f"orders[{i}].body", "body", body, order["key"]
    for i, send in enumerate(data.get("sends", ())):
        for kind in ("order", "gift", "store"):
            if send.get(kind) is not None:
                yield f"sends[{i}].{kind}", kind, send[kind], send["key"]


MAX_GENERATED = 10_000
FOLDERS = data_folders("fixtures")


def read_fixture(fixture: str | dict[str, Any], *, large: bool = False) -> dict[str, Any]:
    """The data of a fixture and of all that it extends. InvalidWorld if it does not exist or is not valid.

    `fixture` is a name, the path of a file, or the data itself. `large` files may take gigabytes of memory.
    """
    if isinstance(fixture, str):
        return _read_with_bases(fixture, (), large)
    check_fixture(fixture, "the fixture")
    return _with_bases(fixture, "the fixture", (), large)


def _with_bases(
    data: dict[str, Any], name: str, extended: tuple[str, ...], large: bool, *, checked: bool = False
) -> dict[str, Any]:
    """The data with all that it extends; it is checked, unless that was done when it was cached."""
    base = data.get("extends")
    data = _with_generated_rows(data)
    if base is None:
        return data
    merged = _merge(_read_with_bases(base, extended, large), data)
    if not checked:
        check_merged(merged, name)
    return merged


def _read_with_bases(name: str, extended: tuple[str, ...], large: bool) -> dict[str, Any]:
    """A fixture that those in `extended` extend, one after the other."""
    if name in extended:
        raise InvalidWorld(f"the fixture {name[:60]} extends itself: {', '.join((*extended, name))[:200]}")
    data, checked = _read_file(name, large)
    return _with_bases(data, f"the fixture {name[:60]}", (*extended, name), large, checked=checked)


def fixture_hash(fixture: str | dict[str, Any], *, large: bool = False) -> str:
    """A hash of all data of a fixture, by which recovery sees that it did not change (G5)."""
    return sha256(msgspec.json.encode(read_fixture(fixture, large=large), order="deterministic")).hexdigest()[:16]


def _with_generated_rows(data: dict[str, Any]) -> dict[str, Any]:
    """Add rows to the entries of `people` and `crm` that have, for example, `generated: 40`.

    An entry's `seed` (default 1) selects other people; the same number and seed always give the same ones.
    """
    generated = [entry.get("generated", 0) for section in GENERATORS for entry in data.get(section, ())]
    if sum(generated) > MAX_GENERATED:
        raise InvalidWorld(f"a fixture has at most {MAX_GENERATED:,} rows that are `generated`")
    for section, make_row in GENERATORS.items():
        entries = data.get(section)
        if isinstance(entries, list):
            data = {**data, section: [_with_rows(entry, make_row) for entry in entries]}
    return data


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Merge `over` into `base`: lists are joined, objects merged, other values replaced."""
    result = dict(base)
    for name, value in over.items():
        previous = result.get(name)
        if isinstance(previous, dict) and isinstance(value, dict):
            result[name] = _merge(previous, value)
        elif isinstance(previous, list) and isinstance(value, list):
            result[name] = previous + value
        else:
            result[name] = value
    result.pop("extends", None)
    return result


def _with_rows(entry: Any, make_row: Callable[[Draws, int], dict[str, Any]]) -> Any:
    """Add generated rows to an entry."""
    if not isinstance(entry, dict) or "generated" not in entry:
        return entry
    count, seed, rows = entry["generated"], entry.get("seed", 1), entry.get("rows", [])
    if type(count) is not int or not 0 <= count <= MAX_GENERATED or type(seed) is not int or type(rows) is not list:
        raise InvalidWorld(
            "an entry of a fixture has an invalid member: `generated` must be a whole number from 0 to"
            f" {MAX_GENERATED}, `seed` a whole number and `rows` a list"
        )
    draws = Draws(seed)
    rest = {name: value for name, value in entry.items() if name not in ("generated", "seed")}
    return {**rest, "rows": [*rows, *(make_row(draws, i) for i in range(1, count + 1))]}


def describe_fixtures(own_file: Path | None = None, *, large: bool = False) -> list[dict[str, str | None]]:
    """Every fixture that a world can name: its name, what it extends, and the first sentence of the comment at its top.

    `own_file` is that of a user's fixture, which worlds name by its stem.
    """
    files = {path.stem: path for folder in FOLDERS for path in sorted(folder.glob("*.yaml"))}
    if own_file is not None and own_file.suffix and own_file.is_file():
        files.setdefault(own_file.stem, own_file)
    return [
        {"name": name, "extends": _read_file(str(path), large)[0].get("extends"), "about": _about(path)}
        for name, path in sorted(files.items())
    ]


def _about(path: Path) -> str | None:
    with path.open(encoding="utf-8", errors="replace") as file:
        comment = " ".join(line.lstrip("# ").rstrip() for line in takewhile(lambda line: line.startswith("#"), file))
    first, stop, _ = comment.partition(". ")
    return (first + stop).rstrip() or None


def fixture_names() -> list[str]:
    """The names of the fixtures that come with the simulator."""
    return sorted({path.stem for folder in FOLDERS for path in folder.glob("*.yaml")})


def _read_file(name: str, large: bool) -> tuple[dict[str, Any], bool]:
    """The data of a fixture file, and whether it was checked with all that it extends."""
    shipped = _read_shipped(name)
    if shipped is not None:
        return shipped, True
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml", ".json") and _is_file(path):
        found = path.stat()
        return _read_own(name, large, (found.st_mtime_ns, found.st_size, found.st_ino)), False
    if "/" in name or name.endswith((".yaml", ".yml", ".json")):
        raise InvalidWorld(f"there is no such file {name[:200]!r} for a fixture")
    names = fixture_names()
    hint = suggest_name(name, names, f"there are {', '.join(names)}")
    raise InvalidWorld(f"there is no fixture {name[:60]!r}; {hint}")


@lru_cache(maxsize=32)
def _read_shipped(name: str) -> dict[str, Any] | None:
    for path in (folder / f"{name}.yaml" for folder in FOLDERS):
        if _is_file(path):
            shipped: dict[str, Any] = yaml_cache.read_yaml(path, lambda data: _check_file(data, name))
            return shipped
    return None


@lru_cache(maxsize=32)
def _read_own(name: str, large: bool, _version: tuple[int, int, int]) -> dict[str, Any]:
    """The data of a file of the user's, read again when the file has changed."""
    data: dict[str, Any] = _parse_file(Path(name), name, large)
    check_fixture(data, f"the fixture {name[:60]}")
    return data


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long
        return False


def _check_file(data: Any, name: str) -> None:
    check_fixture(data, f"the fixture {name[:60]}")
    _with_bases(data, f"the fixture {name[:60]}", (name,), False)


def _parse_file(path: Path, name: str, large: bool) -> Any:
    import yaml

    from giftsim.services.fixture_loader.yaml_data import TooManyValues, load_yaml

    raw = b""
    try:
        raw = read_file(path, MAX_BYTES * LARGER if large else MAX_BYTES)
        return load_yaml(raw, MAX_VALUES)
    except TooManyValues:
        raise InvalidWorld(f"the fixture {name[:60]} has more than {MAX_VALUES:,} values") from None
    except TooLarge as error:
        raise InvalidWorld(f"the fixture {name[:60]} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, ValueError, RecursionError, OSError) as error:
        conflict = conflict_line(raw)
        reason = " ".join(str(error).split())[:200] if conflict is None else f"line {conflict}: {MESSAGE}"
        raise InvalidWorld(f"the fixture {name[:60]} cannot be read: {reason}") from None
