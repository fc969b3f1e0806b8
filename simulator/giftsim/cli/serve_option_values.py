"""The values of the options of `serve`, as the simulator takes them; InvalidOptions says what is valid."""

from __future__ import annotations

import re
from collections.abc import Iterable

from giftsim.engine.control.access import is_host_name
from giftsim.engine.gateway.cors import read_origin
from giftsim.engine.kernel.instants import parse_instant
from giftsim.engine.webhooks.forward_targets import check_allowance
from giftsim.engine.webhooks.url_rules import is_this_machine, printable_url
from giftsim.engine.worlds import system_clock
from giftsim.engine.worlds.registry import START_MS, is_prefix

# Texts: few starts need these patterns, and compiling them takes 0.7 ms.
_PUBLIC_URL = (
    r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?(?:/[a-z0-9._~!$&'()*+,;=:@%-]+)*/?"
)
_PORT = r"https?://(?:\[[^]]*\]|[^/:]*):([0-9]+)"


LEAST_TOKEN = 16  # characters of a control token that other machines can try


def check_token(host: str, token: str | None, way: str) -> None:
    """InvalidOptions for an address that other machines reach, without a control token or with a short one.

    `way` is how to give one.
    """
    if is_this_machine(host):
        return
    if not token:
        raise InvalidOptions(f"--host {host} is reachable from other machines: it requires {way}")
    if len(token) < LEAST_TOKEN:
        raise InvalidOptions(
            f"--host {host} is reachable from other machines: its control token needs {LEAST_TOKEN} characters or more,"
            f" and this one has {len(token)}"
        )


class InvalidOptions(Exception):
    """Options that are invalid, alone or together; the message says what is valid."""


def read_clock(text: str | None) -> float:
    """World seconds per real second: 0 for `manual`, 1 for `running` and for None, R for `running@R`."""
    if text is None:
        return 1.0
    if text == "manual":
        return 0.0
    mode, _, rate = text.partition("@")
    try:
        value = float(rate) if rate else 1.0
    except ValueError:
        value = -1.0
    if mode != "running" or not 0 < value <= 1_000_000:
        raise InvalidOptions(f"--clock is manual, running or running@RATE with a rate up to 1000000, not {text!r}")
    return value


def read_now(text: str | None, rate: float) -> int:
    """The default world's first instant: the option, else the present for a running clock, else a fixed default."""
    if text is None:
        return system_clock.now_ms() if rate else START_MS
    try:
        return parse_instant(text)
    except ValueError as error:
        raise InvalidOptions(f"--now: {error}") from None


def read_public_url(text: str | None) -> str | None:
    """The address of links, without a slash at its end."""
    if text is None:
        return None
    port = re.match(_PORT, text)
    if not re.fullmatch(_PUBLIC_URL, text, re.IGNORECASE) or (port and not 0 < int(port[1]) < 65536):
        raise InvalidOptions(
            "--public-url is the address that clients use, with http or https and without user, query and fragment, "
            f"like https://gifts.example:8443, not {printable_url(text)}"
        )
    return text.removesuffix("/")


def read_host_names(names: Iterable[str]) -> tuple[str, ...]:
    """Host names as a `Host` header has them; a port is not part of them."""
    for name in names:
        if not is_host_name(name):
            raise InvalidOptions(f"--host-name is a name without scheme and port, like sim.example.org, not {name!r}")
    return tuple(names)


def read_cors_origins(origins: Iterable[str]) -> tuple[str, ...]:
    """The origins of pages that may call, as browsers send them."""
    try:
        return tuple(map(read_origin, origins))
    except ValueError as error:
        raise InvalidOptions(f"--cors-allow is {error}") from None


def read_worlds_prefix(text: str | None) -> str | None:
    """The prefix of ids of worlds."""
    if text is not None and not is_prefix(text):
        raise InvalidOptions(
            f"--worlds-prefix is 1 to 20 of a-z and 0-9, with single '-' between, not {printable_url(text)}"
        )
    return text


def read_forward(pairs: Iterable[str]) -> dict[str, str]:
    """The targets by webhook host."""
    forward: dict[str, str] = {}
    for pair in pairs:
        host, separator, url = pair.partition("=")
        if not separator or not host or not url:
            raise InvalidOptions(f"--forward is HOST=URL, not {printable_url(pair)}")
        if host.lower() in map(str.lower, forward):
            raise InvalidOptions(f"--forward has two URLs for {host}: one host has one receiver")
        forward[host] = url
    return forward


def read_allowances(entries: tuple[str, ...]) -> tuple[str, ...]:
    """The entries of `--forward-allow`."""
    try:
        for entry in entries:
            check_allowance(entry)
    except ValueError as error:
        raise InvalidOptions(f"--forward-allow: {error}") from None
    return entries
