"""Options that a variable of the environment can set too, and messages that name the variable where it did."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

PREFIX = "GIFTSIM_"
HOST, PORT = f"{PREFIX}HOST", f"{PREFIX}PORT"
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8080
EXAMPLE_URL = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
ANY_ADDRESS = ("0.0.0.0", "::")

Command = Callable[..., Any]


class VariableOption(click.Option):
    """An option with a variable. What is given on the command line wins, and an empty variable counts as not set.

    An option that can be repeated takes several values from its variable, with blanks or line ends between them.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "show_envvar": True})
        self.envvar = variable(self.opts[0])

    def resolve_envvar_value(self, _ctx: click.Context) -> str | None:
        """The variable's text, or None."""
        return port_variable() if self.envvar == PORT else os.environ.get(str(self.envvar)) or None

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """What a message names: the variable if its value is the wrong one, else the option."""
        if ctx is not None and came_from_environment(ctx, self.name):
            return f"the variable {self.envvar}"
        return " / ".join(f"'{name}'" for name in self.opts)


def option(*names: str, **details: Any) -> Callable[[Command], Command]:
    """A click option with a variable, which has the first of its names: GIFTSIM_PORT for `--port`."""
    return click.option(*names, cls=VariableOption, **details)


def variable(name: str) -> str:
    """The variable of an option."""
    return PREFIX + name.removeprefix("--").upper().replace("-", "_")


def by_source(text: str) -> str:
    """A text that names options of the current command, with the variables of those that came from the environment."""
    names = _variables_used()
    return re.sub(r"(?<![\w-])--[a-z][a-z-]*", lambda found: names.get(found[0], found[0]), text)


def with_source(message: str) -> str:
    """A message by source. One that names no option from the environment ends with what the environment set."""
    named, names = by_source(message), _variables_used()
    return named if named != message or not names else f"{message} (the environment sets {', '.join(names.values())})"


def came_from_environment(ctx: click.Context, name: str | None) -> bool:
    """Whether a parameter has its value from its variable."""
    return ctx.get_parameter_source(name or "") is ParameterSource.ENVIRONMENT


def port_variable() -> str | None:
    """The text of GIFTSIM_PORT, unless Kubernetes set it for a service called giftsim: tcp://... (G132)."""
    text = os.environ.get(PORT, "")
    return None if not text or text.startswith("tcp://") else text


def default_url() -> str:
    """Where a simulator listens that was started with the variables of this environment."""
    host = os.environ.get(HOST) or DEFAULT_HOST
    name = DEFAULT_HOST if host in ANY_ADDRESS else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port_variable() or DEFAULT_PORT}"


def read_address(url: str) -> tuple[str, int | None]:
    """Host and port of `--url`. UsageError if that is not the address of a simulator."""
    try:
        parts = urlsplit(url)
        if parts.scheme == "http" and parts.hostname and "@" not in parts.netloc and not parts.path.strip("/"):
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise click.UsageError(by_source(f"--url {url!r} is not the address of a simulator, like {EXAMPLE_URL}"))


def _variables_used() -> dict[str, str]:
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        return {}
    return {
        param.opts[0]: str(param.envvar)
        for param in ctx.command.params
        if isinstance(param, VariableOption) and came_from_environment(ctx, param.name)
    }
