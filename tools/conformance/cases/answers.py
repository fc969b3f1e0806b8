"""What answers have and lack, and the limits of what is read."""

from tools.conformance.case import (
    MAY,
    MUST,
    SHOULD,
    Case,
    Holds,
    answers,
    ends_with,
    post,
    refused,
    rejected,
    request,
    served,
    served_and_closed,
    unserved,
)
from tools.conformance.exchange import Observed


def get(path: bytes, version: bytes = b"1.1", method: bytes = b"GET") -> bytes:
    """A request of a path."""
    return request(start=method + b" " + path + b" HTTP/" + version)


def without(holds: Holds, *fields: str) -> Holds:
    """An outcome whose first response lacks these fields."""
    return lambda observed: holds(observed) and not set(fields) & set(observed.own[0].fields)


def bare(status: int, *fields: str) -> tuple[Holds, ...]:
    """This status without content, and without these fields; the connection goes on or not."""
    return tuple(without(holds, *fields) for holds in (answers(status), ends_with(status)))


def with_date(holds: Holds) -> Holds:
    """An outcome whose first response has a date."""
    return lambda observed: holds(observed) and observed.own[0].fields.get("date", "").endswith(" GMT")


def is_version_1_1(observed: Observed) -> bool:
    """The version of the answer is the highest that the server conforms to."""
    return bool(observed.own) and observed.own[0].version == "HTTP/1.1"


STREAMED = (served(path="/stream"), served_and_closed(path="/stream"))

CASES = (
    Case("An answer has a date", "9110 6.6.1", MUST, "in 2xx", request(), (with_date(served()),)),
    Case("A refusal has a date", "9110 6.6.1", MUST, "in 4xx", request(b"X-Seen : a"), (with_date(refused(400)),)),
    Case("The version of an answer to HTTP/1.0", "9110 6.2", SHOULD, "is HTTP/1.1", get(b"/case", b"1.0"),
         (is_version_1_1,)),
    Case("HEAD has no content", "9110 9.3.2", MUST, "no content", get(b"/case", method=b"HEAD"), (answers(200),)),
    Case("204", "9110 15.3.5", MUST, "no content", get(b"/204"), bare(204)),
    Case("204 has no length", "9110 8.6", MUST, "no Content-Length", get(b"/204"), bare(204, "content-length")),
    Case("204 has no coding", "9112 6.1", MUST, "no Transfer-Encoding", get(b"/204"),
         bare(204, "transfer-encoding")),
    Case("204 to HEAD", "9110 8.6", MUST, "no Content-Length", get(b"/204", method=b"HEAD"),
         bare(204, "content-length")),
    Case("304", "9110 15.4.5", MUST, "no content", get(b"/304"), bare(304)),
    Case("A body of unknown length", "9112 6.3", MUST, "its end can be told", get(b"/stream"), STREAMED),
    Case("A body of unknown length in HTTP/1.0", "9112 6.1", MUST, "no Transfer-Encoding", get(b"/stream", b"1.0"),
         (without(served_and_closed(path="/stream"), "transfer-encoding"),)),
    Case("HEAD of a body of unknown length", "9110 9.3.2", MUST, "no content", get(b"/stream", method=b"HEAD"),
         (answers(200),)),
    Case("HEAD with a wrong header", "9110 9.3.2", MUST, "400 without content",
         request(b"Content-Length: x", start=b"HEAD /case HTTP/1.1"), (refused(400),)),
)  # fmt: skip

LONG = b"/" + b"a" * 7_900

LIMITS = (
    Case("A request line of 8,000 bytes", "9112 3", SHOULD, "is served", get(LONG), (served(),)),
    Case("A target of 20,000 bytes", "9112 3", MUST, "414, or served", get(b"/" + b"a" * 20_000),
         (served(), rejected(414))),
    Case("A target of 200,000 bytes", "9112 3", MUST, "414, or served", get(b"/" + b"a" * 200_000),
         (served(), rejected(414))),
    Case("A query of 200,000 bytes", "9112 3", MUST, "414, or served", get(b"/case?" + b"a" * 200_000),
         (served(), rejected(414))),
    Case("A field of 8,000 bytes", "9110 5.4", MUST, "4xx, or served", request(b"X-Other: " + b"a" * 8_000),
         (served(), rejected())),
    Case("A field of 100,000 bytes", "9110 5.4", MUST, "4xx, or served", request(b"X-Other: " + b"a" * 100_000),
         (served(), rejected())),
    Case("A name of 100,000 bytes", "9110 5.4", MUST, "4xx, or served", request(b"a" * 100_000 + b": b"),
         (served(), rejected())),
    Case("1,000 fields", "9110 5.4", MUST, "4xx, or served", request(*(b"X-%d: a" % n for n in range(1_000))),
         (served(), rejected())),
    Case("Fields of 200,000 bytes in sum", "9110 5.4", MUST, "4xx, or served",
         request(*(b"X-%d: %s" % (n, b"a" * 1_000) for n in range(200))), (served(), rejected())),
    Case("A header without an end", "9110 5.4", MUST, "4xx",
         (b"GET /case HTTP/1.1\r\n", *(b"X-Other: a\r\n" * 2_000,) * 10),
         (rejected(),), alone=True),
    Case("A length of 10 GB", "9110 15.5.14", MAY, "413, or a wait for the rest", post(b"Content-Length: 10000000000"),
         (unserved,)),
    Case("A body of 1 MB", "9110 15.5.14", MAY, "413, or served",
         post(b"Content-Length: 1000000", body=b"a" * 1_000_000),
         (served(), rejected(413))),
)  # fmt: skip
