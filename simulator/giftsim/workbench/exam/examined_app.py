"""The app under examination: its calls, and everything that it answered."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any, Final

from giftsim.engine.client.response import Response
from giftsim.workbench.app.app_calls import NOT_IMPLEMENTED, AppError, call_app
from giftsim.workbench.app.instances import INSTANCE, RESTART, Instances
from giftsim.workbench.app.messages import CheckAnswer, read_check
from giftsim.workbench.app.protocol import AGAIN_AND_AGAIN, AppProtocol
from giftsim.workbench.app.reasons import said_in
from giftsim.workbench.exam.asked import Asked
from giftsim.workbench.exam.breach import NotOffered, RuleBroken

ANSWERS_S: Final = 20.0  # in which the app answers a call, its waits for Retry-After and its retries included
AT_ONCE: Final = 4  # calls of the app in the background


class AppGone(RuleBroken):
    """Nothing listens at the app's address any more."""


class ExaminedApp:
    """An app that is called by the protocol. `said` has its answers in the present sitting, `asked` also the calls.

    The calls raise NotOffered for 501, AppGone if nothing listens, and RuleBroken for another answer that is not 2xx.
    """

    def __init__(self, protocol: AppProtocol, process: Instances | None = None) -> None:
        self.protocol, self.process = protocol, process
        self.said: list[Response] = []
        self.asked = Asked()
        self.has_done: set[str] = set()
        self._background = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="exam")
        self._going_on: list[Future[dict[str, Any]]] = []
        self._checks = 0

    def close(self) -> None:
        """End the calls in the background."""
        self._background.shutdown(cancel_futures=True)

    @property
    def actions(self) -> tuple[str, ...]:
        """What the app says that it can do."""
        return self.protocol.actions or ("order",)

    @property
    def url(self) -> str:
        """The address of the instance that answers now."""
        return self.protocol.app if self.process is None else self.process.present_url

    def start(self, body: Mapping[str, Any]) -> Any:
        """Begin anew with this simulator and these secrets; the app's answer."""
        if self.process is not None:
            self.process.begin_run()
        return _content(self._call("POST", self.protocol.start, body, "start"))

    def do(self, action: str, **members: Any) -> dict[str, Any]:
        """Ask the app to do something; its answer."""
        return self._do("", action, members)

    def _do(self, at: str, action: str, members: Mapping[str, Any]) -> dict[str, Any]:
        name = self.protocol.name_of(action)
        response = self._call("POST", str(self.protocol.do), {"action": name, **members}, action, at)
        self.has_done.add(action)
        answer = _content(response)
        return answer if isinstance(answer, dict) else {}

    def do_later(self, action: str, **members: Any) -> Future[dict[str, Any]]:
        """Ask the app in the background, while the caller goes on."""
        going_on = self._background.submit(self._do, self.asked.time(), action, members)
        self._going_on.append(going_on)
        return going_on

    def wait(self) -> None:
        """Wait for the calls in the background: none goes on when another world begins."""
        while self._going_on:
            wait([self._going_on.pop()], ANSWERS_S)

    def texts(self) -> list[str]:
        """What the app answered in the present sitting, as text: headers and bodies, and JSON without its escapes."""
        return [text for response in self.said for text in _texts(response)]

    def check(self, *, ended: bool = False) -> CheckAnswer:
        """Ask the app what it believes: as after a step, if it knows that, unless everything has `ended`."""
        self._checks += 1
        step = f"?{AGAIN_AND_AGAIN}={self._checks}" if self.protocol.cheap_check and not ended else ""
        response = self._call("GET", f"{self.protocol.check}{step}", None, "check")
        try:
            return read_check(response.body)
        except ValueError as error:
            raise RuleBroken(f"GET {self.protocol.check} answered in another form: {error}") from None

    def restart(self) -> None:
        """End the app as a crash does, and start it again. NotOffered unless a command started it."""
        self.asked.happened("the exam ends the app as a crash does, and starts it again")
        self._own(RESTART)

    def other_instance(self) -> None:
        """Let the other of two instances answer from now on. NotOffered unless a command started the app."""
        self._own(INSTANCE)
        self.asked.happened(f"from here on the instance at {self.url} answers")

    def _own(self, what: str) -> None:
        if self.process is None:
            raise NotOffered("no command of the exam started the app (--app-command)")
        method, _, target = what.partition(" ")
        self._expect_done(self._send(method, target, {}, what), target, what)

    def _call(self, method: str, target: str, body: Any, asked: str, at: str = "") -> Response:
        call = f"{method} {target}" + (f" {asked}" if asked not in target else "")
        answered = self.asked.call(method, target, body, at)
        response = self._send(method, target, body, call)
        answered(response)
        self.said.append(response)
        self._expect_done(response, asked, call)
        return response

    def _send(self, method: str, target: str, body: Any, call: str) -> Response:
        try:
            send = call_app if self.process is None else self.process.call
            return send(self.protocol.app, method, target, body, {}, ANSWERS_S)
        except AppError as error:
            if isinstance(error.__context__, TimeoutError):
                raise RuleBroken(f"{call} was not answered within {ANSWERS_S:g} s") from None
            raise AppGone(f"the app stopped answering: {error}") from None
        except ConnectionError:
            raise RuleBroken(f"{call} closed the connection without an answer") from None

    def _expect_done(self, response: Response, asked: str, call: str) -> None:
        if response.status == NOT_IMPLEMENTED:
            if asked in self.has_done:
                raise RuleBroken(f"{call} answered 501, although the app did it before")
            if asked in self.protocol.actions:
                raise RuleBroken(f"{call} answered 501, although the app lists {asked} in its answer to the start")
            raise NotOffered(f"{call} answered 501")
        if not response.is_success:
            said = said_in(response.body)
            raise RuleBroken(f"{call} answered {response.status}{said and f': {said}'}")


def _content(response: Response) -> Any:
    with suppress(ValueError):
        return response.json()
    return None


def _texts(response: Response) -> list[str]:
    text = response.body.decode(errors="replace")
    headers = " ".join(response.headers.values())
    content = _content(response)
    return [headers, text] if content is None else [headers, text, str(content)]
