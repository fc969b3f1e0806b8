"""HTTPS of `serve`: which certificate it has, and the front that ends TLS."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from giftsim.cli.serve_option_values import InvalidOptions
from giftsim.engine.system import SYSTEM

if TYPE_CHECKING:
    from giftsim.engine.server.tls_front import TlsFront

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = ("0.0.0.0", "::")


def https_front(options: Mapping[str, Any]) -> TlsFront | None:
    """The front for the options of `serve`, which listens; None without HTTPS. InvalidOptions, OSError."""
    if not is_https(options):
        return None
    from giftsim.engine.server.authority import context_of_files, local_authority
    from giftsim.engine.server.tls_front import TlsFront

    with _refused(options):
        if options["certificate"]:
            context = context_of_files(options["certificate"], options["key"])
        else:
            context = local_authority().context(certified_names(options))
    return TlsFront(options["host"], options["port"], context, SYSTEM)


def is_https(options: Mapping[str, Any]) -> bool:
    """Whether the options of `serve` ask for HTTPS."""
    return bool(options["https"] or options["certificate"])


def https_pem(options: Mapping[str, Any]) -> bytes:
    """The certificate and its key in one text, for the options of `serve`. InvalidOptions."""
    from giftsim.engine.server.authority import context_of_files, local_authority

    with _refused(options):
        if not options["certificate"]:
            return local_authority().pem(certified_names(options))
        context_of_files(options["certificate"], options["key"])
        files = dict.fromkeys([options["certificate"], options["key"] or options["certificate"]])
        return b"\n".join(Path(file).read_bytes() for file in files)


@contextmanager
def _refused(options: Mapping[str, Any]) -> Iterator[None]:
    """Raise InvalidOptions where there is no certificate; the message says how to go on."""
    from giftsim.engine.server.authority import NoCertificates

    try:
        yield
    except NoCertificates as error:
        own = "" if options["certificate"] else "; or name a certificate of your own with --certificate"
        raise InvalidOptions(f"{error}{own}") from None


def certified_names(options: Mapping[str, Any]) -> list[str]:
    """The names and addresses by which clients may call: those of this machine, and those that the options name."""
    host, names = options["host"], list(options["host_name"])
    names.append(socket.gethostname() if host in ANY_ADDRESS else host)
    if options["public_url"]:
        names.append(urlsplit(options["public_url"]).hostname or "")
    return [*THIS_MACHINE, *filter(None, names)]
