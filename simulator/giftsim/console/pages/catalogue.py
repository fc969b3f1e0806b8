"""The catalogue: products with their SKUs, options and prices, which can be changed."""

from __future__ import annotations

from flask import Blueprint, Response, request

from giftsim.console.control_client import current_world
from giftsim.console.curl import curl_command
from giftsim.console.filters import dollars, money, read_cents, record_id
from giftsim.console.page import Place, act_and_return, query_members, redirect_back, render_page

BLUEPRINT = Blueprint("catalogue", __name__)
PLACES = (Place("Catalogue", "catalogue.show", "a", "grid", "World", 2, of="partner"),)
LISTED = 50


@BLUEPRINT.get("/w/<world>/catalogue")
def show() -> Response:
    """The products, by id, or those with a text."""
    world = current_world()
    url = world.describe()["urls"]["control"]
    return render_page(
        "catalogue.html",
        rows=world.get("catalogue", limit=LISTED, **query_members("q", "after")),
        dollars=dollars,
        call=curl_command("POST", f"{url}/simulate/price", {"product": "MUG-01", "price_cents": 2100}),
    )


@BLUEPRINT.post("/w/<world>/catalogue/<id>/price")
def set_price(id: str) -> Response:  # noqa: A002 (the name of the path's parameter)
    """Change the price of a product; orders that were made keep theirs."""
    text = request.form.get("price", "")
    cents = read_cents(text)
    if cents is None or cents < 0:
        return redirect_back(f"{text[:40]!r} is not a price: write dollars, such as 18 or 18.50.", failed=True)
    body = {"product": record_id(id), "price_cents": cents}
    return act_and_return(
        f"Set the price of product {id} to {money(cents)}",
        lambda world: world.post("simulate/price", body),
        said=lambda product: f"{product['name']} costs {money(product['price_cents'])} now.",
    )


@BLUEPRINT.post("/w/<world>/catalogue/<id>/stock")
def set_stock(id: str) -> Response:  # noqa: A002
    """Take a product or one of its options off sale, or put it back; orders that were made keep it."""
    on_sale, option = request.form.get("on_sale") == "true", request.form.get("option")
    body = {"product": record_id(id), "on_sale": on_sale, **({"option": record_id(option)} if option else {})}
    what = f"option {option} of product {id}" if option else f"product {id}"
    return act_and_return(
        f"{'Put' if on_sale else 'Take'} {what} {'back on' if on_sale else 'off'} sale",
        lambda world: world.post("simulate/stock", body),
    )


@BLUEPRINT.post("/w/<world>/catalogue/<id>/review")
def review(id: str) -> Response:  # noqa: A002
    """Review the personalization of a product for all accounts, or withdraw the reviews."""
    reviewed = request.form.get("reviewed") == "true"
    body = {"product": record_id(id), "reviewed": reviewed}
    verb = "Review" if reviewed else "Withdraw the review of"
    return act_and_return(f"{verb} product {id}", lambda world: world.post("simulate/personalization", body))
