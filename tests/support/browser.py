"""A browser for the tests in `tests/ecosystem/browser`: this machine's Chromium, started once per process of a run.

Nothing is downloaded. Without a browser those tests are skipped; with GIFTSIM_BROWSER_REQUIRED=1 they fail.
GIFTSIM_BROWSER names the program where it is not found by itself.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, Request

REQUIRED, PROGRAM = "GIFTSIM_BROWSER_REQUIRED", "GIFTSIM_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = f"no Chromium on this machine; install Debian's package chromium, or name the program in {PROGRAM}"
PHONE, DESKTOP = (390, 844), (1280, 900)
TIMEOUT_MS = 60_000
T = TypeVar("T")


def browser_program() -> str | None:
    """The path of the browser, or None if there is none."""
    return os.environ.get(PROGRAM) or next(filter(None, map(shutil.which, NAMES)), None)


def require_browser() -> str:
    """The path of the browser; without one the test is skipped, or fails where one is required."""
    program = browser_program()
    if program is None:
        if os.environ.get(REQUIRED, "0") not in ("", "0"):
            pytest.fail(f"{MISSING} ({REQUIRED} is set)", pytrace=False)
        pytest.skip(MISSING)
    return program


class BrowserThread:
    """A browser, and the thread in which everything with it has to be done.

    The browser's library runs an event loop in its thread, beside which other tests could run none of their own.
    """

    def __init__(self, program: str) -> None:
        self._executor = ThreadPoolExecutor(1, "browser")
        self._program = program
        self._kept: dict[tuple[str, bool], Page] = {}
        self.browser: Browser = self.run(self._start)

    def run(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        """Call a function in the browser's thread."""
        return self._executor.submit(function, *arguments, **named).result()

    def take_page(self, origin: str, *, scripts: bool) -> Page | None:
        """The page that an earlier visit kept, if there is one; nobody else gets it until it is kept again."""
        return self._kept.pop((origin, scripts), None)

    def keep_page(self, page: Page, origin: str, *, scripts: bool) -> None:
        """Keep a page for the next visit to the same origin."""
        self._kept[origin, scripts] = page

    def close(self) -> None:
        """Close the browser."""
        self.run(self.browser.close)
        self.run(self._playwright.stop)
        self._executor.shutdown()

    def _start(self) -> Browser:
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        return self._playwright.chromium.launch(executable_path=self._program)


class Visit:
    """A page, and what went wrong on it: errors in the console and in scripts, and requests to other places.

    `pretended` are pages of other origins that a test plays itself, by their URLs: nothing is sent there. `others` are
    origins on this machine that a test calls on purpose.
    """

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.origin = page, origin
        self.problems: list[str] = []
        self.pretended: dict[str, str] = {}
        self.others: list[str] = []
        page.set_default_timeout(TIMEOUT_MS)
        for event, note in self._notes().items():
            page.on(event, note)  # type: ignore[call-overload]  # which has one overload for each name of an event

    def _notes(self) -> dict[str, Callable[..., None]]:
        """What notes problems, by the event that it waits for."""
        return {
            "console": self._note_message,
            "dialog": self._note_dialog,
            "pageerror": self._note_error,
            "request": self._note_request,
        }

    def resize(self, size: tuple[int, int]) -> None:
        """Show so many pixels, in width and height."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def pretend(self, url: str, html: str) -> None:
        """Show this page at the URL of another origin."""
        self.pretended[url] = html
        self.page.route(url, lambda route: route.fulfill(body=html, content_type="text/html"))

    def leave(self) -> None:
        """Show nothing any more in any tab, and answer no request in the simulator's place."""
        for page in self.page.context.pages:
            page.unroute_all(behavior="ignoreErrors")
            page.goto("about:blank")

    def end(self) -> None:
        """Leave the page as new: one tab that shows nothing, without cookies, permissions, storage and colours."""
        for event, note in self._notes().items():
            self.page.remove_listener(event, note)
        for other in self.page.context.pages[1:]:
            other.close()
        self.leave()
        context, session = self.page.context, self.page.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        session.detach()
        context.clear_cookies()
        context.clear_permissions()
        self.page.emulate_media(color_scheme="light")

    def _note_error(self, error: Error) -> None:
        self.problems.append(f"script: {error}")

    def _note_dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _note_request(self, request: Request) -> None:
        own = any(request.url.startswith(f"{origin}/") for origin in (self.origin, *self.others))
        if not own and request.url not in self.pretended:
            self.problems.append(f"request to {request.url}")

    def _note_message(self, message: ConsoleMessage) -> None:
        """Note an error or warning, but not that the document itself came with the status of an error."""
        is_document = message.text.startswith("Failed to load resource") and message.location["url"] == self.page.url
        if message.type in ("error", "warning") and not is_document:
            self.problems.append(f"console: {message.text}")


@contextmanager
def open_visit(thread: BrowserThread, origin: str, size: tuple[int, int], *, scripts: bool) -> Iterator[Visit]:
    """A fresh page, with or without scripts; at its end it must have had no problems."""
    visit = thread.run(lambda: Visit(new_page(thread.browser, origin, scripts=scripts), origin))
    thread.run(visit.resize, size)
    try:
        yield visit
    finally:
        thread.run(visit.page.context.close)
    assert visit.problems == []


@contextmanager
def reuse_page(thread: BrowserThread, origin: str, size: tuple[int, int], *, scripts: bool) -> Iterator[Visit]:
    """The same with a page that the visits share, one after the other: a new one takes 0.4 s of processor.

    After a visit with problems the next gets a new one.
    """
    page = thread.take_page(origin, scripts=scripts) or thread.run(new_page, thread.browser, origin, scripts=scripts)
    visit = thread.run(Visit, page, origin)
    thread.run(visit.resize, size)
    try:
        yield visit
        thread.run(visit.end)
        assert visit.problems == []
    except BaseException:
        thread.run(page.context.close)
        raise
    thread.keep_page(page, origin, scripts=scripts)


def new_page(browser: Browser, origin: str, *, scripts: bool) -> Page:
    """A page in a context of its own, whose paths are those of an origin."""
    return browser.new_context(base_url=origin, java_script_enabled=scripts, reduced_motion="reduce").new_page()


def press(page: Page, name: str) -> None:
    """Press a button of the console by its name, and wait until the page shows what that did."""
    page.get_by_role("button", name=name, exact=True).click()
    wait_until_patched(page)


def wait_until_patched(page: Page) -> None:
    """Wait until the page shows what the last action did. From the click on it is busy until then."""
    page.locator("#live:not([aria-busy])").wait_for()
