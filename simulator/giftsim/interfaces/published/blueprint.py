"""The routes of the index and of the published contracts."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from giftsim.gateway.contract import Contract
from giftsim.interfaces.published.contract_document import published_document
from giftsim.interfaces.published.index import OTHERS, as_json, contract_addresses
from giftsim.pages.responses import html_response, json_response, wants_html
from giftsim.worlds.runtime import Runtime

ABOUT = "A sandbox of a corporate-gifting service, with a clock that you control. This is what it has, and where."
CONTRACTS = "Every interface with its operations, as a document of OpenAPI 3.1."


def published(runtime: Runtime, contracts: Mapping[str, Contract], version: str) -> Blueprint:
    """The index at `/` and `/openapi`, and the `contracts` under `/openapi/{name}.json`, as a blueprint."""
    routes = Blueprint("published", __name__, template_folder="templates")
    described = contract_addresses(contracts)

    @routes.get("/")
    def index() -> Response:
        origin, addresses = runtime.origin, (*described, *OTHERS)
        if wants_html():
            title = f"giftsim {version}"
            return html_response(200, "index.html", title=title, text=ABOUT, addresses=addresses, origin=origin)
        return json_response(200, {"name": "giftsim", "version": version, "addresses": as_json(addresses, origin)})

    @routes.get("/openapi")
    def contract_index() -> Response:
        origin = runtime.origin
        if wants_html():
            title = "OpenAPI descriptions"
            return html_response(200, "index.html", title=title, text=CONTRACTS, addresses=described, origin=origin)
        return json_response(200, {"contracts": as_json(described, origin)})

    @routes.get("/openapi/<name>.json")
    def contract(name: str) -> Response:
        if name not in contracts:
            raise NotFound
        return json_response(200, published_document(name, contracts[name], runtime.origin))

    return routes
