"""The options that name an app which implements the protocol: its address, its command, and its paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from giftsim.cli.options import check_app

Command = Callable[..., Any]

_PATHS: Mapping[str, str] = {
    "start": "Called to begin a run.",
    "do": "Called for each action.",
    "webhooks": "Receives the webhooks.",
    "check": "Called to check the app.",
}


def app_options(*, required: bool) -> Callable[[Command], Command]:
    """`--app`, `--app-command` that starts it, and `--app-clock` that moves its time."""

    def decorate(command: Command) -> Command:
        url = click.option("--app", required=required, metavar="URL", help="The app, here: http://127.0.0.1:PORT.")
        start = click.option(
            "--app-command", metavar="CMD", help="Start the app by this command; {port} and {url} are its address."
        )
        clock = click.option(
            "--app-clock", is_flag=True, help="With --app-command: let the app's clock follow that of its world."
        )
        return url(start(clock(command)))

    return decorate


def path_options(command: Command) -> Command:
    """The paths of the app's endpoints: `--start-path` and so on."""
    for name, line in reversed(tuple(_PATHS.items())):
        command = click.option(f"--{name}-path", default=f"/giftsim/{name}", show_default=True, help=line)(command)
    return command


def app_and_paths(options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The address of the app, and its paths by the names of `AppProtocol`. UsageError."""
    app = options["app"].rstrip("/")
    check_app(app)
    paths = {name: options[f"{name}_path"] for name in _PATHS}
    for name, path in paths.items():
        if not path.startswith("/"):
            raise click.UsageError(f"--{name}-path is a path like /giftsim/{name}, not {path!r}")
    return app, paths
