"""The transport of a test's calls to a server. Tests in process do not load it, and with it TLS."""

from __future__ import annotations

from giftsim.engine.client.over_http import HttpClient
from giftsim.testing.transport import check_origin


class OverHttp(HttpClient):
    """Calls a server. ValueError unless `origin` is http with only a host and a port."""

    def __init__(self, origin: str) -> None:
        super().__init__(check_origin(origin))

    @property
    def origin(self) -> str:
        """The server's origin."""
        return self.url
