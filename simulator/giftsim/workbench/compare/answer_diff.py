"""Compares two masked answers to the same call. Which ids stand for one record is learnt from earlier answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from giftsim.engine.gateway.node import resolve_ref
from giftsim.workbench.compare.called_operation import CalledOperation
from giftsim.workbench.compare.finding import Finding
from giftsim.workbench.compare.mask import (
    CODE_NAMES,
    EMPTY,
    FIRST_ERROR,
    ID,
    OF,
    SECRET,
    SENT,
    TEXT,
    VALUE,
    Answer,
    Mark,
    parse_mark,
)
from giftsim.workbench.compare.shape import Shape, body_shape, code_sources, sources_of


def id_of(row: Any) -> str:
    """The masked id by which a record is known: that of its first member that is one; "" if it has none."""
    if not isinstance(row, dict):
        return ""
    marks = (parse_mark(value) for value in row.values() if isinstance(value, str))
    return next((mark.value for mark in marks if mark.look.startswith(ID)), "")


class _Row(NamedTuple):
    """The key of an id in lists: the collection, such as `webhooks`, and the part before `of`."""

    collection: str
    number: str


class Identities:
    """Pairs of ids that stood at the same place of two answers.

    An id such as `id#2 of Endpoint.id` is compared with those of the same place of the contract, since equal numbers
    may stand for records of different kinds. The contract may describe the rows of a list apart, so these are found by
    the collection that a call goes to. `learned` has the pairs, each with its collection, one after the other.
    """

    def __init__(self) -> None:
        self.learned: list[tuple[str, str, str]] = []
        self._pairs: set[tuple[str, str]] = set()
        self._giftsim: set[str] = set()
        self._service: set[str] = set()
        self._rows: set[tuple[_Row, _Row]] = set()

    def agree(self, giftsim: str, service: str, collection: str) -> bool:
        """Whether both stand for the same record or both for a new one; new ones are a pair from then on."""
        if giftsim in self._giftsim or service in self._service:
            return (giftsim, service) in self._pairs
        self.learn(giftsim, service, collection)
        return True

    def learn(self, giftsim: str, service: str, collection: str) -> None:
        """Learn that two new ids stand for one record."""
        self._pairs.add((giftsim, service))
        self._giftsim.add(giftsim)
        self._service.add(service)
        self._rows.add((_row(collection, giftsim), _row(collection, service)))
        self.learned.append((giftsim, service, collection))

    def same_row(self, giftsim: str, service: str, collection: str) -> bool:
        """Whether two records of a list are known to be the same."""
        return (_row(collection, giftsim), _row(collection, service)) in self._rows

    def known_rows(self) -> tuple[set[_Row], set[_Row]]:
        """The records that are known from earlier answers: those of giftsim, and those of the service."""
        return {mine for mine, _ in self._rows}, {theirs for _, theirs in self._rows}


def _row(collection: str, value: str) -> _Row:
    return _Row(collection, value.partition(OF)[0])


class ListMerge:
    """What several values at the same position have in common."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._values = values
        self._objects = [value for value in values if isinstance(value, dict)]

    @cached_property
    def types(self) -> frozenset[str]:
        """The types of the values."""
        return frozenset(_type(value) for value in self._values)

    @cached_property
    def names(self) -> frozenset[str]:
        """The members that some object has."""
        return frozenset(name for value in self._objects for name in value)

    @cached_property
    def always(self) -> frozenset[str]:
        """The members that every object has."""
        return frozenset(name for name in self.names if all(name in value for value in self._objects))

    @cached_property
    def items(self) -> list[Any]:
        """The items of those values that are lists."""
        return [item for value in self._values if isinstance(value, list) for item in value]

    def member(self, name: str) -> ListMerge:
        """The values of a member."""
        return ListMerge([value[name] for value in self._objects if name in value])


def _type(value: Any) -> str:
    if isinstance(value, str):
        return parse_mark(value).type
    return "object" if isinstance(value, dict) else "array"


ROOT = "$"
ANY_FORM = ("", TEXT)  # a text of giftsim's own, in place of which a service may have any other


