"""The forms of the target, and the header Host (RFC 9112, section 3.2)."""

from tools.conformance.case import (
    MAY,
    MUST,
    SHOULD,
    Case,
    answers,
    closed,
    either,
    refused,
    rejected,
    request,
    served,
    served_and_closed,
    unserved,
)

HOST = "400"
BAD = (rejected(400),)


def target(start: bytes, host: bytes | None = b"Host: localhost") -> bytes:
    """A GET request for a target."""
    return request(start=b"GET " + start + b" HTTP/1.1", host=host)


def hosts(*values: bytes) -> bytes:
    """A GET request with these values of Host."""
    return request(*(b"Host: " + value for value in values), host=None)


FORMS = (
    Case("Absolute form", "9112 3.2.2", MUST, "is served", target(b"http://localhost/case"), (served(path="/case"),)),
    Case("Absolute form for another host than Host", "9112 3.2.2", MUST, "Host is ignored",
         target(b"http://other.example/case"), (served(path="/case", host="other.example"),)),
    Case("Absolute form with a port", "9112 3.2.2", MUST, "is served", target(b"http://localhost:8080/case"),
         (served(),)),
    Case("Absolute form without a path", "9112 3.2.2", MUST, "the path is /", target(b"http://localhost"),
         (served(path="/"),)),
    Case("Absolute form with a query and no path", "9112 3.2.2", MUST, "the path is /", target(b"http://localhost?x=1"),
         (served(path="/"),)),
    Case("Absolute form, scheme in capitals", "9110 4.2.3", MUST, "is served", target(b"HTTP://localhost/case"),
         (served(path="/case"),)),
    Case("Absolute form in HTTP/1.0 without Host", "9112 3.2.2", MUST, "is served",
         request(start=b"GET http://localhost/case HTTP/1.0", host=None), (served_and_closed(path="/case"),)),
    Case("Absolute form in HTTP/1.1 without Host", "9112 3.2", MUST, HOST, target(b"http://localhost/case", None),
         (refused(400),)),
    Case("Absolute form of https without TLS", "9110 7.4", MUST, "is rejected", target(b"https://localhost/case"),
         (rejected(),)),
    Case("Absolute form of another scheme", "9110 7.4", MAY, "served or rejected", target(b"ftp://localhost/case"),
         (served(), rejected())),
    Case("Absolute form with an empty host", "9110 4.2.1", MUST, "is rejected", target(b"http:///case"), (rejected(),)),
    Case("Absolute form with a user", "9110 4.2.4", SHOULD, "is an error", target(b"http://me@localhost/case"),
         (rejected(),)),
    Case("Absolute form with an address in no brackets", "9112 3.2", SHOULD, HOST, target(b"http://::1/case"), BAD),
    Case("Absolute form with half a bracket", "9112 3.2", SHOULD, HOST, target(b"http://[::1/case"), BAD),
    Case("Authority form with GET", "9112 3.2.3", SHOULD, HOST, target(b"localhost:80"), BAD),
    Case("Asterisk form with GET", "9112 3.2.4", SHOULD, HOST, target(b"*"), (rejected(),)),
    Case("Asterisk form with OPTIONS", "9110 9.3.7", MAY, "is answered", request(start=b"OPTIONS * HTTP/1.1"),
         (served(), answers(204), rejected())),
    Case("OPTIONS of a path", "9110 9.3.7", MAY, "is answered", request(start=b"OPTIONS /case HTTP/1.1"),
         (served(method="OPTIONS"), rejected(405))),
    Case("CONNECT", "9110 9.3.6", MAY, "is accepted or rejected",
         request(start=b"CONNECT localhost:80 HTTP/1.1", host=b"Host: localhost:80"), (rejected(), closed, *either())),
    Case("CONNECT without a port", "9110 9.3.6", MUST, "is rejected", request(start=b"CONNECT localhost HTTP/1.1"),
         (rejected(), closed)),
    Case("CONNECT with an empty port", "9110 9.3.6", MUST, "is rejected", request(start=b"CONNECT localhost: HTTP/1.1"),
         (rejected(), closed)),
    Case("CONNECT with a path", "9112 3.2.3", SHOULD, HOST, request(start=b"CONNECT /case HTTP/1.1"),
         (rejected(), closed)),
    Case("TRACE", "9110 9.3.8", MAY, "is answered or not allowed", request(start=b"TRACE /case HTTP/1.1"),
         (served(method="TRACE"), rejected(405, 501))),
)  # fmt: skip

