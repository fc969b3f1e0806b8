"""The command `check-receiver`: its options, its run and its exit status."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import click
import msgspec

from giftsim.cli.options import Number, WholeNumber, option
from giftsim.cli.serve_option_values import InvalidOptions, read_allowances
from giftsim.workbench.app.calls import run_command

if TYPE_CHECKING:
    from giftsim.workbench.exam.receiver.probe_runner import Broken, Check

PASSED, FAILED = 0, 1
APP = "GIFTSIM_APP"


@click.command("check-receiver")
@click.argument("url")
@option("--secret", required=True, help="The endpoint's secret, whsec_.... Better in its variable.")
@click.option("--next-secret", metavar="SECRET", help="The secret that replaces it, which the receiver accepts too.")
@click.option("--old-secret", metavar="SECRET", help="A secret that was replaced, which it accepts no more.")
@click.option(
    "--interface",
    type=click.Choice(["partner", "team"]),
    default="partner",
    show_default=True,
    help="Whose webhooks it receives.",
)
@click.option(
    "--check", "command", metavar="CMD", help="A command that checks what the app believes, after each probe."
)
@click.option("--break", "break_", metavar="CMD", help="A command after which the app cannot do its work.")
@click.option("--mend", metavar="CMD", help="A command that ends what --break began.")
@click.option("--probe", "probes", multiple=True, metavar="NAME", help="Only this probe.")
@click.option(
    "--timeout",
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    type=Number(0, 10, min_open=True),
    help="How long the receiver has for an answer.",
)
@click.option("--seed", type=WholeNumber(1), help="The seed of the events; by default another in each run.")
@option("--forward-allow", multiple=True, metavar="HOST[:PORT]|CIDR", help="Allow this address too.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def check_receiver(**given: Any) -> None:
    """Check a webhook receiver: send it about fifty genuine, forged and unusual webhooks, and judge what it does.

    URL is the receiver's, on this machine. The command of --check reads JSON from its standard input:
    {"probe", "events", "forged"}, where `events` are those that the app should believe after the probe, and `forged`
    those that it should not. The variable GIFTSIM_APP holds the URL. An exit status other than 0 means that the app is
    wrong, and the last line of its output says why. The exit status is 0 if no probe failed, 1 if one did, and 2 if
    the receiver could not be checked.
    """
    from giftsim.workbench.exam.receiver.http_receiver import Unreachable

    if (given["break_"] is None) != (given["mend"] is None):
        raise click.UsageError("--break and --mend belong together")
    try:
        status = _run(given)
    except (ValueError, InvalidOptions, Unreachable, CommandFailed) as error:
        raise click.UsageError(str(error)) from None
    raise SystemExit(status)


class CommandFailed(Exception):
    """The command of --break or --mend failed; the message says how."""


def _run(given: Mapping[str, Any]) -> int:
    """Check and print the report, each probe as it ends; the exit status."""
    from giftsim.engine.worlds import system_clock
    from giftsim.workbench.exam.receiver.check_report import ReceiverReport, outcome_summary, probe_lines
    from giftsim.workbench.exam.receiver.http_receiver import HttpReceiver
    from giftsim.workbench.exam.receiver.probe import Secrets
    from giftsim.workbench.exam.receiver.probe_runner import Runner
    from giftsim.workbench.exam.receiver.probes import choose_probes
    from giftsim.workbench.exam.receiver.stock import Stock

    probes, allowed = choose_probes(given["probes"]), read_allowances(given["forward_allow"])
    seed = given["seed"] or system_clock.fresh_seed() + 1
    with closing(HttpReceiver(given["url"], timeout_s=given["timeout"], forward_allow=allowed)) as receiver:
        runner = Runner(
            receiver,
            Stock(given["interface"], seed=seed, ends_ms=system_clock.now_ms()),
            Secrets(given["secret"], given["next_secret"], given["old_secret"]),
            check=_check(given["command"], given["url"]),
            broken=_broken(given["break_"], given["mend"], given["url"]),
        )
        results = []
        for result in runner.run(probes):
            results.append(result)
            if not given["as_json"]:
                click.echo("\n".join(probe_lines(result)))
    report = ReceiverReport(results)
    click.echo(json.dumps(report.data, indent=2) if given["as_json"] else f"{outcome_summary(results)} (seed {seed})")
    return PASSED if report.passed else FAILED


def _check(command: str | None, url: str) -> Check | None:
    """The check that a command makes; what it reads is JSON."""
    if command is None:
        return None
    return lambda expected: run_command(command, {APP: url}, msgspec.json.encode(expected).decode())


def _broken(begin: str | None, end: str | None, url: str) -> Broken | None:
    """A context that one command begins and another ends."""
    if begin is None or end is None:
        return None

    @contextmanager
    def broken() -> Iterator[None]:
        _command("--break", begin, url)
        try:
            yield
        finally:
            _command("--mend", end, url)

    return broken


def _command(name: str, command: str, url: str) -> None:
    wrong = run_command(command, {APP: url})
    if wrong is not None:
        raise CommandFailed(f"{name} {command}: {wrong}")
