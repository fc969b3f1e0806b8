"""The planted mistakes: what is wrong with each app, the rule that names it, and how it is started."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.exam.planted import first_integration as first
from tests.exam.planted import further


class Mistake(msgspec.Struct, frozen=True):
    """A mistake: what is wrong, the id of the rule that names it, and the class of the shop that makes it.

    Without a class it is a bug of the example app that `tools.explored_apps.BUGS` names.
    """

    wrong: str
    rule: str
    shop: Any = None


def _planted(rule: str, shop: Any) -> Mistake:
    return Mistake(shop.__doc__.splitlines()[0], rule, shop)


FIRST = {
    "new-key-on-retry": _planted("pays_once", first.NewKeyOnRetry),
    "once-per-shipment": _planted("books_every_event", first.OncePerShipment),
    "writes-again": _planted("verifies_raw_bytes", first.WritesAgain),
    "last-comes-last": _planted("orders_events_by_time", first.LastComesLast),
}
FURTHER = {
    "goods-only": _planted("books_what_was_charged", further.BooksGoodsOnly),
    "cancels-all": _planted("cancels_what_it_means", further.CancelsAll),
    "refunds-expired": _planted("books_expired_links", further.RefundsExpired),
    "first-page": _planted("pages_to_the_end", further.FirstPage),
    "ascii-names": _planted("takes_letters_from_everywhere", further.AsciiNames),
    "misses-early-events": _planted("takes_early_webhooks", further.MissesEarlyEvents),
    "believes-the-future": _planted("refuses_old_webhooks", further.BelievesTheFuture),
    "first-signature": _planted("reads_every_signature", further.FirstSignature),
    "keeps-secrets": _planted("refuses_old_secrets", further.KeepsSecrets),
    "orders-anew": _planted("waits_out_unknown_outcomes", further.OrdersAnew),
    "tells-links": _planted("keeps_claim_links", further.TellsLinks),
    "winter-time": _planted("tells_when_it_happened", further.WinterTime),
    "marks-first": _planted("reports_its_failures", further.MarksFirst),
    "knows-its-own": _planted("ignores_others_events", further.KnowsItsOwn),
    "settles-by-its-books": _planted("settles_what_is_owed", further.SettlesByItsBooks),
}
KNOWN = {
    "charged-twice": Mistake("Each request of an order places it, with a key of its own.", "orders_once"),
    "new-key": Mistake("After a lost response an order is sent again with a new key.", "pays_once"),
    "lost-is-failed": Mistake("A lost response counts as a failure.", "pays_once"),
    "stale-read": Mistake("After a webhook the shop reads its order from a cache.", "orders_events_by_time"),
    "late-event-revives": Mistake("A late event brings a canceled parcel back.", "keeps_what_is_canceled"),
    "counted-twice": Mistake("An event that arrives twice earns points twice.", "books_each_event_once"),
    "one-secret": Mistake("Only the newest secret is accepted.", "takes_new_secrets"),
    "parsed-signature": Mistake("The signature is computed over the JSON as the shop writes it.", "verifies_raw_bytes"),
    "declined-forever": Mistake("A declined order cannot be paid later.", "pays_declined_orders_later"),
    "no-back-off": Mistake("A 429 is tried again at once, and then given up.", "honours_retry_after"),
    "float-cents": Mistake("Amounts are kept as floats.", "books_what_was_charged"),
    "whole-refund": Mistake("A partial cancellation refunds the whole order.", "books_refunds"),
    "unknown-event": Mistake("An event of an unknown type is an error.", "survives_unknown_kinds"),
    "utc-month": Mistake("A gift counts in its month in UTC, and not in Los Angeles.", "keeps_monthly_budgets"),
    "day-twice": Mistake("The day of 25 hours is closed in the middle.", "keeps_monthly_budgets"),
    "decided-twice": Mistake("A decision is booked although the gift was booked.", "keeps_monthly_budgets"),
    "superseded-paid": Mistake("An amount is booked that a new price has replaced.", "waits_for_approval"),
    "page-missed": Mistake("A list that moves is read page by page, once.", "pays_declined_orders_later"),
    "expiry-early": Mistake("The shop takes a link for expired by its own clock.", "books_expired_links"),
    "answered-early": Mistake("A webhook is answered before its work is done.", "reports_its_failures"),
}
MISTAKES = {**FIRST, **FURTHER, **KNOWN}
