"""Who calls the partner interface: a `pk_live_` key, bound to an account, that holds a capability (P-5.1 to P-5.5)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from giftsim.domain.access.api_key import LIVE, PARTNER, Key, find_key
from giftsim.domain.money.account import ACCOUNTS, Account
from giftsim.gateway.call import Call
from giftsim.gateway.problem import Forbidden, Unauthorized

_KEY = re.compile(r"pk_live_([a-z0-9-]{1,40})_([A-Za-z0-9]{1,64})", re.ASCII)


class NoAccount(Forbidden):
    """The key is bound to no account (P-5.3)."""

    code = "forbidden_no_account"


class NoCapability(Forbidden):
    """The key lacks what the operation asks for (P-5.4)."""

    code = "forbidden_capability"


@dataclass(frozen=True, slots=True)
class Partner:
    """The caller: a key of the world's. Idempotency keys belong to the account and key (B5)."""

    key: Key

    @property
    def name(self) -> str:
        return f"partner.{self.key.label or self.key.name}"

    @property
    def scope(self) -> str:
        return f"partner {self.key.n}"

    @property
    def bucket(self) -> str:
        return f"partner {self.key.n}"

    @property
    def plan(self) -> str:
        return self.key.plan


def world_tag(call: Call) -> str | None:
    """The world that the key names, known or not (G10)."""
    found = _read(call)
    return found[0] if found else None


def authenticate(call: Call) -> Partner:
    """The caller, or Unauthorized: no key, no partner key, an unknown or a revoked one (P-5.2)."""
    if call.header("Authorization") is None:
        raise Unauthorized("send the key as `Authorization: Bearer pk_live_...`; there is no Authorization header")
    found = _read(call)
    if found is None:
        raise Unauthorized("the Authorization header holds no partner key: `Bearer pk_live_...` is what it takes")
    key = find_key(call.state, PARTNER, LIVE, found[1]) if call.world else None
    if key is None:
        raise Unauthorized("no such key is known here; a key ends with its world, and resets bring back the first ones")
    if key.revoked:
        raise Unauthorized("this key was revoked")
    return Partner(key)


def authorize(call: Call) -> None:
    """NoAccount or NoCapability, in this order, whatever the call asks for."""
    key: Key = call.caller.key
    if key.account is None:
        raise NoAccount("this key is bound to no account")
    wanted = call.operation.node.get("x-capability")
    if wanted is not None and wanted not in key.capabilities:
        raise NoCapability(f"this key lacks the capability {wanted}; the provider can enable it")


def account_of(call: Call) -> Account:
    """The account that the caller's key is bound to."""
    account: Account = call.state[ACCOUNTS].get(call.caller.key.account)
    return account


def _read(call: Call) -> tuple[str, str] | None:
    scheme, _, token = (call.header("Authorization") or "").partition(" ")
    found = _KEY.fullmatch(token) if scheme.lower() == "bearer" else None
    return (found[1], found[2]) if found else None
