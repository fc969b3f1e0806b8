"""The token of the test-control API: from the environment or a file, so that no list of processes shows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from giftsim.cli.environment import by_source, option
from giftsim.cli.unused_options import is_given

# What every client can send in a header, and what a server reads from it unchanged.
_TOKEN = re.compile(r"[!-~](?:[ -~]*[!-~])?")

Command = Callable[..., Any]


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
