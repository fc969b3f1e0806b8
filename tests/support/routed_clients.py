"""One call by each client library that `route` sends to a world, as applications make it."""

from __future__ import annotations

import http.client
import json
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import anyio
import httpx
import httpx2
import requests
import urllib3
from pip._vendor import requests as requests_of_pip

Call = Callable[[str, str, Mapping[str, str]], tuple[int, Any]]
NOTHING: Mapping[str, str] = {}
BODY = {"GET": None, "POST": {"url": "https://hooks.partner.example/x", "events": ["team_order.shipped"]}}
TIMEOUT_S = 60


def content(method: str) -> bytes | None:
    return None if BODY[method] is None else json.dumps(BODY[method]).encode()


def sent(headers: Mapping[str, str]) -> dict[str, str]:
    return {"Content-Type": "application/json", **headers}


def by_requests(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    response = requests.request(method, url, json=BODY[method], headers=dict(headers), timeout=TIMEOUT_S)
    return response.status_code, response.json()


def by_requests_of_pip(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    """By the copy of requests that pip carries, with its own copy of urllib3."""
    response = requests_of_pip.request(method, url, json=BODY[method], headers=dict(headers), timeout=TIMEOUT_S)
    return response.status_code, response.json()


def by_httpx(library: Any) -> Call:
    def call(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
        response = library.request(method, url, json=BODY[method], headers=dict(headers), timeout=TIMEOUT_S)
        return response.status_code, response.json()

    return call


def by_async_httpx(library: Any) -> Call:
    def call(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
        async def run() -> tuple[int, Any]:
            async with library.AsyncClient(timeout=TIMEOUT_S) as client:
                response = await client.request(method, url, json=BODY[method], headers=dict(headers))
                return response.status_code, response.json()

        return anyio.run(run)

    return call


def by_aiohttp(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    async def run() -> tuple[int, Any]:
        async with (
            aiohttp.ClientSession(headers=dict(headers)) as session,
            session.request(method, url, json=BODY[method]) as response,
        ):
            return response.status, await response.json()

    return anyio.run(run)


def by_urllib(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    request = urllib.request.Request(url, content(method), sent(headers), method=method)
    opener = urllib.request.build_opener()  # that of `urlopen` keeps the proxies of the test that used it first
    with opener.open(request, timeout=TIMEOUT_S) as response:
        return response.status, json.load(response)


def by_urllib3(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    with urllib3.PoolManager() as pool:
        response = pool.request(method, url, body=content(method), headers=sent(headers), retries=False)
        return response.status, response.json()


def by_http_client(method: str, url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with closing(kind(parts.netloc, timeout=TIMEOUT_S)) as connection:
        connection.request(method, parts.path, content(method), sent(headers))
        response = connection.getresponse()
        return response.status, json.loads(response.read())


CLIENTS: dict[str, Call] = {
    "requests": by_requests, "httpx": by_httpx(httpx), "httpx async": by_async_httpx(httpx), "aiohttp": by_aiohttp,
    "urllib": by_urllib, "urllib3": by_urllib3, "http.client": by_http_client, "httpx2": by_httpx(httpx2),
    "httpx2 async": by_async_httpx(httpx2), "requests of pip": by_requests_of_pip,
}  # fmt: skip
