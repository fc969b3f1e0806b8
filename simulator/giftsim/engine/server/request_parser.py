"""Requests from the bytes of a connection. httptools parses them: it wraps llhttp, the parser of Node."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

from httptools import (
    HttpParserCallbackError,
    HttpParserError,
    HttpParserInvalidMethodError,
    HttpParserUpgrade,
    HttpRequestParser,
)

MAX_HEADER_BYTES = 64 * 1024
MAX_BLANK_BYTES = 1024
RTSP, ICE = b" RTSP/", b" ICE/"
OTHER_PROTOCOLS = re.compile(rb"[^\r\n]* (?:RTSP|ICE)/")  # llhttp takes them
UNKNOWN_METHOD = re.compile(rb"[\r\n]*[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP/")
AUTHORITY = re.compile(r"(?:(?:[\w.~!$&'()*+;=-]|%[0-9a-f]{2})*|\[[0-9a-f:.]+\])(?::\d*)?", re.ASCII | re.IGNORECASE)
MAX_OVERHEAD = 8  # bytes of chunk sizes and trailers for each byte of a chunked body, beyond MAX_HEADER_BYTES
ASCII = bytes(range(0x21, 0x7F)).decode() + " "
KEPT_NAMES = 1_024
_SLASH = re.compile("%2f", re.IGNORECASE)
WITHOUT_PREFIX = ("CONTENT_TYPE", "CONTENT_LENGTH")

Environ = dict[str, Any]


class Refusal(Exception):
    """A request the server refuses, with the status and message to send."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


LONG_TARGET = Refusal("the target of the request is longer than 64 KiB", 414)
LARGE_HEADER = Refusal("the header of the request is larger than 64 KiB", 431)
NOT_HTTP = Refusal("the request is not HTTP")
NO_SUCH_METHOD = Refusal("no interface has this method", 501)
NO_PROXY = Refusal("giftsim is not a proxy: CONNECT is not implemented", 501)
NO_TLS = Refusal("the target is not an http URL; the server has no TLS", 421)
NOT_A_TARGET = Refusal("the request target is not a URL")
ONLY_BLANKS = Refusal("there is no request: only blank lines arrive")
BODY_OVERHEAD = Refusal("the chunk sizes and trailers of the body are far larger than the body")


class Request:
    """A request: its WSGI environment, and what happens to the connection after it."""

    __slots__ = ("drains", "environ", "keeps_open", "refusal", "version")

    def __init__(
        self, environ: Environ, version: str, *, keeps_open: bool, drains: bool = False, refusal: Refusal | None = None
    ) -> None:
        self.environ, self.version, self.keeps_open = environ, version, keeps_open
        self.drains = drains  # the client may still be sending: read the rest and drop it
        self.refusal = refusal


