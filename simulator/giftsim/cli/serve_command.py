"""The command `serve`: its options, its signals and its exit status; `serve haproxy` and `serve trust` are below it."""

from __future__ import annotations

import logging
from contextlib import suppress
from errno import EADDRINUSE
from typing import TYPE_CHECKING, Any

import click

from giftsim.cli.haproxy import haproxy
from giftsim.cli.options import (
    DEFAULT_HOST,
    DEFAULT_PORT,
    Number,
    WholeNumber,
    control_token_options,
    large_files_option,
    option,
    refuse_unused,
    with_source,
)
from giftsim.cli.signals import StopSignals
from giftsim.cli.terminal import print_text
from giftsim.cli.trust import trust
from giftsim.engine.kernel.garbage_collection import keeping_everything

if TYPE_CHECKING:
    from giftsim.cli.serve import SimulatorServer

LAST_PORT = 65535


@click.group(invoke_without_command=True)
@option("--host", default=DEFAULT_HOST, show_default=True, help="Address to listen on.")
@option("--port", default=DEFAULT_PORT, show_default=True, type=WholeNumber(0, LAST_PORT), help="0 picks a free one.")
@option("--https", is_flag=True, help="Serve HTTPS, with a certificate of the local authority (serve trust).")
@option("--certificate", type=click.Path(dir_okay=False), help="Serve HTTPS with the certificate of this PEM file.")
@option("--key", type=click.Path(dir_okay=False), help="With --certificate: the PEM file of its key, if it is another.")
@option("--json", "as_json", is_flag=True, help="Print the address as one line of JSON.")
@control_token_options("Token for the test-control API, required on any address but loopback")
@option("--clock", show_default="running", help="manual, running or running@RATE.")
@option("--now", help="The default world's first instant, like 2027-01-04T09:00:00Z.")
@option("--services", metavar="NAME[,NAME]", help="What is simulated, by default all: gifting, museum.")
@option("--fixture", default="default", show_default=True, help="Fixture of the default world: a name or a file.")
@option("--seed", default=1, show_default=True, type=WholeNumber(0), help="Seed of the default world.")
@option(
    "--trace",
    envvar="GIFTSIM_TRACE_FILE",  # GIFTSIM_TRACE says whether tests leave traces
    type=click.Path(exists=True, dir_okay=False),
    help="Make the default world as it was in the trace of this file. Its clock is stopped.",
)
@option("--at", type=WholeNumber(1), help="With --trace: the entry after which the world goes on, by default the last.")
@option(
    "--journal",
    type=click.Path(dir_okay=False),
    help="Journal file: keeps all worlds, and restores them after a crash.",
)
@option(
    "--scenarios",
    type=click.Path(exists=True, file_okay=False),
    help="A folder whose scenarios are in the library too.",
)
@option(
    "--observed",
    type=click.Path(exists=True, dir_okay=False),
    help="Show what recorded traffic has shown (compare --observed), and name what it contradicts.",
)
@option("--forward", multiple=True, metavar="HOST=URL", help="Send webhooks for HOST to a loopback URL.")
@option("--forward-allow", multiple=True, metavar="HOST[:PORT]|CIDR", help="Allow forwarding to this address too.")
@option("--public-url", help="Origin of links, if clients use another address.")
@option("--host-name", multiple=True, help="Another host name that may call the test-control API.")
@option("--cors-allow", multiple=True, metavar="ORIGIN", help="Let pages of this origin call from a browser.")
@option(
    "--hold-timeout",
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    type=Number(0, min_open=True),
    help="Real seconds after which a held call ends with 503.",
)
@option(
    "--app-clock-file",
    type=click.Path(dir_okay=False),
    help="Write the default world's time to this file, as libfaketime reads it: @YYYY-MM-DD hh:mm:ss in UTC.",
)
@option("--verbose", "-v", is_flag=True, help="Write a line for every call and delivery to standard error.")
@option("--log-json", is_flag=True, help="Write these lines as JSON.")
@option("--coverage", is_flag=True, help="Keep what is met in all worlds, for giftsim coverage.")
@large_files_option
@option("--processes", type=WholeNumber(1, 64), help="Serve by that many processes, behind HAProxy.")
@option("--max-worlds", default=1000, show_default=True, type=WholeNumber(1), help="Most worlds at one time.")
@option(
    "--worlds-prefix",
    metavar="NAME",
    help="Begin ids of worlds with NAME--, for several processes behind a proxy (serve haproxy).",
)
def serve(**options: Any) -> None:
    """Start the simulator (the default command).

    Each option has a variable of the environment; what is given on the command line wins. An option that can be given
    several times takes several values from its variable, with blanks or line ends between them. SIGTERM, SIGHUP
    and Ctrl-C stop it: it answers the calls that it is working on, closes the journal file, and exits with 0.
    """
    below = click.get_current_context().invoked_subcommand
    if below is not None:
        refuse_unused(options, f"`serve {below}` starts no simulator")
        return
    refuse_unused(("fixture", "seed", "now", "clock") if options["trace"] else (), "a trace has its own")
    refuse_unused(() if options["trace"] else ("at",), "only --trace takes it")
    refuse_unused(() if options["certificate"] else ("key",), "only --certificate takes it")
    if options.pop("processes"):
        refuse_unused(("worlds_prefix",), "--processes chooses one for each process")
        refuse_unused(("app_clock_file",), "each of the --processes has a default world; an app can follow one process")
        _serve_by_processes(options)
        return
    with suppress(KeyboardInterrupt), StopSignals() as signals:
        with keeping_everything():
            from giftsim.engine.server.garbage_collection import keeping_what_takes_long

            server = _listening(options)
        signals.stop = server.request_stop
        logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
        try:
            click.echo(server.banner())
            with keeping_what_takes_long():
                server.run()
        finally:
            server.close()


