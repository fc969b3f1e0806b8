"""Sources of a contract's items: published at each of them, and looked up by operation, place and name."""

from __future__ import annotations

from typing import Any

import pytest

from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.member_sources import published
from giftsim.engine.gateway.sources import Item, Sources

STATUS: dict[str, Any] = {"type": "string"}
DOCUMENT: dict[str, Any] = {
    "servers": [{"url": "/v1"}],
    "x-source": ["P-9.1"],
    "paths": {
        "/things/{id}": {
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}, "x-source": ["P-4.6"]}],
            "post": {
                "operationId": "changeThing",
                "x-source": ["P-4.1", "B4"],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Change"}}}},
                "responses": {
                    "200": {
                        "x-source": ["P-4.1"],
                        "headers": {"X-Count": {"$ref": "#/components/headers/Count"}},
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Things"}}},
                    },
                    "409": {"x-source": ["B5"], "x-codes": ["busy", "gone"]},
                },
            },
        }
    },
    "webhooks": {
        "thing.changed": {
            "post": {
                "operationId": "thingChanged",
                "x-source": ["P-6.1"],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Event"}}}},
                "responses": {"2XX": {"x-source": ["P-6.16"]}},
            }
        }
    },
    "components": {
        "headers": {"Count": {"schema": {"type": "integer"}, "x-source": ["B36"]}},
        "schemas": {
            "Change": {
                "x-member-sources": {"P-2.1": ["name", "days"], "B19": ["days"], "P-2.17": ["late"]},
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "then": {"properties": {"days": {"type": "integer"}}},
                "anyOf": [{"properties": {"late": {"type": "boolean"}}}],
            },
            "Thing": {
                "x-member-sources": {"P-2.21": ["id"], "B23": ["status", "owner"]},
                "type": "object",
                "properties": {
                    "id": {"$ref": "#/components/schemas/Id"},
                    "status": STATUS,
                    "owner": {
                        "x-member-sources": {"B24": ["name"]},
                        "type": "object",
                        "properties": {"name": {"type": "string"}},
                    },
                },
            },
            "Id": {"type": "integer"},
            "Things": {
                "x-member-sources": {"P-4.2": ["things"]},
                "type": "object",
                "properties": {"things": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}}},
            },
            "Event": {
                "x-member-sources": {"P-2.41": ["data"]},
                "properties": {
                    "data": {
                        "allOf": [{"$ref": "#/components/schemas/Thing"}],
                        "properties": {"status": {"const": "done"}},
                    }
                },
            },
        },
    },
    "x-errors": [{"code": "busy", "x-source": ["P-7.2"]}, {"code": "gone", "x-source": ["B2"]}],
}
SOURCES = Sources(Contract(DOCUMENT))


def item(kind: str, operation: str, status: str = "", name: str = "", sources: Sources = SOURCES) -> Item:
    key = (kind, operation, status, name)
    return next(item for item in sources.items if (item.kind, item.operation, item.status, item.name) == key)


def ids(kind: str, operation: str, status: str = "", name: str = "") -> tuple[str, ...]:
    return item(kind, operation, status, name).ids


def test_each_member_is_published_with_its_source() -> None:
    schemas = published(DOCUMENT)["components"]["schemas"]
    assert schemas["Thing"] == {
        "type": "object",
        "properties": {
            "id": {"$ref": "#/components/schemas/Id", "x-source": ["P-2.21"]},
            "status": {"type": "string", "x-source": ["B23"]},
            "owner": {
                "type": "object",
                "properties": {"name": {"type": "string", "x-source": ["B24"]}},
                "x-source": ["B23"],
            },
        },
    }
    assert schemas["Change"]["then"]["properties"]["days"]["x-source"] == ["P-2.1", "B19"]
    assert schemas["Change"]["anyOf"][0]["properties"]["late"]["x-source"] == ["P-2.17"]


def test_a_source_of_no_member_is_refused() -> None:
    with pytest.raises(ValueError, match=r"x-member-sources names nam; the schema has only \['name'\]"):
        published({"x-member-sources": {"P-2.1": ["nam"]}, "properties": {"name": {}}})


def test_every_kind_of_item_is_found() -> None:
    assert ids("operation", "changeThing") == ("P-4.1", "B4")
    assert ids("event", "thingChanged") == ("P-6.1",)
    assert ids("parameter", "changeThing", "", "id") == ("P-4.6",)
    assert ids("request member", "changeThing", "", "days") == ("P-2.1", "B19")
    assert ids("status", "changeThing", "409") == ("B5",)
    assert ids("header", "changeThing", "200", "X-Count") == ("B36",)
    assert ids("response member", "changeThing", "200", "things[].owner.name") == ("B24",)
    assert ids("event member", "thingChanged", "", "data.status") == ("B23",)
    assert ids("code", "", "", "gone") == ("B2",)
    assert SOURCES.whole == ("P-9.1",)


def test_an_item_is_documented_if_a_statement_names_it() -> None:
    operation, status = item("operation", "changeThing"), item("status", "changeThing", "409")
    assert (operation.documented, operation.statements, operation.decisions) == (True, ("P-4.1",), ("B4",))
    assert (status.documented, status.statements, status.decisions) == (False, (), ("B5",))


def test_an_item_that_operations_share_counts_once() -> None:
    shared = [item for item in SOURCES.items if item.place == "/components/schemas/Thing/properties/id"]
    assert [(item.kind, item.operation) for item in shared] == [
        ("response member", "changeThing"),
        ("event member", "thingChanged"),
    ]
    assert len(SOURCES.distinct) == len({(item.kind, item.place) for item in SOURCES.items})


def test_the_items_of_the_products_own_interface_are_its_own() -> None:
    own = Sources(Contract({**DOCUMENT, "x-source": ["giftsim"]}))
    assert {item.ids for item in own.items} == {("giftsim",)}
    operation = item("operation", "changeThing", sources=own)
    assert (operation.documented, operation.decisions) == (False, ())
