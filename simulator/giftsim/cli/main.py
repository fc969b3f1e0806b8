"""The command line: `main` and its commands, one function each with its options."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from giftsim import __version__
from giftsim.cli.commands import ALL, EXAMPLES, FORMER, GROUPS, LISTED, MEANT, MORE
from giftsim.cli.options import (
    Jobs,
    check_app,
    large_files_option,
    refuse_unused,
)
from giftsim.engine.kernel.garbage_collection import without_garbage_collection
from giftsim.engine.kernel.texts import find_nearest
from giftsim.engine.kernel.url_passwords import hide_url_passwords

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from giftsim.cli.play import PlayedFile
WORLD_OPTIONS = ("--world", "-w", "--url", "-u", "--control-token", "--control-token-file")


# Options of `play` that say nothing with --exact.
NOT_EXACT = ("quiet", "verbose", "app", "app_command", "app_clock", "check", "junit", "trace", "coverage", "jobs")
ERROR = "Error: "  # what click writes before a message
READINESS = "readiness"  # a former folder of the library
ALIKE = 0.7  # two short words have some letters in common by chance


def with_examples(command: click.Command, path: str) -> click.Command:
    """A command, and those below it, whose help ends with examples."""
    shown = copy(command)
    lines = "\n".join(f"  {example}" for example in EXAMPLES.get(path, ()))
    shown.epilog = "\n\n".join(filter(None, [command.epilog, lines and f"\b\nExamples:\n{lines}"]))
    if isinstance(shown, click.Group):
        shown.commands = {name: with_examples(each, f"{path} {name}") for name, each in shown.commands.items()}
    return shown


class Commands(click.Group):
    """All commands, imported when they are used; `serve` runs if the arguments name none."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of the commands that the help lists, in its order."""
        return list(LISTED)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups of commands, with a line for each, then the names of the others."""
        width = max(map(len, LISTED))
        for title, entries in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", entry.line) for name, entry in entries.items()])
        with formatter.section("More"):
            formatter.write_text(", ".join(MORE))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; UsageError suggests the one that was meant."""
        name = args[0]
        if not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            near = find_nearest(name, (*LISTED, *MEANT), ALIKE)
            hint = f"did you mean {MEANT.get(near, near)}?" if near else "`giftsim --help` lists them"
            raise click.UsageError(f"there is no command {name[:60]!r}; {hint}", ctx)
        if not ctx.resilient_parsing and name in FORMER:
            say_former(name, FORMER[name].now)
        if os.getpid() == 1 and name != "serve":  # which stops in an orderly way as soon as it handles a signal
            from giftsim.cli.signals import end_as_first_process

            end_as_first_process()
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in ALL:
            entry = ALL[cmd_name]
            with without_garbage_collection():
                command = getattr(import_module(f"giftsim.cli.{entry.module}"), entry.name)
        return command and with_examples(command, cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The completions of the first word: commands, or options of this group and of `serve`."""
        found = super().shell_complete(ctx, incomplete)
        serve = self.get_command(ctx, "serve")
        if serve is not None and incomplete.startswith("-"):
            found += serve.shell_complete(click.Context(serve, parent=ctx, info_name="serve"), incomplete)
        return found

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line. What cannot be printed ends it with a line, and not as a fault of giftsim."""
        from giftsim.cli.terminal import printing

        with printing():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Messages of errors fit the terminal, and show no user name or password of a URL."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            from giftsim.cli.terminal import fit_text

            text = fit_text(ERROR + hide_url_passwords(error.format_message()), sys.stderr).removeprefix(ERROR)
            error.format_message = lambda: text  # type: ignore[method-assign]  # the same error, other words
            raise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `serve` before arguments that name no command. Options that name a world may stand before one."""
        if not args and ctx.resilient_parsing:  # for completion, nothing is chosen yet
            return super().parse_args(ctx, args)
        args = _after_its_command(args)
        if not args or (args[0].startswith("-") and args[0] not in ("--help", "--version", "-h")):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


def say_former(name: str, now: str) -> None:
    """Say on standard error what to type in place of a former name."""
    click.echo(f"giftsim: `giftsim {name}` is now `giftsim {now}`; the former name works in this release", err=True)


def _after_its_command(args: list[str]) -> list[str]:
    """The arguments with the options that name a world, if they come first, at the end of their command."""
    end = 0
    while end < len(args) and args[end].partition("=")[0] in WORLD_OPTIONS:
        end += 1 if "=" in args[end] else 2
    if 0 < end < len(args) and not args[end].startswith("-"):
        stop = args.index("--") if "--" in args else len(args)
        return [*args[end:stop], *args[:end], *args[stop:]]
    return args


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="giftsim")
def main() -> None:
    """A sandbox of a corporate-gifting service that runs offline on your machine, with a clock that you control."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the reports as JSON.")
