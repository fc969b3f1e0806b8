"""A configuration of HAProxy that finds the process of each world, and the commands that start the processes (G136)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import count, product
from pathlib import Path
from string import Template, ascii_lowercase
from typing import NamedTuple
from zlib import crc32

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
