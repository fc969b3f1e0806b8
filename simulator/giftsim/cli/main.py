"""The command line."""

from __future__ import annotations

import json
import logging
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import click

from giftsim import __version__
from giftsim.cli.explore import explore


class Bare(click.Group):
    """A group whose bare call, or one that begins with an option, means `serve`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `serve` before arguments that name no command."""
        if not args or (args[0].startswith("-") and args[0] not in ("--help", "--version", "-h")):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Bare, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="giftsim")
def main() -> None:
    """A sandbox of a corporate-gifting service, on one machine, offline, on a clock that you hold."""


main.add_command(explore)


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@click.option("--json", "as_json", is_flag=True, help="Say where it listens as one line of JSON.")
@click.option("--control-token", help="Token for the control plane; needed on any address but loopback.")
@click.option("--clock", default="running", show_default=True, help="manual, running or running@RATE.")
@click.option("--now", help="The default world's first instant, like 2027-01-04T09:00:00Z.")
@click.option("--fixture", default="default", show_default=True, help="Fixture of the default world: a name or a file.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Seed of the default world.")
@click.option("--journal", type=click.Path(dir_okay=False), help="File to append to, and to go on from after a crash.")
@click.option("--forward", multiple=True, metavar="HOST=URL", help="Deliver webhooks for HOST to a loopback URL.")
@click.option("--forward-allow", multiple=True, metavar="HOST[:PORT]|CIDR", help="Allow forwarding beyond loopback.")
@click.option("--public-url", help="Origin of links when clients reach the simulator by another address.")
@click.option("--host-name", multiple=True, help="A further name under which the control plane may be called.")
@click.option("--max-worlds", default=1000, show_default=True, type=click.IntRange(1), help="Most worlds at a time.")
def serve(**options: Any) -> None:
    """Start the simulator (what a bare call does)."""
    from giftsim.cli.serve import BadOptions, Serving
    from giftsim.event_log.journal_file import Unreadable

    try:
        serving = Serving(**options)
    except BadOptions as refusal:
        raise click.UsageError(str(refusal)) from None
    except Unreadable as refusal:
        click.echo(str(refusal), err=True)
        raise SystemExit(2) from None
    except OSError as error:
        raise click.ClickException(f"cannot listen on {options['host']}:{options['port']}: {error.strerror}") from None
    _end_on_signals()
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    try:
        click.echo(serving.banner())
        sys.stdout.flush()
        serving.run()
    except KeyboardInterrupt:
        pass
    finally:
        serving.close()


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=True))
@click.option("--json", "as_json", is_flag=True, help="Print the reports as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Print one line for each file.")
@click.option("--app", metavar="URL", help="The downstream app on this machine, in place of the one a file names.")
@click.option("--check", metavar="CMD", help="A command that judges each world at its end, as for explore.")
def play(files: tuple[str, ...], as_json: bool, quiet: bool, app: str | None, check: str | None) -> None:
    """Play scenario files (or folders of them), each in a fresh world; the exit status is 1 when one fails."""
    from giftsim.cli.play import play_files

    if app is not None:
        _check_app(app)
    reports = list(play_files(files, app, check))
    if as_json:
        click.echo(json.dumps([report.data for report in reports], indent=2))
    else:
        for report in reports:
            click.echo(report.line if quiet else report.timeline)
    if any(not report.passed for report in reports):
        raise SystemExit(1)


@main.command()
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="The file to write.")
@click.option("--url", help="A running simulator to take the recording from, like http://127.0.0.1:8080.")
@click.option("--world", default="default", show_default=True, help="With --url: the world.")
@click.option("--control-token", help="With --url: the token of its control plane.")
@click.option("--fixture", default="default", show_default=True, help="For COMMAND: the world's fixture.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="For COMMAND: the world's seed.")
@click.option("--now", help="For COMMAND: the world's first instant, like 2027-01-04T09:00:00Z.")
@click.argument("command", nargs=-1)
def record(
    out: str, url: str | None, world: str, control_token: str | None, command: tuple[str, ...], **config: Any
) -> None:
    """Write what was done to a world as a scenario that `replay` checks byte by byte.

    With --url it is taken from a running simulator. With -- COMMAND ARGS... a simulator is started on a free port, and
    the command is run with these in its environment: GIFTSIM_URL (the address), GIFTSIM_WORLD (default),
    GIFTSIM_CONTROL (its control plane: $GIFTSIM_CONTROL/clock/advance), and the credentials by their names:
    GIFTSIM_PARTNER_PREPAID, GIFTSIM_TEAM_LIVE_APPROVER, GIFTSIM_SESSION_OWNER, GIFTSIM_MUSEUM_USER,
    GIFTSIM_MUSEUM_PASSWORD and so on. The file is written also when the command fails; its exit status is passed on.
    """
    from giftsim.cli.record import Attended, Untaken, fetched, idle, keep

    if (url is None) != bool(command):
        raise click.UsageError("name one thing to record: --url URL, or -- COMMAND ARGS...")
    try:
        if url is not None:
            keep(out, fetched(url, world, control_token))
            return
        attended = Attended(**config)
        try:
            status = attended.run(command)
            recording = attended.recording()
            keep(out, recording)
        finally:
            attended.close()
    except Untaken as error:
        raise click.UsageError(str(error)) from None
    if idle(recording):
        click.echo(f"nothing was done to the world; {command[0]} has to call the simulator at $GIFTSIM_URL", err=True)
    raise SystemExit(status)


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def replay(files: tuple[str, ...], as_json: bool) -> None:
    """Play recordings again; the exit status is 1 when anything differs, 2 when a file is refused."""
    from shutil import get_terminal_size

    from giftsim.cli.replay import replay_files

    found = []
    for replayed in replay_files(files, get_terminal_size((120, 24)).columns):
        found.append(replayed)
        if not as_json:
            click.echo(replayed.told, err=replayed.outcome == "refused")
    if as_json:
        click.echo(json.dumps([each.data for each in found], indent=2))
    outcomes = {each.outcome for each in found}
    raise SystemExit(2 if "refused" in outcomes else int("different" in outcomes))


@main.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False))
@click.option("--check", is_flag=True, help="Only say which files are stale; the exit status is 1 then.")
def handbook(files: tuple[str, ...], check: bool) -> None:
    """Make the generated tables of FILES (the README and the reference) anew."""
    from giftsim.docgen.reference_tables import refreshed

    stale = False
    for name in files or ("README.md", "docs/reference.md"):
        path = Path(name)
        text = path.read_text(encoding="utf-8")
        fresh = refreshed(text)
        if fresh != text:
            stale = True
            click.echo(f"{name} {'is stale' if check else 'is made anew'}")
            if not check:
                path.write_text(fresh, encoding="utf-8")
    if check and stale:
        raise SystemExit(1)


def _check_app(url: str) -> None:
    from giftsim.scenario import check_app

    try:
        check_app(url)
    except ValueError as error:
        raise click.UsageError(f"--app: {error}") from None


def _end_on_signals() -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
