"""What a world may choose about its teams and who calls for them (0.3, 0.6, A4.6, A4.7)."""

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
        raise ValueError("each is a path of the contract, such as /people")
    return tuple(raw)


DISABLED_KEY_STATUS = _status(
    "team.disabled_key_status", (401, 403), "what a key answers while its team or account is switched off"
)
BODY_STATUS = _status("team.body_validation_status", (422, 400), "what a well-formed body that breaks a rule answers")
NAMESPACE = choice("sandbox.namespace", ("key", "team"), "whether each test key has a sandbox of its own, or each team")
ROSTER_ROLE_PATHS: Setting[tuple[str, ...]] = Setting(
    "roster_role_paths", list(ROSTER_PATHS), _paths, "a list of paths of the team interface",
    "which reads ask for the role approver beside their scope",
)  # fmt: skip

NET_TERMS_ROLE = choice(
    "team.net_terms_role",
    ("any", "approver"),
    "which keys may order on net terms, beside their scopes",
)

ALL: tuple[Setting[Any], ...] = (DISABLED_KEY_STATUS, BODY_STATUS, NAMESPACE, ROSTER_ROLE_PATHS, NET_TERMS_ROLE)
