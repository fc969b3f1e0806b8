"""Numbers on the command line, which are refused in words: what the option takes, and what it got."""

from __future__ import annotations

from typing import Any

import click


class WholeNumber(click.IntRange):
    """A whole number, from `min` to `max` if they are given."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; BadParameter names what is accepted."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"it takes a whole number{_span(self.min, self.max)}, not {value!r}.", param, ctx)


class Number(click.FloatRange):
    """A number, from `min` to `max` if they are given."""

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
