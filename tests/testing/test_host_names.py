"""A host has one name, however clients spell it."""

from __future__ import annotations

from collections.abc import Callable

import idna
import pytest
from hypothesis import given
from hypothesis import strategies as st

from giftsim.testing.host_names import normalize_host, spellings

SPELLINGS = {
    "straße.example": ["STRASSE.example", "xn--strae-oqa.example", "XN--Strae-OQA.example.", "straẞe.example"],
    "βόλος.example": ["xn--nxasmm1c.example", "xn--nxasmq6b.example", "ΒΌΛΟΣ.example"],
    "bücher。example": ["xn--bcher-kva.example", "bu\u0308cher.example", "BÜCHER．EXAMPLE"],
    "نامه\u200cای.example": ["xn--mgba3gch31f.example", "xn--mgba3gch31f060k.example"],
    "2001:db8::1": ["[2001:DB8:0:0:0:0:0:1]", "2001:db8::0:1"],
    "192.0.2.1": ["3221225985", "0xc0000201", "192.0.513", "0300.0.2.1", "[::ffff:192.0.2.1]", "１９２.0.2.1"],
}  # fmt: skip
DIFFERENT = ["strase.example", "bucher.example", "192.0.2.2", "xn--.example", "xn--\u00fc.example", ""]


@pytest.mark.parametrize("host", SPELLINGS)
def test_spellings_of_a_host_are_equal(host: str) -> None:
    assert {normalize_host(each) for each in SPELLINGS[host]} == {normalize_host(host)}
    assert normalize_host(host).isascii()


def test_other_hosts_differ() -> None:
    names = [*map(normalize_host, SPELLINGS), *map(normalize_host, DIFFERENT)]
    assert len(set(names)) == len(names)


def test_the_names_that_clients_look_up() -> None:
    assert spellings("straße.example") == ["strasse.example", "xn--strae-oqa.example"]
    assert spellings("xn--strae-oqa.example") == ["strasse.example", "xn--strae-oqa.example"]
    assert spellings("Bücher.example.") == ["xn--bcher-kva.example"]
    assert spellings("Gifts.Vendor.example") == ["gifts.vendor.example"]


ENCODERS: dict[str, Callable[[str], bytes]] = {
    "2003": lambda host: host.encode("idna"),
    "2008": idna.encode,
    "2008 as requests": lambda host: idna.encode(host, uts46=True),
}
# Unicode 3.2, by which IDNA 2003 reads names, took these for other letters than Unicode does today (its corrigendum 4).
CORRECTED = "\U0002f868\U0002f874\U0002f91f\U0002f95f\U0002f9bf"
LETTERS = st.characters(categories=["L", "M", "Nd"], exclude_characters=CORRECTED) | st.sampled_from(
    "ßẞςσſİıǅﬁ-\u200c\u200d\u00adａｂ１"
)


@given(label=st.text(LETTERS, min_size=1, max_size=12))
def test_what_a_client_looks_up_is_the_host(label: str) -> None:
    host = f"a{label}.example"
    for encode in ENCODERS.values():
        try:
            encoded = encode(host).decode()
        except UnicodeError:
            continue
        assert normalize_host(encoded) == normalize_host(host)
        assert normalize_host(normalize_host(host)) == normalize_host(host)
        assert normalize_host(host) in spellings(host)
