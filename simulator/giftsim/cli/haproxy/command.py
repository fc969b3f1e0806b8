"""The command `haproxy`: its options."""

from __future__ import annotations

import click

from giftsim.cli.numbers import WholeNumber

MOST = 64
TOKEN_FILE = "--control-token-file"


@click.command()
@click.option(
    "--processes", "many", required=True, type=WholeNumber(1, MOST), help="How many processes share the address."
)
@click.option("--bind", default="127.0.0.1:8080", show_default=True, metavar="HOST:PORT", help="Address of the proxy.")
@click.option("--first-port", default=8081, show_default=True, type=WholeNumber(1, 65535 - MOST),
              help="Port of the first process; each other one has the next.")  # fmt: skip
@click.option("--public-url", help="Origin of links.  [default: http://HOST:PORT]")
@click.option("--journals", metavar="FOLDER", help="Keep a journal file for each process in this folder.")
@click.option("--commands", is_flag=True, help="Print the commands that start the processes, for a shell.")
@click.argument("serve_options", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTIONS_OF_SERVE]")
def haproxy(
    many: int, bind: str, first_port: int, public_url: str | None, journals: str | None, commands: bool,
    serve_options: tuple[str, ...],
) -> None:  # fmt: skip
    """Print a configuration of HAProxy by which several processes share one address, each with worlds of its own.

    Options of `serve` after -- are for each of the processes: giftsim haproxy --processes 4 -- --clock manual
    """
    from giftsim.cli.haproxy.configuration import configuration, processes
    from giftsim.cli.serve_options import InvalidOptions, is_loopback, read_public_url

    host, separator, port = bind.rpartition(":")
    if not separator or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise click.UsageError(f"--bind is HOST:PORT, like 127.0.0.1:8080, not {bind!r}")
    if first_port <= int(port) < first_port + many:
        raise click.UsageError(f"--bind and a process have the same port {port}; choose another --first-port")
    if not is_loopback(host.strip("[]")) and (public_url is None or TOKEN_FILE not in serve_options):
        raise click.UsageError(
            f"--bind {bind} is reachable from other machines: it requires --public-url, and a token for the"
            f" test-control API of the processes (-- {TOKEN_FILE} FILE)"
        )
    try:
        url = read_public_url(public_url or f"http://{bind}")
    except InvalidOptions as error:
        raise click.UsageError(str(error)) from None
    members = processes(many, first_port, str(url), journals, serve_options)
    if commands:
        click.echo("\n".join(f"{each.command} &" for each in members))
        return
    click.echo(configuration(bind, members), nl=False)
