"""HTTP receivers on loopback for webhooks of mode `forward`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.support.downstream_app import run_app


@pytest.fixture
def start_receiver() -> Iterator[Callable[..., str]]:
    """Start a receiver that calls a function for each request and answers 200; returns its URL."""
    with ExitStack() as receivers:

        def start(action: Callable[[], object] = lambda: None) -> str:
            def respond(_request: object) -> tuple[int, Any]:
                action()
                return 200, {}

            return receivers.enter_context(run_app(respond)).url

        yield start
