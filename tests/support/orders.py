"""Request bodies for partner team orders."""

from __future__ import annotations

from typing import Any

RENO = {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}


def order_body(**members: Any) -> dict[str, Any]:
    """The body of a team order; a member given as None is left out."""
    body = {
        "idempotency_key": "first",
        "gift_sender": "Ada",
        "items": [{"sku_code": "MUG-01", "quantity": 1}],
        "recipients": [{"name": "Bo", "email": "bo@example.com"}],
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def email_recipients(count: int, **members: Any) -> list[dict[str, Any]]:
    """Recipients without an address: each gets a claim link."""
    return [{"name": f"Person {i}", "email": f"person{i}@example.com", **members} for i in range(count)]


def address_recipients(count: int = 1, **members: Any) -> list[dict[str, Any]]:
    """Recipients with an address in Reno."""
    return [{"name": f"Person {i}", "address": dict(RENO), **members} for i in range(count)]


def claim_tokens(order: Any) -> list[str]:
    """The tokens of the claim links in a response's JSON."""
    return [row["claim"]["link"].rsplit("/", 1)[1] for row in order["recipients"] if "link" in row["claim"]]
