"""Check of a response against its contract: status, media type, body and headers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from giftsim.gateway.body_schema import Schema
from giftsim.gateway.contract import Contract, Operation, resolve
from giftsim.scenario.client_protocol import Response

Node = Mapping[str, Any]


def assert_conforms(contract: Contract, operation_id: str, answer: Response) -> None:
    """AssertionError lists each difference between the response and the contract."""
    __tracebackhide__ = True
    wrong = list(mismatches(contract.operations[operation_id], answer))
    assert wrong == [], f"{operation_id} {answer.status}: {wrong} in {answer.body[:500]!r}"


def mismatches(op: Operation, answer: Response) -> Iterator[str]:
    """The differences between the response and the contract, as sentences."""
    node = op.node["responses"].get(str(answer.status))
    if node is None:
        yield f"status {answer.status} is not documented"
        return
    response = resolve(op.document, node)
    yield from _wrong_headers(op, response, answer.headers)
    yield from _wrong_body(op, response.get("content", {}), answer)


def _wrong_headers(op: Operation, response: Node, headers: Mapping[str, str]) -> Iterator[str]:
    for name, node in response.get("headers", {}).items():
        header = resolve(op.document, node)
        value = headers.get(name.lower())
        if value is None:
            if header.get("required"):
                yield f"header {name} is missing"
            continue
        schema = header.get("schema", {})
        integer = schema.get("type") == "integer" and value.removeprefix("-").isdecimal()
        read: Any = int(value) if integer else value
        yield from (f"header {name}: {reason}" for reason in _violations(op, schema, read))


def _wrong_body(op: Operation, content: Node, answer: Response) -> Iterator[str]:
    if not content:
        if answer.body:
            yield "a body where the contract has none"
        return
    kind = answer.headers.get("content-type", "")
    schema = next((node.get("schema", {}) for name, node in content.items() if _bare(name) == _bare(kind)), None)
    if schema is None:
        yield f"content type {kind!r} is none of {', '.join(content)}"
    elif _bare(kind).endswith("json"):
        try:
            body = answer.json()
        except (ValueError, msgspec.DecodeError):
            yield "the body is no JSON"
            return
        yield from _violations(op, schema, body)


def _bare(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()


def _violations(op: Operation, schema: Node, value: Any) -> list[str]:
    # The cache keeps the document alive, so that its id stays unique.
    shape, _ = _shape(_NodeKey(schema), _NodeKey(op.document))
    return [violation.message for violation in shape.violations(value)]


class _NodeKey:
    """A contract node as a cache key, compared by identity, since contracts do not change."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def __hash__(self) -> int:
        return id(self.node)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _NodeKey) and self.node is other.node


@lru_cache(maxsize=1_000)
def _shape(schema: _NodeKey, document: _NodeKey) -> tuple[Schema, _NodeKey]:
    return Schema(schema.node, document.node), document
