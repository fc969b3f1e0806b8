"""Rules about lists: read to their end, although they move meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from giftsim.workbench.exam.exam_rule import READINESS, Rule
from giftsim.workbench.exam.expectations import account
from giftsim.workbench.exam.service_books import CANCELED, UNPAID
from giftsim.workbench.exam.sitting import Sitting
from giftsim.workbench.exam.troubles import LIST

ORDERS: Final = "/api/external/team-orders"
SECOND: Final = 2
NEXT_PAGE: Final = "Ask for the next page, with a larger `offset`, until a page is empty."
READ_AGAIN: Final = (
    "Read the list from its beginning again until a reading finds no order that you do not have, and keep each once, "
    "by its id: what moves up while you read is on no page, and what moves down is on two."
)


def _body(sitting: Sitting) -> dict[str, Any]:
    """The body of an order that somebody else makes with the app's account."""
    order = sitting.drawn_order(1, address=False)
    body = {**order.members, "idempotency_key": sitting.draw.word()}
    sitting.call("POST", ORDERS, body)
    return body


def _unpaid(sitting: Sitting, many: int) -> list[dict[str, Any]]:
    """The bodies of so many orders that could not be paid, oldest first."""
    account(sitting, wallet_cents=0, card="none")
    return [_body(sitting) for _ in range(many)]


def _references(sitting: Sitting, status: str) -> list[str]:
    rows: Sequence[Mapping[str, Any]] = sitting.world.rows("/orders", "orders")
    return [each["reference"] for each in rows if each["status"] == status]


def _read(answer: Mapping[str, Any], sitting: Sitting) -> list[str]:
    """The references that the app read. RuleBroken if it read one twice."""
    read = answer.get("orders")
    sitting.expect(isinstance(read, list), "the app does not tell the `orders` that it read")
    found: list[str] = [str(each) for each in read or ()]
    twice = sorted({each for each in found if found.count(each) > 1})
    sitting.expect(not twice, f"the app read {', '.join(map(repr, twice))} twice", mend=READ_AGAIN)
    return found


def _expect_read(
    sitting: Sitting, found: Collection[str], must: Collection[str], may: Collection[str], page_size: int, mend: str
) -> None:
    """All that must be in the list was read, page by page, or `mend` mends it; and nothing but what may be in it."""
    missing = [each for each in must if each not in found]
    names = ", ".join(map(repr, missing[:3]))
    read = f"the app read {len(must) - len(missing)} of {len(must)} orders of a list in pages of {page_size}"
    sitting.expect(not missing, f"{read}, and left out {names}", mend=mend)
    foreign = [each for each in found if each not in must and each not in may]
    sitting.expect(not foreign, f"{', '.join(map(repr, foreign[:3]))} has another status, and was read all the same")


def _pages(sitting: Sitting) -> None:
    """Lists that end with a full page or within one; orders of the app itself and of others, in several statuses."""
    sitting.begin()
    own = [sitting.settled(sitting.drawn_order(address=False)) for _ in range(2)]
    size = sitting.draw.between(1, 4)
    bodies = _unpaid(sitting, size * sitting.draw.between(2, 3) + sitting.draw.between(0, 1))
    gone = sitting.random.sample(range(len(bodies)), sitting.draw.between(0, 1))
    numbers = {each["reference"]: each["id"] for each in sitting.world.rows("/orders", "orders")}
    for place in gone:
        sitting.call("POST", f"{ORDERS}/{numbers[bodies[place]['reference']]}/cancel", {"reason": "not wanted"})
    own_statuses = [sitting.only_order(each)["order"]["status"] for each in own]
    reads = {UNPAID: size, sitting.draw.one_of(*own_statuses, CANCELED): sitting.draw.between(1, 100)}
    for status, page_size in sitting.random.sample(sorted(reads.items()), len(reads)):
        found = _read(sitting.app.do("read", status=status, page_size=page_size), sitting)
        _expect_read(sitting, found, _references(sitting, status), (), page_size, NEXT_PAGE)


def _moving(sitting: Sitting, move: Callable[[Sitting, Sequence[Mapping[str, Any]]], None]) -> None:
    """The list moves when the app has read its first page."""
    sitting.begin()
    size = sitting.draw.between(2, 3)
    bodies = _unpaid(sitting, size * 2 + sitting.draw.between(1, 2))
    before = _references(sitting, UNPAID)
    match = {"operation": LIST, "interface": "partner"}
    second = sitting.fault(match=match, when={"calls": [SECOND]}, effect={"hold": True})
    reading = sitting.app.do_later("read", status=UNPAID, page_size=size)
    sitting.until_held(reading)
    move(sitting, bodies[-size:])
    sitting.end_fault(second)
    found, after = _read(reading.result(), sitting), _references(sitting, UNPAID)
    stayed = [each for each in before if each in after]
    _expect_read(sitting, found, stayed, {*before, *after}, size, READ_AGAIN)


def _some_are_paid(sitting: Sitting, first_page: Sequence[Mapping[str, Any]]) -> None:
    account(sitting, card="good", card_fallback=True)
    for body in sitting.random.sample(first_page, sitting.draw.between(1, len(first_page))):
        sitting.call("POST", ORDERS, dict(body))


def _some_are_new(sitting: Sitting, first_page: Sequence[Mapping[str, Any]]) -> None:  # noqa: ARG001  # none of it moves
    for _ in range(sitting.draw.between(1, 2)):
        _body(sitting)


def _moves_up(sitting: Sitting) -> None:
    """Orders of the first page are paid, so that all others move up."""
    _moving(sitting, _some_are_paid)


def _moves_down(sitting: Sitting) -> None:
    """New orders come first, so that all others move down."""
    _moving(sitting, _some_are_new)


RULES = (
    Rule(
        id="pages_to_the_end",
        rule="A list is read to its last page, whatever the size of a page, and with one status only.",
        sources=("P-4.2", "P-4.3", "P-4.4"),
        probes=(_pages,),
        needs=("order", "read"),
        groups=(READINESS,),
    ),
    Rule(
        id="reads_moving_lists",
        rule="A list that moves while it is read is read whole, and each order in it once.",
        sources=("P-4.2", "P-4.3", "P-4.4"),
        probes=(_moves_up, _moves_down),
        needs=("order", "read"),
        groups=(READINESS,),
    ),
)
