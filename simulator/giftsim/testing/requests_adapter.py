"""An adapter by which `requests` calls a world without a socket, and a session that uses it."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse
from urllib3._collections import HTTPHeaderDict  # where urllib3 1 has it too

from giftsim.engine.gateway.wsgi_app import STATUS_LINES
from giftsim.testing.routing import Router, UrlOutsideWorld


class WorldAdapter(HTTPAdapter):
    """Sends requests to a world. A dropped response raises `requests.ConnectionError`, a late one `ReadTimeout`."""

    def __init__(self, router: Router) -> None:
        super().__init__()
        self._router = router

    def send(self, request: requests.PreparedRequest, *_: Any, timeout: Any = None, **__: Any) -> requests.Response:
        """Send one request; the time-out is in real seconds."""
        wait_s = timeout[1] if isinstance(timeout, tuple) else timeout
        try:
            response = self._router.send(
                request.method or "GET", request.url or "", request.headers.items(), body_bytes(request.body), wait_s
            )
        except UrlOutsideWorld as error:
            raise requests.exceptions.InvalidURL(str(error), request=request) from None
        except TimeoutError as error:
            raise requests.ReadTimeout(error, request=request) from error
        except ConnectionError as error:
            raise requests.ConnectionError(error, request=request) from error
        reason = STATUS_LINES.get(response.status, f"{response.status} Status")[4:]
        headers = HTTPHeaderDict(response.fields())
        raw = HTTPResponse(io.BytesIO(response.body), headers, response.status, reason=reason, preload_content=False)
        return self.build_response(request, raw)


class WorldSession(requests.Session):
    """A session that can call only one world. A URL may be a path relative to `base_url`."""

    def __init__(self, router: Router) -> None:
        super().__init__()
        self.trust_env = False
        self.base_url = f"{router.base}/"
        self.mount("https://", WorldAdapter(router))
        self.mount("http://", WorldAdapter(router))

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **options: Any) -> requests.Response:
        """Send a request; a path is resolved against `base_url`."""
        text = url.decode() if isinstance(url, bytes) else url
        resolved = text if "://" in text else urljoin(self.base_url, text.lstrip("/"))
        return super().request(method, resolved, *args, **options)


def body_bytes(body: Any) -> bytes:
    """A request body as bytes, from text, a file or an iterable of parts."""
    if body is None:
        return b""
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    if isinstance(body, str):
        return body.encode()
    if hasattr(body, "read"):
        return body_bytes(body.read())
    return b"".join(body_bytes(part) for part in body)
