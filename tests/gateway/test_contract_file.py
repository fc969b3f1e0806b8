"""The short forms of contract files: what they stand for, and names that are not defined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.contract_file import (
    ANSWERS,
    BODY,
    EVERY,
    EXAMPLES,
    HEADERS,
    LISTS,
    BadContract,
    document,
    expanded,
)

ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
PLAIN = {"X-Id": {"$ref": "#/components/headers/X-Id"}}
BAD = {"description": "Wrong.", "x-codes": ["bad"], "headers": PLAIN, "content": ERROR}
SHORT: dict[str, Any] = {
    "openapi": "3.1.0",
    "x-headers": {"plain": ["X-Id"], "limited": ["X-Id", "X-Left"]},
    "x-every-operation": ["bad"],
    "x-every-response": {"x-headers": "plain"},
    "x-every-error": {"x-body": "Error"},
    "x-lists": {"x-list": {"type": "object", "required": ["$name"], "properties": {"$name": {"items": "$items"}}}},
    "x-answers": {
        "bad": {"400": {"description": "Wrong.", "x-codes": ["bad"]}},
        "unfound": {"404": {"description": "Unknown.", "x-codes": ["unfound"], "x-headers": "limited"}},
        "busy": {"409": {"description": "Later.", "x-codes": ["busy"], "x-body": {"type": "string"}}},
    },
    "paths": {
        "/things": {
            "get": {
                "operationId": "listThings",
                "parameters": ["After", {"name": "q", "in": "query"}],
                "responses": {"200": {"description": "Things.", "x-list": {"things": "Thing"}}},
            },
        },
        "/things/{id}": {
            "parameters": ["Id"],
            "put": {
                "operationId": "putThing",
                "requestBody": {"required": True, "x-body": "Thing", "x-examples": {"one": {"value": {}}}},
                "responses": {
                    "201": {"description": "Made.", "x-body": "Thing"},
                    "200": {"description": "Changed.", "headers": {}, "content": {}},
                    "x-answers": ["busy"],
                },
            },
            "delete": {
                "operationId": "deleteThing",
                "responses": {
                    "x-answers": ["busy", "bad", "unfound"],
                    "204": {"description": "Gone."},
                    "400": {"$ref": "#/components/responses/Refused"},
                },
            },
        },
    },
    "webhooks": {
        "thing.made": {
            "post": {"requestBody": {"x-body": "Thing"}, "responses": {"2XX": {"description": "Received."}}},
        }
    },
    "components": {
        "headers": {"X-Id": {}, "X-Left": {}},
        "parameters": {"After": {"name": "after"}, "Id": {"name": "id", "x-answers": ["unfound"]}},
        "responses": {"Refused": {"description": "No.", "x-codes": ["no"]}},
        "schemas": {
            "Error": {},
            "Thing": {},
            "Things": {"x-list": {"things": {"type": "integer"}}, "required": ["rest"], "properties": {"rest": {}}},
        },
    },
}


def responses(path: str, method: str) -> dict[str, Any]:
    answers: dict[str, Any] = expanded(SHORT)["paths"][path][method]["responses"]
    return answers


def changed(*places: str, value: Any) -> dict[str, Any]:
    """The contract with another value in a place."""
    contract = deepcopy(SHORT)
    *parents, last = places
    node = contract
    for name in parents:
        node = node[name]
    node[last] = value
    return contract


def words(node: Any) -> Iterator[str]:
    """Every key below a node."""
    if isinstance(node, Mapping):
        yield from node
        for value in node.values():
            yield from words(value)
    elif isinstance(node, list):
        for value in node:
            yield from words(value)


def test_an_operation_has_the_answers_of_every_operation_and_of_its_parameters() -> None:
    answers = responses("/things/{id}", "put")
    assert list(answers) == ["201", "200", "400", "404", "409"]
    assert answers["400"] == BAD
    assert list(answers["400"]) == ["description", "x-codes", "headers", "content"]
    assert answers["404"]["headers"].keys() == {"X-Id", "X-Left"}
    assert list(responses("/things", "get")) == ["200", "400"]


def test_an_operation_that_has_them_already_keeps_their_order() -> None:
    answers = responses("/things/{id}", "delete")
    assert list(answers) == ["409", "400", "404", "204"]
    assert answers["400"] == {"$ref": "#/components/responses/Refused"}


def test_what_a_response_says_itself_comes_before_the_defaults() -> None:
    answers = responses("/things/{id}", "put")
    assert answers["200"] == {"description": "Changed.", "headers": {}, "content": {}}
    assert answers["409"]["content"] == {"application/json": {"schema": {"type": "string"}}}
    assert responses("/things/{id}", "delete")["204"] == {"description": "Gone.", "headers": PLAIN}
    refused = expanded(SHORT)["components"]["responses"]["Refused"]
    assert refused == {"description": "No.", "x-codes": ["no"], "headers": PLAIN, "content": ERROR}


def test_a_name_stands_for_a_schema_a_header_or_a_parameter() -> None:
    item = expanded(SHORT)["paths"]["/things/{id}"]
    thing = {"$ref": "#/components/schemas/Thing"}
    assert item["parameters"] == [{"$ref": "#/components/parameters/Id"}]
    assert item["put"]["requestBody"] == {
        "required": True,
        "content": {"application/json": {"schema": thing, "examples": {"one": {"value": {}}}}},
    }
    assert item["put"]["responses"]["201"] == {
        "description": "Made.",
        "headers": PLAIN,
        "content": {"application/json": {"schema": thing}},
    }
    listed = expanded(SHORT)["paths"]["/things"]["get"]["parameters"]
    assert listed == [{"$ref": "#/components/parameters/After"}, {"name": "q", "in": "query"}]


def test_a_list_is_the_schema_that_the_contract_says_it_is() -> None:
    schema = responses("/things", "get")["200"]["content"]["application/json"]["schema"]
    assert schema == {
        "type": "object",
        "required": ["things"],
        "properties": {"things": {"items": {"$ref": "#/components/schemas/Thing"}}},
    }
    assert expanded(SHORT)["components"]["schemas"]["Things"] == {
        "type": "object",
        "required": ["things", "rest"],
        "properties": {"things": {"items": {"type": "integer"}}, "rest": {}},
    }


def test_a_webhook_has_a_body_and_no_defaults() -> None:
    assert expanded(SHORT)["webhooks"]["thing.made"]["post"] == {
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
        "responses": {"2XX": {"description": "Received."}},
    }


def test_a_document_without_short_forms_stays_as_it_is() -> None:
    whole = expanded(SHORT)
    assert expanded(whole) == whole
    assert not {ANSWERS, HEADERS, BODY, EXAMPLES, LISTS, "x-list", *EVERY} & set(words(whole))


@pytest.mark.parametrize(
    ("places", "value", "message"),
    [
        (("x-every-operation",), ["bat"], "x-every-operation: x-answers names bat; the contract has only"),
        (
            ("paths", "/things/{id}", "put", "responses", "x-answers"),
            ["bussy"],
            r"PUT /things/\{id\}: x-answers names bussy; the contract has only \['bad', 'busy', 'unfound'\]",
        ),
        (
            ("paths", "/things", "get", "responses", "200", "x-list"),
            {"things": "Thong"},
            r"GET /things 200: x-body: x-list names Thong; the contract has only \['Error', 'Thing', 'Things'\]",
        ),
        (
            ("paths", "/things/{id}", "put", "requestBody", "x-body"),
            "Thong",
            r"PUT /things/\{id\}: x-body names Thong; the contract has only",
        ),
        (
            ("x-answers", "unfound", "404", "x-headers"),
            "limits",
            r"x-answers unfound: 404: x-headers names limits; the contract has only \['limited', 'plain'\]",
        ),
        (("x-headers", "plain"), ["X-Ids"], r"plain: x-headers names X-Ids; the contract has only"),
        (
            ("paths", "/things", "get", "parameters"),
            ["Afte"],
            "GET /things: parameters names Afte; the contract has only",
        ),
        (
            ("components", "schemas", "Things", "x-list"),
            {"things": "Thing", "more": "Thing"},
            "schemas Things: x-list has one member, the list's name, not things, more",
        ),
    ],
)
def test_a_name_that_is_not_defined_is_refused(places: tuple[str, ...], value: Any, message: str) -> None:
    with pytest.raises(BadContract, match=message):
        expanded(changed(*places, value=value))


@pytest.mark.parametrize("name", sorted(CONTRACTS))
def test_no_short_form_is_left_in_a_contract(name: str) -> None:
    lists = {"x-list", "x-counted-list", "x-page", "x-single-page"}
    assert not {ANSWERS, HEADERS, BODY, EXAMPLES, LISTS, *lists, *EVERY} & set(words(document(CONTRACTS[name])))
