"""One place where two answers differ."""

from __future__ import annotations

from typing import Final, NamedTuple

from giftsim.compare.shape import Shape

# Every kind of difference, with what it means in a report.
KINDS: Final = {
    "status": "another status",
    "redirect": "a redirect, which was not followed",
    "code": "another error code",
    "missing_header": "a header that giftsim sends and the service does not",
    "extra_header": "a header of the contract that the service sends and giftsim does not",
    "header": "another value of a header",
    "media_type": "another media type",
    "body": "a body where the other has none",
    "lost_member": "a member that the service does not send",
    "extra_member": "a member that giftsim does not send",
    "type": "another type",
    "null": "null on one side",
    "value": "another value of those that the contract lists, or another truth value",
    "format": "a text of another form",
    "echo": "a text that giftsim returns as it was sent, and the service does not",
    "identity": "an id that stands for another record",
    "length": "a list of another length",
    "page_size": "a page with more entries than were asked for",
    "order": "a list in another order",
    "row": "a record of this run that only one of the lists has",
    "slow": "an answer that takes long",
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