class RequestParser:
    """Parses the requests of one connection and passes each to `received` when it is complete.

    A request starts with a copy of `environ`. `separator` gives the text between the values of a repeated header. The
    parser passes on at most `max_body_bytes` + 1 bytes of a body, so that the application can refuse it.
    After such a request, one with `Connection: close` or a refusal the parser reads nothing more: `is_over`.
    """

    def __init__(
        self,
        environ: Environ,
        received: Callable[[Request], None],
        max_body_bytes: int,
        separator: Callable[[str], str],
    ) -> None:
        self._base, self._received = environ, received
        self._max_body_bytes, self._separator = max_body_bytes, separator
        self.is_over = False
        self._completed = 0
        self._parser = self._new_parser()
        self._reset()

    def _new_parser(self) -> HttpRequestParser:
        """A parser of llhttp. It leaves the check of the version to `on_headers_complete`, which knows HTTP/1.2."""
        parser = HttpRequestParser(self)
        parser.set_dangerous_leniencies(lenient_version=True)
        return parser

    def _reset(self) -> None:
        self._environ: Environ = self._base.copy()
        self._target = b""
        self._body: list[bytes] = []
        self._wire_bytes: int | None = None
        self._header_bytes = self._blank_bytes = self.body_bytes = 0
        self.has_begun = self.has_header = self.expects_continue = self._is_chunked = self._is_resumed = False

    def feed(self, data: bytes) -> None:
        """Parse the next bytes."""
        if not data.isascii() and not self.has_begun:
            data = _with_ascii_target(data)
        if not self.has_begun and (RTSP in data or ICE in data) and OTHER_PROTOCOLS.match(data):
            return self._refuse(NOT_HTTP)
        before = self._completed if not self.has_begun else None
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade as upgrade:
            if not self.is_over:
                self._read_on(data[upgrade.args[0] :])
        except HttpParserCallbackError as error:
            self._refuse(error.__context__)
        except HttpParserInvalidMethodError:
            is_first = self._completed == before
            self._refuse(NO_SUCH_METHOD if is_first and UNKNOWN_METHOD.match(data) else NOT_HTTP)
        except HttpParserError as error:
            self._refuse(Refusal(f"the request is not HTTP: {error}"))
        return None if self.is_over else self._bound(data)

    def _bound(self, data: bytes) -> None:
        """Refuse a header, or chunk sizes and trailers, that are too large, and blank lines without an end.

        Bytes of a request's first feed do not count.
        """
        if not self.has_begun:
            self._blank_bytes += len(data) if data.isspace() else 0
            if self._blank_bytes > MAX_BLANK_BYTES:
                self._refuse(ONLY_BLANKS)
            return
        if self._wire_bytes is None:
            self._wire_bytes = 0
            return
        self._wire_bytes += len(data)
        if self._wire_bytes > MAX_HEADER_BYTES + self.body_bytes * MAX_OVERHEAD:
            self._refuse(BODY_OVERHEAD if self.has_header else LARGE_HEADER)

    def _read_on(self, rest: bytes) -> None:
        """Read the body of a request that asks for another protocol, and ignore that it asks.

        llhttp stops before the body, so a second parser reads it from a header that has only its length.
        """
        length, is_chunked = self._environ.get("CONTENT_LENGTH"), self._is_chunked
        self._is_resumed = True
        self._parser = self._new_parser()
        framing = f"Content-Length: {length or 0}" if not is_chunked else "Transfer-Encoding: chunked"
        self._parser.feed_data(f"POST / HTTP/1.1\r\n{framing}\r\n\r\n".encode())
        if rest and not self.is_over:
            self.feed(rest)

    def _refuse(self, error: BaseException | None) -> None:
        if self.is_over:
            return
        self.is_over = True
        if not isinstance(error, Refusal):
            error = NOT_HTTP
        self._received(Request({"REQUEST_METHOD": self._method()}, "1.1", keeps_open=False, drains=True, refusal=error))

    def _method(self) -> str:
        return str(self._parser.get_method().decode()) if self.has_begun and self._target else ""

    # Called by llhttp.

    def on_message_begin(self) -> None:
        """Note that a request has begun."""
        self.has_begun = True

    def on_url(self, part: bytes) -> None:
        """Keep a part of the request target."""
        self._target += part
        if len(self._target) > MAX_HEADER_BYTES:
            raise LONG_TARGET
        self._count(len(part))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; drop a trailer."""
        if not self.has_header:
            self._count(len(name) + len(value) + 4)  # with the colon, the blank and the end of the line
        key = environ_key(name)
        if self.has_header or key is None:
            return
        environ, text = self._environ, value.decode("latin-1").strip(" \t")
        environ[key] = f"{environ[key]}{self._separator(name.decode())}{text}" if key in environ else text

    def _count(self, header_bytes: int) -> None:
        self._header_bytes += header_bytes
        if self._header_bytes > MAX_HEADER_BYTES:
            raise LARGE_HEADER

    def on_headers_complete(self) -> None:
        """Check the header, and make the environment of it."""
        if self._is_resumed:
            return
        environ = self._environ
        version = self._parser.get_http_version()
        if not version.startswith("1."):
            raise Refusal(f"HTTP/{version} is not supported", 505)
        version = (
            "1.0" if version == "1.0" else "1.1"
        )  # a later one is taken as the latest known (RFC 9110, section 2.5)
        if error := framing_error(version, environ):
            raise error
        self._is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        self.has_header = True
        self._fill(version)
        length = environ.get("CONTENT_LENGTH")
        if length is not None and (len(length) > 18 or int(length) > self._max_body_bytes):
            self._finish_too_large()
        elif self.expects_continue and length in (None, "0") and not self._is_chunked:
            self.expects_continue = False

    def on_body(self, part: bytes) -> None:
        """Keep a part of the body."""
        if self.is_over:
            return
        self.body_bytes += len(part)
        self.expects_continue = False
        self._body.append(part)
        if self.body_bytes > self._max_body_bytes:
            self._finish_too_large()

    def on_message_complete(self) -> None:
        """Pass on the request."""
        if self.is_over or (self._parser.should_upgrade() and not self._is_resumed and self._has_body()):
            return
        body = b"".join(self._body)
        if self._is_chunked:
            self._environ["CONTENT_LENGTH"] = str(len(body))
        self._environ["wsgi.input"] = io.BytesIO(body)
        is_resumed = self._is_resumed or self._parser.should_upgrade()
        keeps_open = self._keeps_open() and not is_resumed
        self.is_over = not keeps_open
        self._completed += 1
        self._received(Request(self._environ, self._version, keeps_open=keeps_open))
        self._reset()

    def _has_body(self) -> bool:
        return self._is_chunked or self._environ.get("CONTENT_LENGTH", "0") != "0"

    def _keeps_open(self) -> bool:
        options = _options(self._environ.get("HTTP_CONNECTION", ""))
        return "close" not in options and (self._version == "1.1" or "keep-alive" in options)

    def _finish_too_large(self) -> None:
        self.is_over = True
        self.expects_continue = False
        too_large = bytes(self._max_body_bytes + 1)
        self._environ["wsgi.input"] = io.BytesIO(too_large)
        self._environ["CONTENT_LENGTH"] = str(len(too_large))
        self._received(Request(self._environ, self._version, keeps_open=False, drains=True))

    def _fill(self, version: str) -> None:
        environ, target = self._environ, self._target.decode("latin-1")
        method = self._parser.get_method().decode()
        if target[:1] != "/" or method == "CONNECT":
            target = self._other_form(method, target)
        path, _, query = target.partition("?")
        self._version = version
        self.expects_continue = version == "1.1" and environ.get("HTTP_EXPECT", "").lower() == "100-continue"
        environ["REQUEST_METHOD"] = method
        environ["SERVER_PROTOCOL"] = f"HTTP/{version}"
        environ["PATH_INFO"] = decoded(path) if "%" in path else path
        environ["QUERY_STRING"] = query.partition("#")[0]

    def _other_form(self, method: str, target: str) -> str:
        """The path and query of a target in another form than that of a path (RFC 9112, section 3.2). Refusal."""
        if method == "CONNECT":
            raise NO_PROXY
        if target == "*" and method == "OPTIONS":
            return target
        path, self._environ["HTTP_HOST"] = _path_and_host(target)
        return path


def decoded(path: str) -> str:
    """The path with its escapes decoded, except `%2F`, which does not separate (RFC 3986, section 2.2)."""
    return "%2F".join([unquote_to_bytes(part).decode("latin-1") for part in _SLASH.split(path)])


def framing_error(version: str, environ: Mapping[str, str]) -> Refusal | None:
    """Why it is unclear where a request ends or who it is for, or None if it is clear (G83, RFC 9112).

    llhttp refuses most of that: two lengths, a length beside chunks, signs, blanks, control characters. This is the
    rest. Header names are those of WSGI.
    """
    host = environ.get("HTTP_HOST")
    if host is None and version == "1.1":
        return Refusal("HTTP/1.1 requires a Host")
    if host and not AUTHORITY.fullmatch(host):
        return Refusal("there is more than one Host" if "," in host else "the Host is not a name and a port")
    encoding = environ.get("HTTP_TRANSFER_ENCODING")
    if encoding is None:
        return None
    if "CONTENT_LENGTH" in environ:
        return Refusal("Content-Length and Transfer-Encoding exclude each other")
    if version != "1.1":
        return Refusal(f"HTTP/{version} has no Transfer-Encoding")
    return _coding_error(encoding)


def _coding_error(encoding: str) -> Refusal | None:
    """Codings before the chunks are not implemented; after them the end of the body would be unknown."""
    *before, last = [name for each in encoding.lower().split(",") if (name := each.strip(" \t"))] or [""]
    if last == "chunked" and not before:
        return None
    is_unknown = last == "chunked" and "chunked" not in before
    return Refusal("Transfer-Encoding can only be chunked", 501 if is_unknown else 400)


@lru_cache(KEPT_NAMES)
def _options(connection: str) -> frozenset[str]:
    """The options of a header Connection."""
    return frozenset(option.strip(" \t") for option in connection.lower().split(","))


@lru_cache(KEPT_NAMES)
def environ_key(name: bytes) -> str | None:
    """The WSGI name of a header; None if it has an underscore, because WSGI writes a hyphen the same."""
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in WITHOUT_PREFIX else f"HTTP_{key}"


def _path_and_host(target: str) -> tuple[str, str]:
    """The path and query of a target that is a whole URL, and its authority, which wins over the Host. Refusal."""
    try:
        parts = urlsplit(target)
    except ValueError:
        raise NOT_A_TARGET from None
    if not parts.netloc or not AUTHORITY.fullmatch(parts.netloc):
        raise NOT_A_TARGET
    if parts.scheme != "http":
        raise NO_TLS
    return f"{parts.path or '/'}?{parts.query}", parts.netloc


def _with_ascii_target(data: bytes) -> bytes:
    """Quote the bytes beyond ASCII in the request line. Clients should do that, but curl does not."""
    line, end, rest = data.partition(b"\r\n")
    return data if line.isascii() else quote_from_bytes(line, ASCII).encode() + end + rest
