"""After any moves of a few orders and gifts, no verdict of life or money says what the world's own lists deny."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from hypothesis import given, settings
from hypothesis import strategies as st

from giftsim import Simulator
from giftsim.engine.client.response import Response
from tests.support.team.clients import TeamClient
from tests.support.worlds import ExistingWorld, World, temporary_world

NAMES: Final = ("Ann", "Bob")
SPANS: Final = ("1h", "1d", "5d", "40d")
STATUSES: Final = (
    "approved", "sent", "paid", "collecting_addresses", "claimed", "in_progress", "in_production", "shipped",
    "delivered", "team_order.delivered", "gift.shipped", "completed",
)  # fmt: skip
LIFE_AND_MONEY: Final = (
    "superseded", "expired", "canceled", "rejected", "delayed", "proof_unsigned", "not_paid", "not_approved",
    "not_claimed",
)  # fmt: skip
Moves = Sequence[tuple[int, int, int]]


class Shop:
    """A world with a partner's order, a team's order, a gift and a campaign, and what can happen to them."""

    def __init__(self, world: World) -> None:
        self.world, self.keys = world, 0
        self.team = TeamClient(world, world.credentials["team.live_approver"]["headers"])
        people = [{"name": name, "email": f"{name}@example.com".lower()} for name in NAMES]
        kits = {"collection": "welcome-kit", "recipients": people}
        poor = world.partner("partner.no_funds")
        rich = world.partner()
        self.asked: list[tuple[str, Any]] = []
        self._add("order", rich.create_order(recipients=people, claim_expiry_days=7))
        self._add("order", poor.create_order(recipients=people[:1]))
        self._add("order", self.team.post("/team-orders", {**kits, "headcount": len(people)}))
        self._add("order", self.team.post("/team-orders", {"collection": "branded-kit", "headcount": 1}))
        self._add(
            "gift", self.team.post("/gifts", {"recipients": people[:1], "gift": {"collection_slug": "welcome-kit"}})
        )
        self._add("campaign", self.team.post("/large-campaigns", {"name": "May", **kits}))

    def _add(self, kind: str, response: Response) -> None:
        found = response.json()
        id_ = found.get("team_order_id") or found.get("team_order", found)["id"]
        self.asked.append((kind, id_))

    def act(self, what: int, which: int, how: int) -> None:
        """One of the moves; it may be refused."""
        kind, id_ = self.asked[which % len(self.asked)]
        _ACTS[what % len(_ACTS)](self, kind, id_, how)

    def simulate(self, verb: str, **body: Any) -> None:
        """A verb, which may be refused."""
        self.world.control.post(f"/worlds/{self.world.id}/simulate/{verb}", body)

    def named(self, kind: str, id_: Any) -> dict[str, Any]:
        """The member that names a record."""
        return {{"order": "team_order_id", "gift": "gift_id", "campaign": "campaign_id"}[kind]: id_}

    def cancel(self, kind: str, id_: Any, how: int) -> None:
        """Cancel an order, or some of a partner's."""
        if kind == "order" and id_ < 20_000_000:
            body = {"recipient_ids": [200_001]} if how % 2 else {}
            for name in ("partner.prepaid", "partner.no_funds"):
                self.world.partner(name).post(f"/team-orders/{id_}/cancel", body)
        elif kind == "order":
            self.team.post(f"/team-orders/{id_}/cancel", {})

    def ask(self, kind: str, id_: Any, _: int) -> None:
        """Ask for the approval of an order, or prepare a batch of a campaign."""
        if kind == "order" and id_ >= 20_000_000:
            self.team.post(f"/team-orders/{id_}/request-approval", {})
        elif kind == "campaign":
            self.team.post(f"/large-campaigns/{id_}/process", {})

    def pay(self, kind: str, id_: Any, _: int) -> None:
        """Pay for an order on terms, with the team's key."""
        if kind == "order":
            self.team.post("/funding", {"method": "net_terms", "campaign_id": id_})

    def set_money(self, _kind: str, _id: Any, how: int) -> None:
        """Change the money of the team or of the account without money."""
        if how % 2:
            status = "suspended" if how % 4 == 1 else "active"
            self.simulate("team", balance_cents=1_000 * (how % 3), credit={"status": status})
        else:
            self.simulate("account", key="partner.no_funds", add_cents=1_000)


def _claim(shop: Shop, kind: str, id_: Any, how: int) -> None:
    shop.simulate("claim", **shop.named(kind, id_), recipient=how % 2)


def _approve(shop: Shop, kind: str, id_: Any, _: int) -> None:
    shop.simulate("approval", **shop.named(kind, id_), decision="approve")


def _reject(shop: Shop, kind: str, id_: Any, _: int) -> None:
    shop.simulate("approval", **shop.named(kind, id_), decision="reject")


def _move(shop: Shop, kind: str, id_: Any, how: int) -> None:
    to = ("in_production", "shipped", "delivered", "delayed", "rejected")[how % 5]
    shop.simulate("shipment", **shop.named(kind, id_), recipient=how % 2, to=to)


