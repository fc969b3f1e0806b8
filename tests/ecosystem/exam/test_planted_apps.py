"""The planted apps and the cheats as processes of their own: on five seeds each mistake is failed by its rule."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from giftsim.workbench.app.process import AppProcess
from giftsim.workbench.exam.exam import CannotBeHeld
from giftsim.workbench.exam.exam_rule import Outcome
from tests.exam.cheats.table import CHEATS
from tests.exam.planted.table import MISTAKES
from tests.support.free_ports import free_ports
from tools.exams import examine, failures

SEEDS = range(1, 6)
BUDGET_S = 60.0


@contextmanager
def running(kind: str, name: str) -> Iterator[str]:
    """The URL of an app that one command starts."""
    command = f"exec {sys.executable} -m tests.exam.{kind} {name} {{port}}"
    with closing(AppProcess(command, f"http://127.0.0.1:{free_ports(1)}")) as process:
        process.wait()
        yield process.url


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_failed_by_the_rule_that_names_it_on_five_seeds(name: str) -> None:
    rule = MISTAKES[name].rule
    with running("planted", name) as url:
        found = {seed: examine(url, seed, rules=(rule,))[0].outcome for seed in SEEDS}
    assert found == dict.fromkeys(SEEDS, Outcome.FAILED)


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_does_not_pass_an_exam(name: str) -> None:
    with running("cheats", name) as url:
        try:
            found = examine(url, SEEDS[0], budget_s=BUDGET_S)
        except CannotBeHeld:
            return
    assert failures(found)
