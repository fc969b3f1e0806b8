"""Options that cannot take effect beside others are refused, not ignored."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource


def is_given(name: str) -> bool:
    """Whether the parameter of the current command was given on its command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse_unused(names: Iterable[str], reason: str) -> None:
    """Raise UsageError if one of these parameters was given on the command line; `reason` is why it has no effect."""
    options = {param.name: param.opts[0] for param in click.get_current_context().command.params}
    given = [options[name] for name in names if is_given(name)]
    if given:
        raise click.UsageError(f"{' and '.join(given)} cannot take effect: {reason}")
