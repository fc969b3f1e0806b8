"""Where a body ends: Content-Length and Transfer-Encoding (RFC 9112, section 6)."""

from tools.conformance.case import (
    MAY,
    MUST,
    SHOULD,
    Case,
    Holds,
    chunked,
    post,
    refused,
    rejected,
    request,
    served,
    served_and_closed,
    unserved,
)
from tools.conformance.exchange import Observed

BAD = (refused(400),)
INVALID = "400, then close"
UNKNOWN = (refused(400), refused(501))
EMPTY_CHUNKS = b"0\r\n\r\n"
CHUNKS = b"2\r\n{}\r\n0\r\n\r\n"


def length(*values: bytes, body: bytes = b"{}") -> bytes:
    """A POST request with these values of Content-Length."""
    return post(*(b"Content-Length: " + value for value in values), body=body)


def coding(*values: bytes, body: bytes = CHUNKS) -> bytes:
    """A POST request with these values of Transfer-Encoding."""
    return post(*(b"Transfer-Encoding: " + value for value in values), body=body)


def then_an_error(observed: Observed) -> bool:
    """The request is served, and the bytes behind its body are not."""
    statuses = observed.statuses
    return len(statuses) == 2 and statuses[0] == 200 and statuses[1] >= 400 and not observed.is_next_served


LENGTHS = (
    Case("A body", "9112 6.3", MUST, "is read", length(b"2"), (served(body="{}"),)),
    Case("A length of 0", "9112 6.3", MUST, "no body", length(b"0", body=b""), (served(body=""),)),
    Case("No length", "9112 6.3", MUST, "no body (or 411)", post(), (served(body=""), rejected(411))),
    Case("Leading zeros", "9110 8.6", MUST, "are digits", length(b"002"), (served(body="{}"),)),
    Case("A body with GET", "9112 6", MUST, "is read, so that the next request is found",
         request(b"Content-Length: 2") + b"{}", (served(body="{}"),)),
    Case("A body with DELETE", "9112 6", MUST, "is read, so that the next request is found",
         request(b"Content-Length: 2", start=b"DELETE /case HTTP/1.1") + b"{}", (served(body="{}"), rejected(405))),
    Case("Two different lengths", "9112 6.3", MUST, INVALID, length(b"2", b"3"), BAD),
    Case("Two different lengths, the longer first", "9112 6.3", MUST, INVALID, length(b"3", b"2"), BAD),
    Case("Two equal lengths", "9110 8.6", MAY, "rejected, or one length", length(b"2", b"2"),
         (*BAD, served(body="{}"))),
    Case("A list of equal lengths", "9110 8.6", MAY, "rejected, or one length", length(b"2, 2"),
         (*BAD, served(body="{}"))),
    Case("A list of different lengths", "9112 6.3", MUST, INVALID, length(b"2, 3"), BAD),
    Case("A comma behind the length", "9110 5.6.1", MAY, "rejected, or one length", length(b"2,"),
         (*BAD, served(body="{}"))),
    Case("A plus", "9112 6.3", MUST, INVALID, length(b"+2"), BAD),
    Case("A minus", "9112 6.3", MUST, INVALID, length(b"-2"), BAD),
    Case("Minus 0", "9112 6.3", MUST, INVALID, length(b"-0", body=b""), BAD),
    Case("Hexadecimal", "9112 6.3", MUST, INVALID, length(b"0x2"), BAD),
    Case("A fraction", "9112 6.3", MUST, INVALID, length(b"2.0"), BAD),
    Case("An exponent", "9112 6.3", MUST, INVALID, length(b"1e1", body=b"0123456789"), BAD),
    Case("An underscore between digits", "9112 6.3", MUST, INVALID, length(b"1_0", body=b"0123456789"), BAD),
    Case("A space between digits", "9112 6.3", MUST, INVALID, length(b"1 0", body=b"0123456789"), BAD),
    Case("A word", "9112 6.3", MUST, INVALID, length(b"two"), BAD),
    Case("An empty length", "9112 6.3", MUST, INVALID, length(b"", body=b""), BAD),
    Case("Quotes", "9112 6.3", MUST, INVALID, length(b'"2"'), BAD),
    Case("A semicolon behind it", "9112 6.3", MUST, INVALID, length(b"2;"), BAD),
    Case("Digits beyond ASCII", "9112 6.3", MUST, INVALID, length("２".encode()), BAD),
    Case("A vertical tab behind it", "9112 6.3", MUST, INVALID, length(b"2\x0b"), BAD),
    Case("NUL behind it", "9112 6.3", MUST, INVALID, length(b"2\x00"), BAD),
    Case("2 more than 64 bits hold", "9112 6.3", MUST, "never 2: an error, or a wait for the rest",
         length(b"18446744073709551618"), (unserved,)),
    Case("5,000 digits", "9112 6.3", MUST, "an error, or a wait for the rest", length(b"9" * 5_000), (unserved,)),
    Case("Fewer bytes than the length, then the end", "9112 6.3", MUST, "is incomplete: never served",
         length(b"5"), (unserved,), half_closes=True),
    Case("More bytes than the length", "9112 6.3", MUST, "the rest is the next request",
         length(b"2", body=b"{}xx\r\n\r\n"),
         (then_an_error,)),
    Case("The body arrives byte by byte", "9112 6.3", MUST, "is read", (length(b"2", body=b""), b"{", b"}"),
         (served(body="{}"),)),
    Case("A length in HTTP/1.0", "9112 6.3", MUST, "is read", post(b"Content-Length: 2", body=b"{}", version=b"1.0"),
         (served_and_closed(body="{}"),)),
)  # fmt: skip


