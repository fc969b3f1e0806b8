"""Reads HAR 1.2 as browsers, proxies and gateways write it: exchanges with their instants, headers and bytes.

What tools leave out or add is met here: missing bodies, base64, pseudo headers of HTTP/2, WebSockets, aborted calls.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, urlencode, urlsplit

import msgspec

from giftsim.engine.client.response import Response, parse_response
from giftsim.engine.system import TooLarge, read_file

MOST_BYTES: Final = 512 * 1024 * 1024
NO_BODY: Final = (204, 205, 304)
# Headers about the bytes on the wire: a HAR has the decoded body.
OF_THE_WIRE: Final = frozenset({"content-encoding", "transfer-encoding", "content-length", "connection", "keep-alive"})
WEB_SOCKETS: Final = ("ws", "wss")
GZIP: Final = b"\x1f\x8b\x08"
_SECOND_MS: Final = 1000


class NotHar(Exception):
    """A file cannot be read as HAR; the message names the file, the entry and the member, and what to do."""


class Exchange(msgspec.Struct, frozen=True):
    """A request with its response. `number` is its entry in the file, from 1; `target` is the path with its query.

    `response` is None if there was none: the client gave up, or the connection broke. `has_body` is False if the file
    lacks the body that the response had, `was_sent_whole` if it has that of the request.
    """

    number: int
    at_ms: int
    method: str
    origin: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    response: Response | None
    has_body: bool = True
    was_sent_whole: bool = True

    @property
    def host(self) -> str:
        """The host without its port."""
        return urlsplit(self.origin).hostname or ""


class Har(msgspec.Struct, frozen=True):
    """The exchanges of a file in the order of their instants; `others` counts its entries that are none.

    `is_simulated` says that a simulator wrote it of itself, `repeats` counts the entries that it has before.
    """

    creator: str
    exchanges: Sequence[Exchange]
    others: int = 0
    is_simulated: bool = False
    repeats: int = 0


def read_har(path: Path) -> Har:
    """Read a file; NotHar says what is wrong with it."""
    try:
        content = read_file(path, MOST_BYTES)
    except TooLarge as error:
        raise NotHar(f"{path}: {error.strerror}; record a shorter part") from None
    except OSError as error:
        raise NotHar(f"{path}: {error.strerror}") from None
    return parse_har(content, str(path))


def parse_har(content: bytes, name: str) -> Har:
    """Parse the content of a file that `name` names; NotHar."""
    try:
        data = msgspec.json.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, RecursionError) as error:
        raise NotHar(
            f"{name} is not JSON, so it is not a HAR file: {error}; a cut file was perhaps still written"
        ) from None
    log = data.get("log") if isinstance(data, dict) else None
    if not isinstance(log, dict) or not isinstance(log.get("entries"), list):
        raise NotHar(
            f'{name} is JSON but not a HAR file: it has no list "log": {{"entries": [...]}}; export it as HAR 1.2'
        )
    entries = _without_repeats(log["entries"])
    exchanges = [
        exchange
        for number, entry in entries
        if (exchange := _exchange(number, entry, f"{name}, entry {number}")) is not None
    ]
    creator = log.get("creator")
    return Har(
        str(creator.get("name", "")) if isinstance(creator, dict) else "",
        sorted(exchanges, key=lambda each: each.at_ms),
        len(entries) - len(exchanges),
        log.get("_simulated") is True,
        len(log["entries"]) - len(entries),
    )


def _without_repeats(entries: Sequence[Any]) -> list[tuple[int, Any]]:
    """The entries with their numbers. One that is in the file twice, to its last member, is one exchange."""
    digests = (sha256(msgspec.json.encode(entry)).digest() for entry in entries)
    first = {digest: number for number, digest in reversed([*enumerate(digests)])}
    return [(number + 1, entries[number]) for number in sorted(first.values())]


def _exchange(number: int, entry: Any, where: str) -> Exchange | None:
    """An entry as an exchange; None for a WebSocket and for what is not a call over HTTP, such as a data URL."""
    request, response = (_member(entry, name, dict, where) for name in ("request", "response"))
    url = _url(_member(request, "url", str, f"{where}, request"), where)
    if url.scheme in WEB_SOCKETS or "_webSocketMessages" in entry or entry.get("_resourceType") == "websocket":
        return None
    if url.scheme not in ("http", "https"):
        return None
    answer, has_body = _response(response, where)
    return Exchange(
        number=number,
        at_ms=_instant(_member(entry, "startedDateTime", str, where), where),
        method=_member(request, "method", str, f"{where}, request").upper(),
        origin=f"{url.scheme}://{url.netloc.rpartition('@')[2]}",
        target=(url.path or "/") + (f"?{url.query}" if url.query else ""),
        headers=parse_response(0, [*_headers(request, f"{where}, request")], b"").headers,
        body=_sent(request.get("postData"), where),
        response=answer,
        has_body=has_body,
        was_sent_whole=_is_whole(request),
    )


def _url(text: str, where: str) -> SplitResult:
    try:
        url = urlsplit(text)
        _ = url.port  # which checks it
        return url
    except ValueError as error:
        raise NotHar(f"{where}: its url is none: {error}") from None


def _response(response: Mapping[str, Any], where: str) -> tuple[Response | None, bool]:
    """The response, None if there was none, and whether its body is known."""
    status = response.get("status")
    if type(status) is not int:
        raise NotHar(f'{where}: response has no whole number "status"')
    if not 100 <= status <= 599:  # 0 or -1: aborted, or blocked
        return None, False
    fields = [*_headers(response, f"{where}, response")]
    content = response.get("content") or {}
    if not isinstance(content, dict):
        raise NotHar(f"{where}: response.content is not an object")
    body, is_known = _unpacked(_text(content, f"{where}, response.content")), "text" in content
    sizes = [size for size in (content.get("size"), response.get("bodySize")) if type(size) is int]
    was_empty = status in NO_BODY or any(size == 0 for size in sizes)
    mime = content.get("mimeType")
    if not any(name.lower() == "content-type" for name, _ in fields) and mime not in (None, "", "x-unknown"):
        fields.append(("content-type", str(mime)))
    return parse_response(status, fields, body), is_known or was_empty


def _headers(message: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    """The header lines, without the pseudo headers of HTTP/2 and those about the bytes on the wire."""
    headers = message.get("headers") or []
    if not isinstance(headers, list):
        raise NotHar(f"{where}: its headers are not a list of objects with name and value")
    for header in headers:
        if not isinstance(header, dict) or not isinstance(header.get("name"), str):
            raise NotHar(f"{where}: a header is not an object with a name")
        name = header["name"]
        if not name.startswith(":") and name.lower() not in OF_THE_WIRE:
            yield name, str(header.get("value", ""))


def _sent(data: Any, where: str) -> bytes:
    """The body of a request. A form may have its parameters alone."""
    if not isinstance(data, dict):
        return b""
    if "text" not in data and (params := data.get("params")):
        if not isinstance(params, list) or not all(isinstance(each, dict) for each in params):
            raise NotHar(f"{where}, request.postData: its params are not a list of objects with name and value")
        return urlencode([(each.get("name", ""), each.get("value", "")) for each in params]).encode()
    return _text(data, f"{where}, request.postData")


def _is_whole(request: Mapping[str, Any]) -> bool:
    """Whether the body of a request is there, if it had one."""
    data = request.get("postData")
    if isinstance(data, dict) and (data.get("text") or data.get("params")):
        return True
    lengths = [header.get("value") for header in request.get("headers") or () if _is_length(header)]
    return request.get("bodySize") in (None, 0, -1) and not any(length not in (None, "", "0") for length in lengths)


def _is_length(header: Any) -> bool:
    return isinstance(header, dict) and str(header.get("name")).lower() == "content-length"


def _text(content: Mapping[str, Any], where: str) -> bytes:
    text = content.get("text") or ""
    if not isinstance(text, str):
        raise NotHar(f"{where}: its text is not a string")
    if content.get("encoding") != "base64":
        return text.encode("utf-8", "surrogatepass")
    try:
        return b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NotHar(f"{where}: its text is not base64, as its encoding says") from None


def _unpacked(body: bytes) -> bytes:
    """A body without gzip, which some tools keep as it was on the wire."""
    if not body.startswith(GZIP):
        return body
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        plain = inflate.decompress(body, MOST_BYTES)
    except zlib.error:
        return body
    return plain if inflate.eof else body


def _instant(text: str, where: str) -> int:
    """An instant in milliseconds; without a zone it is UTC."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise NotHar(
            f'{where}: startedDateTime is not an instant like 2027-01-04T09:00:00.000Z: "{text[:40]}"'
        ) from None
    return round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * _SECOND_MS)


def _member(data: Any, name: str, kind: type[Any], where: str) -> Any:
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, kind):
        raise NotHar(f'{where}: it has no "{name}", which HAR 1.2 requires')
    return value
