"""Settings of teams and their keys (0.3, 0.6, A4.6, A4.7)."""

from __future__ import annotations

from typing import Any

from giftsim.kernel.setting import Setting, choice

ROSTER_PATHS = ("/people", "/people/upcoming")


def _status(name: str, statuses: tuple[int, ...], meaning: str) -> Setting[int]:
    def read(raw: Any) -> int:
        if type(raw) is not int or raw not in statuses:
            raise ValueError(f"it is one of {', '.join(map(str, statuses))}")
        return raw

    return Setting(name, statuses[0], read, f"one of {', '.join(map(str, statuses))}", meaning)


def _paths(raw: Any) -> tuple[str, ...]:
    if not isinstance(raw, list | tuple) or not all(isinstance(path, str) and path.startswith("/") for path in raw):
        raise ValueError("it is a list of paths of the contract, such as /people")
    return tuple(raw)


DISABLED_KEY_STATUS = _status(
    "team.disabled_key_status", (401, 403), "the status of calls with a key whose team or account is switched off"
)
BODY_STATUS = _status(
    "team.body_validation_status", (422, 400), "the status of calls whose well-formed body breaks a rule"
)
NAMESPACE = choice("sandbox.namespace", ("key", "team"), "whether each test key has a sandbox of its own, or each team")
ROSTER_ROLE_PATHS: Setting[tuple[str, ...]] = Setting(
    "roster_role_paths", list(ROSTER_PATHS), _paths, "a list of paths of the team interface",
    "which GET routes require the role approver in addition to their scope",
)  # fmt: skip

NET_TERMS_ROLE = choice(
    "team.net_terms_role",
    ("any", "approver"),
    "the role that a key needs to order on net terms, in addition to its scopes",
)

ALL: tuple[Setting[Any], ...] = (DISABLED_KEY_STATUS, BODY_STATUS, NAMESPACE, ROSTER_ROLE_PATHS, NET_TERMS_ROLE)
