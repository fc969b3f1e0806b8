"""The command `run`: starts a simulator and a proxy, runs a program, and says what it called."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

import click

from giftsim.cli.options import WholeNumber, refuse_unused
from giftsim.cli.started_app import app_time

if TYPE_CHECKING:
    from giftsim.cli.replay import RecordedSimulator
    from giftsim.cli.run.har_log import HarLog
    from giftsim.cli.run.proxy import Proxy
    from giftsim.cli.run.routes import Route
    from giftsim.cli.signals import PassedSignals
    from giftsim.engine.server.connection import Service
    from giftsim.testing.clients import Clients
    from giftsim.workbench.app_clock.app_time import AppTime

KINDS = ("pytest", "vitest")
REPEATED = ("junit", "jobs", "as_json", "fixture", "seed", "now")
NOT_REPEATED = (
    *("routes", "others", "webhooks", "clock", "app_clock", "coverage", "quiet", "record", "har", "kind", "force"),
)
# A public name, as endpoints have; its webhooks go where the app listens.
APP_HOST = "app.vendor-customer.example"


class Kept(NamedTuple):
    """Where the recording goes, as a test of a `kind` if there is one, and the HAR; whether they replace a file."""

    out: str | None
    har: str | None
    kind: str | None
    force: bool


@click.command()
@click.option(
    "--route",
    "routes",
    multiple=True,
    metavar="URL[=CREDENTIAL]",
    help="Answer calls below this URL. More may follow: ,to=/api/external ,replace_key",
)
@click.option(
    "--others",
    default="refuse",
    show_default=True,
    type=click.Choice(["refuse", "pass"]),
    help="What calls to other hosts get; this machine is always passed.",
)
@click.option(
    "--webhooks", metavar="URL", help="Where your app listens for webhooks, like http://127.0.0.1:9000/hooks."
)
@click.option("--clock", default="manual", show_default=True, help="manual, running or running@RATE.")
@click.option(
    "--app-clock",
    is_flag=True,
    help="Let the clocks of the program's processes follow the world that was made last, at first the default one.",
)
@click.option("--fixture", default="default", show_default=True, help="The world's fixture.")
@click.option("--seed", default=1, show_default=True, type=WholeNumber(0), help="The world's seed.")
@click.option("--now", help="The world's first instant, like 2027-01-04T09:00:00Z.")
@click.option("--coverage", is_flag=True, hidden=True)  # for with-giftsim, which reports it
@click.option("--quiet", "-q", is_flag=True, help="Print no summary.")
@click.option("--record", metavar="FILE", help="Record what was done as a scenario, in a file that is new or empty.")
@click.option("--har", metavar="FILE", help="Write the calls and the webhooks as HAR 1.2, in a new or empty file.")
@click.option("--as", "kind", type=click.Choice(KINDS), help="With --record: write a test that does and sees the same.")
@click.option("--force", is_flag=True, help="With --record or --har: replace a file that has content.")
@click.option("--assumptions", is_flag=True, help="Find the tests that lean on what the documents leave open.")
@click.option(
    "--junit",
    metavar="FILE",
    help="With --assumptions: the JUnit file that the program writes. Without it, the program is one test.",
)
@click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=WholeNumber(1, 64),
    help="With --assumptions: how many repeat the program; {job} in it and in FILE is the number of each.",
)
@click.option("--json", "as_json", is_flag=True, help="With --assumptions: print the report as JSON.")
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND ARGS...")
def run(command: tuple[str, ...], assumptions: bool, **options: Any) -> None:
    """Run a program against a simulator: your app's calls to the service come here, unchanged.

    For apps and tests in any language. A simulator starts on a free port, and the program gets variables by which
    Node, Go, Java, Ruby, PHP, .NET, Python and curl call it in place of the vendor's host. CREDENTIAL is sent with
    calls that have none, or with replace_key in place of the app's own. Webhooks of every host go to --webhooks; if
    that URL has a path, an endpoint there gets all events, and GIFTSIM_WEBHOOK_SECRET has its secret.

    These variables are set too: GIFTSIM_URL (the address), GIFTSIM_WORLD (default), GIFTSIM_CONTROL (the test-control
    API: $GIFTSIM_CONTROL/clock/advance), and the credentials by their names, such as GIFTSIM_PARTNER_PREPAID and
    GIFTSIM_MUSEUM_PASSWORD. So `giftsim advance 3d` in the program moves the clock.

    A summary goes to standard error, and the exit status is the program's. SIGTERM, SIGHUP and Ctrl-C are passed on
    to the program.

    With --assumptions the program is your tests. It runs as it is, then with other readings of what the documents
    leave open, all at once and in halves, until it is known which a test does not bear. .giftsim/assumptions.json has
    what was found. With --assumptions the exit status is 1 if a test leans on a guess, and 2 if nothing can be said.
    """
    if assumptions:
        refuse_unused(NOT_REPEATED, "--assumptions runs the program again and again, each time with a new simulator")
        from giftsim.cli.assumptions import find_assumptions

        find_assumptions(command, **{name: options[name] for name in REPEATED})
    refuse_unused(("junit", "jobs", "as_json"), "only --assumptions takes it")
    refuse_unused(() if options["record"] else ("kind",), "only --record takes it")
    refuse_unused(() if options["record"] or options["har"] else ("force",), "only --record and --har take it")
    _run_once(command, **{name: value for name, value in options.items() if name not in ("junit", "jobs", "as_json")})


def _run_once(
    command: Sequence[str],
    *,
    routes: tuple[str, ...],
    clock: str,
    record: str | None,
    har: str | None,
    kind: str | None,
    force: bool,
    **options: Any,
) -> NoReturn:
    """Run the program, and exit with its status."""
    from giftsim.cli.replay import RecordingFailed, check_not_in_the_way
    from giftsim.cli.run.routes import InvalidRoute, read_route
    from giftsim.cli.serve_option_values import InvalidOptions, read_clock
    from giftsim.cli.signals import PassedSignals

    refuse_unused(() if routes else ("others",), "without --route nothing is answered here, and nothing refused")
    try:
        rate, read = read_clock(clock), [read_route(each) for each in routes]
        kept = Kept(record, har, kind, force)
        for out in filter(None, (record, har)):
            check_not_in_the_way(out, force=force)
        with PassedSignals() as signals:
            status = _run(command, signals, read, kept, rate=rate, **options)
    except (RecordingFailed, InvalidRoute, InvalidOptions) as error:
        raise click.UsageError(str(error)) from None
    raise SystemExit(status)


def _run(
    command: Sequence[str],
    signals: PassedSignals,
    routes: list[Route],
    kept: Kept,
    *,
    others: str,
    webhooks: str | None,
    app_clock: bool,
    coverage: bool,
    quiet: bool,
    **config: Any,
) -> int:
    """Run the program, keep what it did, and print the summary; its exit status. RecordingFailed, InvalidRoute."""
    from giftsim.cli.replay import RecordedSimulator

    with ExitStack() as stack:
        time = stack.enter_context(closing(app_time(command))) if app_clock else None
        simulator = stack.enter_context(closing(RecordedSimulator(**config)))
        if coverage:
            simulator.keep_coverage()
        clients = _clients(simulator.origin, stack)
        log = None if kept.har is None else _har_log(simulator)
        variables = _subscribed(clients, webhooks, routes) if webhooks else {}
        proxy, added = _proxy(routes, clients, simulator.service, others, stack)
        variables |= added
        if time is not None:
            variables |= _follow(simulator, time, webhooks, variables)
        status = simulator.run(command, signals, variables)
        if not quiet:
            trusted = variables.get("SSL_CERT_FILE")
            _print_summary(proxy, clients, webhooks, was_called=simulator.was_called, trusted=trusted)
        _keep(simulator, command[0], kept, log)
    return status


def _print_summary(
    proxy: Proxy | None, clients: Clients, webhooks: str | None, *, was_called: bool, trusted: str | None
) -> None:
    from giftsim.cli.run.summary import summary

    if proxy is not None:
        proxy.settle()
    forwarder = None if proxy is None else proxy.forwarder
    text = summary(forwarder, clients, webhooks, was_called=was_called, trusted=trusted)
    click.echo(text, err=True, nl=bool(text))


def _keep(simulator: RecordedSimulator, program: str, kept: Kept, log: HarLog | None) -> None:
    """Write what a program did. RecordingFailed."""
    from giftsim.cli.replay import keep_recording, write_file

    if kept.har is not None and log is not None:
        write_file(kept.har, log.content(simulator.worlds))
    if kept.out is not None:
        keep_recording(simulator, program, kept.out, force=kept.force, kind=kept.kind)


def _har_log(simulator: RecordedSimulator) -> HarLog:
    """Keep the exchanges from here on."""
    from giftsim.cli.run.har_log import HarLog

    log = HarLog(simulator.origin, lambda: simulator.simulated)
    simulator.watch(log)
    return log


def _follow(
    simulator: RecordedSimulator, time: AppTime, webhooks: str | None, before: Mapping[str, str]
) -> dict[str, str]:
    """Let the program's time follow the world's; the variables for its processes."""
    from giftsim.engine.worlds.asked_app import DO

    if webhooks:
        origin = f"http://{urlsplit(webhooks).netloc}"
        time.where = lambda: (origin, DO)
    simulator.set_app_clock(time.clocks)
    return time.variables({**os.environ, **before})


def _clients(origin: str, stack: ExitStack) -> Clients:
    from giftsim.engine.client.control import Control
    from giftsim.engine.client.world import ClientWorld
    from giftsim.engine.worlds.registry import DEFAULT
    from giftsim.testing.clients import Clients
    from giftsim.testing.over_http import OverHttp

    transport = stack.enter_context(closing(OverHttp(origin)))
    return Clients(transport, ClientWorld(Control(transport), DEFAULT).send("GET"))


def _proxy(
    routes: list[Route], clients: Clients, service: Service, others: str, stack: ExitStack
) -> tuple[Proxy | None, dict[str, str]]:
    """The proxy, which listens, and the variables by which a program uses it; without routes there is none."""
    if not routes:
        return None, {}
    from giftsim.cli.run.environment import variables
    from giftsim.cli.run.proxy import Proxy
    from giftsim.cli.run.routes import InvalidRoute, Routes
    from giftsim.engine.server.authority import NoCertificates, create_run_authority

    led, authority, context = Routes(routes, clients), None, None
    names = led.names("https")
    if names:
        try:
            folder = stack.enter_context(TemporaryDirectory(prefix="giftsim-run-"))
            authority = create_run_authority(Path(folder), names)
            authority.write_bundles()
            context = authority.context(names)
        except NoCertificates as error:
            raise InvalidRoute(str(error)) from None
    proxy = Proxy(led, service, context, passes_others=others == "pass")
    proxy.start()
    stack.callback(proxy.close)
    return proxy, variables(proxy, authority, others, os.environ)


def _subscribed(clients: Clients, webhooks: str, routes: list[Route]) -> dict[str, str]:
    """Let webhooks of all hosts go to the app, and subscribe the path if there is one; the secret as a variable."""
    from giftsim.cli.run.routes import InvalidRoute
    from giftsim.engine.client.control import ControlRefused
    from giftsim.services.gifting.domain.webhook_kinds import PARTNER_KINDS, TEAM_KINDS

    parts = urlsplit(webhooks)
    if parts.scheme != "http" or not parts.hostname:
        raise InvalidRoute(
            f"--webhooks is the address of a server on this machine, like http://127.0.0.1:9000/hooks, not {webhooks!r}"
        )
    try:
        clients.control("PUT", "/receivers/*", {"mode": "forward", "to": f"http://{parts.netloc}"})
    except ControlRefused as refused:
        raise InvalidRoute(f"--webhooks: {refused.message}") from None
    if not parts.path.strip("/"):
        return {}
    credential = next((route.credential for route in routes if route.credential), "partner.prepaid")
    is_team = credential.startswith(("team.", "session."))
    path = "/api/teams/v1/webhooks" if is_team else "/api/external/webhooks"
    body = {"url": f"https://{APP_HOST}{parts.path}", "events": list(TEAM_KINDS if is_team else PARTNER_KINDS)}
    headers = {"Idempotency-Key": "giftsim-run"} if is_team else {}
    try:
        response = clients.call("POST", path, body, credential=credential, headers=headers)
    except KeyError as error:
        raise InvalidRoute(str(error.args[0])) from None
    if response.status != 201:
        raise InvalidRoute(f"--webhooks cannot subscribe with {credential}: {response.text}")
    return {"GIFTSIM_WEBHOOK_SECRET": response.json()["secret"]}
