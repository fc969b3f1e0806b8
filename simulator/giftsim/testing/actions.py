"""The outside world played by a test: recipients who claim, approvers who decide, cards that decline, faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from giftsim.testing.control_client import Control, ControlRefused

CLAIMED = ("team_order_id", "gift_id")
DECIDED = ("approval_id", "gift_id", "team_order_id", "campaign_id")


class Outside(Control):
    """Verbs under the names that tests look for. What a verb is about may be an id, the JSON of an answer that has it,
    or the answer itself, of any client library.
    """

    def claim(self, order: Any, recipient: int | None = 0, *, address: Mapping[str, Any] | None = None,
              selection: Mapping[Any, int] | None = None, **more: Any) -> Any:  # fmt: skip
        """A recipient of an order or a gift (by their place in it) enters an address; the parcel as it is now.

        `order` may also be a claim link or its token. Without an address a good one of the right country is entered.
        """
        told = {"address": address, "selection": selection, **more}
        body = {name: value for name, value in told.items() if value is not None}
        found = plain(order)
        if isinstance(found, str) and not _is_uuid(found):
            return self.simulate("claim", token=found, **body)
        if recipient is not None and "recipient_id" not in body:
            body["recipient"] = recipient
        return self._about("claim", _names(found, CLAIMED), body)

    def approve(self, what: Any, note: str | None = None) -> Any:
        """A human says yes to an approval, gift, order or campaign, having been asked if need be; the approval."""
        return self._decide(what, "approve", note)

    def reject(self, what: Any, note: str | None = None) -> Any:
        """A human says no, likewise."""
        return self._decide(what, "reject", note)

    def ship(self, order: Any, to: str = "shipped", recipient: int | None = None) -> Any:
        """The parcels of an order or gift go on `to` a state, claimed first where need be; those that moved."""
        body = {"to": to, **({} if recipient is None else {"recipient": recipient})}
        return self._about("shipment", _names(plain(order), CLAIMED), body)

    def actor(self, name: str, **habit: Any) -> dict[str, Any]:
        """Somebody who acts by themselves: `actor("bo", recipient="bo@example.com", claims="3d")`,
        `actor("boss", approver="any", decides="approve", after="2h")`; the actor.
        """
        told: dict[str, Any] = self.control("POST", "/actors", {"id": name, **habit})
        return told

    def fund(self, add_cents: int, credential: str = "partner.prepaid") -> Any:
        """Put money in the wallet of a partner key's account; the account as it is now."""
        return self.simulate("account", key=credential, add_cents=add_cents)

    def fail_charges(
        self, code: str = "card_charge_failed", times: int | None = 1, credential: str | None = None
    ) -> dict[str, Any]:
        """The next `times` charges (all, for None) fail with a documented 402 code; the fault, with its `id`."""
        match = {"credential": credential} if credential else {}
        return self.fault(charge=code, match=match, when={"first": times} if times else {})

    def fault(self, *, match: Mapping[str, Any] | None = None, when: Mapping[str, Any] | None = None,
              id: str | None = None, **effect: Any) -> dict[str, Any]:  # noqa: A002 - the control plane's word # fmt: skip
        """Make something go wrong: `fault(drop="after", when={"first": 1})`, `fault(status=429, retry_after=5)`."""
        body: dict[str, Any] = {"effect": effect}
        body |= {name: value for name, value in (("id", id), ("match", match), ("when", when)) if value}
        told: dict[str, Any] = self.control("POST", "/faults", body)
        return told

    def faults(self) -> list[dict[str, Any]]:
        """The faults of the world with how often they hit."""
        return self.listed("faults")

    def clear_faults(self, fault: str | Mapping[str, Any] | None = None) -> None:
        """Delete a fault, by what made it or its id, or all of them; calls that it holds go on."""
        name = fault["id"] if isinstance(fault, Mapping) else fault
        self.control("DELETE", f"/faults/{name}" if name else "/faults")

    def _decide(self, what: Any, decision: str, note: str | None) -> Any:
        body = {"decision": decision, **({} if note is None else {"note": note})}
        return self._about("approval", _names(plain(what), DECIDED), body)

    def _about(self, verb: str, names: Sequence[tuple[str, Any]], body: Mapping[str, Any]) -> Any:
        """Ids of different things never meet, so the first name under which there is such a thing is the right one."""
        missing: list[ControlRefused] = []
        for name, value in names:
            try:
                return self.simulate(verb, **{name: value}, **body)
            except ControlRefused as refusal:
                if refusal.code != f"{name.removesuffix('_id')}_not_found":
                    raise
                missing.append(refusal)
        if len(missing) == 1:
            raise missing[0]
        said = "; ".join(str(error) for error in missing)
        raise LookupError(f"world {self.world} has nothing by the id {names[0][1]!r}: {said}")


def plain(what: Any) -> Any:
    """The data of an answer of any client library; anything else as it is."""
    found = getattr(what, "json", None)
    return found() if callable(found) else what if found is None else found


def _names(found: Any, known: Sequence[str]) -> list[tuple[str, Any]]:
    """What an id could be the id of; JSON of an answer says so itself."""
    if not isinstance(found, Mapping):
        return [(name, found) for name in known]
    named = list(_named(found, known))
    if not named:
        members = ", ".join(str(name) for name in found) or "none"
        raise LookupError(f"there is no id of {', '.join(known)} in what was given; its members are {members}")
    return named


def _named(found: Mapping[str, Any], known: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for name in known:
        if found.get(name) is not None:
            yield name, found[name]
            return
        part = found.get(name.removesuffix("_id"))
        if isinstance(part, Mapping) and "id" in part:
            yield name, part["id"]
            return
    if found.get("id") is not None:
        yield from ((name, found["id"]) for name in known)


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4