HOSTS = (
    Case("No Host in HTTP/1.1", "9112 3.2", MUST, HOST, request(host=None), (refused(400),)),
    Case("No Host in HTTP/1.0", "9112 3.2", MUST, "is served", request(start=b"GET /case HTTP/1.0", host=None),
         (served_and_closed(),)),
    Case("Two different Hosts", "9112 3.2", MUST, HOST, hosts(b"localhost", b"other.example"), BAD),
    Case("Two equal Hosts", "9112 3.2", MUST, HOST, hosts(b"localhost", b"localhost"), BAD),
    Case("Two Hosts in HTTP/1.0", "9112 3.2", MUST, HOST,
         request(b"Host: other.example", start=b"GET /case HTTP/1.0"), BAD),
    Case("A list of Hosts", "9112 3.2", MUST, HOST, hosts(b"localhost, other.example"), BAD),
    Case("An empty Host", "9112 3.2", MAY, "is valid for a target without an authority", hosts(b""), (served(), *BAD)),
    Case("Host with a path", "9112 3.2", MUST, HOST, hosts(b"localhost/case"), BAD),
    Case("Host with a scheme", "9112 3.2", MUST, HOST, hosts(b"http://localhost"), BAD),
    Case("Host with a user", "9112 3.2", MUST, HOST, hosts(b"me@localhost"), BAD),
    Case("Host with a query", "9112 3.2", MUST, HOST, hosts(b"localhost?x"), BAD),
    Case("Host with a space", "9112 3.2", MUST, HOST, hosts(b"local host"), BAD),
    Case("Host with a tab", "9112 3.2", MUST, HOST, hosts(b"local\thost"), BAD),
    Case("Host with a quote", "9112 3.2", MUST, HOST, hosts(b'local"host'), BAD),
    Case("Host with a backslash", "9112 3.2", MUST, HOST, hosts(b"local\\host"), BAD),
    Case("Host with a control character", "9112 3.2", MUST, HOST, hosts(b"local\x01host"), BAD),
    Case("Host beyond ASCII", "9112 3.2", MUST, HOST, hosts("bücher.example".encode()), BAD),
    Case("Host with a port that is a word", "9112 3.2", MUST, HOST, hosts(b"localhost:http"), BAD),
    Case("Host with two ports", "9112 3.2", MUST, HOST, hosts(b"localhost:80:80"), BAD),
    Case("Host with an empty port", "9110 4.2.3", MUST, "is served", hosts(b"localhost:"), (served(),)),
    Case("Host with an IPv6 address", "9112 3.2", MUST, "is served", hosts(b"[::1]:8080"), (served(),)),
    Case("Host with half a bracket", "9112 3.2", MUST, HOST, hosts(b"[::1"), BAD),
    Case("Host in capitals", "9112 3.2", MUST, "is served", hosts(b"LOCALHOST"), (served(),)),
    Case("Host with spaces around it", "9112 5.1", MUST, "they do not belong to it", hosts(b"  localhost \t"),
         (served(host="localhost"),)),
    Case("Host over two lines", "9112 5.2", MUST, "400, or a space for the fold, which is 400",
         hosts(b"localhost\r\n :80"), BAD),
    Case("Host as the last field", "9112 3.2", MUST, "is served", request(b"A: b", b"Host: localhost", host=None),
         (served(),)),
    Case("No Host, and a body", "9112 3.2", MUST, HOST,
         request(b"Content-Length: 2", start=b"POST /case HTTP/1.1", host=None) + b"{}", (refused(400),)),
    Case("HEAD without Host", "9110 9.3.2", MUST, "400 without content",
         request(start=b"HEAD /case HTTP/1.1", host=None), (refused(400),)),
    Case("Half a Host, then the end", "9112 8", MAY, "an error, or the end", b"GET /case HTTP/1.1\r\nHost: loc",
         (unserved,), half_closes=True),
)  # fmt: skip
