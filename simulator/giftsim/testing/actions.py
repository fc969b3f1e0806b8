"""Actions of the outside world: recipients claim, approvers decide, cards are declined, faults occur."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from giftsim.engine.client.control import Control, ControlRefused
from giftsim.testing.control_client import ControlClient
from giftsim.testing.own_frames import expected_errors
from giftsim.testing.results import Account, Actor, Approval, Fault, Parcel, Parcels, Rehearsal, Rehearsed

__tracebackhide__ = expected_errors

CLAIM_IDS = ("team_order_id", "gift_id", "campaign_id")
APPROVAL_IDS = ("approval_id", "gift_id", "team_order_id", "campaign_id")


class NoSuchRecord(LookupError):
    """A test named something that is not a record of its world, or not the JSON of one."""


class NotAnAmount(TypeError):
    """A test gave something else where an amount in cents belongs."""


class Actions(ControlClient):
    """Actions of people and systems outside the service, as methods.

    Name the record by its id, by the JSON of a response that has it, or by the response itself, of any client library.
    """

    def claim(
        self,
        order: Any,
        recipient: int | None = 0,
        *,
        address: Mapping[str, Any] | None = None,
        selection: Mapping[Any, int] | None = None,
        **more: Any,
    ) -> Parcel:
        """Claim for a recipient of an order, gift or campaign, given their index; the parcel afterwards.

        `order` may also be a claim link or its token. Without an address, a valid one of the right country is entered.
        """
        members = {"address": address, "selection": selection, **more}
        body = {name: value for name, value in members.items() if value is not None}
        record = plain(order)
        if isinstance(record, str) and not _is_uuid(record):
            return cast(Parcel, self.simulate("claim", token=record, **body))
        if recipient is not None and "recipient_id" not in body:
            body["recipient"] = recipient
        return cast(Parcel, self._simulate_on("claim", candidate_ids(record, CLAIM_IDS), body))

    def approve(self, what: Any, note: str | None = None) -> Approval:
        """Approve an approval, gift, order or campaign, after requesting it if necessary; the approval."""
        return self._decide(what, "approve", note)

    def reject(self, what: Any, note: str | None = None) -> Approval:
        """Reject an approval, gift, order or campaign, as in `approve`; the approval."""
        return self._decide(what, "reject", note)

    def ship(self, order: Any, to: str = "shipped", recipient: int | None = None) -> Parcels:
        """Move parcels of an order, gift or campaign `to` a status, claimed first if necessary; the moved parcels."""
        body = {"to": to, **({} if recipient is None else {"recipient": recipient})}
        return cast(Parcels, self._simulate_on("shipment", candidate_ids(plain(order), CLAIM_IDS), body))

    def parcel(self, order: Any, event: str, recipient: int | None = None) -> Parcels:
        """Let an `event` such as `lost`, `exception` or `found` happen to parcels that were shipped; these parcels."""
        body = {"event": event, **({} if recipient is None else {"recipient": recipient})}
        return cast(Parcels, self._simulate_on("parcel", candidate_ids(plain(order), CLAIM_IDS), body))

    def rehearse(self, name: str, what: Any = None, **more: Any) -> Rehearsed:
        """Let a situation happen that users fear, such as `rehearse("parcel-lost", order)`; what was done.

        `what` is what it happens to: an order, gift, campaign or parcel, a payment, or what else the rehearsal takes.
        `more` are further members, such as `recipient=1`.
        """
        record, body = plain(what), {"name": name, **more}
        if record is None:
            return cast(Rehearsed, self.control("POST", "/rehearse", body))
        row = next((row for row in self.rehearsals() if row["name"] == name), None)
        takes, about = (row["takes"], row["about"]) if row else (list(CLAIM_IDS), "")
        is_parcel = isinstance(record, Mapping) and record.get("order_id") is not None
        others = [member for member in takes if member.endswith("_id") and member not in ("order_id", "recipient_id")]
        if is_parcel and "order_id" in takes:
            names = ["order_id"]
        else:
            names = [about] if about in takes else others or takes[:1]
        return cast(Rehearsed, self._try_names("/rehearse", candidate_ids(record, names), body))

    def rehearsals(self) -> list[Rehearsal]:
        """The situations that can be rehearsed, each with what users fear, what happens, and what it takes."""
        rows = Control(self.transport).send("GET", "/reference/rehearsals?limit=1000")["rehearsals"]
        return cast(list[Rehearsal], rows)

    def actor(self, name: str, **habit: Any) -> Actor:
        """Add a person who acts without further calls; the actor.

        For example `actor("bo", recipient="bo@example.com", claims="3d")` or
        `actor("boss", approver="any", decides="approve", after="2h")`.
        """
        return cast(Actor, self.control("POST", "/actors", {"id": name, **habit}))

    def fund(self, add_cents: int, credential: str = "partner.prepaid") -> Account:
        """Add money, in cents, to the wallet of a partner key's account; the account afterwards."""
        if not isinstance(add_cents, int):
            raise NotAnAmount(f"fund takes cents, then the credential: fund(100, {add_cents!r}) adds $1.00")
        return cast(Account, self.simulate("account", key=credential, add_cents=add_cents))

    def fail_charges(
        self, code: str = "card_charge_failed", times: int | None = 1, credential: str | None = None
    ) -> Fault:
        """Fail the next `times` charges (None: all) with a documented 402 code; the fault, with its `id`."""
        match = {"credential": credential} if credential else {}
        return self.fault(charge=code, match=match, when={"first": times} if times else {})

    def fault(
        self,
        *,
        match: Mapping[str, Any] | None = None,
        when: Mapping[str, Any] | None = None,
        id: str | None = None,  # noqa: A002 - the control API's name
        **effect: Any,
    ) -> Fault:
        """Add a fault, for example `fault(drop="after", when={"first": 1})` or `fault(status=429)`; the fault."""
        body: dict[str, Any] = {"effect": effect}
        body |= {name: value for name, value in (("id", id), ("match", match), ("when", when)) if value}
        return cast(Fault, self.control("POST", "/faults", body))

    def faults(self) -> list[Fault]:
        """The world's faults, each with the number of times it was injected."""
        return self.listed("faults")

    def clear_faults(self, fault: str | Fault | None = None) -> None:
        """Delete one fault, given the fault or its id, or all faults; calls that they hold continue."""
        name = fault if isinstance(fault, str) or fault is None else fault["id"]
        self.control("DELETE", f"/faults/{name}" if name else "/faults")

    def _decide(self, what: Any, decision: str, note: str | None) -> Approval:
        body = {"decision": decision, **({} if note is None else {"note": note})}
        return cast(Approval, self._simulate_on("approval", candidate_ids(plain(what), APPROVAL_IDS), body))

    def _simulate_on(self, verb: str, names: Sequence[tuple[str, Any]], body: Mapping[str, Any]) -> Any:
        return self._try_names(f"/simulate/{verb}", names, body)

    def _try_names(self, path: str, names: Sequence[tuple[str, Any]], body: Mapping[str, Any]) -> Any:
        """Try each candidate name in turn: ids of different kinds of records never coincide."""
        missing: list[ControlRefused] = []
        for name, value in names:
            try:
                return self.control("POST", path, {name: value, **body})
            except ControlRefused as refusal:
                if refusal.code != f"{name.removesuffix('_id')}_not_found":
                    raise
                missing.append(refusal)
        if len(missing) == 1:
            raise missing[0]
        refusals = "; ".join(str(error) for error in missing)
        raise NoSuchRecord(f"world {self.world} has no record with the id {names[0][1]!r}: {refusals}")


def plain(what: Any) -> Any:
    """The JSON of a response of any client library; any other value unchanged."""
    json = getattr(what, "json", None)
    return json() if callable(json) else what if json is None else json


def candidate_ids(record: Any, names: Sequence[str]) -> list[tuple[str, Any]]:
    """The ids by which a request may name the record, as (name, value)."""
    if not isinstance(record, Mapping):
        return [(name, record) for name in names]
    candidates = list(_ids_in(record, names))
    if not candidates:
        members = ", ".join(str(name) for name in record) or "none"
        error = record.get("error")
        hint = f": {error['code']}, {error['message']}" if isinstance(error, Mapping) and "message" in error else ""
        raise NoSuchRecord(f"the JSON has no {' or '.join(names)}; its members are {members}{hint}")
    return candidates


def _ids_in(record: Mapping[str, Any], names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for name in names:
        if record.get(name) not in (None, record.get("id")):  # an order of a team calls its own id `campaign_id` too
            yield name, record[name]
            return
        nested = record.get(name.removesuffix("_id"))
        if isinstance(nested, Mapping) and "id" in nested:
            yield name, nested["id"]
            return
    if record.get("id") is not None:
        yield from ((name, record["id"]) for name in names)


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4
