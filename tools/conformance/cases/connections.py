"""Connections: how long they last, pipelining, expectations and upgrades."""

from tools.conformance.case import (
    MAY,
    MUST,
    SHOULD,
    Case,
    answers,
    closed,
    either,
    ends_with,
    post,
    rejected,
    request,
    served,
    served_and_closed,
    unserved,
)
from tools.conformance.exchange import NEXT, Observed

LAST = (served_and_closed(),)
NO_MORE = "closes, and serves nothing more"
PERSISTS = "the connection goes on"


def in_order(observed: Observed) -> bool:
    """Every request is answered, in order."""
    paths = [response.seen.get("path") for response in observed.responses]
    return paths == [f"/{n}" for n in range(len(paths) - 1)] + ["/next"] and len(paths) > 1


def says_close(observed: Observed) -> bool:
    """The last response has `Connection: close`."""
    return served_and_closed()(observed) and "close" in observed.own[-1].fields.get("connection", "").lower()


def once_or_twice(observed: Observed) -> bool:
    """A final answer, after an interim one or not."""
    return observed.is_next_served and observed.statuses in ([200], [100, 200])


PERSISTENCE = (
    Case("HTTP/1.1 without Connection", "9112 9.3", SHOULD, PERSISTS, request(), (served(),)),
    Case("`Connection: close`", "9112 9.6", MUST, NO_MORE, request(b"Connection: close"), LAST),
    Case("`Connection: CLOSE`", "9110 7.6.1", MUST, NO_MORE, request(b"Connection: CLOSE"), LAST),
    Case("`Connection: keep-alive, close`", "9112 9.6", MUST, NO_MORE, request(b"Connection: keep-alive, close"), LAST),
    Case("`Connection` in two lines, the second `close`", "9112 9.6", MUST, NO_MORE,
         request(b"Connection: keep-alive", b"Connection: close"), LAST),
    Case("`Connection: close` with a body", "9112 9.6", MUST, NO_MORE,
         post(b"Connection: close", b"Content-Length: 2", body=b"{}"), (served_and_closed(body="{}"),)),
    Case("The answer says `close` too", "9112 9.6", SHOULD, "has `Connection: close`", request(b"Connection: close"),
         (says_close,)),
    Case("`Connection: closed`", "9112 9.3", SHOULD, "is another option: " + PERSISTS, request(b"Connection: closed"),
         (served(),)),
    Case("`Connection: keep-alive` in HTTP/1.1", "9112 9.3", SHOULD, PERSISTS, request(b"Connection: keep-alive"),
         (served(),)),
    Case("HTTP/1.0", "9112 9.3", MUST, NO_MORE, request(start=b"GET /case HTTP/1.0"), LAST),
    Case("HTTP/1.0 with `Connection: keep-alive`", "9112 9.3", MAY, PERSISTS,
         request(b"Connection: Keep-Alive", start=b"GET /case HTTP/1.0"), either()),
    Case("HTTP/1.0 with `keep-alive, close`", "9112 9.3", MUST, NO_MORE,
         request(b"Connection: keep-alive, close", start=b"GET /case HTTP/1.0"), LAST),
    Case("HTTP/1.0 with `Connection: keep-alives`", "9112 9.3", MUST, NO_MORE,
         request(b"Connection: keep-alives", start=b"GET /case HTTP/1.0"), LAST),
    Case("50 requests at once", "9112 9.3.2", MUST, "are answered in order",
         b"".join(request(start=b"GET /%d HTTP/1.1" % n) for n in range(50)), (in_order,)),
    Case("10 requests with bodies at once", "9112 9.3.2", MUST, "are answered in order",
         b"".join(request(b"Content-Length: 2", start=b"POST /%d HTTP/1.1" % n) + b"{}" for n in range(10)),
         (in_order,)),
    Case("A HEAD among requests at once", "9110 9.3.2", MUST, "no content, so that the next answer is found",
         request(start=b"HEAD /case HTTP/1.1") + request(), (answers(200, 200),)),
    Case("An empty line between requests", "9112 2.2", SHOULD, "is ignored",
         request(start=b"GET /0 HTTP/1.1") + b"\r\n",
         (in_order,)),
    Case("A wrong request behind a good one", "9112 9.3.2", MUST, "the good one is answered first",
         request() + b"G(T / HTTP/1.1\r\n\r\n", (ends_with(200, 400),)),
    Case("A request behind a wrong one", "9112 11.2", MUST, "is not served",
         post(b"Content-Length: 2", b"Content-Length: 3", body=b"{}"), (ends_with(400),)),
    Case("The client sends no more after its request", "9112 9.6", MAY, "is answered", NEXT.replace(b"/next", b"/case"),
         (*LAST, closed), half_closes=True),
    Case("The client sends no more, and did not ask to close", "9112 9.6", MAY, "is answered", request(),
         (*LAST, closed),
         half_closes=True),
    Case("The end before a request", "9112 9.6", MAY, "closes", b"\r\n", (closed, unserved), half_closes=True),
    Case("The end inside the request line", "9112 8", MAY, "an error, or the end", b"GET /ca", (unserved,),
         half_closes=True),
    Case("The end inside the header", "9112 8", MAY, "an error, or the end",
         b"GET /case HTTP/1.1\r\nHost: localhost\r\n",
         (unserved,), half_closes=True),
)  # fmt: skip

