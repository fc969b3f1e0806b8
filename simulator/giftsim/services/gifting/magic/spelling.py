"""Texts that are almost magic values, and what was probably meant: a misspelt one is ordinary, and nothing happens.

`giftsim check` names them in scenarios and fixtures. What merely resembles a magic value, such as `Magic Show`, passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qsl

from giftsim.engine.kernel.instants import format_duration, parse_duration
from giftsim.engine.kernel.texts import find_nearest
from giftsim.services.gifting.magic.deposit_amounts import AMOUNTS
from giftsim.services.gifting.magic.fault_values import VALUE_BY_TEXT
from giftsim.services.gifting.magic.files import REMOTE, UNRENDERABLE
from giftsim.services.gifting.magic.magic_people import CLAIMS, DECISIONS, NEVER, claim_delay, parse_decision
from giftsim.services.gifting.magic.postcodes import POSTCODES
from giftsim.services.gifting.magic.receiver_hosts import HOSTS, entry_of
from giftsim.services.gifting.magic.value_format import DOMAIN, FILES, HOST, MAGIC_VALUES, magic_local_part

Path = tuple[str | int, ...]

LONGEST: Final = 120  # of a text that may be a magic value; only addresses and URLs are as long
LONGEST_NAME: Final = 40
MOST_COMPARED: Final = 2_000  # names that begin like magic ones, of a file; each takes a third of a millisecond
RESERVED: Final = DOMAIN.removeprefix("@")
# How alike two texts are, from 0 to 1: what follows "Magic ", a text whose beginning is wrong, a domain, a label, and
# the digits of an amount.
NEAR_NAME, NEAR_TEXT, NEAR_DOMAIN, NEAR_LABEL, NEAR_AMOUNT = 0.8, 0.9, 0.85, 0.75, 0.88
LISTED: Final = "`GET /_sim/v1/reference/magic_values` lists them"

_NOT_WORD: Final = re.compile(r"[\W_]+")
_HEAD: Final = "magic"
# The head with a letter that is missing, wrong, too many, or in the place of the next.
_NEAR_HEAD: Final = re.compile(
    "|".join(
        f"{_HEAD[:i]}(?:.?|.{_HEAD[i]}){_HEAD[i + 1 :]}|{_HEAD[:i]}{_HEAD[i : i + 2][::-1]}{_HEAD[i + 2 :]}"
        for i in range(len(_HEAD))
    )
)
_AFTER: Final = re.compile(r"(.+?)[\W_]+after[\W_]+(\d.*)", re.IGNORECASE)
_DELAY: Final = re.compile(r"(\d+)[\s_-]*([a-z]+)", re.IGNORECASE | re.ASCII)
_ARGUMENT: Final = re.compile(r"([a-z_-]*?)[_-]*(\d\w*)", re.IGNORECASE)
_URL: Final = re.compile(r"https?://([^/:?#]+)", re.IGNORECASE)
_QUERY: Final = re.compile(r"[A-Z]+ /[^?]*\?(.*)", re.DOTALL)


def _folded(text: str) -> str:
    return _NOT_WORD.sub("", text).casefold()


_NAMES: Final = {
    _folded(name): name for name in (*(text for text in VALUE_BY_TEXT if "@" not in text), *DECISIONS, UNRENDERABLE)
}
_TAILS: Final = {folded.removeprefix(_HEAD): name for folded, name in _NAMES.items()}
_LOCAL_PARTS: Final = {
    _folded(text): text
    for text in (*(each.removesuffix(DOMAIN) for each in VALUE_BY_TEXT if "@" in each), CLAIMS, NEVER)
}
_HOSTS: Final = {row.example.partition("-")[0]: row.example for row in HOSTS}
_FILES: Final = tuple(row.url for row in REMOTE)
_AMOUNTS: Final = tuple(str(row.cents) for row in AMOUNTS)
_SEVENS: Final = "777777"
_ZIPS: Final = tuple(row.zip for row in POSTCODES)
_UNITS: Final = ("seconds", "minutes", "hours", "days", "weeks")
_PARTS: Final = RESERVED.split(".")[:2]
_COUNTRIES: Final = ("US", None)


def misspelt_values(data: Any, skipped: Callable[[Path], bool] = lambda _: False) -> list[tuple[Path, str]]:
    """What in the data of a file is almost a magic value: the path of each, and a message that names what was meant.

    Parts of the data whose path is `skipped` are left out. Nothing is found if the data turns magic values off.
    """
    found: list[tuple[Path, str]] = []
    compared = 0
    pending: list[tuple[Path, Any]] = [((), data)]
    while pending:
        path, value = pending.pop()
        if skipped(path):
            continue
        if isinstance(value, dict):
            if value.get(MAGIC_VALUES.name) is False:
                return []
            found += _misspelt_members(path, value)
            pending += [((*path, name), inner) for name, inner in reversed(value.items())]
        elif isinstance(value, list):
            pending += [((*path, index), value[index]) for index in reversed(range(len(value)))]
        elif isinstance(value, str):
            for text in _texts(value):
                compared += _begins_like_one(text)
                if compared <= MOST_COMPARED and (message := _misspelt_text(text)):
                    found.append((path, message))
    return found


def near_value(text: str) -> str | None:
    """The magic value that a text almost is; None if it is one, or is not like any.

    "" if the text is in the domain that is reserved for magic values, and is like none of them.
    """
    if len(text) > LONGEST or "${" in text:
        return None
    if url := _URL.match(text):
        return _near_url(text, url[1])
    if "@" in text:
        return _near_email(text)
    return _near_name(text)


def _texts(text: str) -> Iterator[str]:
    """The text itself, or the values in the query of a call such as `GET /people?magic=Magic+Slow`."""
    query = _QUERY.fullmatch(text)
    yield from (value for _, value in parse_qsl(query[1])) if query else (text,)


def _misspelt_text(text: str) -> str | None:
    near = near_value(text)
    if near is None:
        return None
    hint = f'did you mean "{near}"?' if near else LISTED
    return f'"{text}" is not a magic value; {hint}'


def _misspelt_members(path: Path, members: Mapping[Any, Any]) -> Iterator[tuple[Path, str]]:
    """The postcode and the amount of a mapping."""
    code, cents = members.get("zip"), members.get("amount_cents")
    if isinstance(code, str) and members.get("country") in _COUNTRIES and (near := _near_zip(code)):
        yield (*path, "zip"), f'"{code}" is not a magic postcode; did you mean "{near}"?'
    if type(cents) is int and (near := _near_amount(str(cents))):
        yield (*path, "amount_cents"), f"{cents} is not a magic amount; did you mean {near}?"


def _near_name(text: str) -> str | None:
    if not _begins_like_one(text):  # as most texts, and comparing is slow
        return None
    if text in VALUE_BY_TEXT or text == UNRENDERABLE or parse_decision(text) is not None:
        return None
    if (after := _AFTER.fullmatch(text)) and (name := _near_folded(_folded(after[1]))) in DECISIONS:
        return f"{name} After {_delay(after[2]) or '2h'}"
    return _near_folded(_folded(text))


def _begins_like_one(text: str) -> bool:
    return len(text) <= LONGEST_NAME and _NEAR_HEAD.match(_folded(text)) is not None


def _near_folded(folded: str) -> str | None:
    if folded.startswith(_HEAD):
        near = find_nearest(folded.removeprefix(_HEAD), _TAILS, NEAR_NAME)
        return _TAILS[near] if near else None
    near = find_nearest(folded, _NAMES, NEAR_TEXT)
    return _NAMES[near] if near else None


def _near_email(text: str) -> str | None:
    address, _, domain = text.strip().rpartition("@")
    before, plus, local_part = address.rpartition("+")
    is_known = local_part + DOMAIN in VALUE_BY_TEXT or claim_delay(local_part) is not None
    if not _is_near_domain(domain) or (is_known and magic_local_part(text) is not None):
        return None
    near = local_part if is_known else _near_local_part(local_part)
    return f"{before}{plus}{near}{DOMAIN}" if near else _unknown(domain)


def _near_local_part(text: str) -> str | None:
    if (parts := _ARGUMENT.fullmatch(text)) and find_nearest(parts[1].casefold(), (CLAIMS,), NEAR_LABEL):
        return f"{CLAIMS}-{_delay(parts[2]) or '3d'}"
    near = find_nearest(_folded(text), _LOCAL_PARTS, NEAR_NAME)
    return _LOCAL_PARTS[near] if near else None


def _near_url(text: str, host: str) -> str | None:
    *labels, second, first, top = ("", "", "", *host.casefold().split("."))
    before, domain = ".".join(filter(None, labels)), f"{second}.{first}.{top}"
    if not before or not _is_near_domain(domain):
        return None
    if f"https://{before}{HOST}/" == FILES:
        return None if text in _FILES else find_nearest(text, _FILES, NEAR_TEXT) or _unknown(domain)
    subdomain, dot, label = before.rpartition(".")
    is_known = entry_of(label) is not None
    if is_known and domain == RESERVED:
        return None
    near = label if is_known else _near_label(label)
    return text.replace(host, f"{subdomain}{dot}{near}{HOST}", 1) if near else _unknown(domain)


def _near_label(text: str) -> str | None:
    if (parts := _ARGUMENT.fullmatch(text)) and (name := find_nearest(parts[1], _HOSTS, NEAR_LABEL)):
        labels = (f"{name}-{argument}" for argument in (parts[2], _delay(parts[2])))
        return next((label for label in labels if entry_of(label) is not None), _HOSTS[name])
    near = find_nearest(_folded(text), _HOSTS, NEAR_LABEL)
    return _HOSTS[near] if near else None


def _is_near_domain(domain: str) -> bool:
    folded = domain.casefold()
    if not any(part in folded for part in _PARTS):  # most domains, and comparing is slow
        return False
    return folded.startswith(".".join(_PARTS)) or find_nearest(folded, (RESERVED,), NEAR_DOMAIN) is not None


def _unknown(domain: str) -> str | None:
    return "" if domain.casefold() == RESERVED else None


def _delay(text: str) -> str | None:
    """A delay as it has to be written: `2h` for `2 hours`; None for what is not like one."""
    with suppress(ValueError):
        return format_duration(parse_duration(text))
    parts = _DELAY.fullmatch(text.strip())
    unit = next((unit for unit in _UNITS if unit.startswith(parts[2].casefold())), "") if parts else ""
    return f"{parts[1]}{unit[0]}" if parts and unit else None


def _near_zip(text: str) -> str | None:
    """ZIP codes from 00010 to 00019 are unassigned in the US, whatever is added to them."""
    digits = text.strip()
    if digits in _ZIPS:
        return digits if digits != text else None
    number = re.match(r"0+(1\d)\b", digits, re.ASCII)
    return find_nearest(f"000{number[1]}", _ZIPS) if number else None


def _near_amount(text: str) -> str | None:
    return None if text in _AMOUNTS else find_nearest(text, _AMOUNTS, NEAR_AMOUNT) if text.startswith(_SEVENS) else None