serve.add_command(haproxy)
serve.add_command(trust)


def _listening(options: dict[str, Any]) -> SimulatorServer:
    """The server; the ways in which it cannot start end the command with a message."""
    from giftsim.cli.serve import SimulatorServer
    from giftsim.cli.serve_journals import refuse_others
    from giftsim.cli.serve_option_values import InvalidOptions
    from giftsim.engine.log.journal_contents import Unreadable

    try:
        if options["journal"] and not options["worlds_prefix"]:
            refuse_others(options["journal"], ())
        return SimulatorServer(**options)
    except InvalidOptions as error:
        raise click.UsageError(with_source(str(error))) from None
    except Unreadable as error:
        print_text(with_source(str(error)), err=True)
        raise SystemExit(2) from None
    except OSError as error:
        message = (
            f"cannot listen on {options['host']}:{options['port']}: {error.strerror}{_another_port(options, error)}"
        )
        raise click.ClickException(with_source(message)) from None


def _another_port(options: dict[str, Any], error: OSError) -> str:
    """The command that serves at the next port, if somebody else listens at this one: as it was typed, or for make."""
    if error.errno != EADDRINUSE or not 0 < options["port"] < LAST_PORT:
        return ""
    name, words = click.get_current_context().find_root().info_name, f"serve --port {options['port'] + 1}"
    command = f'make run ARGS="{words}"' if name == "run_sim.py" else f"giftsim {words}"
    return f"; try `{command}` (see docs/reference/command-line.md)"


def _serve_by_processes(options: dict[str, Any]) -> None:
    from giftsim.cli.serve_option_values import InvalidOptions
    from giftsim.cli.serve_processes import CannotStart, ProcessGroup, given_arguments

    context = click.get_current_context()
    many, arguments = context.params["processes"], given_arguments(context)
    try:
        with suppress(KeyboardInterrupt), StopSignals() as signals, ProcessGroup(many, options, arguments) as group:
            signals.stop = group.request_stop
            click.echo(group.banner())
            group.run()
    except InvalidOptions as error:
        raise click.UsageError(with_source(str(error))) from None
    except CannotStart as error:
        raise click.ClickException(with_source(str(error))) from None
