"""The command `haproxy`: a configuration that finds the process of each world, and what starts the processes (G165)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import count, product
from pathlib import Path
from string import Template, ascii_lowercase
from typing import NamedTuple
from zlib import crc32

import click

from giftsim.cli.options import WholeNumber

LOCAL = "127.0.0.1"
TEMPLATE = Path(__file__).parent / "haproxy.cfg"
UNHEALTHY = "    http-request set-var(txn.process) int(NUMBER) if health !named { nbsrv(processNUMBER) lt 1 }"
BACKEND = """\
backend processNUMBER
    http-error status 503 content-type application/json lf-string \
'{"error": {"code": "process_down", "message": "process NUMBER of MANY is down, with all its worlds; start it again",\
 "request_id": "%[unique-id]"}}' hdr X-Request-Id "%[unique-id]"
    server processNUMBER ADDRESS check inter 500ms fall 2 rise 1
"""


class ConfigurationTemplate(Template):
    """A text with names after an `@`, as `$` ends regular expressions."""

    delimiter = "@"


class Process(NamedTuple):
    """One process: its number from 1, its port, the prefix of its worlds, and the command that starts it."""

    number: int
    port: int
    prefix: str
    command: str


def processes(
    many: int, first_port: int, public_url: str, journals: str | None, options: Sequence[str]
) -> list[Process]:
    """The processes with their commands; `journals` is a folder with a journal file for each."""
    found = []
    for number in range(1, many + 1):
        port, prefix = first_port + number - 1, prefix_of(number, many)
        words = ["giftsim", "serve", "--port", str(port), "--worlds-prefix", prefix, "--public-url", public_url]
        words += ["--journal", str(Path(journals, f"{prefix}.journal"))] if journals else []
        found.append(Process(number, port, prefix, shlex.join([*words, *options])))
    return found


def prefix_of(number: int, many: int) -> str:
    """The prefix of worlds that are made in a process: a short text that the proxy hashes to its number."""
    return next(text for text in _names(f"p{number}") if process_of(text, many) == number)


def process_of(root: str, many: int) -> int:
    """The number of the process with the worlds whose ids have this root, as the configuration computes it."""
    return crc32(root.encode()) % many + 1


def configuration(bind: str, members: Sequence[Process]) -> str:
    """The text of the configuration."""
    many = str(len(members))
    commands = "\n".join(f"#   {each.command} &" for each in members)
    unhealthy, backends = ("\n".join(_filled(text, each, many) for each in members) for text in (UNHEALTHY, BACKEND))
    template = ConfigurationTemplate(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(many=many, bind=bind, commands=commands, unhealthy=unhealthy, backends=backends.rstrip())


def _names(stem: str) -> Iterator[str]:
    yield stem
    for length in count(1):
        yield from (stem + "".join(letters) for letters in product(ascii_lowercase, repeat=length))


def _filled(text: str, process: Process, many: str) -> str:
    for name, value in {"NUMBER": str(process.number), "MANY": many, "ADDRESS": f"{LOCAL}:{process.port}"}.items():
        text = text.replace(name, value)
    return text


MOST = 64
TOKEN_FILE = "--control-token-file"


@click.command()
@click.option(
    "--processes", "many", required=True, type=WholeNumber(1, MOST), help="How many processes share the address."
)
@click.option("--bind", default="127.0.0.1:8080", show_default=True, metavar="HOST:PORT", help="Address of the proxy.")
@click.option(
    "--first-port",
    default=8081,
    show_default=True,
    type=WholeNumber(1, 65535 - MOST),
    help="Port of the first process; each other one has the next.",
)
@click.option("--public-url", help="Origin of links.  [default: http://HOST:PORT]")
@click.option("--journals", metavar="FOLDER", help="Keep a journal file for each process in this folder.")
@click.option("--commands", is_flag=True, help="Print the commands that start the processes, for a shell.")
@click.argument("serve_options", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTIONS_OF_SERVE]")
def haproxy(
    many: int,
    bind: str,
    first_port: int,
    public_url: str | None,
    journals: str | None,
    commands: bool,
    serve_options: tuple[str, ...],
) -> None:
    """Print a configuration of HAProxy by which several processes share one address, each with worlds of its own.

    Options of `serve` after -- are for each of the processes: giftsim haproxy --processes 4 -- --clock manual
    """
    from giftsim.cli.serve_options import InvalidOptions, read_public_url
    from giftsim.webhooks.url_rules import is_this_machine

    host, separator, port = bind.rpartition(":")
    if not separator or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise click.UsageError(f"--bind is HOST:PORT, like 127.0.0.1:8080, not {bind!r}")
    if first_port <= int(port) < first_port + many:
        raise click.UsageError(f"--bind and a process have the same port {port}; choose another --first-port")
    if not is_this_machine(host.strip("[]")) and (public_url is None or TOKEN_FILE not in serve_options):
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
