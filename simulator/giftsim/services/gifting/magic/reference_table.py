"""All magic values as rows for the reference page: the value, where it is found, its effect and the deciding rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from giftsim.engine.gateway.effect_types import types_in
from giftsim.engine.gateway.faults import effects
from giftsim.services.gifting import charge_effects
from giftsim.services.gifting.magic import deposit_amounts, fault_values, files, postcodes, receiver_hosts
from giftsim.services.gifting.magic.value_format import DOMAIN, HOST, email

# Where the values of an effect are found, if not simply where it acts.
PLACES: Final[Mapping[str, str]] = {
    "charge": "a partner's order or settlement",
    "crash": "a partner's order or settlement, a call of a team that pays",
    "drop": "any call",
    "delay_s": "any call",
    "status": "any call that documents this response",
    "signing_key": "creating and testing webhooks",
    "webhook": "any call of partners and teams except GET",
}
ACTS_ON: Final = {each.name: each.acts_on for module in (effects, charge_effects) for each in types_in(module)}


class Row(msgspec.Struct, frozen=True, gc=False):
    """One magic value as text."""

    value: str
    found_in: str
    means: str
    source: str


def rows() -> Iterator[Row]:
    """All rows, values in calls first."""
    for value in fault_values.CALL_VALUES:
        name = next(name for name in value.effect if name in ACTS_ON)
        place = PLACES.get(name, ACTS_ON[name])
        yield Row(f"`{value.name}`, `{email(value.name)}`", place, value.means, value.source)
    recipient = "the email of a recipient"
    text = "the message of a gift, order or campaign, or the note of the request for approval"
    yield Row(f"`claims{DOMAIN}`", recipient, "claims as soon as the link works", "B17, A8.9")
    yield Row(f"`claims-3d{DOMAIN}`", recipient, "claims after that delay, such as `36h` or `3d`", "B17, A8.9")
    yield Row(f"`never-claims{DOMAIN}`", recipient, "never claims, so that the link expires", "B19, B47")
    for verb in ("Approved", "Rejected"):
        means = f"a human {'approves' if verb == 'Approved' else 'rejects'}, at once or after that delay"
        yield Row(f"`Magic {verb}`, `Magic {verb} After 2h`", text, means, "A1.2, A1.3")
    for postcode in postcodes.POSTCODES:
        yield Row(f"`{postcode.zip}`", "the `zip` of an address in the US", postcode.means, postcode.source)
    for amount in deposit_amounts.AMOUNTS:
        yield Row(f"`{amount.cents}`", "the `amount_cents` of a deposit invoice", amount.means, amount.source)
    for host in receiver_hosts.HOSTS:
        yield Row(f"`{host.example}{HOST}`", "the host of a webhook's URL", host.means, host.source)
    yield Row(
        f"`{files.UNRENDERABLE}`", "the name of artwork", "its previews fail at the time they would be ready", "A1.9"
    )
    for file in files.REMOTE:
        yield Row(f"`{file.url}`", "the URL of a file", file.means, file.source)