@click.option("--quiet", "-q", is_flag=True, help="Print a line, also for a single file.")
@click.option("--verbose", "-v", is_flag=True, help="Print the timeline of every file.")
@click.option("--exact", is_flag=True, help="Play recordings and traces, and compare every byte of the responses.")
@click.option("--app", metavar="URL", help="Your app on this machine, in place of the one that a file names.")
@click.option(
    "--app-command",
    metavar="CMD",
    help="Start the app of --app by this command, which steps can restart, as for explore.",
)
@click.option(
    "--app-clock", is_flag=True, help="With --app-command: let the app's clock follow each world, as explore."
)
@click.option("--check", metavar="CMD", help="A command that checks each world at its end, as for explore.")
@click.option(
    "--junit",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the results to this file too, in JUnit's format.",
)
@click.option(
    "--trace",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Write a page with everything that happened in each file's world to this folder, and their index.",
)
@click.option(
    "--coverage",
    type=click.Path(file_okay=False, writable=True, path_type=Path),
    help="Write what the app met of the service, in all files together, to this folder.",
)
@click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=Jobs(),
    metavar="N|auto",
    help="Number of processes that play at a time; auto: one for each processor.",
)
@large_files_option
def play(files: tuple[str, ...], exact: bool, **options: Any) -> None:
    """Play scenario files, or folders of them, each in a fresh world.

    One file is shown as a timeline; of several, each has a line when it ends, with the reason if it failed. In folders,
    a file is a scenario if it is YAML (.yaml or .yml) with a text `scenario:` and `steps:`. Names of the library work
    too. Exit status: 1 if a file fails, 2 if one is refused.

    With --exact the files are what `record` and `trace` wrote; the exit status is 1 if a response differs.
    """
    if exact:
        refuse_unused(NOT_EXACT, "--exact compares the responses of recordings")
        _replay(files, as_json=options["as_json"], large_files=options["large_files"])
    _check_play_options(**options)
    if any(file.split("/")[0].split(".")[0] == READINESS and not Path(file).exists() for file in files):
        from giftsim.cli.former_exams import play_readiness

        say_former(f"play {READINESS}", f"exam --only {READINESS}")
        play_readiness(options)
    _play(files, **options)


def _play(
    files: tuple[str, ...], *, as_json: bool, quiet: bool, verbose: bool, junit: Path | None, **options: Any
) -> None:
    """Play scenario files, print how they ended, and exit unless all passed."""
    from giftsim.cli.coverage import CoverageFolder
    from giftsim.cli.play import NoScenario, PlayOptions, TraceFolder, scenario_paths, totals
    from giftsim.cli.play_jobs import JobEnded, play_in_jobs
    from giftsim.cli.started_app import started_app
    from giftsim.cli.terminal import print_text

    try:
        paths = scenario_paths(files)
    except NoScenario as error:
        raise click.UsageError(str(error)) from None
    in_lines = quiet or (len(paths) > 1 and not verbose)
    traces, kept = TraceFolder.at(options["trace"]), CoverageFolder.at(options["coverage"])
    reports = []
    try:
        with started_app(options["app"], options["app_command"], app_clock=options["app_clock"]) as app:
            how = PlayOptions(options["app"], options["check"], traces is not None, app, options["large_files"])
            for report in play_in_jobs(paths, how, options["jobs"], kept.add if kept else None):
                reports.append(report if traces is None else traces.written(report))
                if not as_json:
                    print_text(report.summary if in_lines else report.timeline)
    except JobEnded as error:
        raise click.ClickException(str(error)) from None
    if junit is not None:
        _write_junit(junit, reports)
    if as_json:
        click.echo(json.dumps([report.data for report in reports], indent=2))
    elif len(paths) > 1:
        click.echo(f"\n{totals(reports)}" if in_lines else totals(reports))
    if kept is not None:
        kept.write_and_show(quiet=as_json)
    if any(not (report.passed or report.skipped) for report in reports):
        raise SystemExit(2 if any(report.refused for report in reports) else 1)


def _check_play_options(*, as_json: bool, quiet: bool, **options: Any) -> None:
    """UsageError for options of `play` that do not fit together."""
    refuse_unused(("quiet", "verbose") if as_json else (), "--json prints every report in full")
    refuse_unused(("verbose",) if quiet else (), "--quiet prints lines only")
    if options["app"] is not None:
        check_app(options["app"])
    if options["app_command"] is not None:
        refuse_unused(("jobs",), "--app-command starts one app")


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@large_files_option
def replay(files: tuple[str, ...], as_json: bool, large_files: bool) -> None:
    """Play recordings again; the exit status is 1 if a response differs, 2 if a file is refused."""
    _replay(files, as_json=as_json, large_files=large_files)


def _replay(files: tuple[str, ...], *, as_json: bool, large_files: bool) -> NoReturn:
    """Play recordings, print what differs, and exit."""
    from shutil import get_terminal_size

    from giftsim.cli.replay import replay_files
    from giftsim.cli.terminal import print_text

    if missing := next((path for path in files if not Path(path).is_file()), None):
        raise click.UsageError(f"{missing} is a folder" if Path(missing).is_dir() else f"{missing} does not exist")
    results = []
    for replayed in replay_files(files, get_terminal_size((120, 24)).columns, large=large_files):
        results.append(replayed)
        if not as_json:
            print_text(replayed.text, err=replayed.outcome == "refused")
    if as_json:
        click.echo(json.dumps([each.data for each in results], indent=2))
    outcomes = {each.outcome for each in results}
    raise SystemExit(2 if "refused" in outcomes else int("different" in outcomes))


def _write_junit(path: Path, reports: Sequence[PlayedFile]) -> None:
    from giftsim.cli.play import junit

    try:
        path.write_bytes(junit(reports))
    except OSError as error:
        raise click.ClickException(f"--junit {path} cannot be written: {error.strerror}") from None
