"""The command `record`: what was done to a world, or what a HAR file has, as a scenario or a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from giftsim.cli.options import WholeNumber, control_token_options, large_files_option, refuse_unused


class HiddenArgument(click.Argument):
    """An argument of a former form of a command, which its usage does not show."""

    def get_usage_pieces(self, _ctx: click.Context) -> list[str]:
        """Nothing."""
        return []


@click.command()
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="The file to write, which is new or empty.")
@click.option("--force", is_flag=True, help="Replace the file of --out if it has content.")
@click.option("--url", help="A running simulator to take the recording from, like http://127.0.0.1:8080.")
@click.option("--as", "kind", type=click.Choice(("pytest", "vitest")), help="Write a test that does and sees the same.")
@click.option(
    "--from",
    "source",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A HAR file to make a scenario of; with --as also a scenario, a recording or a trace, to write as a test.",
)
@click.option(
    "--credential",
    "credentials",
    multiple=True,
    metavar="NAME=VARIABLE",
    help="With a HAR file: whose a credential in it is, as for compare.",
)
@click.option("--world", default="default", show_default=True, help="With --url: the world.")
@control_token_options("With --url: the token of its test-control API")
@click.option(
    "--fixture", metavar="NAME", help="With a HAR file: what the world begins with.  [default: what the file shows]"
)
@click.option("--seed", default=1, type=WholeNumber(0), hidden=True)
@click.option("--now", hidden=True)
@large_files_option
@click.argument("command", nargs=-1, cls=HiddenArgument)
def record(
    out: str,
    force: bool,
    url: str | None,
    world: str,
    control_token: str | None,
    kind: str | None,
    source: Path | None,
    command: tuple[str, ...],
    **options: Any,
) -> None:
    """Record what was done to a world as a scenario, for which `play --exact` checks every byte of the responses.

    With --as it is written as a test for pytest or for Vitest, which passes: it makes the same calls and moves the
    clock as far, and checks statuses, the codes of errors and the webhooks that were sent. The name of the file names
    the test; Vitest's is TypeScript, unless the file ends with .js or .mjs.

    With --url the world is one of a running simulator. `run --record` records what a program does. With --from a HAR
    file, its calls are made in a new world at their times, people act as its webhooks say, and that world is recorded.
    """
    from giftsim.cli.main import say_former
    from giftsim.cli.replay import RecordingFailed, fetch_recording, record_command

    har = _har_content(source)
    _check_what_is_recorded(url, kind, source, command, is_har=har is not None)
    try:
        if command:
            say_former("record -- COMMAND", "run --record FILE -- COMMAND")
            config = {"fixture": options["fixture"] or "default", "seed": options["seed"], "now": options["now"]}
            raise SystemExit(record_command(command, out, force=force, kind=kind, **config))
        found = source if url is None else fetch_recording(url, world, control_token)
        _write(out, found, har, force=force, kind=kind, **options)
    except RecordingFailed as error:
        raise click.UsageError(str(error)) from None


def _write(
    out: str,
    found: bytes | Path | None,
    har: bytes | None,
    *,
    force: bool,
    kind: str | None,
    fixture: str | None,
    credentials: tuple[str, ...],
    large_files: bool,
    **_: Any,
) -> None:
    """Write a recording, or that of the calls of a HAR file. RecordingFailed."""
    from giftsim.cli.replay import check_not_in_the_way, recording_of_har, write_recording

    check_not_in_the_way(out, force=force)
    if har is not None and isinstance(found, Path):
        found = recording_of_har(har, found, fixture, credentials)
    write_recording(out, found, force=force, kind=kind, large=large_files)


def _har_content(source: Path | None) -> bytes | None:
    """The content of a file that is HAR; None for another one."""
    if source is None:
        return None
    from giftsim.workbench.har.reading import MOST_BYTES

    with source.open("rb") as file:
        begin = file.read(1_000)
        if begin.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
            return None
        return begin + file.read(MOST_BYTES)


def _check_what_is_recorded(
    url: str | None, kind: str | None, source: Path | None, command: tuple[str, ...], *, is_har: bool
) -> None:
    """Raise UsageError unless one thing is named, and nothing that has no effect on it."""
    if [url is not None, source is not None, bool(command)].count(True) != 1:
        raise click.UsageError(
            "name one thing to record: --url URL, or --from FILE.har, or with --as also --from FILE; `giftsim run"
            " --record FILE -- COMMAND` records what a program does"
        )
    own = "a recording has its own" if url is None else "a world of --url has its own"
    of_the_world = ("seed", "now") if is_har else ("seed", "fixture", "now")
    refuse_unused(() if command else of_the_world, own)
    refuse_unused(() if is_har else ("credentials",), "only a HAR file has credentials that are not known")
    refuse_unused(
        ("source",) if kind is None and not is_har else (),
        "a scenario or a trace is written as a test, with --as pytest or --as vitest; a HAR file becomes a scenario",
    )
    refuse_unused(() if url else ("world", "control_token", "control_token_file"), "only --url takes it")