EXPECT = b"Expect: 100-continue"
LENGTH = b"Content-Length: 2"
INTERIM = "100, or a final answer at once"
CONTINUED = (answers(100, 200), rejected())
UPGRADE = "may be ignored; the answer is one of HTTP/1.1"

EXPECTATIONS = (
    Case("`Expect: 100-continue`", "9110 10.1.1", MUST, INTERIM, (post(EXPECT, LENGTH), b"{}"), CONTINUED, waits=True),
    Case("`Expect: 100-Continue`", "9110 10.1.1", MUST, "case does not count: " + INTERIM,
         (post(b"Expect: 100-Continue", LENGTH), b"{}"), CONTINUED, waits=True),
    Case("`Expect` with chunks", "9110 10.1.1", MUST, INTERIM,
         (post(EXPECT, b"Transfer-Encoding: chunked"), b"2\r\n{}\r\n0\r\n\r\n"), CONTINUED, waits=True),
    Case("`Expect` behind another request", "9110 10.1.1", MUST, INTERIM,
         (request() + post(EXPECT, LENGTH), b"{}"), (answers(200, 100, 200), answers(200, 200)), waits=True),
    Case("`Expect`, and the body at once", "9110 10.1.1", MAY, "100 may be left out", post(EXPECT, LENGTH, body=b"{}"),
         (once_or_twice,)),
    Case("`Expect` without a body", "9110 10.1.1", MAY, "100 may be left out", request(EXPECT), (once_or_twice,)),
    Case("`Expect` in HTTP/1.0", "9110 10.1.1", MUST, "is ignored: no 1xx",
         (post(EXPECT, LENGTH, version=b"1.0"), b"{}"), (ends_with(200),), waits=True),
    Case("Another expectation", "9110 10.1.1", MAY, "417, or served", request(b"Expect: something"),
         (served(), rejected(417))),
    Case("Two expectations", "9110 10.1.1", MAY, "417, or served", request(b"Expect: 100-continue, something"),
         (once_or_twice, rejected(417))),
    Case("`Expect`, and the wrong framing", "9112 6.3", MUST, "400, and no 100",
         post(EXPECT, LENGTH, b"Content-Length: 3"), (ends_with(400),)),
    Case("`Expect`, and no Host", "9112 3.2", MUST, "400, and no 100",
         request(EXPECT, LENGTH, start=b"POST /case HTTP/1.1", host=None), (ends_with(400),)),
    Case("`Upgrade` to an unknown protocol", "9110 7.8", MAY, UPGRADE,
         request(b"Connection: upgrade", b"Upgrade: foo/2"),
         either()),
    Case("`Upgrade: websocket`", "9110 7.8", MAY, UPGRADE,
         request(b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13",
                 b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="), either()),
    Case("`Upgrade: h2c`", "9110 7.8", MAY, UPGRADE,
         request(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"),
         either()),
    Case("`Upgrade` with a body", "9110 7.8", MAY, UPGRADE,
         post(b"Connection: upgrade", b"Upgrade: foo/2", LENGTH, body=b"{}"), either(body="{}")),
    Case("`Upgrade` with chunks", "9110 7.8", MAY, UPGRADE,
         post(b"Connection: upgrade", b"Upgrade: foo/2", b"Transfer-Encoding: chunked", body=b"2\r\n{}\r\n0\r\n\r\n"),
         either(body="{}")),
    Case("`Upgrade` without `Connection`", "9110 7.8", MAY, UPGRADE, request(b"Upgrade: foo/2"), either()),
    Case("`Upgrade` in HTTP/1.0", "9110 7.8", MUST, "is ignored",
         request(b"Connection: upgrade", b"Upgrade: foo/2", start=b"GET /case HTTP/1.0"), LAST),
)  # fmt: skip
