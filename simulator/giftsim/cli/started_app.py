"""The app that `--app-command` starts, for `explore` and `play`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from giftsim.workbench.app.instances import Instances
    from giftsim.workbench.app_clock.app_time import AppTime


def app_time(command: Sequence[str]) -> AppTime:
    """What moves the time of a command's processes. UsageError where that cannot be done."""
    from giftsim.workbench.app_clock.app_time import AppTime, CannotMove

    try:
        return AppTime(command)
    except CannotMove as error:
        raise click.UsageError(f"--app-clock: {error}") from None


@contextmanager
def started_app(url: str | None, command: str | None, *, app_clock: bool = False) -> Iterator[Instances | None]:
    """Start the app of --app, if a command for it is given, and end it afterwards. UsageError.

    With `app_clock`, its time follows a world.
    """
    if command is None:
        if app_clock:
            raise click.UsageError(
                "--app-clock moves the clock of the app that a command starts: give its --app-command"
            )
        yield None
        return
    if url is None:
        raise click.UsageError("--app-command needs the address of the app that it starts: give it as --app URL")
    from giftsim.workbench.app.instances import Instances
    from giftsim.workbench.app.process import AppNotStarted

    try:
        with closing(Instances(command, url, app_time(shlex.split(command)) if app_clock else None)) as app:
            app.wait()
            yield app
    except AppNotStarted as error:
        raise click.UsageError(f"--app-command: {error}") from None
