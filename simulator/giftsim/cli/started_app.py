"""The app that `--app-command` starts, for `explore` and `play`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from giftsim.workbench.app.instances import Instances


@contextmanager
def started_app(url: str | None, command: str | None) -> Iterator[Instances | None]:
    """Start the app of --app, if a command for it is given, and end it afterwards. UsageError."""
    if command is None:
        yield None
        return
    if url is None:
        raise click.UsageError("--app-command needs the address of the app that it starts: give it as --app URL")
    from giftsim.workbench.app.instances import Instances
    from giftsim.workbench.app.process import AppNotStarted

    try:
        with closing(Instances(command, url)) as app:
            app.wait()
            yield app
    except AppNotStarted as error:
        raise click.UsageError(f"--app-command: {error}") from None
