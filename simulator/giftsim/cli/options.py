"""Options of commands: their variables of the environment, their numbers, and the messages that refuse them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import click
from click.core import ParameterSource

PREFIX = "GIFTSIM_"
HOST, PORT = f"{PREFIX}HOST", f"{PREFIX}PORT"
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8080
EXAMPLE_URL = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
MOST_JOBS = 64
ANY_ADDRESS = ("0.0.0.0", "::")
SWITCHED_ON = ("1", "true", "t", "yes", "y", "on")

Command = Callable[..., Any]


class VariableOption(click.Option):
    """An option with a variable. What is given on the command line wins, and an empty variable counts as not set.

    An option that can be repeated takes several values from its variable, with blanks or line ends between them.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "show_envvar": True})
        self.envvar = self.envvar or variable(self.opts[0])

    def resolve_envvar_value(self, _ctx: click.Context) -> str | None:
        """The variable's text, or None."""
        return port_variable() if self.envvar == PORT else os.environ.get(str(self.envvar)) or None

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """The name in a message: the variable if its value is the wrong one, else the option."""
        if ctx is not None and came_from_environment(ctx, self.name):
            return f"the variable {self.envvar}"
        return " / ".join(f"'{name}'" for name in self.opts)


def option(*names: str, **details: Any) -> Callable[[Command], Command]:
    """A click option with a variable, which has the first of its names: GIFTSIM_PORT for `--port`."""
    return click.option(*names, cls=VariableOption, **details)


def variable(name: str) -> str:
    """The environment variable that sets an option: GIFTSIM_PORT for `--port`."""
    return PREFIX + name.removeprefix("--").upper().replace("-", "_")


large_files_option = option(
    "--large-files", is_flag=True, help="Read larger files too, which may take gigabytes of memory."
)


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
    """The address of a simulator that was started with the variables of this environment."""
    host = os.environ.get(HOST) or DEFAULT_HOST
    name = DEFAULT_HOST if host in ANY_ADDRESS else f"[{host}]" if ":" in host else host
    is_https = os.environ.get("GIFTSIM_CERTIFICATE") or os.environ.get("GIFTSIM_HTTPS", "").lower() in SWITCHED_ON
    return f"http{'s' * bool(is_https)}://{name}:{port_variable() or DEFAULT_PORT}"


def read_address(url: str) -> SplitResult:
    """The parts of `--url`. UsageError if that is not the address of a simulator."""
    try:
        parts = urlsplit(url)
        is_origin = parts.hostname and "@" not in parts.netloc and not parts.path.strip("/")
        if parts.scheme in ("http", "https") and is_origin and parts.port != 0:
            return parts
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


class WholeNumber(click.IntRange):
    """A click type for whole numbers with bounds; the error names them."""

    name = "number"
    takes = "a whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; BadParameter names what is accepted."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"it takes {self.takes}{_span(self.min, self.max)}, not {value!r}.", param, ctx)


class Jobs(WholeNumber):
    """A number of processes; `auto` is that of the processors that this process may use."""

    takes = "auto or a whole number"

    def __init__(self) -> None:
        super().__init__(1, MOST_JOBS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; BadParameter names what is accepted."""
        if value == "auto":
            may_use = getattr(os, "sched_getaffinity", None)
            return min(len(may_use(0)) if may_use else os.cpu_count() or 1, MOST_JOBS)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A click type for numbers with bounds; the error names them."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; BadParameter names what is accepted."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            least = f" above {self.min:g}" if self.min_open and self.min is not None else _span(self.min, self.max)
            self.fail(f"it takes a number{least}, not {value!r}.", param, ctx)


def _span(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least:g} to {most:.15g}"
    return "" if least is None else f" of {least:g} or more"


def is_given(name: str) -> bool:
    """Whether the parameter of the current command was given on its command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse_unused(names: Iterable[str], reason: str) -> None:
    """Raise UsageError if one of these parameters was given on the command line; `reason` is why it has no effect."""
    options = {param.name: param.opts[0] for param in click.get_current_context().command.params}
    given = [options[name] for name in names if is_given(name)]
    if given:
        raise click.UsageError(f"{' and '.join(given)} cannot take effect: {reason}")


# What every client can send in a header, and what a server reads from it unchanged.
_TOKEN = re.compile(r"[!-~](?:[ -~]*[!-~])?")


def control_token_options(purpose: str) -> Callable[[Command], Command]:
    """Options for a command that takes `control_token`, which is None if none is given."""

    def decorate(command: Command) -> Command:
        @option("--control-token", help=f"{purpose}. Better in its variable or a file.")
        @option("--control-token-file", type=click.Path(dir_okay=False), help="Read the control token from this file.")
        @wraps(command)
        def with_token(control_token: str | None, control_token_file: str | None, **options: Any) -> Any:
            return command(control_token=read_token(control_token, control_token_file), **options)

        return with_token

    return decorate


def read_token(text: str | None, file: str | None) -> str | None:
    """The token in a file, or as text; None for neither. UsageError for both, and for a token that nobody can send.

    What is given on the command line comes before the environment. No message shows the token.
    """
    if is_given("control_token") != is_given("control_token_file"):
        text, file = (text, None) if is_given("control_token") else (None, file)
    if text is not None and file is not None:
        raise click.UsageError(by_source("--control-token and --control-token-file are two tokens: use one of them"))
    if file is not None:
        return _valid(_content(file), by_source(f"--control-token-file {file}"))
    return None if text is None else _valid(text, by_source("--control-token"))


def _valid(token: str, source: str) -> str:
    if not _TOKEN.fullmatch(token):
        raise click.UsageError(f"{source}: a token is printable ASCII text, without blanks at either end")
    return token


def _content(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except OSError as error:
        raise click.UsageError(by_source(f"--control-token-file {file}: {error.strerror}")) from None
    except UnicodeDecodeError:
        return ""


def check_app(url: str) -> None:
    """UsageError unless the value of `--app` is the address of an app on this machine."""
    from giftsim.workbench.scenario import check_app_url

    try:
        check_app_url(url)
    except ValueError as error:
        raise click.UsageError(f"--app: {error}") from None