def _advance(shop: Shop, _kind: str, _id: Any, how: int) -> None:
    shop.world.advance(SPANS[how % len(SPANS)])


def _change_price(shop: Shop, _kind: str, _id: Any, how: int) -> None:
    shop.simulate("price", product="mug-01", price_cents=1_800 + 100 * (how % 3))


_ACTS: Final[Sequence[Callable[[Shop, str, Any, int], None]]] = (
    *(_claim, _claim, _claim, _approve, _approve, _approve, _advance, _advance),
    *(_move, _move, _reject, _change_price, Shop.ask, Shop.ask, Shop.cancel, Shop.pay, Shop.set_money),
)


class Lists:
    """What the control API lists, which verdicts must not deny."""

    def __init__(self, world: World) -> None:
        self.approvals = {row["id"]: row for row in world.rows("approvals")}
        self.parcels = world.rows("parcels")
        self.rows = {(kind, row["id"]): row for kind in ("order", "gift", "campaign") for row in world.rows(f"{kind}s")}

    def parcels_of(self, kind: str, id_: Any) -> Mapping[str, Any]:
        """The parcels of a record, by the names of their recipients."""
        member = {"order": "team_order_id", "gift": "gift_id", "campaign": "campaign_id"}[kind]
        return {row["name"]: row["status"] for row in self.parcels if row[member] == id_}


# The statuses that the parcels have of which a verdict tells, by its kind.
_OF_PARCELS: Final = {kind: kind for kind in ("expired", "canceled", "rejected", "delayed")} | {
    "not_claimed": "awaiting"
}
_PEOPLE: Final = re.compile(rf"({'|'.join(NAMES)})")


def check(lists: Lists, kind: str, id_: Any, verdict: Mapping[str, Any]) -> None:
    """Fail unless a verdict about a record is so."""
    told, sentence = verdict["kind"], verdict["sentence"]
    assert f"{kind} {id_}" in sentence, verdict
    row = lists.rows[kind, id_]
    approval = re.search(r"approval (\d+)", sentence)
    if told in ("superseded", "rejected", "expired", "canceled") and approval and sentence.startswith("approval"):
        status = lists.approvals[int(approval[1])]["status"]
        assert status == ("canceled" if told == "expired" else told), verdict
    elif told in _OF_PARCELS and _PEOPLE.search(sentence):
        parcels = lists.parcels_of(kind, id_)
        assert {parcels[name] for name in _PEOPLE.findall(sentence)} == {_OF_PARCELS[told]}, (verdict, parcels)
        assert row["status"] not in ("awaiting_approval", "unpaid"), (verdict, row)
    elif told == "canceled":
        assert row["status"] in ("canceled", "stopped"), (verdict, row)
    elif told == "not_approved":
        assert row["status"] in ("awaiting_approval", "preparing"), (verdict, row)
        assert approval is None or lists.approvals[int(approval[1])]["status"] == "pending", verdict
    elif told in ("not_paid", "proof_unsigned"):
        assert row.get("charged_cents", 0) == 0, (verdict, row)
        assert row.get("payment_status", "unpaid") != "paid", (verdict, row)
        assert row["status"] not in ("canceled", "rejected"), (verdict, row)


def check_advance(world: World, kind: str, id_: Any, expected: str, verdict: Mapping[str, Any]) -> None:
    """Fail unless what is not due yet comes if the clock is advanced as the mend says, and no sooner."""
    by = re.fullmatch(r'giftsim\.advance\("(\w+)"\)', verdict["mend"]["pytest"])
    assert by is not None, verdict
    fork = ExistingWorld(world.simulator, world.call_control("POST", "/fork", {})["id"])
    fork.advance(by[1])
    if "." in expected:
        assert any(row["type"] == expected for row in fork.rows("events")), verdict
    else:
        [row] = [row for row in fork.rows(f"{kind}s") if row["id"] == id_]
        statuses = {row["status"], *(each["status"] for each in fork.rows("parcels"))}
        assert expected in statuses, (verdict, statuses)
    world.client.call("DELETE", f"/_sim/v1/worlds/{fork.id}")


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, len(_ACTS) - 1), st.integers(0, 5), st.integers(0, 11)), max_size=20),
    st.sampled_from(STATUSES),
)
def test_no_verdict_of_life_or_money_is_false_after_any_moves(
    simulator: Simulator, moves: Moves, expected: str
) -> None:
    with temporary_world(simulator) as world:
        shop = Shop(world)
        for move in moves:
            shop.act(*move)
        lists = Lists(world)
        for kind, id_ in shop.asked:
            query = urlencode({"about": f"{kind}:{id_}", "expected": expected})
            for verdict in world.call_control("GET", f"/why?{query}")["verdicts"]:
                assert verdict["marks"], verdict
                assert (not any(verdict["mend"].values())) == (verdict["why_not"] is not None), verdict
                assert "{" not in verdict["sentence"], verdict
                if verdict["kind"] == "not_due":
                    check_advance(world, kind, id_, expected, verdict)
                elif verdict["kind"] in LIFE_AND_MONEY:
                    check(lists, kind, id_, verdict)
