"""Every magic value in one table: what is written, where it is looked for, what it does and by which decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from giftsim.gateway.faults.effect_registry import type_of
from giftsim.magic import amounts, fault_values, files, parcels, receiver_hosts
from giftsim.magic.format import DOMAIN, HOST, email

SOUGHT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "charge": "a partner's order or settlement",
        "crash": "a partner's order or settlement, a paying call of a team",
        "drop": "any call",
        "delay_s": "any call",
        "status": "any call that documents this answer",
        "signing_key": "making and testing webhooks",
        "webhook": "any call but a GET, of partners and teams",
    }
)


class Row(msgspec.Struct, frozen=True, gc=False):
    """One magic value, in words."""

    written: str
    sought: str
    means: str
    source: str


def rows() -> Iterator[Row]:
    """The whole table, calls first."""
    for value in fault_values.CALLS:
        sought = SOUGHT[type_of(value.effect).name]
        yield Row(f"`{value.name}`, `{email(value.name)}`", sought, value.means, value.source)
    link, asked = "the email of a recipient", "a gift's message; an order's, a campaign's, or the note of the request"
    yield Row(f"`claims{DOMAIN}`", link, "claims as soon as the link works", "B17, A8.9")
    yield Row(f"`claims-3d{DOMAIN}`", link, "claims after that span, such as `36h` or `3d`", "B17, A8.9")
    yield Row(f"`never-claims{DOMAIN}`", link, "never claims, so that the link expires", "B19, B47")
    for verb in ("Approved", "Rejected"):
        means = f"a human {'approves' if verb == 'Approved' else 'rejects'}, at once or after that span"
        yield Row(f"`Magic {verb}`, `Magic {verb} After 2h`", asked, means, "A1.2, A1.3")
    for place in parcels.POSTCODES:
        yield Row(f"`{place.zip}`", "the `zip` of an address in the US", place.means, place.source)
    for amount in amounts.AMOUNTS:
        yield Row(f"`{amount.cents}`", "the `amount_cents` of a deposit invoice", amount.means, amount.source)
    for host in receiver_hosts.HOSTS:
        yield Row(f"`{host.example}{HOST}`", "the host of a webhook's URL", host.means, host.source)
    yield Row(f"`{files.UNRENDERABLE}`", "the name of artwork", "previews of it fail when they would be done", "A1.9")
    for file in files.REMOTE:
        yield Row(f"`{file.url}`", "the URL of a file", file.means, file.source)
