"""The command `serve haproxy`: a configuration that finds the process of each world, and what starts them (G165)."""

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
    server processNUMBER ADDRESS check inter 500ms fall 2 rise 1RESOLVED
"""
# Names of other machines are looked up again and again: a container that starts later, or anew, has another address.
RESOLVERS = """
resolvers system
    parse-resolv-conf
    hold valid 1s
"""
RESOLVED = " resolvers system init-addr last,libc,none"


class ConfigurationTemplate(Template):
    """A text with names after an `@`, as `$` ends regular expressions."""

    delimiter = "@"


class Process(NamedTuple):
    """One process: its number from 1, its address, the prefix of its worlds, and the command that starts it."""

    number: int
    host: str
    port: int
    prefix: str
    command: str

    @property
    def address(self) -> str:
        """The address as a URL has it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def has_name(self) -> bool:
        """Whether its host is a name that has to be looked up."""
        return not self.host.replace(".", "").isdigit() and ":" not in self.host


def processes(
    addresses: Sequence[tuple[str, int]], public_url: str, journals: str | None, options: Sequence[str]
) -> list[Process]:
    """The processes at addresses, with their commands; `journals` is a folder with a journal file for each."""
    found = []
    for number, (host, port) in enumerate(addresses, 1):
        prefix = prefix_of(number, len(addresses))
        words = ["giftsim", "serve", *([] if host == LOCAL else ["--host", "0.0.0.0"]), "--port", str(port)]
        words += ["--worlds-prefix", prefix, "--public-url", public_url]
        words += ["--journal", str(Path(journals, f"{prefix}.journal"))] if journals else []
        found.append(Process(number, host, port, prefix, shlex.join([*words, *options])))
    return found


def on_this_machine(many: int, first_port: int) -> list[tuple[str, int]]:
    """The addresses of processes with ports one after the other."""
    return [(LOCAL, first_port + number) for number in range(many)]


def prefix_of(number: int, many: int) -> str:
    """The prefix of worlds that are made in a process: a short text that the proxy hashes to its number."""
    return next(text for text in _names(f"p{number}") if process_of(text, many) == number)


def process_of(root: str, many: int) -> int:
    """The number of the process with the worlds whose ids have this root, as the configuration computes it."""
    return crc32(root.encode()) % many + 1


def configuration(bind: str, members: Sequence[Process]) -> str:
    """The text of the configuration."""
    many = str(len(members))
    commands = "\n".join(f"#   {_where(each)}{each.command} &" for each in members)
    resolvers = RESOLVERS if any(each.has_name for each in members) else ""
    unhealthy, backends = ("\n".join(_filled(text, each, many) for each in members) for text in (UNHEALTHY, BACKEND))
    template = ConfigurationTemplate(TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute(
        many=many, bind=bind, commands=commands, unhealthy=unhealthy, backends=backends.rstrip(), resolvers=resolvers,
        made_by="--processes " + many if members[0].host == LOCAL else " ".join(f"--at {m.address}" for m in members),
    )  # fmt: skip


def _where(process: Process) -> str:
    """On which machine a command runs, if it is another one."""
    return "" if process.host == LOCAL else f"{process.host}$ "


def _names(stem: str) -> Iterator[str]:
    yield stem
    for length in count(1):
        yield from (stem + "".join(letters) for letters in product(ascii_lowercase, repeat=length))


def _filled(text: str, process: Process, many: str) -> str:
    resolved = RESOLVED if process.has_name else ""
    values = {"NUMBER": str(process.number), "MANY": many, "ADDRESS": process.address, "RESOLVED": resolved}
    for name, value in values.items():
        text = text.replace(name, value)
    return text


MOST = 64
TOKEN_FILE = "--control-token-file"


@click.command(short_help="Print HAProxy's configuration for several processes.")
@click.option(
    "--processes", "many", type=WholeNumber(1, MOST), help="How many processes of this machine share the address."
)
@click.option("--at", multiple=True, metavar="HOST:PORT", help="A process on another machine; once for each.")
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
    many: int | None,
    at: tuple[str, ...],
    bind: str,
    first_port: int,
    public_url: str | None,
    journals: str | None,
    commands: bool,
    serve_options: tuple[str, ...],
) -> None:
    """Print a configuration of HAProxy by which several processes share one address, each with worlds of its own.

    `giftsim serve --processes 4` does all this on one machine. For others, name each process with --at. Options of
    `serve` after -- are for each of the processes: giftsim serve haproxy --processes 4 -- --clock manual
    """
    from giftsim.cli.serve_option_values import InvalidOptions, read_public_url
    from giftsim.engine.webhooks.url_rules import is_this_machine

    if (many is None) == (not at):
        raise click.UsageError("name the processes: --processes N on this machine, or --at HOST:PORT once for each")
    host, port = read_host_port("--bind", bind)
    addresses = [read_host_port("--at", each) for each in at] or on_this_machine(many or 0, first_port)
    _check_apart(addresses, port)
    is_open = not is_this_machine(host) or bool(at)
    if is_open and (public_url is None or TOKEN_FILE not in serve_options):
        raise click.UsageError(
            f"{'--at' if at else f'--bind {bind}'} is reachable from other machines: it requires --public-url, and a"
            f" token for the test-control API of the processes (-- {TOKEN_FILE} FILE)"
        )
    try:
        url = read_public_url(public_url or f"http://{bind}")
    except InvalidOptions as error:
        raise click.UsageError(str(error)) from None
    members = processes(addresses, str(url), journals, serve_options)
    if commands:
        click.echo("\n".join(f"{_where(each)}{each.command} &" for each in members))
        return
    click.echo(configuration(bind, members), nl=False)


def _check_apart(addresses: Sequence[tuple[str, int]], port: int) -> None:
    """UsageError if two processes, or a process and the proxy at `port`, have one address."""
    if (LOCAL, port) in addresses:
        raise click.UsageError(f"--bind and a process have the same port {port}; choose another --first-port")
    if len(set(addresses)) < len(addresses):
        raise click.UsageError("--at names a process twice; each has its own address")


def read_host_port(name: str, text: str) -> tuple[str, int]:
    """Host, without brackets, and port of an option. UsageError."""
    host, separator, port = text.rpartition(":")
    if not separator or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise click.UsageError(f"{name} is HOST:PORT, like 127.0.0.1:8080, not {text!r}")
    return host.strip("[]"), int(port)