class BodyDiff:
    """The comparison of the bodies of one call; `is_error` says that the status is one of an error."""

    def __init__(self, called: CalledOperation, identities: Identities, *, is_error: bool) -> None:
        self._called, self._identities, self._is_error = called, identities, is_error

    def compare(self, giftsim: Any, service: Any, shape: Shape, path: str = ROOT) -> Iterator[Finding]:
        """The differences below a path."""
        if isinstance(giftsim, dict) and isinstance(service, dict):
            if shape.is_map:
                merged = [ListMerge(list(each.values())) for each in (giftsim, service)]
                yield from self.compare_merged(merged[0], merged[1], shape.member("*"), f"{path}.*")
                return
            yield from self._objects(giftsim, service, shape, path)
        elif isinstance(giftsim, list) and isinstance(service, list):
            if self._called.is_list and path.count(".") + path.count("[") <= 1:
                yield from self._pages(giftsim, service, shape, path)
            else:
                yield from self._lists(giftsim, service, shape, path)
        elif isinstance(giftsim, str) and isinstance(service, str):
            yield from self._marks(parse_mark(giftsim), parse_mark(service), shape, path)
        else:
            kind = "null" if "null" in (giftsim, service) else "type"
            yield Finding.at(kind, path, shown(giftsim), shown(service), shape)

    def _objects(self, giftsim: dict[str, Any], service: dict[str, Any], shape: Shape, path: str) -> Iterator[Finding]:
        for name, value in giftsim.items():
            at, inner = f"{path}.{name}", shape.member(name)
            if name in service:
                yield from self.compare(value, service[name], inner, at)
            else:
                yield Finding.at("lost_member", at, shown(value), "absent", inner)
        for name, value in service.items():
            if name not in giftsim:
                yield Finding.at("extra_member", f"{path}.{name}", "absent", shown(value), shape.member(name))

    def _lists(self, giftsim: list[Any], service: list[Any], shape: Shape, path: str) -> Iterator[Finding]:
        if len(giftsim) != len(service):
            yield Finding.at("length", path, f"{len(giftsim)} items", f"{len(service)} items", shape)
            return
        for index, (left, right) in enumerate(zip(giftsim, service, strict=True)):
            yield from self.compare(left, right, shape.item(), f"{path}[{index}]")

    def _pages(self, giftsim: list[Any], service: list[Any], shape: Shape, path: str) -> Iterator[Finding]:
        """Two pages of a collection: records of this run one by one, of all others only their members and types."""
        limit = self._called.query.get("limit", "")
        if limit.isdecimal() and len(giftsim) <= int(limit) < len(service):
            yield Finding.at("page_size", path, f"at most {limit}", f"{len(service)} items", shape)
        own, others = ([id_of(row) for row in rows] for rows in (giftsim, service))
        pairs = [
            (left, right)
            for left, mine in enumerate(own)
            for right, theirs in enumerate(others)
            if self._identities.same_row(mine, theirs, self._called.collection)
        ]
        yield from self._rows(giftsim, service, pairs, shape, path)
        item, at = shape.item(), f"{path}[*]"
        for left, right in pairs:
            yield from self.compare(giftsim[left], service[right], item, at)
        mine = [row for index, row in enumerate(giftsim) if index not in {left for left, _ in pairs}]
        theirs = [row for index, row in enumerate(service) if index not in {right for _, right in pairs}]
        if mine and theirs:
            yield from self.compare_merged(ListMerge(mine), ListMerge(theirs), item, at)

    def _rows(
        self, giftsim: list[Any], service: list[Any], pairs: list[tuple[int, int]], shape: Shape, path: str
    ) -> Iterator[Finding]:
        """Records of this run that only one page has, or that stand in another order."""
        mine, theirs = (
            sum(_row(self._called.collection, id_of(row)) in known for row in rows)
            for rows, known in zip((giftsim, service), self._identities.known_rows(), strict=True)
        )
        if mine != len(pairs) or theirs != len(pairs):
            yield Finding.at("row", path, f"{mine} of this run", f"{theirs} of this run", shape)
        if [right for _, right in pairs] != sorted(right for _, right in pairs):
            yield Finding.at("order", path, "one order", "another order", shape)

    def compare_merged(self, giftsim: ListMerge, service: ListMerge, shape: Shape, path: str) -> Iterator[Finding]:
        """The differences of records that are not the same: members that only one side has, and types."""
        mine, theirs = giftsim.types - {"null"}, service.types - {"null"}
        if mine and theirs and mine.isdisjoint(theirs):
            yield Finding.at("type", path, " or ".join(sorted(mine)), " or ".join(sorted(theirs)), shape)
            return
        for name in sorted(giftsim.always - service.names) if service.names else ():
            shown_type = " or ".join(sorted(giftsim.member(name).types))
            yield Finding.at("lost_member", f"{path}.{name}", shown_type, "absent", shape.member(name))
        for name in sorted(service.always - giftsim.names) if giftsim.names else ():
            if not shape.member(name).node.given:  # what the contract knows may be absent in giftsim's own records
                shown_type = " or ".join(sorted(service.member(name).types))
                yield Finding.at("extra_member", f"{path}.{name}", "absent", shown_type, shape)
        for name in sorted(giftsim.names & service.names):
            yield from self.compare_merged(
                giftsim.member(name), service.member(name), shape.member(name), f"{path}.{name}"
            )
        if giftsim.items and service.items:
            yield from self.compare_merged(
                ListMerge(giftsim.items), ListMerge(service.items), shape.item(), f"{path}[*]"
            )

    def _marks(self, giftsim: Mark, service: Mark, shape: Shape, path: str) -> Iterator[Finding]:
        kind = self._mark_kind(giftsim, service, path)
        if kind is not None:
            finding = Finding.at(kind, path, giftsim.shown, service.shown, shape)
            own = code_sources(self._called, giftsim.value) if kind == "code" else ()
            yield finding._replace(sources=own) if own else finding

    def _mark_kind(self, giftsim: Mark, service: Mark, path: str) -> str | None:
        """How two marks differ; None if they do not, or if the difference is one of content."""
        if giftsim.type != service.type:
            if path.endswith("cursor") and "null" in (giftsim.type, service.type):
                return None  # a service with more records has more pages
            return "null" if "null" in (giftsim.type, service.type) else "type"
        if giftsim.look == VALUE:
            is_code = self._is_error and path.rpartition(".")[2] in CODE_NAMES
            return None if giftsim == service else "code" if is_code else "value"
        if giftsim.look != service.look and (giftsim.look not in ANY_FORM or service.look == EMPTY):
            return "echo" if giftsim.look == SENT else "format"
        if giftsim.look.startswith(ID) and not self._identities.agree(
            giftsim.value, service.value, self._called.collection
        ):
            return "identity"
        return "format" if giftsim.look == service.look == SECRET and giftsim.value != service.value else None


