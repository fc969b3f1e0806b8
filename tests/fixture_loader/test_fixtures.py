"""Fixtures that are refused: by path and with the nearest word, alike from a file and inline, and never with a 500."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from giftsim import Simulator
from giftsim.engine.problem import Problem
from giftsim.services.fixture_loader import FOLDERS, fixture_names, read_fixture
from giftsim.services.fixture_loader.check import check_merged, json_schema
from tests.support.fixture_schema import fixture_schema
from tests.support.responses import expect_error

ORDER: dict[str, Any] = {
    "key": "partner.prepaid", "ago": "20d", "then": [{"after": "2d", "do": "claim", "country": "US"}],
    "body": {"gift_sender": "A", "items": [{"sku_code": "MUG-01"}], "recipients": [{"name": "Bo", "email": "b@b.co"}]},
}  # fmt: skip
SEND = {"key": "team.live_approver", "ago": "3d"}
PRODUCT = {"id": 900, "code": "X-1", "name": "X", "price_cents": 5}

INVALID: dict[str, tuple[dict[str, Any], str]] = {
    "a section": ({"product": []}, "a fixture has no section 'product'; did you mean products?"),
    "a member": (
        {"products": [{**PRODUCT, "prize_cents": 1}]},
        "products[0] has no member 'prize_cents'; did you mean price_cents?",
    ),
    "a missing member": ({"products": [{"id": 1}]}, "products[0] needs the member 'code'"),
    "a type": (
        {"products": [{**PRODUCT, "price_cents": "5"}]},
        "products[0].price_cents must be a whole number, not '5'",
    ),
    "a list": ({"products": 5}, "products must be a list, not 5"),
    "null": ({"keys": None}, "keys must be a mapping, not null"),
    "a choice": (
        {"teams": {"x": {"name": "X", "plan": "growht"}}},
        "teams.x.plan must be one of enterprise, growth, sandbox, starter, not 'growht'; did you mean growth?",
    ),
    "a pattern": (
        {"museum": {"closed": ["30 Feb"]}},
        "museum.closed[0] must be a day written MM-DD or YYYY-MM-DD, not '30 Feb'",
    ),
    "a number": ({"products": [{**PRODUCT, "price_cents": 2**60}]}, "products[0].price_cents is too large a number"),
    "an unknown fixture": ({"extends": "emtpy"}, "there is no fixture 'emtpy'; did you mean empty?"),
    "a setting": (
        {"settings": {"error_shap": "flat"}},
        "the fixture's settings.error_shap: there is no setting 'error_shap'; did you mean partner.error_shape?",
    ),
    "a product twice": (
        {"extends": "empty", "products": [{**PRODUCT, "id": 101}]},
        "the fixture's products[39]: products: id 101 is taken",
    ),
    "a body": (
        {"extends": "empty", "orders": [{**ORDER, "body": {**ORDER["body"], "items": [5]}}]},
        "the fixture's orders[0].body: items[0]: must be an object, not 5",
    ),
    "a body of a gift": (
        {"extends": "empty", "sends": [{**SEND, "gift": {"recipients": 5}}]},
        "the fixture's sends[0].gift: gift: is required",
    ),
    "a key": (
        {"extends": "empty", "orders": [{**ORDER, "key": "partner.none"}]},
        "the fixture's orders: there is no key partner.none with an account",
    ),
    "an unknown product": (
        {"extends": "empty", "orders": [{**ORDER, "body": {**ORDER["body"], "items": [{"sku_code": "NO"}]}}]},
        "the fixture's orders[0]: sku_code 'NO' is not on this account",
    ),
    "a place": (
        {"extends": "empty", "orders": [{**ORDER, "then": [{"after": "1d", "do": "claim", "places": [7]}]}]},
        "the fixture's orders[0].then[0]: team order 1001 has no recipient at place 7",
    ),
    "a time": (
        {"extends": "empty", "orders": [{**ORDER, "ago": "99999999w"}]},
        "the fixture's history: '99999999w' is longer than a hundred years",
    ),
    "a team of its own without a name": (
        {"extends": "empty", "teams": {"southwind": {"members": {}}}},
        "teams.southwind needs the member 'name'",
    ),
    "generated rows": (
        {"extends": "empty", "people": [{"team": "northwind", "generated": 9_000}] * 2},
        "a fixture has at most 10,000 rows that are `generated`",
    ),
}


@pytest.fixture(scope="module")
def simulator() -> Any:
    """A simulator for all fixtures."""
    simulator = Simulator(fixture="bare")
    yield simulator
    simulator.close()


@pytest.mark.parametrize(("data", "message"), INVALID.values(), ids=INVALID.keys())
def test_an_invalid_fixture_is_refused_with_its_place(
    simulator: Simulator, tmp_path: Path, data: dict[str, Any], message: str
) -> None:
    response = simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": data})
    told = expect_error(response, 400, "invalid_world")["message"]
    assert told.removeprefix("the fixture: ") == message
    file = tmp_path / "own.yaml"
    file.write_text(yaml.safe_dump(data))
    with pytest.raises(Problem) as refused:
        Simulator(fixture=str(file))
    assert refused.value.message.endswith(message)


FILES = {
    "broken YAML": ("a: b: c", "mapping values are not allowed in this context"),
    "a list": ("- a", "the fixture must be a mapping, not a list"),
    "nothing": ("", "the fixture must be a mapping, not null"),
    "aliases of aliases": (
        "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 30)),
        "with its aliases expanded it has more than 1,000,000 values",
    ),
    "an alias of itself": ("people: &a [*a]", "*a refers to an anchor that does not end before it"),
    "nesting": ("[" * 5_000, "cannot be read"),
    "a date": ("deals: [2027-01-01]", "deals[0] is not a JSON value: write '2027-01-01' in quotes"),
    "no number": ("museum: {events: [{price: .nan}]}", "museum.events[0].price is not a number that JSON has"),
    "a name that is a number": (
        "teams: {1: {name: A}}",
        "teams has a member whose name is not text: write '1' in quotes",
    ),
    "no UTF-8": (b"a: \xff", "cannot be read"),
    "a merge conflict": ("extends: default\n<<<<<<< HEAD\nteams: {}\n=======\n", "line 2: a merge left a conflict"),
}


@pytest.mark.parametrize(("text", "message"), FILES.values(), ids=FILES.keys())
def test_a_file_that_is_not_a_fixture_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    file = tmp_path / "own.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Problem) as refused:
        Simulator(fixture=str(file))
    assert message in refused.value.message


def test_a_file_with_an_unknown_section_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.yaml").write_text("product: []\n", encoding="utf-8")
    with pytest.raises(
        Problem, match=r"^the fixture own\.yaml: a fixture has no section 'product'; did you mean products"
    ):
        Simulator(fixture="own.yaml")


def test_fixtures_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one.yaml", tmp_path / "other.yaml"
    one.write_text(f"extends: {other}")
    other.write_text(f"extends: {one}")
    with pytest.raises(Problem) as refused:
        Simulator(fixture=str(one))
    assert "extends itself" in refused.value.message
    one.write_text(f"extends: {one}")
    with pytest.raises(Problem):
        Simulator(fixture=str(tmp_path / "." / "one.yaml"))


def test_a_refused_fixture_leaves_no_world(simulator: Simulator) -> None:
    before = simulator.client.call("GET", "/_sim/v1/worlds").json()
    for data, _ in INVALID.values():
        simulator.client.call("POST", "/_sim/v1/worlds", body={"fixture": data})
    assert simulator.client.call("GET", "/_sim/v1/worlds").json() == before


FILE = Path(__file__).parents[2] / "simulator/giftsim/services/fixture_loader/schema.json"


def test_the_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(json_schema())


def test_the_schema_is_that_of_the_types_that_fixtures_are_read_into() -> None:
    """`python -m tests.support.fixture_schema` prints it, for the file to be written again."""
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(fixture_schema()))


@pytest.mark.parametrize("name", fixture_names())
def test_the_fixtures_of_the_simulator_fit_the_schema(name: str) -> None:
    data = yaml.safe_load((FOLDERS[0] / f"{name}.yaml").read_bytes())
    assert list(Draft202012Validator(json_schema()).iter_errors(data)) == []
    check_merged(read_fixture(name), name)


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    for name in ("Northwind", "Eastwind and sons"):
        file.write_text(f"extends: bare\nteams: {{northwind: {{name: {name}}}}}\n")
        simulator = Simulator(fixture=str(file))
        teams = simulator.client.call("GET", "/_sim/v1/worlds/default/teams").json()["teams"]
        assert name in [team["name"] for team in teams]
        simulator.close()
