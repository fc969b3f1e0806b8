"""Check of a response against its contract: status, media type, headers, error code, and members at any depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from giftsim.engine.client.response import Response
from giftsim.engine.gateway.body_schema import Schema
from giftsim.engine.gateway.contract import Contract, Operation
from giftsim.engine.gateway.node import resolve_ref
from tests.support.closed_schema import closed_document, closed_schema

Node = Mapping[str, Any]
OF_EVERY_BODY = frozenset({"content-type", "content-length"})


class Header(NamedTuple):
    """A documented header: whether it is always there, and the schema of its value."""

    name: str
    required: bool
    integer: bool
    schema: Schema


class Documented(NamedTuple):
    """What the contract says of one status of an operation."""

    headers: Mapping[str, Header]
    bodies: Mapping[str, Schema]
    codes: frozenset[str]


def assert_conforms(contract: Contract, operation_id: str, answer: Response) -> None:
    """AssertionError lists each difference between the response and the contract."""
    __tracebackhide__ = True
    wrong = list(mismatches(contract.operations[operation_id], answer))
    assert wrong == [], f"{operation_id} {answer.status}: {wrong} in {answer.body[:500]!r}"


def mismatches(op: Operation, answer: Response) -> Iterator[str]:
    """The differences between the response and the contract, as sentences."""
    response = documented(op, answer.status)
    if response is None:
        yield f"status {answer.status} is not documented"
        return
    yield from wrong_headers(response, answer.headers)
    yield from wrong_body(response, answer)


def documented(op: Operation, status: int) -> Documented | None:
    """What the contract says of a status of an operation; None if it has no such status."""
    node = op.node["responses"].get(str(status))
    return None if node is None else _documented(_Same(resolve_ref(op.document, node)), _Same(op.document))


def wrong_headers(response: Documented, headers: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the headers of an answer."""
    for key, header in response.headers.items():
        if header.required and key not in headers:
            yield f"header {header.name} is missing"
    for key, value in headers.items():
        if key in OF_EVERY_BODY:
            continue
        known = response.headers.get(key)
        if known is None:
            yield f"header {key} is not documented"
            continue
        read: Any = int(value) if known.integer and value.removeprefix("-").isdecimal() else value
        if not known.schema.is_valid(read):
            yield from (f"header {known.name}: {each.message}" for each in known.schema.violations(read))


def wrong_body(response: Documented, answer: Response) -> Iterator[str]:
    """What is wrong with the media type and the body of an answer."""
    if not response.bodies:
        if answer.body:
            yield "a body where the contract has none"
        return
    kind = _bare(answer.headers.get("content-type", ""))
    schema = response.bodies.get(kind)
    if schema is None:
        yield f"content type {kind!r} is none of {', '.join(response.bodies)}"
    elif kind.endswith("json"):
        yield from _wrong_json(response, schema, answer.body)


def _wrong_json(response: Documented, schema: Schema, content: bytes) -> Iterator[str]:
    try:
        body = msgspec.json.decode(content)
    except msgspec.DecodeError:
        yield "the body is not JSON"
        return
    if not schema.is_valid(body):
        yield from (violation.message for violation in schema.violations(body))
    if response.codes and (code := _error_code(body)) not in response.codes:
        yield f"the error code {code!r} is none of {', '.join(sorted(response.codes))}"


def _error_code(body: Any) -> Any:
    """The code of an error, in the form of any interface."""
    if not isinstance(body, dict):
        return None
    error = body.get("error")
    return error.get("code") if isinstance(error, dict) else body.get("type")


def _bare(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()


class _Same:
    """A contract node as a cache key, compared by identity, since contracts do not change."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def __hash__(self) -> int:
        return id(self.node)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.node is other.node


@lru_cache(maxsize=8)
def _closed(document: _Same) -> dict[str, Any]:
    return closed_document(document.node)


@lru_cache(maxsize=2_000)
def _documented(response: _Same, document: _Same) -> Documented:
    """What the contract says in a response, which several operations may share."""
    headers = {name: resolve_ref(document.node, each) for name, each in response.node.get("headers", {}).items()}
    return Documented(
        {name.lower(): _header(name, _Same(header), document) for name, header in headers.items()},
        {
            _bare(kind): Schema(closed_schema(each.get("schema", {})), _closed(document))
            for kind, each in response.node.get("content", {}).items()
        },
        frozenset(response.node.get("x-codes", ())),
    )


@lru_cache(maxsize=2_000)
def _header(name: str, header: _Same, document: _Same) -> Header:
    schema = header.node.get("schema", {})
    required = bool(header.node.get("required"))
    return Header(name, required, schema.get("type") == "integer", Schema(schema, _closed(document)))
