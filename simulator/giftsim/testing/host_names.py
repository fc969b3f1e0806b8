"""Host names in one spelling, so that a routed host is known however a client writes it (G350).

Clients spell the same letters differently in ASCII. By IDNA 2003, `straße.example` is `strasse.example`; by IDNA
2008, it is `xn--strae-oqa.example`. Both are one host here: labels are decoded, and compared by their folded letters.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from contextlib import suppress
from itertools import chain

_DOTS = re.compile("[\u3002\uff0e\uff61]")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z")
# What is not shown, beside the category Cf; both versions of IDNA leave most of it out.
_HIDDEN_RANGES = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))
_HIDDEN = frozenset({0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x1806, 0x3164, *chain(*_HIDDEN_RANGES)})
ACE = "xn--"


def normalize_host(host: str) -> str:
    """A host in one spelling: a name in lower case and ASCII without a final dot, or an address in its usual form."""
    name = host.strip("[]").rstrip(".").lower()
    if name.isascii() and ACE not in name:
        return _address(name) if ":" in name or _NUMBER.match(name.rpartition(".")[2]) else name
    labels = _DOTS.sub(".", name).rstrip(".").split(".")
    folded = ".".join(_encoded(_folded(_decoded(label))) for label in labels)
    return _address(folded) if _NUMBER.match(folded.rpartition(".")[2]) else folded


def spellings(host: str) -> list[str]:
    """The names in ASCII by which clients look a host up: those of IDNA 2003 and of IDNA 2008, mostly one."""
    name = host.strip("[]").rstrip(".").lower()
    if name.isascii() and ACE not in name:
        return [normalize_host(name)]
    newer = [_encoded(unicodedata.normalize("NFKC", _decoded(label))) for label in _DOTS.sub(".", name).split(".")]
    return list(dict.fromkeys([normalize_host(name), ".".join(newer)]))


def _decoded(label: str) -> str:
    """A label in Unicode."""
    if label.startswith(ACE):
        with suppress(UnicodeError):
            return label.removeprefix(ACE).encode().decode("punycode")
    return label


def _folded(label: str) -> str:
    """A label without differences that some clients make and others do not, such as those between `ß` and `ss`."""
    for _ in range(2):  # letters that the second step makes may have a capital form
        label = unicodedata.normalize("NFKC", label.casefold())
    return "".join(letter for letter in label if ord(letter) not in _HIDDEN and unicodedata.category(letter) != "Cf")


def _encoded(label: str) -> str:
    """A label in ASCII."""
    return label if label.isascii() else ACE + label.encode("punycode").decode()


def _address(name: str) -> str:
    """An address in its usual form, if this is one: resolvers read `2130706433` and `0x7f.1` as 127.0.0.1 too."""
    with suppress(ValueError):
        address = ipaddress.ip_address(name)
        return str(getattr(address, "ipv4_mapped", None) or address)
    from socket import inet_aton, inet_ntoa  # here, because few hosts are addresses in an unusual form

    with suppress(OSError):
        return inet_ntoa(inet_aton(name))
    return name
