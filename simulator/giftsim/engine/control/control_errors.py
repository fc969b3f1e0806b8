"""Errors that only the control API answers with.

Problem
├── ForeignHost 403, ForeignOrigin 403, TokenMissing 401, Starting 503
├── KeyNotFound 404
├── EndpointDisabled 409
└── Ambiguous 400: a body does not name exactly one subject
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from giftsim.engine.problem import Problem

# The page of the documentation, on this server, that says how to go on after an error.
PAGE: Final = "/console/docs/reference/control-api.md"
PAGES: Final[Mapping[str, str]] = {
    "foreign_host": "/console/docs/how-to/run-for-a-team.md",
    "foreign_origin": "/console/docs/how-to/run-for-a-team.md",
    "invalid_receiver": "/console/docs/how-to/receive-webhooks.md",
    "invalid_scenario": "/console/docs/reference/scenario-language.md",
    "invalid_setting": "/console/docs/reference/settings.md",
    "invalid_world": "/console/docs/how-to/write-a-scenario.md",
    "unauthorized": "/console/docs/how-to/run-for-a-team.md",
}


def page_of(code: str) -> str:
    """The address of the page that explains what to do about an error."""
    return PAGES.get(code, PAGE)


class ForeignHost(Problem, status=403, code="foreign_host"):
    """The `Host` is not the simulator's own, as in DNS rebinding: a foreign name resolved to this machine (G20)."""


class ForeignOrigin(Problem, status=403, code="foreign_origin"):
    """The call comes from a page of another origin."""


class TokenMissing(Problem, status=401, code="unauthorized"):
    """The control token is missing or wrong."""


class Starting(Problem, status=503, code="starting"):
    """The default world is not ready yet."""


class KeyNotFound(Problem, status=404, code="key_not_found"):
    """The world has no such key."""


class EndpointDisabled(Problem, status=409, code="invalid_state"):
    """The endpoint is disabled, so nothing is sent to it."""


class Ambiguous(Problem, status=400, code="invalid_body"):
    """A body does not name exactly one subject or goal, or has members that exclude one another."""
