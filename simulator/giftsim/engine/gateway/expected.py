"""What a schema expects: the reason of a refusal, then the value that was given, shortened.

A contract's own `x-message` comes before these. No message contains a regular expression, and an enumeration lists all
of its choices.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

TYPES: Final[Mapping[str, str]] = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
FORMATS: Final[Mapping[str, str]] = {
    "date": "a date written YYYY-MM-DD",
    "date-time": "an instant such as 2027-01-04T09:00:00Z",
    "email": "an email address such as ada@example.com",
    "uri": "a URL",
    "uuid": "a UUID",
}
ONE_LINE: Final = r"^[^\x00-\x1F\x7F-\x9F\u2028\u2029]*$"
ONE_LINE_NOT_BLANK: Final = (
    r"^[^\x00-\x1F\x7F-\x9F\u2028\u2029]*[^\s\x00-\x1F\x7F-\x9F\u2028\u2029][^\x00-\x1F\x7F-\x9F\u2028\u2029]*$"
)
ANY_LINES: Final = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$"
LINE_FEEDS: Final = r"^[^\x00-\x08\x0B-\x1F\x7F-\x9F]*$"
DAY_OF_YEAR: Final = "a day of the year written MM-DD"
TIME: Final = "a time written HH:MM"
UUID: Final = "a UUID in lower case"
SPACED: Final = r"^[A-Za-z0-9._-]([A-Za-z0-9 ._-]{0,58}[A-Za-z0-9._-])?$"
# The patterns of the contracts and of fixtures. A test finds those that have no words.
PATTERNS: Final[Mapping[str, str]] = {
    ONE_LINE: "one line without control characters",
    ONE_LINE_NOT_BLANK: "one line that is not blank, without control characters",
    ANY_LINES: "text without control characters other than line breaks and tabs",
    LINE_FEEDS: "text whose line ends are LF, without control characters other than these and tabs",
    r"\S": "text that is not blank",
    r"^[0-9]{1,18}$": "1 to 18 digits",
    r"^\d{4}-\d\d-\d\d$": "a date written YYYY-MM-DD",
    r"^(\d{4}-)?\d\d-\d\d$": "a day written MM-DD or YYYY-MM-DD",
    r"^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$": DAY_OF_YEAR,
    r"^((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|[12]\d))$": DAY_OF_YEAR,
    r"^([01]\d|2[0-3]):[0-5]\d$": TIME,
    r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$": UUID,
    r"^[A-Z]{2}$": "a two-letter country code in capitals, such as US",
    r"^#[0-9A-Fa-f]{6}$": "a color written #RRGGBB",
    r"^\S{1,64}$": "1 to 64 characters without blanks",
    r"^[a-z0-9]{1,64}$": "1 to 64 of a-z and 0-9",
    r"^[a-z0-9-]{1,64}$": "1 to 64 of a-z, 0-9 and '-'",
    r"^[a-z0-9-]{1,40}$": "1 to 40 of a-z, 0-9 and '-'",
    r"^[a-z0-9_]{1,64}$": "1 to 64 of a-z, 0-9 and '_'",
    r"^[a-z_]{1,32}$": "1 to 32 of a-z and '_'",
    r"^[A-Za-z0-9]{1,40}$": "1 to 40 letters and digits",
    r"^[A-Za-z0-9_-]{1,60}$": "1 to 60 of letters, digits, '_' and '-'",
    r"^[A-Za-z0-9._-]{1,60}$": "1 to 60 of letters, digits, '.', '_' and '-'",
    SPACED: "1 to 60 of letters, digits, '.', '_', '-' and spaces between them",
    r"^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+$": "a media type such as image/png",
}
LONGEST_VALUE: Final = 60
TWICE_ENCODED: Final = "; it looks like JSON that was encoded twice"


def reason(error: Any, node: Mapping[str, Any], types: Mapping[str, str] = TYPES) -> str:
    """What is wrong by an error of jsonschema-rs, whose keyword is in `node`; repeats nothing of the value."""
    kind, name = error.kind, type(error.kind).__name__
    if name in ("Type", "Custom"):  # the only keyword of our own is `x-integer`
        return f"must be {_types(node['type'], types)}"
    if name == "AnyOf":
        wanted = [word for branch in kind.context for word in wanted_types(branch, error)]
        return f"must be {_types(wanted, types)}" if wanted else "must fit one of its forms"
    find = REASONS.get(name)
    return find(kind) if find is not None else "does not fit"


def wanted_types(branch: Iterable[Any], error: Any) -> list[str]:
    """The types that a branch of `anyOf` takes, if the value of its error is of none of them."""
    path = list(error.instance_path)
    kinds = {type(each.kind).__name__: each.kind for each in branch if list(each.instance_path) == path}
    return [*kinds["Type"].types] if "Type" in kinds else ["integer"] if "Custom" in kinds else []


def with_value(text: str, kind: Any, value: Any) -> str:
    """A reason, followed by what was given: the value, or its length where only that is wrong."""
    match type(kind).__name__:
        case "MinLength" | "MaxLength":
            return f"{text}, not {len(value):,}: {preview(value)}" if value else text
        case "MinItems" | "MaxItems" | "MinProperties" | "MaxProperties":
            return f"{text}, not {len(value):,}" if value else text
        case "AdditionalProperties":
            return f"{text}: {preview(kind.unexpected[0])}"
        case "PropertyNames":
            return f"{text}, not {preview(kind.error.instance)}"
        case "Type":
            return f"{text}, not {preview(value)}{encoding_hint(kind, value)}"
        case name if name in WITH_VALUE:
            return f"{text}, not {preview(value)}"
    return text


def encoding_hint(kind: Any, value: Any) -> str:
    """That a text in place of an object looks like JSON, or nothing; repeats nothing of the value."""
    is_text = type(kind).__name__ == "Type" and "object" in kind.types and isinstance(value, str)
    return TWICE_ENCODED if is_text and value.lstrip()[:1] in ("{", "[") else ""


def preview(value: Any) -> str:
    """A value of JSON on a few characters: text in quotes, cut if it is long; lists and objects by their type."""
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    return repr(shortened(value)) if isinstance(value, str) else shortened(json.dumps(value))


def shortened(text: str, longest: int = LONGEST_VALUE) -> str:
    """A text, cut if it is longer than that many characters."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def choices(options: Iterable[Any]) -> str:
    """All choices of an enumeration, null last: `a`, or `one of a, b, c`, or `one of a, b or null`."""
    words = [option if isinstance(option, str) else json.dumps(option) for option in options]
    words.sort(key="null".__eq__)
    if len(words) == 1:
        return words[0]
    if words[-1] == "null":
        return f"{'one of ' if len(words) > 2 else ''}{', '.join(words[:-1])} or null"
    return f"one of {', '.join(words)}"


