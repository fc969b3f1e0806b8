"""One world in a test's hand: its name, its credentials, its client calls and its own part of the control plane."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from giftsim.testing.transport import Answer, Passage

CONTROL = "/_sim/v1"
NOTHING: Mapping[str, str] = MappingProxyType({})


class ControlRefused(Exception):
    """The control plane would not do what a test asked; `status` and `code` are those of its answer."""

    def __init__(self, asked: str, answer: Answer) -> None:
        try:
            error = answer.json()["error"]
        except (ValueError, TypeError, KeyError):
            error = {"code": "", "message": answer.body.decode("utf-8", "replace")}
        self.status, self.code, self.message = answer.status, error["code"], error["message"]
        super().__init__(f"{asked} answered {self.status} {self.code}: {self.message}")


class Control:
    """A world by its object of the control plane, reached over a passage; `world` is its id."""

    def __init__(self, passage: Passage, about: Mapping[str, Any]) -> None:
        self.passage = passage
        self.about = about
        self.world: str = about["id"]
        self.credentials: Mapping[str, Mapping[str, Any]] = about["credentials"]

    @property
    def url(self) -> str:
        """The origin that links of answers lead to; in process no such host exists, but the clients know it."""
        return self.passage.origin

    @property
    def urls(self) -> Mapping[str, str]:
        """The base URL of each interface: `team`, `partner`, `museum`, `claim` and `control`."""
        urls: Mapping[str, str] = self.about["urls"]
        return urls

    def headers(self, credential: str) -> dict[str, str]:
        """The headers that speak for a named credential such as `partner.prepaid`; KeyError names the nearest one."""
        if credential not in self.credentials:
            near = get_close_matches(credential, self.credentials, 1, 0.4)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self.credentials)}"
            raise KeyError(f"world {self.world} has no credential {credential!r}; {hint}")
        return dict(self.credentials[credential]["headers"])

    def call(
        self, method: str, path: str, body: Any = None, *, credential: str | None = None,
        headers: Mapping[str, str] = NOTHING, timeout_s: float | None = None,
    ) -> Answer:  # fmt: skip
        """One client call; the answer has `status`, `headers` (lower-case names), `body`, `text` and `json()`.

        Without a credential it only names the world. ConnectionError where the connection breaks, TimeoutError where
        no answer comes within `timeout_s` real seconds.
        """
        told = self.headers(credential) if credential else {"X-Sim-World": self.world}
        return self.passage.call(method, path, body=body, headers={**told, **headers}, timeout_s=timeout_s)

    def control(self, method: str, path: str = "", body: Any = None) -> Any:
        """What the control plane answers for a path below this world, as data; ControlRefused for anything but 2xx."""
        return ask(self.passage, method, f"/worlds/{self.world}{path}", body)

    def listed(self, path: str, name: str | None = None, **query: str | None) -> list[dict[str, Any]]:
        """All of a list of the control plane (`events`, `timers`, `orders` ...), however many pages it takes.

        `name` is the list's in the answer, where it is not the path's.
        """
        found: list[dict[str, Any]] = []
        told: dict[str, Any] = {"limit": 1000, **{key: value for key, value in query.items() if value is not None}}
        while True:
            page = self.control("GET", f"/{path}?{urlencode(told)}")
            found += page[name or path]
            told["after"] = page["next"]
            if page["next"] is None:
                return found

    def simulate(self, verb: str, **body: Any) -> Any:
        """Play the outside world by one of the verbs of `GET /simulate`."""
        return self.control("POST", f"/simulate/{verb}", body)

    def settings(self, changes: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
        """All settings by their dotted names, after changing those given."""
        told: dict[str, Any] = self.control("PATCH" if changes else "GET", "/settings", dict(changes) or None)
        return told

    def key(self, interface: str = "partner", **choices: Any) -> dict[str, Any]:
        """Make a key (`account={"wallet_cents": 10_000, "card": "good"}`, `scopes=[...]`); it has `key`, `headers`."""
        told: dict[str, Any] = self.control("POST", "/keys", {"interface": interface, **choices})
        return told


def ask(passage: Passage, method: str, path: str, body: Any = None) -> Any:
    """What the control plane answers, as data; ControlRefused for anything but 2xx."""
    answer = passage.call(method, CONTROL + path, body=body)
    if not 200 <= answer.status <= 299:
        raise ControlRefused(f"{method} {CONTROL}{path}", answer)
    return answer.json() if answer.body else None
