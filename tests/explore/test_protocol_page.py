"""The page of the protocol for apps has each member that explore sends, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from giftsim.workbench.app.protocol import ACTIONS, OF_COMMAND, OF_EXAM, AppProtocol, order_request
from giftsim.workbench.explore.acts import act_body
from giftsim.workbench.explore.plan import Action, AppAct, FurtherAction, NewSecret, OrderRequest, Plan, Wait
from giftsim.workbench.explore.scenario_writer import plan_scenario

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "app-protocol.md").read_text()
DO, START = "POST /giftsim/do", "POST /giftsim/start"


def table(heading: str) -> list[list[str]]:
    """The rows of the first table after a heading."""
    lines = PAGE.split(f"\n{heading}\n")[1].split("\n| ", 1)[1].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines[2:]]


def names(cell: str) -> list[str]:
    """The names in code of a cell."""
    return re.findall(r"`([^`]+)`", cell)


def calls(steps: Any) -> Iterator[Mapping[str, Any]]:
    """Each call of an app in steps, at any depth."""
    if isinstance(steps, Mapping):
        if "app" in steps and "body" in steps:
            yield steps
        steps = list(steps.values())
    for each in steps if isinstance(steps, list) else ():
        yield from calls(each)


def explore_calls() -> list[Mapping[str, Any]]:
    """The calls of plans: for an app that lists all actions, for two that list one, and for one that lists none."""
    acting = [name for name in ACTIONS if name not in {*OF_COMMAND, *OF_EXAM, "order", "secrets", "clock"}]
    acts = [AppAct(name, 1, part) for name in acting for part in (False, True)]
    one = (OrderRequest(1),)
    plans: dict[tuple[str, ...], tuple[Action | FurtherAction, ...]] = {
        ACTIONS: (OrderRequest(1, 2), OrderRequest(2), *acts, NewSecret(), Wait(1)),
        ("order",): one,
        ("gift",): (AppAct("gift", 1),),
        (): one,
    }
    return [
        call
        for listed, actions in plans.items()
        for destination in ("link", "address")
        for call in calls(plan_scenario(Plan(destination, False, actions), _app(listed), seed=1)["steps"])
    ]


def _app(actions: tuple[str, ...]) -> AppProtocol:
    return AppProtocol(app="http://127.0.0.1:9", actions=actions)


def sent(made: list[Mapping[str, Any]]) -> dict[str, list[set[str]]]:
    """The members of the bodies of each action, without `action`."""
    found: dict[str, list[set[str]]] = {}
    for call in made:
        if call["app"] == DO:
            found.setdefault(call["body"]["action"], []).append(set(call["body"]) - {"action"})
    return found


def objects(value: Any, name: str) -> Iterator[Mapping[str, Any]]:
    """The objects in a body that are a member of this name, or an item of one whose name is its plural."""
    for key, member in value.items() if isinstance(value, Mapping) else ():
        for each in member if isinstance(member, list) else [member]:
            if key in (name, f"{name}s") and isinstance(each, Mapping):
                yield each
            yield from objects(each, name)


def _always(bodies: list[set[str]]) -> set[str]:
    """The members that every body has."""
    return bodies[0].intersection(*bodies)


def test_each_action_has_the_members_that_are_sent() -> None:
    asked, told = sent(explore_calls()), {}
    for action, _, members, _ in table("## Actions"):
        for name in (name for name in names(action) if name in asked):
            told[name] = set(names(members))
            optional = set(re.findall(r"\(`([^`]+)`\)", members)) | set(names(members)[1:] if " or " in members else ())
            assert set().union(*asked[name]) == told[name], name
            assert told[name] - _always(asked[name]) <= optional, name
    assert told.keys() == asked.keys()


def test_recipients_addresses_and_people_have_the_members_that_are_sent() -> None:
    bodies = [call["body"] for call in explore_calls()]
    bodies += [order_request(1, destination) for destination in ("link", "address")]
    bodies.append(act_body(OrderRequest(1, 2), "address"))
    rows = dict(re.findall(r"^\| (recipient|address|person) \| (.*) \|$", PAGE, re.MULTILINE))
    assert rows.keys() == {"recipient", "address", "person"}
    for name, members in rows.items():
        found = [set(each) for body in bodies for each in objects(body, name)]
        assert set().union(*found) == set(names(members)), name
        optional = set(re.findall(r"\(`([^`]+)`\)", members))
        assert set(names(members)) - _always(found) == optional, name


def test_the_start_has_the_members_that_are_sent() -> None:
    bodies = [set(call["body"]) for call in explore_calls() if call["app"] == START]
    rows = table("## The start")
    assert {name for row in rows for name in names(row[0])} == set().union(*bodies)
    assert {name for row in rows if row[1] == "always" for name in names(row[0])} == _always(bodies)
