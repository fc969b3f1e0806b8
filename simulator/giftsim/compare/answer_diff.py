"""Compares two masked answers to the same call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from giftsim.compare.body_diff import BodyDiff
from giftsim.compare.finding import Finding
from giftsim.compare.identity import Identities
from giftsim.compare.mark import parse_mark
from giftsim.compare.mask import FIRST_ERROR, Answer
from giftsim.compare.place import Place, node_at
from giftsim.compare.shape import body_shape, sources_of

MEDIA_TYPE = "content-type"
# Headers whose presence means something to a client, whether or not the contract names them.
STANDARD: Final = frozenset(
    {"location", "retry-after", "www-authenticate", "allow", "content-disposition", "link", "deprecation", "sunset"}
)


def compare_answers(place: Place, giftsim: Answer, service: Answer, identities: Identities) -> Iterator[Finding]:
    """The differences of two answers; after another class of status nothing else is compared."""
    if giftsim.status != service.status:
        yield _status(place, giftsim, service)
        if giftsim.status // 100 != service.status // 100:
            return
    yield from _headers(place, giftsim, service)
    if giftsim.headers.get(MEDIA_TYPE) != service.headers.get(MEDIA_TYPE):
        return
    if (giftsim.body is None) is not (service.body is None):
        shown = ["no body" if each.body is None else "a body" for each in (giftsim, service)]
        yield Finding.at("body", "$", shown[0], shown[1], body_shape(place, giftsim.status))
    elif giftsim.body is not None:
        diff = BodyDiff(place, identities, is_error=giftsim.status >= FIRST_ERROR)
        yield from diff.compare(giftsim.body, service.body, body_shape(place, giftsim.status))


def _status(place: Place, giftsim: Answer, service: Answer) -> Finding:
    pointer, node = place.response(giftsim.status)
    operation = place.operation.node if place.operation else {}
    kind = "redirect" if 300 <= service.status < FIRST_ERROR else "status"
    sources = sources_of(node) or sources_of(operation)
    return Finding(kind, "status", str(giftsim.status), str(service.status), sources, pointer)


def _headers(place: Place, giftsim: Answer, service: Answer) -> Iterator[Finding]:
    documented = {name.lower(): name for name in place.contract.published.get("components", {}).get("headers", {})}
    for name in sorted(giftsim.headers.keys() | service.headers.keys()):
        if name not in {*documented, *STANDARD, MEDIA_TYPE}:
            continue
        left, right = giftsim.headers.get(name), service.headers.get(name)
        if left == right:
            continue
        kind = "missing_header" if right is None else "extra_header" if left is None else _header_kind(name)
        sources, pointer = _header_source(place, giftsim.status, documented.get(name, name))
        yield Finding(kind, f"headers.{name}", _shown(left), _shown(right), sources, pointer)


def _header_kind(name: str) -> str:
    return "media_type" if name == MEDIA_TYPE else "header"


def _header_source(place: Place, status: int, name: str) -> tuple[tuple[str, ...], str]:
    """The sources of a header and its place in the contract; those of the response where it has none of its own."""
    response_pointer, response = place.response(status)
    node: Mapping[str, Any] = place.contract.published.get("components", {}).get("headers", {}).get(name, {})
    pointer = f"#/components/headers/{name}" if node else response_pointer
    while "$ref" in node:
        node = node_at(place.contract.published, node["$ref"])
    return sources_of(node) or sources_of(response), pointer


def _shown(mark: str | None) -> str:
    return "absent" if mark is None else parse_mark(mark).shown
