"""Where a replaying world shows a secret: the JSONPath in a response, or the list of the control API that has it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from giftsim.domain.fulfilment.fulfilment import FULFILMENTS
from giftsim.domain.fulfilment.mail import MAILS
from giftsim.domain.fulfilment.recipient import RECIPIENTS
from giftsim.kernel.state import State

Lookup = tuple[str, str]
Path = tuple[str | int, ...]

_MEMBER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_LAST_SEGMENT: Final = ".`split(/, -1, -1)`"


def json_path(body: Any, secret: str) -> str | None:
    """The JSONPath of the first value in a JSON text that ends with the secret; None if there is none.

    A longer value, such as a link, is split at the character before the secret.
    """
    try:
        data = msgspec.json.decode(body)
    except (TypeError, msgspec.DecodeError):
        return None
    for path, value in _strings(data, ()):
        before = value.removesuffix(secret)
        if before == value or (before and before[-1] not in "/_"):
            continue
        if all(isinstance(part, int) or _MEMBER.fullmatch(part) for part in path):
            members = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
            return f"${members}" + (f".`split({before[-1]}, -1, -1)`" if before else "")
    return None


def find_lookup(token: str, states: Sequence[State]) -> Lookup | None:
    """A call of the control API that shows a claim token, and its JSONPath there; None if no state knows the token."""
    return next((lookup for state in states for lookup in _lookups(state, token)), None)


def _lookups(state: State, token: str) -> Iterator[Lookup]:
    for mail in state[MAILS]:
        for index, link in enumerate(mail.links):
            if link.endswith(f"/{token}"):
                yield f"GET /mail?after={mail.n}&limit=1", f"$.mail[0].links[{index}]{_LAST_SEGMENT}"
    recipient = state[RECIPIENTS].find("token", token)
    if recipient is not None:
        yield f"GET /parcels?after={recipient.shipment}&limit=1", f"$.parcels[0].claim_link{_LAST_SEGMENT}"
    order = state[FULFILMENTS].find("share", token)
    if order is not None:
        yield f"GET /orders?after={order.n}&limit=1", f"$.orders[0].shared_claim_link{_LAST_SEGMENT}"


def _strings(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _strings(member, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, (*path, index))