def shown(value: Any) -> str:
    """A masked value for people: its mark, or what kind of collection it is."""
    if isinstance(value, str):
        return parse_mark(value).shown
    return "object" if isinstance(value, dict) else f"list of {len(value)}"


MEDIA_TYPE = "content-type"
# Headers whose presence means something to a client, whether or not the contract names them.
STANDARD: Final = frozenset(
    {"location", "retry-after", "www-authenticate", "allow", "content-disposition", "link", "deprecation", "sunset"}
)


def compare_answers(
    called: CalledOperation, giftsim: Answer, service: Answer, identities: Identities
) -> Iterator[Finding]:
    """The differences of two answers; after another class of status nothing else is compared."""
    if giftsim.status != service.status:
        yield _status(called, giftsim, service)
        if giftsim.status // 100 != service.status // 100:
            return
    yield from _headers(called, giftsim, service)
    if giftsim.headers.get(MEDIA_TYPE) != service.headers.get(MEDIA_TYPE):
        return
    if (giftsim.body is None) is not (service.body is None):
        shown = ["no body" if each.body is None else "a body" for each in (giftsim, service)]
        yield Finding.at("body", "$", shown[0], shown[1], body_shape(called, giftsim.status))
    elif giftsim.body is not None:
        diff = BodyDiff(called, identities, is_error=giftsim.status >= FIRST_ERROR)
        yield from diff.compare(giftsim.body, service.body, body_shape(called, giftsim.status))


def _status(called: CalledOperation, giftsim: Answer, service: Answer) -> Finding:
    pointer, node = called.response(giftsim.status)
    operation = called.operation.node if called.operation else {}
    kind = "redirect" if 300 <= service.status < FIRST_ERROR else "status"
    sources = sources_of(node) or sources_of(operation)
    return Finding(kind, "status", str(giftsim.status), str(service.status), sources, pointer)


def _headers(called: CalledOperation, giftsim: Answer, service: Answer) -> Iterator[Finding]:
    documented = {name.lower(): name for name in called.contract.published.get("components", {}).get("headers", {})}
    for name in sorted(giftsim.headers.keys() | service.headers.keys()):
        if name not in {*documented, *STANDARD, MEDIA_TYPE}:
            continue
        left, right = giftsim.headers.get(name), service.headers.get(name)
        if left == right:
            continue
        kind = (
            "missing_header"
            if right is None
            else "extra_header"
            if left is None
            else "media_type"
            if name == MEDIA_TYPE
            else "header"
        )
        sources, pointer = _header_source(called, giftsim.status, documented.get(name, name))
        yield Finding(kind, f"headers.{name}", _shown(left), _shown(right), sources, pointer)


def _header_source(called: CalledOperation, status: int, name: str) -> tuple[tuple[str, ...], str]:
    """The sources of a header and its place in the contract; those of the response where it has none of its own."""
    response_pointer, response = called.response(status)
    node: Mapping[str, Any] = called.contract.published.get("components", {}).get("headers", {}).get(name, {})
    pointer = f"#/components/headers/{name}" if node else response_pointer
    node = resolve_ref(called.contract.published, node)
    return sources_of(node) or sources_of(response), pointer


def _shown(mark: str | None) -> str:
    return "absent" if mark is None else parse_mark(mark).shown
