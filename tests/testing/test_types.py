"""What the fixture's members return is typed as the test-control API documents it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType, GenericAlias
from typing import Any, Literal, assert_type, get_type_hints, is_typeddict

import pytest

from giftsim import Simulator
from giftsim.testing import Giftsim, records, results
from giftsim.testing.control_client import ControlClient
from tests.docs.pages import DOCS
from tests.support.application import create_order, send_gift

NAMES = {"Attempt": "Attempted"}
# Types of parts that the contract does not name, and of responses that are not a schema of it.
PARTS = frozenset(
    {"Fired", "Change", "Credit", "Posting", "Variation", "Option", "Sku", "LoggedRequest", "Mark", "Mend"}
)
OTHERS = frozenset({"Parcels", "UndoneCall", "Subscription"})
PLAIN: dict[str, Any] = {
    "string": str, "integer": int, "number": float, "boolean": bool, "null": None, "object": dict[str, Any],
}  # fmt: skip
TYPES = {
    name: each
    for module in (results, records)
    for name, each in vars(module).items()
    if is_typeddict(each) and name not in PARTS | OTHERS
}


def type_of(schema: Mapping[str, Any], schemas: Mapping[str, Any], hint: Any) -> Any:
    """The Python type of a schema; an object with members is compared with the TypedDict that the hint names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        typed = TYPES.get(next((ours for ours, theirs in NAMES.items() if theirs == name), name))
        return type_of(schemas[name], schemas, hint) if typed is None else typed
    if "anyOf" in schema:
        return union(type_of(each, schemas, hint) for each in schema["anyOf"])
    if "const" in schema:
        return Literal.__getitem__(schema["const"])
    if "enum" in schema:
        values: Any = Literal.__getitem__(tuple(value for value in schema["enum"] if value is not None))
        return values | None if None in schema["enum"] else values
    if isinstance(schema["type"], list):
        return union(type_of({**schema, "type": each}, schemas, hint) for each in schema["type"])
    if schema["type"] == "array":
        item = getattr(hint, "__args__", (None,))[0]
        return GenericAlias(list, (type_of(schema["items"], schemas, item) if "items" in schema else Any,))
    if schema["type"] == "object" and is_typeddict(hint):
        check_members(hint, schema, schemas)
        return hint
    if schema["type"] == "object" and isinstance(schema.get("additionalProperties"), dict):
        return GenericAlias(dict, (str, type_of(schema["additionalProperties"], schemas, None)))
    return PLAIN[schema["type"]]


def union(members: Iterator[Any]) -> Any:
    first, *rest = members
    for each in rest:
        first = first | each
    return first


def check_members(typed: Any, schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> None:
    hints = get_type_hints(typed)
    members = {name: type_of(each, schemas, hints.get(name)) for name, each in schema["properties"].items()}
    assert hints == members, typed.__name__
    assert typed.__required_keys__ == frozenset(schema.get("required", ())), typed.__name__


@pytest.mark.parametrize("name", TYPES)
def test_a_type_has_the_members_of_its_schema(simulator: Simulator, name: str) -> None:
    schemas = simulator.client.call("GET", "/openapi/control.json").json()["components"]["schemas"]
    check_members(TYPES[name], schemas[NAMES.get(name, name)], schemas)


def public_members() -> Iterator[tuple[str, Any]]:
    for name, member in inspect.getmembers(Giftsim):
        if name.startswith("_"):
            continue
        function = member.fget if isinstance(member, property) else inspect.unwrap(member)
        if isinstance(function, FunctionType):
            yield name, function


def test_every_member_returns_a_typed_value() -> None:
    untyped = []
    for name, function in public_members():
        returned = function.__annotations__["return"]
        if returned == "Any" or "object" in returned:
            untyped.append(name)
    # Its overloads are typed.
    assert untyped == ["listed"]
    assert ControlClient.listed.__annotations__["path"] == "str"


def test_a_checker_knows_the_members(sim: Giftsim) -> None:
    """`make check` checks the types that are asserted here."""
    secret = assert_type(sim.subscribe("team_order.shipped"), results.Subscription)["secret"]
    assert secret.startswith("whsec_")
    order = create_order(sim)
    assert assert_type(sim.claim(order), results.Parcel)["claimed_at"]
    assert assert_type(sim.approve(send_gift(sim)), results.Approval)["decided_at"]
    report = assert_type(sim.advance("3d", fired=True), results.Advance)
    assert len(report["fired"]) == report["fired_count"] > 0
    assert assert_type(sim.listed("orders"), list[records.Order])[0]["status"]
    assert assert_type(sim.listed("calls"), list[records.LoggedCall])[0]["request"]["method"] == "POST"
    assert assert_type(sim.parcel(order, "exception"), results.Parcels)["parcels"][0]["status"] == "delayed"
    assert assert_type(sim.rehearse("card-closed", key="partner.prepaid"), results.Rehearsed)["done"][0]["answer"]
    assert assert_type(sim.rehearsals(), list[results.Rehearsal])[0]["fear"]
    assert assert_type(sim.ship(order, to="delivered"), results.Parcels)["parcels"][0]["delivered_at"]
    assert assert_type(sim.events("team_order.shipped"), list[results.Event])[0]["audience"] == 1
    assert assert_type(sim.fund(5), results.Account)["wallet_cents"]
    assert assert_type(sim.undo(), list[results.UndoneCall])[0]["method"] == "POST"
    assert assert_type(sim.redo(), list[results.UndoneCall])[0]["method"] == "POST"


def test_every_type_is_documented() -> None:
    page = (DOCS / "reference" / "pytest-plugin.md").read_text(encoding="utf-8")
    names = {*TYPES, *OTHERS, "Giftsim", "Webhook", "DeliveryResult", "Response", "ControlRefused", "CallNotRouted"}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
