"""Authentication and authorization of partner calls, by a `pk_live_` key with capabilities (P-5.1 to P-5.5)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from giftsim.engine.gateway.call import NO_WORLD, Call
from giftsim.engine.gateway.problem import Forbidden, Unauthorized
from giftsim.engine.kernel.setting import choice
from giftsim.services.gifting.domain.api_key import LIVE, PARTNER, ApiKey, find_key
from giftsim.services.gifting.domain.money.account import ACCOUNTS, Account
from giftsim.services.secrets import PARTNER_KEY

IDEMPOTENCY_SCOPE = choice(
    "partner.idempotency_scope",
    ("account", "key"),
    "whether the API keys of an account share its idempotency keys (B5)",
)
_KEY = PARTNER_KEY.form


class NoAccount(Forbidden, code="forbidden_no_account"):
    """The key is not bound to an account (P-5.3)."""


class NoCapability(Forbidden, code="forbidden_capability"):
    """The key lacks the capability that the operation needs (P-5.4)."""


class Partner(msgspec.Struct, frozen=True):
    """The caller, by a key of the world. Idempotency keys belong to the account, or to the key by a setting (B5).

    `account` is the one that the key is bound to, as it was when the call began. `authorize` refuses a key without one.
    """

    key: ApiKey
    account: Account | None
    scope: str
    bucket: str
    plan: str

    @property
    def name(self) -> str:
        return f"partner.{self.key.label or self.key.name}"


def credential_world_id(call: Call) -> str | None:
    """The id of the world that the key names, whether it exists or not (G10)."""
    key = _parse_key(call.header("Authorization"))
    return key[0] if key else None


def authenticate(call: Call) -> Partner:
    """The caller. Unauthorized for a missing, malformed, unknown or revoked key (P-5.2)."""
    authorization = call.header("Authorization")
    if authorization is None:
        raise Unauthorized("send the key as `Authorization: Bearer pk_live_...`; there is no Authorization header")
    parsed = _parse_key(authorization)
    if parsed is None:
        raise Unauthorized("the Authorization header must be `Bearer pk_live_...`, with a partner key")
    key = None if call.world is NO_WORLD else find_key(call.state, PARTNER, LIVE, parsed[1])
    if key is None:
        raise Unauthorized(
            "no world has this key; a key ends with its world, and a reset restores the world's first keys"
        )
    if key.revoked:
        raise Unauthorized("this key was revoked")
    name = f"partner {key.n}"
    in_body = call.operation.idempotency == "body"
    account = None if key.account is None else call.state[ACCOUNTS].get(key.account)
    shared = in_body and account is not None and call.state.setting(IDEMPOTENCY_SCOPE) == "account"
    return Partner(key, account, f"account {key.account}" if shared else name, name, key.plan)


def authorize(call: Call) -> None:
    """NoAccount, then NoCapability: before anything else of the call is checked."""
    key: ApiKey = call.caller.key
    if key.account is None:
        raise NoAccount("this key is not bound to an account")
    needed = call.operation.node.get("x-capability")
    if needed is not None and needed not in key.capabilities:
        raise NoCapability(f"this key lacks the capability {needed}; the provider can enable it")


@lru_cache(256)  # a client sends the same header with every call
def _parse_key(authorization: str | None) -> tuple[str, str] | None:
    """World id and name of a key, or None if the text is not a partner key."""
    scheme, _, token = (authorization or "").partition(" ")
    match = _KEY.fullmatch(token.strip()) if scheme.lower() == "bearer" else None
    return (match["world"], match["name"]) if match and match["mode"] == LIVE else None
