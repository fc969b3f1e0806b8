"""The secrets of gifting, and where the tokens of links by which recipients claim are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from giftsim.engine.gateway.secret_kinds import Secrets
from giftsim.engine.kernel.state import State
from giftsim.services.gifting.domain.fulfilment.fulfilment import FULFILMENTS, PartnerOrder
from giftsim.services.gifting.domain.fulfilment.mail import MAILS
from giftsim.services.gifting.domain.fulfilment.recipient import RECIPIENTS
from giftsim.services.secrets import OF_GIFTING

_LAST_SEGMENT: Final = ".`split(/, -1, -1)`"


def _bare(state: State) -> Iterator[str]:
    yield from (row.token for row in state[RECIPIENTS] if row.token)
    yield from (row.share_token for row in state[FULFILMENTS] if isinstance(row, PartnerOrder) and row.share_token)


def _lookups(state: State, token: str) -> Iterator[tuple[str, str]]:
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


SECRETS: Final = Secrets(OF_GIFTING, _bare, _lookups)
