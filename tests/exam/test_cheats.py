"""Cheats gain nothing: an exam fails them or cannot be held, whatever they look at or pretend."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import ThreadingHTTPServer
from typing import Any

import pytest

from giftsim.workbench.app.protocol import AppProtocol
from giftsim.workbench.exam.exam import CannotBeHeld, Exam
from giftsim.workbench.exam.examined_app import ExaminedApp
from tests.exam import sample_shop
from tests.exam.cheats.bare_app import BareApp, Handler
from tests.exam.cheats.looking import ReadsControl
from tests.exam.cheats.table import CHEATS
from tests.exam.examined import RULES

SEED, ROUNDS = 12, 2
OUT_OF_PROCESS = ("silent", "ends-in-time")  # one keeps the exam waiting, the other ends its process
ASKED = ("pays_once", "cancels_what_it_means", "books_every_event", "refuses_forged_webhooks", "books_each_event_once")


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """The URL of a cheat that is served while the block runs."""
    if not isinstance(app, BareApp):
        with sample_shop.serving(app) as url:
            yield url
        return
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.app = app  # type: ignore[attr-defined]
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def passed(app: Any) -> bool:
    """Whether an app passes an exam about a few rules."""
    rules = [RULES[name] for name in ASKED]
    with (
        serving(app) as url,
        closing(ExaminedApp(AppProtocol(app=url))) as examined,
        closing(Exam(examined, rules, seed=SEED, rounds=ROUNDS)) as exam,
    ):
        try:
            for _ in exam.hold():
                pass
        except CannotBeHeld:
            return False
        return exam.passed


@pytest.mark.parametrize("name", sorted(CHEATS.keys() - set(OUT_OF_PROCESS)))
def test_a_cheat_does_not_pass(name: str) -> None:
    assert not passed(CHEATS[name]())


def test_the_shop_that_does_not_cheat_passes() -> None:
    assert passed(sample_shop.Shop())


@pytest.mark.parametrize("name", ["reads-control", "reads-pages"])
def test_who_looks_into_the_control_api_sees_nothing(name: str) -> None:
    cheat: ReadsControl = CHEATS[name]()
    assert not passed(cheat)
    assert cheat.seen == []


def test_there_are_more_than_ten_ways_to_cheat() -> None:
    assert len(CHEATS) > 10