def pattern_words(pattern: str) -> str:
    """What fits a pattern, as a message says it."""
    return PATTERNS.get(pattern, "text of another form")


def _types(given: str | list[str], types: Mapping[str, str]) -> str:
    names = given if isinstance(given, list) else [given]
    return " or ".join(types[name] for name in sorted(names, key="null".__eq__))


def _at_least(noun: str) -> Callable[[Any], str]:
    def words(kind: Any) -> str:
        return "must not be empty" if kind.limit == 1 else f"must have at least {kind.limit:,} {noun}"

    return words


def _at_most(noun: str) -> Callable[[Any], str]:
    return lambda kind: f"must have at most {kind.limit:,} {noun}"


def _name_reason(kind: Any) -> str:
    inner = kind.error.kind
    return f"must have members whose names are {pattern_words(getattr(inner, 'pattern', ''))}"


REASONS: Final[Mapping[str, Callable[[Any], str]]] = {
    "Required": lambda _: "is required",
    "Enum": lambda kind: f"must be {choices(kind.options)}",
    "Constant": lambda kind: f"must be {choices([kind.expected_value])}",
    "Pattern": lambda kind: f"must be {pattern_words(kind.pattern)}",
    "Format": lambda kind: f"must be {FORMATS.get(kind.format, f'of the format {kind.format}')}",
    "MinLength": _at_least("characters"),
    "MaxLength": _at_most("characters"),
    "MinItems": _at_least("entries"),
    "MaxItems": _at_most("entries"),
    "MinProperties": _at_least("members"),
    "MaxProperties": _at_most("members"),
    "UniqueItems": lambda _: "must not have an entry twice",
    "Minimum": lambda kind: f"must be at least {kind.limit:,}",
    "Maximum": lambda kind: f"must be at most {kind.limit:,}",
    "ExclusiveMinimum": lambda kind: f"must be above {kind.limit:,}",
    "ExclusiveMaximum": lambda kind: f"must be below {kind.limit:,}",
    "AdditionalProperties": lambda _: "has a member that is not known",
    "PropertyNames": _name_reason,
    "FalseSchema": lambda _: "must be left out",
}
WITH_VALUE: Final = frozenset(
    (
        "AnyOf",
        "Custom",
        "Enum",
        "Constant",
        "Pattern",
        "Format",
        "Minimum",
        "Maximum",
        "ExclusiveMinimum",
        "ExclusiveMaximum",
    )
)
