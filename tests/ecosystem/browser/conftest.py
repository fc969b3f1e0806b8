"""Fixtures for the tests in a browser: the simulator as a server, one browser and one page for the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import signature
from typing import TYPE_CHECKING, Any

import pytest

from giftsim import Simulator
from tests.support.browser import DESKTOP, BrowserThread, Visit, open_visit, require_browser, reuse_page
from tests.support.listening import listening
from tests.support.worlds import World

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="session")
def browser_thread() -> Iterator[BrowserThread]:
    """The browser of the run; the test is skipped without one."""
    thread = BrowserThread(require_browser())
    yield thread
    thread.close()


@pytest.fixture(scope="session")
def simulator() -> Iterator[Simulator]:
    """A simulator that listens on a free port; its worlds are made as for all tests."""
    simulator = Simulator(fixture="bare")
    with listening(simulator):
        yield simulator


@pytest.fixture
def scripts() -> bool:
    """Whether pages may run scripts; a module whose pages work without any overrides this."""
    return True


@pytest.fixture
def page_of_its_own() -> bool:
    """Whether each test gets a new page; a module whose tests leave traces that cannot be removed overrides this."""
    return False


@pytest.fixture
def visit(
    request: pytest.FixtureRequest,
    browser_thread: BrowserThread,
    simulator: Simulator,
    scripts: bool,
    page_of_its_own: bool,
) -> Iterator[Visit]:
    """A visit to the simulator, on a page as wide as a desktop or as the test's parameter `size` says.

    The test fails if the console shows an error, or if a request goes to another origin.
    """
    callspec = getattr(request.node, "callspec", None)
    size = callspec.params.get("size", DESKTOP) if callspec else DESKTOP
    open_page = open_visit if page_of_its_own else reuse_page
    with open_page(browser_thread, simulator.registry.runtime.origin, size, scripts=scripts) as visit:
        yield visit


@pytest.fixture
def new_world(
    visit: Visit, browser_thread: BrowserThread, new_world: Callable[..., World]
) -> Iterator[Callable[..., World]]:
    """Create worlds, which are deleted after the test: its pages follow them no more then."""
    yield new_world
    browser_thread.run(visit.leave)


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page of the visit."""
    return visit.page


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test in the browser's thread."""
    thread = pyfuncitem.funcargs.get("browser_thread")
    if not isinstance(thread, BrowserThread):
        return None
    function: Callable[..., Any] = pyfuncitem.obj
    thread.run(function, **{name: pyfuncitem.funcargs[name] for name in signature(function).parameters})
    return True
