"""The variable `${run}`: the same in every world, and a name that a file may use for its own."""

from __future__ import annotations

import pytest

from tests.scenario.builders import FakeSimulator, assert_passed, play_steps, response

CALL = '  - call: POST /people\n    body: {name: "bo-${run}"}\n'


@pytest.mark.parametrize(("head", "name"), [({}, "bo-r0"), ({"vars": "{run: second}"}, "bo-second")])
def test_run_is_one_text_in_every_world_unless_the_file_defines_it(head: dict[str, str], name: str) -> None:
    fake = FakeSimulator()
    fake.respond("POST /people", response(201))
    assert_passed(play_steps(CALL, fake, **head))
    assert fake.bodies("POST /people") == [{"name": name}]
