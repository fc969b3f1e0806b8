"""A pytest plugin: a test fails if the simulator answered or sent something, during it, that its contracts lack.

Every answer that this process gives is checked, whatever asked for it, over HTTP or not: status, media type, headers,
error code, and members at any depth. So are the bodies of webhooks, and the statuses of claim pages. Exempt are answers
for which a test asked by a fault whose status or code is not documented. Servers in other processes are not seen.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from giftsim.engine.client.response import Response as Received
from giftsim.engine.gateway.call import Answer, Call, Response
from giftsim.engine.gateway.faults.table import FAULTS
from giftsim.engine.gateway.simulated_service import service_of
from giftsim.engine.gateway.wsgi_app import Environ, StartResponse, WsgiApp
from giftsim.engine.kernel.state import State
from giftsim.engine.webhooks import dispatch
from giftsim.engine.webhooks.event import Event
from giftsim.engine.webhooks.fan_out import EVENT_DATA
from giftsim.services.gifting.owners import OWNERS
from giftsim.services.known import make_definitions
from tests.support.answer_check import AnswerCheck, reads_otherwise

CLAIM = "/claim/"
EVENT_OF_PRODUCT = make_definitions().handlers[EVENT_DATA].__code__


def watch_calls(check: AnswerCheck) -> None:
    """Check every answer to a call of an interface."""
    make_answer = WsgiApp._answer

    def checking_answer(self: WsgiApp, call: Call, response: Response, *, pretty: bool) -> Answer:
        answer = make_answer(self, call, response, pretty=pretty)
        headers = {name.lower(): value for name, value in answer.headers}
        check.check_call(call, Received(answer.status, headers, answer.content))  # a stream has no end
        return answer

    WsgiApp._answer = checking_answer  # type: ignore[method-assign]


def watch_claim_pages(check: AnswerCheck) -> None:
    """Check the status of every claim page, but for those of worlds with faults, which may answer any."""
    observed = WsgiApp._observed

    def checking_observed(self: WsgiApp, environ: Environ, start_response: StartResponse) -> StartResponse:
        start = observed(self, environ, start_response)
        path: str = environ["PATH_INFO"]
        if not path.startswith(CLAIM) or path.count("/") != 3:
            return start

        def checking_start(status: str, *arguments: Any) -> Any:
            world = self.registry.worlds.get(path.split("/")[2])
            if world is None or not world.state[FAULTS].next_n:
                check.check_claim_page(environ["REQUEST_METHOD"], int(status[:3]))
            return start(status, *arguments)

        return checking_start

    WsgiApp._observed = checking_observed  # type: ignore[method-assign]


def watch_webhooks(check: AnswerCheck) -> None:
    """Check the body of every event at its first attempt, in worlds that have the events of the product."""
    add_attempt = dispatch._add_attempt

    def checking_add_attempt(state: State, event: Event, *arguments: Any, **named: Any) -> Any:
        attempt = add_attempt(state, event, *arguments, **named)
        of_product = getattr(state.handler(EVENT_DATA), "__code__", None) is EVENT_OF_PRODUCT
        if attempt.number == 1 and of_product and _is_of_gifting(state, event) and not reads_otherwise(state):
            check.check_webhook(event)
        return attempt

    dispatch._add_attempt = checking_add_attempt


def _is_of_gifting(state: State, event: Event) -> bool:
    return service_of(state).owner(event.owner) in OWNERS.values()


class AnswersPlugin:
    """Fails the test during which something was answered or sent that the contracts lack."""

    def __init__(self) -> None:
        self.check = AnswerCheck()
        watch_calls(self.check)
        watch_claim_pages(self.check)
        watch_webhooks(self.check)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge what fixtures caused."""
        return (yield from self._judged(item, "setup"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge what the test caused."""
        return (yield from self._judged(item, "call"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge what the end of the fixtures caused."""
        return (yield from self._judged(item, "teardown"))

    def _judged(self, item: pytest.Item, when: str) -> Generator[None, Any, Any]:
        try:
            result = yield
        except BaseException:
            if found := self.check.take():
                item.add_report_section(when, "answers", found)
            raise
        if found := self.check.take():
            pytest.fail(found, pytrace=False)
        return result


def pytest_configure(config: pytest.Config) -> None:
    """Start checking."""
    config.pluginmanager.register(AnswersPlugin(), "answers")
