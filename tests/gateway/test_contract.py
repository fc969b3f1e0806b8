"""Contracts: routing, what an operation knows of itself, and contracts that refuse to start."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from giftsim.engine.gateway import yaml_cache
from giftsim.engine.gateway.contract import Contract, path_templates
from giftsim.engine.gateway.contract_file import BadContract, document
from giftsim.engine.gateway.node import resolve_ref
from tests.support import sample_api
from tests.support.sample_api import echo, operation, sample_interface


def contract(**paths: dict[str, str]) -> Contract:
    """A contract of paths: each maps methods to operation ids."""
    return Contract(
        sample_api.document(
            paths={
                path: {method: operation(name) for method, name in methods.items()} for path, methods in paths.items()
            }
        )
    )


def routed(routes: Contract, path: str, method: str = "GET") -> tuple[str, dict[str, str]] | None:
    """The id of the operation at a path, and its parameters."""
    match = routes.match(path)
    return (match[0].operations[method].id, match[1]) if match else None


ROUTES = contract(
    **{
        "/things": {"get": "listThings", "post": "createThing"},
        "/things/{id}": {"get": "getThing"},
        "/things/latest": {"get": "getLatest"},
        "/things/latest/only": {"get": "getOnly"},
        "/things/{id}/notes/{note}": {"get": "getNote"},
        "/reports/{name}.csv": {"get": "getReport"},
    }
)


@pytest.mark.parametrize(
    ("path", "name", "params"),
    [
        ("/things", "listThings", {}),
        ("/things/7", "getThing", {"id": "7"}),
        ("/things/latest", "getLatest", {}),
        ("/things/latest/notes/2", "getNote", {"id": "latest", "note": "2"}),
        ("/things/a%2Fb", "getThing", {"id": "a%2Fb"}),
        ("/reports/may.csv", "getReport", {"name": "may"}),
    ],
)
def test_a_path_leads_to_the_most_literal_route(path: str, name: str, params: dict[str, str]) -> None:
    assert routed(ROUTES, path) == (name, params)


@pytest.mark.parametrize(
    "path",
    ["", "/", "/thing", "/things/", "/things//notes/1", "/things/7/notes", "/reports/may", "/reports/.csv", "/THINGS"],
)
def test_a_path_that_no_operation_has_leads_nowhere(path: str) -> None:
    assert routed(ROUTES, path) is None


def test_a_path_knows_its_methods() -> None:
    match = ROUTES.match("/things")
    assert match
    assert list(match[0].operations) == ["GET", "POST"]
    assert list(path_templates(ROUTES))[:2] == ["/sample/v1/things", "/sample/v1/things"]


def test_an_operation_knows_what_the_contract_says_of_it() -> None:
    document = sample_api.document()
    document["security"] = [{"key": ["things:read"]}, {"session": []}]
    document["paths"]["/things"]["post"]["security"] = [{"key": ["things:write", "things:read"]}]
    operations = Contract(document).operations
    assert operations["listThings"].scopes == ("things:read",)
    assert operations["createThing"].scopes == ("things:write", "things:read")
    assert [op.idempotency for op in operations.values()] == [None, "body", None, "optional", "required"]
    assert operations["createThing"].documented == (200, 503)
    assert [op.body_required for op in operations.values()] == [False, False, False, True, True]
    assert operations["listThings"].body_schema is None
    assert [parameter.name for parameter in operations["copyThing"].query_params] == ["limit", "kind"]
    assert [parameter.name for parameter in operations["copyThing"].path_params] == ["id"]


def test_parameters_of_a_path_belong_to_each_of_its_operations() -> None:
    document = sample_api.document(
        paths={"/things/{id}": {"parameters": [{"$ref": "#/components/parameters/Id"}], "get": operation("getThing")}}
    )
    document["components"]["parameters"] = {"Id": sample_api.ID}
    assert Contract(document).operations["getThing"].path_params[0].name == "id"


def test_a_reference_can_name_a_path_with_slashes() -> None:
    document = {"paths": {"/a~b": {"get": 1}}, "again": {"$ref": "#/more"}, "more": {"$ref": "#/paths/~1a~0b"}}
    assert resolve_ref(document, {"$ref": "#/again"}) == {"get": 1}


def test_two_operations_of_one_id_are_refused() -> None:
    with pytest.raises(BadContract, match=r"^two operations have the id getThing$"):
        contract(**{"/things/{id}": {"get": "getThing"}, "/others/{id}": {"get": "getThing"}})


def test_an_interface_without_a_handler_for_every_operation_does_not_start() -> None:
    handlers = {"listThings": echo, "createThing": echo, "getThing": echo}
    with pytest.raises(BadContract) as refused:
        replace(sample_interface(), handlers=handlers)
    assert str(refused.value) == (
        "sample: operations without a handler: ['changeThing', 'copyThing']; handlers without an operation: []"
    )


def test_an_interface_with_a_handler_for_no_operation_does_not_start() -> None:
    with pytest.raises(BadContract) as refused:
        sample_interface({"deleteThing": echo})
    assert str(refused.value) == (
        "sample: operations without a handler: []; handlers without an operation: ['deleteThing']"
    )


PART = """
paths: {"/things": {"get": {"operationId": "listThings", "responses": {}}}}
components: {"schemas": {"Thing": {"type": "object"}}}
"""
WHOLE = 'x-parts: [one.yaml, two.yaml]\nservers: [{url: "/v1"}]\npaths: {}\ncomponents: {schemas: {}}\n'


def test_the_parts_of_a_contract_are_merged(tmp_path: Path) -> None:
    (tmp_path / "index.yaml").write_text(WHOLE)
    (tmp_path / "one.yaml").write_text(PART)
    (tmp_path / "two.yaml").write_text(PART.replace("things", "tests").replace("Thing", "Test"))
    merged = document(tmp_path / "index.yaml")
    assert list(merged["paths"]) == ["/things", "/tests"]
    assert list(merged["components"]["schemas"]) == ["Thing", "Test"]
    assert list(Contract.load(tmp_path / "index.yaml").operations) == ["listThings", "listTests"]


def test_parts_that_define_the_same_path_or_schema_are_refused(tmp_path: Path) -> None:
    (tmp_path / "index.yaml").write_text(WHOLE)
    (tmp_path / "one.yaml").write_text(PART)
    (tmp_path / "two.yaml").write_text(PART)
    with pytest.raises(BadContract, match=r"^two\.yaml: paths /things are defined in another part already$"):
        document(tmp_path / "index.yaml")
    (tmp_path / "two.yaml").write_text(PART.replace("/things", "/others"))
    with pytest.raises(BadContract, match=r"^two\.yaml: schemas Thing are defined in another part already$"):
        document(tmp_path / "index.yaml")


def test_a_contract_file_is_parsed_once_and_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text("a: 1\n")
    assert yaml_cache.read_yaml(path) == {"a": 1}
    (cached,) = (tmp_path / "__pycache__").iterdir()
    cached.write_text('{"a": "from the cache"}')
    assert yaml_cache.read_yaml(path) == {"a": "from the cache"}
    path.write_text("a: 2\n")
    assert yaml_cache.read_yaml(path) == {"a": 2}


def test_a_damaged_cache_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text("a: 1\n")
    yaml_cache.read_yaml(path)
    (cached,) = (tmp_path / "__pycache__").iterdir()
    cached.write_text("{")
    assert yaml_cache.read_yaml(path) == {"a": 1}
    assert cached.read_text() == '{"a":1}'


def test_a_contract_in_a_read_only_place_is_read_without_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "contract.yaml"
    path.write_text("a: 1\n")
    (tmp_path / "__pycache__").write_text("a file where the directory would be")
    assert yaml_cache.read_yaml(path) == {"a": 1}


def test_what_is_cached_was_checked(tmp_path: Path) -> None:
    checked: list[object] = []

    def check(data: object) -> None:
        checked.append(data)
        if data == {"a": 2}:
            raise ValueError("two")

    path = tmp_path / "contract.yaml"
    path.write_text("a: 1\n")
    assert yaml_cache.read_yaml(path, check) == yaml_cache.read_yaml(path, check) == {"a": 1}
    path.write_text("a: 2\n")
    for _ in range(2):
        with pytest.raises(ValueError, match="two"):
            yaml_cache.read_yaml(path, check)
    assert checked == [{"a": 1}, {"a": 2}, {"a": 2}]


def test_a_path_answers_to_its_former_name_too() -> None:
    paths = {
        "/worlds/{w}/calls": {"get": {"operationId": "listCalls", "responses": {}}},
        "/worlds/{w}/calls/{seq}": {"get": {"operationId": "getCall", "responses": {}}},
    }
    aliases = {"/worlds/{w}/journal": "/worlds/{w}/calls"}
    aliased = Contract({"servers": [{"url": "/x"}], "paths": paths, "x-aliases": aliases})
    for path in ("/worlds/a/calls", "/worlds/a/journal"):
        node, params = aliased.match(path) or (None, {})
        assert node is not None
        assert (node.operations["GET"].id, params) == ("listCalls", {"w": "a"})
    assert aliased.match("/worlds/a/journal/7") == aliased.match("/worlds/a/calls/7")
    assert list(aliased.operations) == ["listCalls", "getCall"]
