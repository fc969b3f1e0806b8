"""`requests` without a socket: an adapter that calls a world, and a session with it."""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse

from giftsim.gateway.wsgi_app import REASONS
from giftsim.testing.router import Door, Elsewhere, whole


class Adapter(HTTPAdapter):
    """Answers requests by a world. A dropped answer is `requests.ConnectionError`, a late one `ReadTimeout`."""

    def __init__(self, door: Door) -> None:
        super().__init__()
        self._door = door

    def send(self, request: requests.PreparedRequest, *_: Any, timeout: Any = None, **__: Any) -> requests.Response:
        """One call; the time-out counts real seconds."""
        wait_s = timeout[1] if isinstance(timeout, tuple) else timeout
        try:
            answer = self._door.answer(
                request.method or "GET", request.url or "", request.headers.items(), whole(request.body), wait_s
            )
        except Elsewhere as error:
            raise requests.exceptions.InvalidURL(str(error), request=request) from None
        except TimeoutError as error:
            raise requests.ReadTimeout(error, request=request) from error
        except ConnectionError as error:
            raise requests.ConnectionError(error, request=request) from error
        reason = REASONS.get(answer.status, f"{answer.status} Status")[4:]
        raw = HTTPResponse(io.BytesIO(answer.body), answer.headers, answer.status, reason=reason, preload_content=False)
        return self.build_response(request, raw)


class WorldSession(requests.Session):
    """A session that reaches one world and nothing else; a URL may be a path below `base_url`."""

    def __init__(self, door: Door) -> None:
        super().__init__()
        self.trust_env = False
        self.base_url = f"{door.base}/"
        self.mount("https://", Adapter(door))
        self.mount("http://", Adapter(door))

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **options: Any) -> requests.Response:
        """A call of the session, whose URL is taken below `base_url`."""
        text = url.decode() if isinstance(url, bytes) else url
        below = text if "://" in text else urljoin(self.base_url, text.lstrip("/"))
        return super().request(method, below, *args, **options)
