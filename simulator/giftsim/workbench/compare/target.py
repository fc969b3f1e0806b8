"""The addresses of the service: one origin for all interfaces, or a base URL for each (G123)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from giftsim.engine.kernel.texts import suggest_name
from giftsim.engine.kernel.url_passwords import hide_url_passwords
from giftsim.engine.webhooks.url_rules import is_this_machine, printable_url
from giftsim.workbench.compare.called_operation import Contracts


class CannotCompare(Exception):
    """A comparison cannot begin or go on; the message says why and what to do. It holds no credential."""


@dataclass(frozen=True)
class Options:
    """`now` is the instant at which the worlds begin, `run` the text that makes names new, both the same on both sides.

    `unmarked` plays scenarios without a mark too, `spend` those that charge. `patience_s` is the longest wait in place
    of one step of the clock. An answer of the service that takes more than `slow_s` is a difference. `values` are
    variables of scenarios for the service, `settings` those of giftsim's worlds.
    """

    now: str
    run: str
    spend: bool = False
    unmarked: bool = False
    patience_s: float = 0.0
    slow_s: float | None = None
    operations: frozenset[str] = frozenset()
    values: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


# Paths that only giftsim has: addresses of a world or of its tools, not of a service.
OF_SIMULATOR = ("/_sim", "/claim", "/openapi", "/mcp")


class Base(NamedTuple):
    """The URL that the paths of an interface are below; `path` has no slash at its end."""

    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port else "")


def parse_targets(texts: Iterable[str], contracts: Contracts) -> Mapping[str, Base]:
    """The base of each interface that has one. `URL` is for all of them, `NAME=URL` for one; CannotCompare if wrong."""
    common: dict[str, Base] = {}
    named: dict[str, Base] = {}
    for text in texts:
        name, separator, url = text.partition("=")
        if separator and "/" not in name:
            named[_interface(name, contracts)] = _parse(url)
        else:
            common |= _of_all(_parse(text), contracts)
    return {**common, **named}


def _interface(name: str, contracts: Contracts) -> str:
    if name not in contracts:
        known = suggest_name(name, list(contracts), f"there are {', '.join(contracts)}")
        raise CannotCompare(f"--target {name[:40]}=...: there is no interface {name[:40]!r}; {known}")
    return name


def _of_all(base: Base, contracts: Contracts) -> dict[str, Base]:
    for name, contract in contracts.items():
        if base.path.endswith(contract.prefix):
            raise CannotCompare(
                f"--target: {base.path} is the base of the {name} interface alone: write --target "
                f"{name}={base.origin}{base.path}, or --target {base.origin} for all interfaces"
            )
    return {name: base._replace(path=base.path + contract.prefix) for name, contract in contracts.items()}


def _parse(url: str) -> Base:
    parts = urlsplit(url)
    shown = printable_url(hide_url_passwords(url))
    try:
        port = parts.port
    except ValueError:
        raise CannotCompare(f"--target: {shown} has an invalid port") from None
    _check(parts, shown)
    return Base(parts.scheme, parts.hostname or "", port, parts.path.rstrip("/"))


def _check(parts: SplitResult, shown: str) -> None:
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CannotCompare(f"--target: {shown} is not the URL of a service, like https://sandbox.vendor.example")
    if parts.username is not None or parts.query or parts.fragment:
        raise CannotCompare(f"--target: {shown} has a user, a query or a fragment; credentials go in --credential")
    if parts.scheme == "http" and not is_this_machine(parts.hostname):
        raise CannotCompare(f"--target: {shown} is not encrypted; write https://, http is for this machine alone")
    if parts.path.startswith(OF_SIMULATOR):
        raise CannotCompare(f"--target: {shown} is an address of a world of giftsim, not of a service")
