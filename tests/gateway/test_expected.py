"""Refusals give the reason first, list all choices, and show no regular expression, at every node of every schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from giftsim.build import CONTRACTS
from giftsim.engine.gateway.body_schema import Schema, Violation
from giftsim.engine.gateway.contract import Contract
from giftsim.engine.gateway.expected import LINE_FEEDS, PATTERNS, pattern_words, preview
from giftsim.engine.gateway.parameter import InvalidValue
from giftsim.services.fixture_loader.check import json_schema
from tests.support.orders import order_body
from tests.support.worlds import World

Node = Mapping[str, Any]
# The keywords that a node itself decides, without those of the nodes below it.
OWN: Final = {
    "type", "enum", "const", "pattern", "format", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minProperties", "maxProperties", "x-message",
}  # fmt: skip
LONG: Final = "x" * 5_000
# For each keyword, one of these does not fit, whatever its value is.
UNFIT: Final = [
    None, True, -(10**15), 1.5, 10**15, "", " ", "?", "a\nb", "\x00", LONG, [], [1, 1], [1] * 5_001, {},
    {str(i): 1 for i in range(30)}, {"?": 1},
]  # fmt: skip
STARTS: Final = ("must ", "is ", "has ", "may ", "needs ", "names ", "either ")
MANY: Final = 40  # an enumeration with more choices, such as that of all countries, is described


def nodes_below(node: Any, path: str) -> Iterator[tuple[str, Node]]:
    """Every node of a document that says something of values itself, with its place."""
    if isinstance(node, list):
        for i, each in enumerate(node):
            yield from nodes_below(each, f"{path}/{i}")
    elif isinstance(node, Mapping):
        yield path, node
        for name, each in node.items():
            if name not in ("examples", "x-message", "x-code", "enum", "const", "responses", "headers"):
                yield from nodes_below(each, f"{path}/{name}")


def schemas() -> Iterator[tuple[str, Node]]:
    """The nodes of all request bodies, with the components that they reach, and those of fixtures."""
    for interface, file in CONTRACTS.items():
        for op in Contract.load(file).operations.values():
            if op.body_schema is not None:
                yield from nodes_below(op.body_schema.document, f"{interface} {op.id}")
    yield from nodes_below(json_schema(), "fixture")


def distinct() -> dict[str, Node]:
    """Each node once, by the first place that has it, without what other nodes say."""
    found: dict[str, Node] = {}
    for place, node in schemas():
        own = {name: value for name, value in node.items() if name in OWN}
        if not own.keys() <= {"x-message"} and not isinstance(own.get("type"), Mapping):
            found.setdefault(repr(own), {"place": place, **own})
    return {str(node["place"]): node for node in found.values()}


NODES: Final = distinct()


def refusals(node: Node) -> Iterator[tuple[Any, Violation]]:
    """What the node says of each value that does not fit."""
    schema = Schema({name: value for name, value in node.items() if name != "place"}, {})
    for value in UNFIT:
        for violation in schema.violations(value):
            yield value, violation


@pytest.mark.parametrize("place", NODES)
def test_a_refusal_says_why_first_and_shows_no_regular_expression(place: str) -> None:
    node = NODES[place]
    refused = list(refusals(node))
    assert {"type", "enum", "const", "pattern"} & node.keys() <= {each.keyword for _, each in refused}
    for value, violation in refused:
        message = violation.message
        assert message.startswith(f"body: {violation.safe_message}")
        assert violation.safe_message.startswith(STARTS)
        assert "^" not in message
        assert pattern_words("no such") not in message
        assert LONG not in message
        assert len(message) < 600
        if "x-message" not in node and isinstance(value, str | int | float) and violation.keyword != "minLength":
            assert preview(value) in message


@pytest.mark.parametrize(
    "place", [place for place, node in NODES.items() if len(node.get("enum", ())) in range(1, MANY)]
)
def test_a_refusal_of_an_enumeration_lists_all_choices(place: str) -> None:
    node = NODES[place]
    messages = {each.message for _, each in refusals(node) if each.keyword == "enum"}
    assert messages
    for choice in node["enum"]:
        assert all((choice or "null") in message for message in messages)


def parameters() -> Iterator[tuple[str, Any]]:
    """The parameters of all operations that have a pattern or an enumeration."""
    for interface, file in CONTRACTS.items():
        for op in Contract.load(file).operations.values():
            for parameter in (*op.path_params, *op.query_params):
                if {"pattern", "enum"} & parameter.schema.keys():
                    yield f"{interface} {op.id} {parameter.name}", parameter


PARAMETERS: Final = dict(parameters())


@pytest.mark.parametrize("place", PARAMETERS)
def test_a_refusal_of_a_parameter_does_too(place: str) -> None:
    parameter = PARAMETERS[place]
    refused = []
    for text in ("?\n", " ", "x y"):
        try:
            parameter.parse(text)
        except InvalidValue as error:
            refused.append(str(error))
    assert refused
    for message in refused:
        assert message.startswith(f"{parameter.name} ")
        assert "^" not in message
        assert pattern_words("no such") not in message
        assert all(choice in message for choice in parameter.schema.get("enum", ()))


def test_every_pattern_that_has_words_is_used() -> None:
    used = {node.get("pattern") for node in NODES.values()}
    used |= {name["pattern"] for _, node in schemas() if isinstance(name := node.get("propertyNames"), Mapping)}
    used |= {parameter.schema.get("pattern") for parameter in PARAMETERS.values()}
    assert set(PATTERNS) - used == {LINE_FEEDS}  # in place of ANY_LINES, by a setting


ITEM: Final = {"type": "object", "properties": {"id": {"type": "string", "pattern": r"^\S{1,64}$"}}}
ONE_OR_MORE: Final = {"anyOf": [ITEM, {"type": "array", "items": ITEM}]}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"id": ""}, "id: must be 1 to 64 characters without blanks, not ''"),
        ([{"id": ""}], "[0].id: must be 1 to 64 characters without blanks, not ''"),
        (5, "body: must be an object or a list, not 5"),
    ],
)
def test_of_two_forms_the_one_that_the_value_has_gives_the_reason(value: Any, message: str) -> None:
    assert [each.message for each in Schema(ONE_OR_MORE, {}).violations(value)] == [message]


def test_json_in_json_is_named() -> None:
    (violation,) = Schema({"type": "object"}, {}).violations('{"name": "Bo"}')
    assert violation.message.endswith("""not '{"name": "Bo"}'; it looks like JSON that was encoded twice""")


def test_the_value_is_shortened_and_its_letters_stay() -> None:
    assert preview("Ærøskøbing – 東京") == "'Ærøskøbing – 東京'"
    assert preview("x" * 5_000) == f"'{'x' * 57}...'"
    assert [preview(value) for value in (None, True, 1.0, {}, {"a": 1}, [1])] == [
        "null", "true", "1.0", "an empty object", "an object", "a list",
    ]  # fmt: skip


def test_of_a_large_body_the_true_number_of_entries_is_named() -> None:
    schema = Schema({"type": "object", "properties": {"rows": {"type": "array", "maxItems": 100}}}, {})
    (violation,) = schema.violations({"rows": [1] * 20_000})
    assert violation.message == "rows: must have at most 100 entries, not 20,000"


def _message(world: World, method: str, path: str, body: Any = None, **headers: str) -> str:
    sent = world.credentials["partner.prepaid"]["headers"] | {n.replace("_", "-"): v for n, v in headers.items()}
    answer = world.client.call(method, path, body=body, headers=sent)
    assert answer.status in (400, 404), answer.text
    return str(answer.json()["error"]["message"])


def test_letters_beyond_ascii_stay_letters_in_every_message(world: World) -> None:
    prefix = "/api/external"
    url = {"url": "https://bücher.example/", "events": ["team_order.claimed"]}
    messages: list[str] = [
        _message(world, "GET", f"{prefix}/team-orders?status=m%C3%BCde"),
        _message(world, "GET", f"{prefix}/m%C3%BCde"),
        _message(world, "GET", "/m%C3%BCde"),
        _message(world, "GET", f"{prefix}/team-orders", X_Sim_Fault="müde".encode().decode("latin-1")),
        _message(world, "POST", f"{prefix}/team-orders", order_body(open_seats="müde")),
        _message(world, "POST", f"{prefix}/webhooks", {**url, "url": "https://a.example/", "events": ["müde"]}),
        _message(world, "POST", f"/_sim/v1/worlds/{world.id}/faults", {"effect": {"drop": "müde"}}),
        _message(world, "PATCH", f"/_sim/v1/worlds/{world.id}/settings", {"müde": 1}),
    ]
    assert [message for message in messages if "müde" not in message] == []
    assert "bücher" in _message(world, "POST", f"{prefix}/webhooks", url)
