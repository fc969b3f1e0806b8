"""The command `compare`: its options, its run and its exit status."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from giftsim.cli.compare_traffic import TrafficRun, named_values
from giftsim.cli.options import Number, refuse_unused
from giftsim.cli.play import NoScenario, scenario_paths
from giftsim.cli.terminal import print_text
from giftsim.engine.client.response import Client
from giftsim.engine.kernel.instants import format_instant, parse_duration, parse_instant
from giftsim.engine.kernel.texts import count_with_noun
from giftsim.engine.worlds import system_clock
from giftsim.workbench.compare.called_operation import Contracts
from giftsim.workbench.compare.comparison import Comparison
from giftsim.workbench.compare.comparison_report import PROPOSAL, Report
from giftsim.workbench.compare.credentials import NO_CREDENTIALS, Credentials, read_credentials
from giftsim.workbench.compare.library import check_not_in_the_way, marked_files, write
from giftsim.workbench.compare.live_traffic import FIRST_LINE as FIRST_OF_HAR
from giftsim.workbench.compare.live_traffic import har_of
from giftsim.workbench.compare.service_client import Pace, ServiceClient, WallClock
from giftsim.workbench.compare.service_snapshot import FIRST_LINE, Recorder, read_snapshot
from giftsim.workbench.compare.session import (
    check_operations,
    check_values,
    compare_with_service,
    compare_with_snapshot,
    listed_calls,
    own_simulator,
    read_scenarios,
    select,
)
from giftsim.workbench.compare.target import CannotCompare, Options, parse_targets
from giftsim.workbench.scenario import Scenario
from giftsim.workbench.scenario.variables import RUN

SAME, DIFFERENT = 0, 1
INDENT = 2


class ComparisonRun:
    """One run of the command with the options that were given, `clock` is that of the machine."""

    def __init__(self, given: dict[str, Any], credentials: Credentials, clock: WallClock = system_clock) -> None:
        self._given, self._credentials, self._clock = given, credentials, clock

    def run(self) -> int:
        """Compare, or only list the calls."""
        with own_simulator() as (simulator, contracts):
            if self._given["list_calls"]:
                return self._list(contracts)
            self._check_files()
            if self._given["snapshot"] is not None:
                return self._compare_with_snapshot(simulator.client, contracts)
            return self._compare_with_service(simulator.client, contracts)

    def _compare_with_service(self, own: Client, contracts: Contracts) -> int:
        """Compare with the service. A failure ends the comparison, and what was found by then is reported first."""
        options, record = self._options(contracts), self._given["record"]
        client = self._service(contracts)
        scenarios, others = select(self._scenarios(), options, client)
        check_values(scenarios, options)
        client.kept = [] if self._given["har"] is not None else None
        recorder = Recorder(record, options.now, options.patience_s) if record is not None else None
        comparison = Comparison(own, contracts, options, recorder)
        comparison.result.left_out += others
        origins = list(dict.fromkeys(base.origin for base in client.bases.values()))
        try:
            compare_with_service(comparison, scenarios, client, options)
        except CannotCompare:
            if comparison.result.compared:
                self._report(comparison, options, origins)
            raise
        if client.kept is not None:
            text = har_of(client.kept, parse_instant(options.now))
            write(self._given["har"], "--har", self._credentials.hide(text))
        if recorder is not None:
            write(record, "--record", self._credentials.hide(recorder.text()))
        return self._report(comparison, options, origins)

    def _compare_with_snapshot(self, own: Client, contracts: Contracts) -> int:
        """Compare with what was recorded of a service."""
        path: Path = self._given["snapshot"]
        snapshot = read_snapshot(path)
        options = self._options(contracts, now=snapshot.now, patience_s=snapshot.patience_s, run=RUN)
        comparison = Comparison(own, contracts, options)
        compare_with_snapshot(comparison, snapshot, path.parent)
        return self._report(comparison, options, [str(path)])

    def _report(self, comparison: Comparison, options: Options, compared_with: Sequence[str]) -> int:
        """Print the report and write the file of differences; the exit status."""
        report = Report(comparison, options, compared_with)
        text = json.dumps(report.data, indent=INDENT) + "\n" if self._given["as_json"] else report.text
        click.echo(self._credentials.hide(text), nl=False)
        if self._given["out"] is not None:
            write(self._given["out"], "--out", self._credentials.hide(report.proposal))
        return DIFFERENT if report.differences else SAME

    def _list(self, contracts: Contracts) -> int:
        """List the calls that would be made; nothing is called."""
        options = self._options(contracts)
        scenarios, others = select(self._scenarios(), options, self._service(contracts))
        calls = listed_calls(scenarios, contracts, options)
        if self._given["as_json"]:
            rows = {"calls": [each._asdict() for each in calls], "left_out": [each._asdict() for each in others]}
            click.echo(json.dumps(rows, indent=INDENT))
            return SAME
        for each in calls:
            print_text(f"{each.file}:{each.line}: {each.title}  ({each.operation})")
        click.echo(
            f"{count_with_noun(len(calls), 'call')} of {count_with_noun(len(scenarios), 'scenario')}; none was made"
        )
        return SAME

    def _check_files(self) -> None:
        """CannotCompare if a file to write is in the way, before any call is made."""
        for option, first in (("out", PROPOSAL), ("har", FIRST_OF_HAR), ("record", FIRST_LINE)):
            if self._given[option] is not None:
                check_not_in_the_way(self._given[option], f"--{option}", first)

    def _service(self, contracts: Contracts) -> ServiceClient:
        given, clock = self._given, self._clock
        bases, pace = parse_targets(given["target"], contracts), Pace(given["calls_per_second"], clock)
        return ServiceClient(
            bases,
            contracts,
            self._credentials,
            pace,
            clock,
            given["timeout"],
            allow_simulator=given["allow_simulator"],
        )

    def _scenarios(self) -> Sequence[Scenario]:
        """The scenarios of the command line; without any, those of the library that are marked."""
        named = self._given["scenarios"]
        if not named:
            return read_scenarios(marked_files())
        try:
            return read_scenarios([Path(path) for path in scenario_paths(named)])
        except NoScenario as error:
            raise CannotCompare(str(error)) from None

    def _options(self, contracts: Contracts, **more: Any) -> Options:
        given = self._given
        try:
            patience_s = parse_duration(given["patience"]) / 1000 if given["patience"] else 0.0
            now_ms = parse_instant(given["now"]) if given["now"] else system_clock.now_ms() // 1000 * 1000
        except ValueError as error:
            raise CannotCompare(f"--patience or --now: {error}") from None
        chosen = {
            "now": format_instant(now_ms),
            "run": f"r{system_clock.fresh_seed():x}",
            "patience_s": patience_s,
            "slow_s": given["slow"],
            "spend": given["spend"],
            "unmarked": given["unmarked"],
            "values": named_values("--var", given["var"]),
            "settings": named_values("--setting", given["setting"]),
            "operations": check_operations(given["operation"], contracts),
        }
        return Options(**{**chosen, **more})


CANNOT, STOPPED = 2, 130
FORMER = {"record": "--har FILE", "snapshot": "--traffic FILE"}
FOR_BOTH = ("target", "credential", "allow_simulator")
FOR_TRAFFIC = ("fixture", "observed")
FOR_SERVICE = (
    "target",
    "credential",
    "spend",
    "unmarked",
    "patience",
    "calls_per_second",
    "timeout",
    "slow",
    "var",
    "allow_simulator",
    "list_calls",
    "har",
    "record",
    "now",
)


@click.command()
@click.argument("scenarios", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--target",
    multiple=True,
    metavar="URL|NAME=URL",
    help="The service's origin, or the base URL of one interface: team, partner or museum.",
)
@click.option(
    "--credential",
    multiple=True,
    metavar="NAME=VARIABLE",
    help="A credential of the scenarios, and the environment variable that has the service's.",
)
@click.option(
    "--traffic",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Compare with recorded traffic of the service, a HAR file, without calling it.",
)
@click.option("--fixture", metavar="NAME", help="What the world of --traffic begins with.  [default: what it shows]")
@click.option(
    "--observed",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what --traffic shows of each decision in this file.",
)
@click.option("--spend", is_flag=True, help="Play scenarios that charge the account too.")
@click.option("--unmarked", is_flag=True, help="Play scenarios without a `sandbox` mark too.")
@click.option("--operation", multiple=True, metavar="ID", help="Report differences of this operation only.")
@click.option("--patience", metavar="SPAN", help="Wait up to this long in place of a step of the clock, like 30s.")
@click.option(
    "--calls-per-second",
    default=5.0,
    show_default=True,
    type=Number(0, 1000, min_open=True),
    help="Most calls to the service in a second.",
)
@click.option(
    "--timeout",
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    type=Number(0, min_open=True),
    help="How long the service has for an answer.",
)
@click.option("--slow", metavar="SECONDS", type=Number(0), help="Report answers that take longer.")
@click.option("--var", multiple=True, metavar="NAME=VALUE", help="A variable of scenarios, for the service.")
@click.option("--setting", multiple=True, metavar="NAME=VALUE", help="A setting of giftsim's worlds.")
@click.option("--now", metavar="INSTANT", help="When giftsim's worlds begin, in place of the present.")
@click.option("--list", "list_calls", is_flag=True, help="Only list the calls that would be made to the service.")
@click.option(
    "--har",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the calls and the service's answers in this file, for --traffic.",
)
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), hidden=True)
@click.option("--snapshot", type=click.Path(exists=True, dir_okay=False, path_type=Path), hidden=True)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the differences to this file, for a decision on each.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--allow-simulator", is_flag=True, help="Allow a target that is giftsim itself.")
def compare(**given: Any) -> None:
    """Compare a service with giftsim: by its recorded traffic, or by the calls of SCENARIOS, made on both.

    With --traffic, a recording is replayed into a fresh world whose clock follows it; for each difference the report
    names the setting that explains it, if one does.

    Without SCENARIOS, those of the library are played that are marked with `sandbox`, cost nothing, and need only the
    targets and credentials that are given. Ids, tokens, instants and texts are masked before anything is compared, kept
    or shown. The exit status is 0 without differences, 1 with some, and 2 if the comparison could not be made.
    """
    _check_source(given)
    for option, now in FORMER.items():
        if given[option] is not None:
            print_text(f"giftsim: --{option} works in this release only: use {now}", err=True)
    credentials = NO_CREDENTIALS
    try:
        credentials = read_credentials(given["credential"], os.environ)
        run = TrafficRun if given["traffic"] is not None else ComparisonRun
        status = run(given, credentials).run()
    except CannotCompare as problem:
        print_text(f"Error: {credentials.hide(str(problem))}", err=True)
        raise SystemExit(CANNOT) from None
    except KeyboardInterrupt:
        raise SystemExit(STOPPED) from None
    raise SystemExit(status)


def _check_source(given: dict[str, Any]) -> None:
    """UsageError unless the answers come from a service or from a snapshot of one."""
    if given["traffic"] is not None:
        unused = [name for name in (*FOR_SERVICE, "snapshot", "operation", "out") if name not in FOR_BOTH]
        refuse_unused(unused, "recorded traffic is compared without the service")
        if given["scenarios"]:
            raise click.UsageError("SCENARIOS cannot take effect: --traffic has its own calls")
        return
    refuse_unused(FOR_TRAFFIC, "it belongs to --traffic")
    if given["snapshot"] is None:
        if not given["target"]:
            raise click.UsageError("name a recording of the service with --traffic, or the service with --target")
        return
    refuse_unused(FOR_SERVICE, "a snapshot is compared without the service")
    if given["scenarios"]:
        raise click.UsageError("SCENARIOS cannot take effect: a snapshot names its own")
