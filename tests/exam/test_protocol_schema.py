"""Every message between giftsim and apps has the form that `giftsim schema app` prints."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from giftsim.engine.client.response import Response
from giftsim.workbench.app.app_calls import call_app
from giftsim.workbench.app.messages import read_check
from giftsim.workbench.app.protocol import FORMER, AppProtocol
from giftsim.workbench.exam import examined_app
from giftsim.workbench.explore import plan_runner
from giftsim.workbench.explore.plan import AppAct, NewSecret, OrderRequest, Plan, Wait
from giftsim.workbench.explore.plan_runner import PlanRunner
from tests.exam import team_shop
from tests.exam.examined import RULES, examine
from tests.exam.sample_shop import serving

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "app-protocol.md").read_text()
ACTIONS = PAGE.partition("\n## Actions\n")[2].partition("\n## ")[0]
Message = tuple[str, Any]
BODIES = {"/giftsim/start": ("start", "startAnswer"), "/giftsim/do": ("do", "doAnswer")}
FURTHER = ("cancel", "pay", "secrets", "clock")
RECIPIENT = {"name": "Bo", "email": "bo@example.com"}
ORDER = {
    "action": "order", "reference": "a", "gift_sender": "Ada", "items": [{"sku_code": "M", "quantity": 1}],
    "recipients": [RECIPIENT],
}  # fmt: skip


@pytest.fixture(scope="module")
def schema() -> Any:
    """The schema as a user gets it."""
    found = json.loads(CliRunner().invoke(main, ["schema", "app"]).output)
    jsonschema.Draft202012Validator.check_schema(found)
    return found


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """All messages to apps and from them, each with the name of its form."""
    found: list[Message] = []

    def call(url: str, method: str, target: str, body: Any, headers: Any, *timeout: Any) -> Response:
        response = call_app(url, method, target, body, headers, *timeout)
        path = target.partition("?")[0]
        sent, answered = BODIES.get(path, ("", "check"))
        found.extend([(sent, body)] if sent else [])
        found.extend([(answered, response.json())] if response.is_success else [])
        return response

    for module in (examined_app, plan_runner):
        monkeypatch.setattr(module, "call_app", call)
    return found


def errors(schema: Any, name: str, body: Any) -> list[str]:
    """What is wrong with a message of this form."""
    form = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    return [f"{name} {body}: {each.message}" for each in jsonschema.Draft202012Validator(form).iter_errors(body)]


def wrong(schema: Any, messages: list[Message]) -> list[str]:
    """What is wrong with messages."""
    return [each for name, body in messages for each in errors(schema, name, body)]


def test_what_the_exam_sends_and_shops_answer_has_the_form(messages: list[Message], schema: Any) -> None:
    names = [rule.id for rule in RULES.values() if rule.needs != ("order",)]
    examine(team_shop.TeamShop(), "pays_declined_orders_later", *names, seed=1, handler=team_shop.TeamHandler, rounds=2)
    assert wrong(schema, messages) == []
    assert {name for name, _ in messages} == {"start", "startAnswer", "do", "doAnswer", "check"}
    actions = {body["action"] for name, body in messages if name == "do"}
    assert actions >= {
        "order",
        "cancel",
        "pay",
        "settle",
        "read",
        "secrets",
        "break",
        "mend",
        "clock",
        *team_shop.ACTIONS,
    }


def test_what_explore_sends_has_the_form(messages: list[Message], schema: Any) -> None:
    acts = [AppAct(name, 1) for name in ("cancel", "pay", *team_shop.ACTIONS)]
    plans = [Plan(to, True, (OrderRequest(1, 2), *acts, NewSecret(), Wait(2))) for to in ("address", "link", "apart")]
    with (
        serving(team_shop.TeamShop(), team_shop.TeamHandler) as app,
        closing(PlanRunner(AppProtocol(app=app, actions=("order", *FURTHER, *team_shop.ACTIONS)))) as runner,
    ):
        for plan in (*plans, Plan("address", True, (OrderRequest(1),))):
            runner.run(plan, 1)
    assert wrong(schema, messages) == []
    assert {"order", *FURTHER, *team_shop.ACTIONS} <= {body["action"] for name, body in messages if name == "do"}


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("start", {"simulator": "http://127.0.0.1:1"}),
        ("do", {**ORDER, "recipients": []}),
        ("do", {**ORDER, "surprise": 1}),
        ("do", {"action": "dance"}),
        ("do", {"action": "ticket", "reference": "a", "email": "a@example.com"}),
        ("doAnswer", {"state": "maybe"}),
        ("check", {}),
        ("check", {"ok": True, "orders": {"a": {"state": "lost"}}}),
        ("check", {"ok": True, "orders": {"a": {"state": "placed", "recipients": {"b": {"stage": "gone"}}}}}),
        ("check", {"ok": True, "gifts": {"a": {"state": "placed"}}}),
    ],
)
def test_other_messages_do_not_have_it(name: str, body: Any, schema: Any) -> None:
    assert errors(schema, name, body)


def test_the_example_of_the_page_has_the_form(schema: Any) -> None:
    example = PAGE.partition("```json\n")[2].partition("```")[0]
    assert errors(schema, "check", json.loads(example)) == []
    assert read_check(example.encode()).gifts["gift-1"].state == "sent"


LISTED = re.compile(r"^- ((?:`\w+`(?:, )?)+)(?: \((.*?)\))?(?::|$)", re.MULTILINE | re.DOTALL)


def test_the_lists_of_the_page_have_the_members_of_each_action_and_object(schema: Any) -> None:
    forms = {each["properties"]["action"]["const"]: each for each in schema["$defs"]["do"]["oneOf"]}
    forms |= {name: schema["$defs"][name] for name in ("item", "recipient", "address", "person")}
    for name, form in ((name, form) for name, form in forms.items() if name not in FORMER.values()):
        told = next(row[2] or "" for row in LISTED.finditer(ACTIONS) if name in names(row[1]))
        former = {"action", "recipient"} if "recipients" in form["properties"] and name == "order" else {"action"}
        former |= {"reference"} - set(form["required"])  # explore adds it to every action
        assert names(told) == form["properties"].keys() - former, name
        always = names(re.sub(r"maybe `[^`]+`", "", told))
        assert always == set(form["required"]) - {"action"}, name


def names(text: str) -> set[str]:
    """The names in a part of a page, without the forms of values such as `MM-DD`."""
    return set(re.findall(r"`([a-z]\w*)`", text))


def test_the_page_names_every_member(schema: Any) -> None:
    names = set(members(schema["$defs"]))
    assert [name for name in sorted(names) if f"`{name}`" not in PAGE and f'"{name}"' not in PAGE] == []


def members(part: Any) -> Iterator[str]:
    """The names of the members that a part of a schema has."""
    if isinstance(part, dict):
        yield from part.get("properties", ())
        for each in part.values():
            yield from members(each)
    elif isinstance(part, list):
        for each in part:
            yield from members(each)
