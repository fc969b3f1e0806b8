"""HTTPS of `serve`: which certificate it has, and the front that ends TLS."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from giftsim.cli.serve_options import InvalidOptions
from giftsim.system import SYSTEM

if TYPE_CHECKING:
    from giftsim.server.tls_front import TlsFront

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = ("0.0.0.0", "::")


def https_front(options: Mapping[str, Any]) -> TlsFront | None:
    """The front for the options of `serve`, which listens; None without HTTPS. InvalidOptions, OSError."""
    if not options["https"] and not options["certificate"]:
        return None
    from giftsim.server.authority import NoCertificates, context_of_files, local_authority
    from giftsim.server.tls_front import TlsFront

    try:
        if options["certificate"]:
            context = context_of_files(options["certificate"], options["key"])
        else:
            context = local_authority().context(certified_names(options))
    except NoCertificates as error:
        own = "" if options["certificate"] else "; or name a certificate of your own with --certificate"
        raise InvalidOptions(f"{error}{own}") from None
    return TlsFront(options["host"], options["port"], context, SYSTEM)


def certified_names(options: Mapping[str, Any]) -> list[str]:
    """The names and addresses by which clients may call: those of this machine, and those that the options name."""
    host, names = options["host"], list(options["host_name"])
    names.append(socket.gethostname() if host in ANY_ADDRESS else host)
    if options["public_url"]:
        names.append(urlsplit(options["public_url"]).hostname or "")
    return [*THIS_MACHINE, *filter(None, names)]