def both(*fields: bytes, body: bytes = CHUNKS, version: bytes = b"1.1") -> bytes:
    """A POST request with these fields."""
    return post(*fields, body=body, version=version)


SMUGGLED = "rejected, or read in chunks; then close"
BY_CHUNKS: tuple[Holds, ...] = (refused(), served_and_closed(body="{}"), served_and_closed(body=""))
NOT_FINAL = "400, then close, because chunked does not come last"
FAULTY = "the framing is faulty: close at the end"
UNKNOWN_CODING = "501"
TOO_STRICT = (
    "llhttp, which reads the chunks, refuses it. No client that we know sends it, and a 400 with a closed connection is"
    " never a wrong reading."
)

CODINGS = (
    Case("Chunked", "9112 7.1", MUST, "is read", chunked(CHUNKS), (served(body="{}"),)),
    Case("Chunked in capitals", "9112 7", MUST, "case does not count", coding(b"CHUNKED"), (served(body="{}"),)),
    Case("Chunked with spaces around it", "9112 5.1", MUST, "they do not belong to it", coding(b" \tchunked  "),
         (served(body="{}"),)),
    Case("Chunked with a tab behind it", "9112 5.1", MUST, "it does not belong to it", coding(b"chunked\t"),
         (served(body="{}"),), TOO_STRICT),
    Case("A length, then chunked", "9112 6.3", MUST, SMUGGLED,
         both(b"Content-Length: 12", b"Transfer-Encoding: chunked"), BY_CHUNKS),
    Case("Chunked, then a length", "9112 6.3", MUST, SMUGGLED,
         both(b"Transfer-Encoding: chunked", b"Content-Length: 12"), BY_CHUNKS),
    Case("Chunked with a length of 0", "9112 6.3", MUST, SMUGGLED,
         both(b"Content-Length: 0", b"Transfer-Encoding: chunked", body=EMPTY_CHUNKS), BY_CHUNKS),
    Case("A wrong length beside chunked", "9112 6.3", MUST, SMUGGLED,
         both(b"Content-Length: x", b"Transfer-Encoding: chunked", body=EMPTY_CHUNKS), BY_CHUNKS),
    Case("An unknown coding", "9112 6.3", MUST, NOT_FINAL, coding(b"xchunked"), UNKNOWN),
    Case("`identity`", "9112 6.3", MUST, NOT_FINAL, coding(b"identity", body=b""), UNKNOWN),
    Case("`identity` beside a length", "9112 6.3", MUST, NOT_FINAL,
         both(b"Transfer-Encoding: identity", b"Content-Length: 2", body=b"{}"), UNKNOWN),
    Case("An empty coding beside a length", "9112 6.3", MUST, NOT_FINAL,
         both(b"Transfer-Encoding:", b"Content-Length: 2", body=b"{}"), UNKNOWN),
    Case("`gzip` alone", "9112 6.3", MUST, NOT_FINAL, coding(b"gzip"), UNKNOWN),
    Case("`chunked, gzip`", "9112 6.3", MUST, NOT_FINAL, coding(b"chunked, gzip"), UNKNOWN),
    Case("`chunked, identity`", "9112 6.3", MUST, NOT_FINAL, coding(b"chunked, identity"), UNKNOWN),
    Case("`chunked` and `identity` in two lines", "9112 6.3", MUST, NOT_FINAL, coding(b"chunked", b"identity"),
         UNKNOWN),
    Case("`gzip, chunked`", "9112 6.1", SHOULD, UNKNOWN_CODING, coding(b"gzip, chunked"), (refused(501),)),
    Case("`gzip` and `chunked` in two lines", "9112 6.1", SHOULD, UNKNOWN_CODING, coding(b"gzip", b"chunked"),
         (refused(501),)),
    Case("`chunked, chunked`", "9112 6.1", SHOULD, "is an error: no sender may do that", coding(b"chunked, chunked"),
         UNKNOWN),
    Case("`chunked` in two lines", "9112 6.1", SHOULD, "is an error: no sender may do that",
         coding(b"chunked", b"chunked"),
         UNKNOWN),
    Case("`chunked;q=1`", "9112 7.1", SHOULD, "is an error: chunked has no parameters", coding(b"chunked;q=1"),
         UNKNOWN),
    Case("`\"chunked\"` in quotes", "9112 6.3", MUST, NOT_FINAL, coding(b'"chunked"'), UNKNOWN),
    Case("A vertical tab before `chunked`", "9112 6.3", MUST, NOT_FINAL, coding(b"\x0bchunked"), UNKNOWN),
    Case("NUL behind `chunked`", "9110 5.5", MUST, "is rejected, or a space takes its place", coding(b"chunked\x00"),
         UNKNOWN),
    Case("A byte beyond ASCII before `chunked`", "9112 6.3", MUST, NOT_FINAL, coding(b"\xa0chunked"), UNKNOWN),
    Case("`chunked,` with nothing behind the comma", "9110 5.6.1", MUST, "empty elements are ignored",
         coding(b"chunked,"),
         (served(body="{}"),), TOO_STRICT),
    Case("`, chunked` with nothing before the comma", "9110 5.6.1", MUST, "empty elements are ignored",
         coding(b", chunked"),
         (served(body="{}"),)),
    Case("A space before the colon of Transfer-Encoding", "9112 5.1", MUST, "400",
         both(b"Transfer-Encoding : chunked"), BAD),
    Case("Chunked in HTTP/1.0", "9112 6.1", MUST, FAULTY, both(b"Transfer-Encoding: chunked", version=b"1.0"),
         (refused(), served_and_closed())),
    Case("Chunked in HTTP/1.0 that keeps alive", "9112 6.1", MUST, FAULTY,
         both(b"Transfer-Encoding: chunked", b"Connection: keep-alive", version=b"1.0"),
         (refused(), served_and_closed())),
    Case("Chunked beside a length in HTTP/1.0 that keeps alive", "9112 6.1", MUST, FAULTY,
         both(b"Transfer-Encoding: chunked", b"Content-Length: 2", b"Connection: keep-alive", version=b"1.0"),
         (refused(), served_and_closed())),
    Case("Chunked with GET", "9112 6", MUST, "is read, so that the next request is found",
         request(b"Transfer-Encoding: chunked") + CHUNKS, (served(body="{}"),)),
    Case("`TE: trailers` beside chunked", "9110 10.1.4", MUST, "is served",
         both(b"Transfer-Encoding: chunked", b"TE: trailers", b"Connection: TE"),
         (served(body="{}"), served_and_closed(body="{}"))),
)  # fmt: skip
