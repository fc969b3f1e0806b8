"""Random deals of a CRM whose contacts change, and rules that make gifts of them; the world is compared each time."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from tests.models.compare import assert_same
from tests.models.people import Name
from tests.models.people_machine import ContactsMachine, emails, names, shown
from tests.models.people_rules import COLOURS, DAY, HOUR, PRICES, SIZES, Rule, Rules, Skipped
from tests.models.team_comparison import compare_members
from tests.models.team_machine import START

IDS = {"mug-01": 101, "tee-01": 102, "pen-01": 103}
triggers = st.sampled_from(("deal_won", "deal_won", "stage_changed"))
changes = st.sampled_from(("merge", "convert", "make_again"))
MARKS: dict[str, dict[str, str]] = {
    **{name: {"product": name} for name in PRICES},
    **{name: {"product": "tee-01", "option": name} for name in (*SIZES, *COLOURS)},
    **{code: {"sku": code} for code in ("TEE-01", "TEE-01-S-NAVY", "TEE-01-M-BLACK")},
}
SKUS_OF_PRODUCTS = {"MUG-01": "mug-01", "PEN-01": "pen-01"}  # a product without options is its SKU
ADDRESS = {"address1": "3 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}
MOST_DEALS, MOST_RULES = 12, 3
places = st.integers(0, 9)


class PeopleRulesMachine(ContactsMachine):
    """A team whose rules send gifts to the contacts of deals."""

    model: Rules
    once = True

    @initialize(follows=st.booleans(), first=st.lists(st.tuples(names, shown, st.none() | emails), max_size=4),
                once=st.sampled_from((True, True, False)), budget=st.sampled_from((None, None, 6000)),
                deals=st.lists(places, max_size=4), item=st.sampled_from(("mug-01", "mug-01", "tee-01")),
                given=st.booleans())  # fmt: skip
    def begin(
        self, follows: bool, first: list[tuple[Name, str, str | None]], *, once: bool, budget: int | None,
        deals: list[int], item: str, given: bool,
    ) -> None:  # fmt: skip
        """A CRM with some contacts, and a rule for deals that are won, of which there are some."""
        self.once = once
        assert self.world.control("PATCH", "/settings", {"rules.once_per_contact": once}).status == 200
        assert self.world.verb("team", balance_cents=10_000_000).status == 200
        self.seen, self.mailed = len(self.world.view("events")), len(self.world.view("mail"))
        super().begin(follows, first)
        self.add_rule("deal_won", item, budget)
        for place in deals:
            self.win(("contact", "1"), place, "deal_won", "evaluate" if given else "")

    def _model(self, follows: bool) -> Rules:
        return Rules(START, follows_former=follows, once=self.once)

    @invariant()
    def compare_news(self) -> None:
        """Each mail and each event is there once."""
        self.model.count_requests()
        rows = self.world.view(f"events?after={self.seen}")
        self.seen += len(rows)
        assert_same(sorted(self.model.events), sorted(row["type"] for row in rows), "the events")
        self.model.events.clear()
        rows = self.world.view(f"mail?after={self.mailed}")
        self.mailed += len(rows)
        expected = [(to, "claim_link") for to in self.model.mails]
        assert_same(expected, [(row["to"], row["kind"]) for row in rows], "the mails")
        self.model.mails.clear()

    # Deals and rules

    @precondition(lambda self: self.model.contacts and len(self.model.deals) < MOST_DEALS)
    @rule(place=places, other=places, changes=st.lists(changes, min_size=1, max_size=3), again=st.booleans())
    def change_contact(self, place: int, other: int, changes: list[str], *, again: bool) -> None:
        """Something becomes of a contact, mostly one who got a gift, and then it has a deal, perhaps another one."""
        given = [each.contact for about in self.model.rules for each in about.awards if each.contact.is_alive]
        some = given if given and place < 8 else self.model.contacts
        contact = some[place % len(some)]
        name = (contact.object_type, contact.id)
        for each in changes:
            name = self._change(name, other, each)
        for then in ("evaluate", "evaluate") if again else ("evaluate",):
            self._win(name, "deal_won", then)

    def _change(self, name: Name, other: int, change: str) -> Name:
        """Let a contact change; the name that it has then, or whoever is what it was."""
        contact = self.model.find(name)
        into = self.model.contacts[other % len(self.model.contacts)]
        new = str(other % 4 + 1)
        if change == "merge":
            self.merge(name, (into.object_type, into.id))
            return into.object_type, into.id
        if change == "convert":
            self.convert(contact.id, new)
            return contact.object_type, contact.id
        self.delete(name)
        self.upsert(name, contact.name, contact.email)
        return name

    @precondition(lambda self: len(self.model.deals) < MOST_DEALS)
    @rule(name=names, place=places, trigger=triggers, then=st.sampled_from(("", "evaluate", "evaluate", "pass_time")))
    def win(self, name: Name, place: int, trigger: str, then: str) -> None:
        """A contact has a deal, mostly one that exists; rules run perhaps."""
        if self.model.contacts and place < 8:
            contact = self.model.contacts[place % len(self.model.contacts)]
            name = (contact.object_type, contact.id)
        self._win(name, trigger, then)

    def _win(self, name: Name, trigger: str, then: str) -> None:
        answer = self._crm(deals=[{"object_type": name[0], "id": name[1], "trigger_type": trigger}])
        self._agree(answer, lambda: self.model.win(name, trigger))
        if then == "evaluate":
            self.evaluate()
        elif then:
            self.pass_time(DAY)

    @precondition(lambda self: len(self.model.rules) < MOST_RULES)
    @rule(trigger=triggers, item=st.sampled_from(("pen-01", "tee-01", "tee-01")), budget=st.sampled_from((None, 3400)))
    def add_rule(self, trigger: str, item: str, budget: int | None) -> None:
        """A rule is created."""
        body = {
            "kind": "crm", "name": "A rule", "trigger_type": trigger, "budget_monthly_cents": budget,
            "bundle": {"items": [{"merchant_product_id": IDS[item], "quantity": 1}]},
        }  # fmt: skip
        answer = self._post("/rules", body)
        self._agree(answer, lambda: self.model.add_rule(trigger, item, budget))
        if answer.status == 201:
            assert_same(self.model.rules[-1].id, answer.json["id"], "the rule")

    @rule(place=places)
    def switch(self, place: int) -> None:
        """A rule is switched off, or on again: then it makes up for what it missed."""
        about = self._rule(place)
        about.is_active = not about.is_active
        answer = self.world.call(
            "team.live_approver", "PATCH", f"/api/teams/v1/rules/{about.id.value}", {"active": about.is_active}
        )
        assert answer.status == 200, answer

    def _rule(self, place: int) -> Rule:
        return self.model.rules[place % len(self.model.rules)]

    @rule(place=places)
    def preview(self, place: int) -> None:
        """What a rule would do, which does nothing."""
        about = self._rule(place)
        path = f"/api/teams/v1/rules/{about.id.value}/preview?kind=crm"
        answer = self.world.call("team.live_approver", "GET", path)

        def expect() -> None:
            planned, skipped = self.model.plan(about)
            expected = {
                "sends": [{"display_name": each.name, "amount_cents": about.cents} for each in planned],
                "skipped": [_skipped(each) for each in skipped], "total_cents": about.cents * len(planned),
            }  # fmt: skip
            compare_members(expected, answer.json, "the preview")

        self._agree(answer, expect)

    @rule()
    def evaluate(self) -> None:
        """All rules run now."""
        answer = self._post("/rules/evaluate", {"kind": "crm"})

        def expect() -> None:
            made, skipped = self.model.evaluate()
            gifts = [{"rule_id": each.rule.id, "id": each.gift and each.gift.id} for each in made]
            expected = {"gifts": gifts, "skipped": [_skipped(each) for each in skipped]}
            compare_members(expected, answer.json, "the evaluation")

        self._agree(answer, expect)

    @rule(mark=st.sampled_from((*MARKS, *SKUS_OF_PRODUCTS)), on_sale=st.booleans())
    def stock(self, mark: str, *, on_sale: bool) -> None:
        """A product, an option or a single SKU goes off sale, or comes back."""
        answer = self.world.verb("stock", **MARKS.get(mark, {"sku": mark}), on_sale=on_sale)
        assert answer.status == 200, answer
        (self.model.off.discard if on_sale else self.model.off.add)(SKUS_OF_PRODUCTS.get(mark, mark))

    @rule(options=st.sampled_from((tuple(SIZES), tuple(COLOURS))), on_sale=st.booleans())
    def stock_of_a_variation(self, options: tuple[str, ...], *, on_sale: bool) -> None:
        """All options of a variation go off sale, or come back."""
        for each in options:
            self.stock(each, on_sale=on_sale)

    # Gifts

    @precondition(lambda self: self.model.gifts)
    @rule(place=places, decision=st.sampled_from(("approve", "approve", "reject")))
    def decide(self, place: int, decision: str) -> None:
        """A human decides about a gift."""
        waiting = [each for each in self.model.gifts if each.status == "awaiting_approval"]
        some = waiting if waiting and place < 8 else self.model.gifts
        gift = some[-1 - place % len(some)]
        answer = self.world.verb("approval", gift_id=gift.id.value, decision=decision)
        self._agree(answer, lambda: self.model.decide(gift, decision))

    @rule(place=places, size=st.sampled_from(tuple(SIZES)), colour=st.sampled_from(tuple(COLOURS)))
    def claim(self, place: int, size: str, colour: str) -> None:
        """The recipient of a tee picks one, after somebody has approved it."""
        tees = [each for each in self.model.gifts if self.model.item_of(each) == "tee-01"]
        tees = [each for each in tees if each.status in ("awaiting_approval", "sent")]
        if not tees:
            return
        gift: Any = tees[place % len(tees)]
        if gift.status == "awaiting_approval":
            answer = self.world.verb("approval", gift_id=gift.id.value, decision="approve")
            self._agree(answer, lambda: self.model.decide(gift, "approve"))
        selection = {"1021": SIZES[size], "1022": COLOURS[colour]}
        answer = self.world.verb("claim", gift_id=gift.id.value, recipient=0, address=ADDRESS, selection=selection)
        self._agree(answer, lambda: self.model.claim(gift, size, colour))

    @rule(seconds=st.sampled_from((HOUR, 9 * HOUR, DAY, DAY, DAY, 3 * DAY, 31 * DAY, 362 * DAY)))
    def pass_time(self, seconds: int) -> None:
        """Time passes, and rules run in the mornings."""
        self.world.advance(by=f"{seconds // HOUR}h")
        self.model.advance(seconds)


def _skipped(each: Skipped) -> dict[str, Any]:
    return {"rule_id": each.rule.id, "display_name": each.name, "reason": each.reason}
