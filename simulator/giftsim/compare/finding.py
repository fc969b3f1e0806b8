"""One place where two answers differ."""

from __future__ import annotations

from typing import Final, NamedTuple

from giftsim.compare.shape import Shape

# Every kind of difference, and its name in a report.
KINDS: Final = {
    "status": "status",
    "redirect": "a redirect, which was not followed",
    "code": "error code",
    "missing_header": "missing header",
    "extra_header": "extra header",
    "header": "header",
    "media_type": "media type",
    "body": "body",
    "lost_member": "missing member",
    "extra_member": "extra member",
    "type": "type",
    "null": "null",
    "value": "value",
    "format": "form of the text",
    "echo": "text that was sent",
    "identity": "another record",
    "length": "length of the list",
    "page_size": "more entries than asked for",
    "order": "order of the list",
    "row": "records of this run",
    "slow": "time",
}


class Finding(NamedTuple):
    """A difference of one answer. `path` is a JSONPath, `headers.NAME` or `status`; both values are masked.

    `sources` are the ids of the statements or decisions that it touches, `pointer` is the place in the contract.
    """

    kind: str
    path: str
    giftsim: str
    service: str
    sources: tuple[str, ...] = ()
    pointer: str = ""

    @classmethod
    def at(cls, kind: str, path: str, giftsim: str, service: str, shape: Shape) -> Finding:
        """A difference in a body, with the sources of its place in the contract."""
        return cls(kind, path, giftsim, service, shape.sources, shape.pointer)
