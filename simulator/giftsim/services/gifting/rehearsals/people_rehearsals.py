"""What goes wrong with people, and with what is known of them."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal, verb

REHEARSALS: Final = (
    Rehearsal(
        "provider-down",
        "provider",
        "The CRM does not answer.",
        "What needs the provider is refused, until `outage` is false again.",
        "Your app says so, keeps what it knows, and asks again later.",
        (verb("crm", "provider", "team_id", "key", provider="hubspot", outage=True),),
        "T-6.3",
    ),
)
