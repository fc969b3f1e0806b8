"""JSON Schema validation of bodies by jsonschema-rs. Each violation has the error code that its schema node names.

A node's `x-code` is a code, or a map from the failing keyword to a code, with `*` for all other keywords. The node
that failed is asked first. For a missing member, the `required` entry of the member's own node comes before that. Then
follow the enclosing nodes, up through `$ref`. `x-message`, a text or a map from keywords to texts, says what is
expected and repeats nothing of the body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec

from giftsim.gateway.json_body import MAX_VALUES
from giftsim.kernel.email_address import is_email
from giftsim.kernel.instants import is_date

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator


SIZE = 5_000  # bodies of up to this many values are examined whole


def invalid_part(body: Any, known: frozenset[str], is_valid: Callable[[Any], bool]) -> Any:
    """The shortest beginning of an invalid body that is invalid too, to within SIZE values.

    `known` are the members that the schema names. They are never cut off, so that none is reported as missing. Of a
    list two entries stay, which is as many as any schema requires.
    """
    part = excerpt(body, SIZE, known)
    if not is_valid(part):
        return part
    valid, invalid = SIZE, MAX_VALUES
    while invalid - valid > SIZE:
        middle = (valid + invalid) // 2
        if is_valid(excerpt(body, middle, known)):
            valid = middle
        else:
            invalid = middle
    return excerpt(body, invalid, known)


def excerpt(body: Any, size: int, known: frozenset[str]) -> Any:
    """The first `size` values of a body, in the order of the text, and all members that are `known`."""
    return _copy(body, [size], known)


def _copy(value: Any, left: list[int], known: frozenset[str]) -> Any:
    left[0] -= 1
    if isinstance(value, Mapping):
        return {name: _copy(member, left, known) for name, member in value.items() if left[0] > 0 or name in known}
    if isinstance(value, list):
        return [_copy(entry, left, known) for i, entry in enumerate(value) if left[0] > 0 or i < 2]
    return value


Path = tuple[str | int, ...]

# The message of a keyword whose node has no `x-message`.
DEFAULT_MESSAGES: Final[Mapping[str, str]] = {
    "required": "is required",
    "type": "has the wrong type",
    "enum": "is not one of the allowed values",
    "const": "is not the allowed value",
    "minLength": "is too short",
    "maxLength": "is too long",
    "minItems": "has too few entries",
    "maxItems": "has too many entries",
    "uniqueItems": "has an entry twice",
    "minimum": "is too small",
    "maximum": "is too large",
    "additionalProperties": "is not known",
}


# Formats with a rule of our own. Years are 0001 to 9999; RFC 3339 has a year 0000 too, which no calendar has.
FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {"date": is_date, "email": is_email}

INTEGER = "x-integer"


class IntegerCheck:
    """The keyword `x-integer` of every integer node: refuses 1.0, which JSON Schema takes for an integer (G19)."""

    def __init__(self, parent_schema: Mapping[str, Any], value: bool, schema_path: Sequence[str | int]) -> None:
        pass

    def validate(self, instance: Any) -> None:
        """Raise ValueError, whose text is the violation's message, for a float without a fraction."""
        if isinstance(instance, float) and instance.is_integer():
            raise ValueError(f'{instance} is not of type "integer"')


class Violation(msgspec.Struct, frozen=True, gc=False):
    """One thing wrong with a body: `path` leads to it, `code` is the contract's error code for it, if it names one.

    `message` is the contract's or the validator's and may repeat input; `safe_message` never does.
    """

    code: str | None
    path: Path
    keyword: str
    message: str
    safe_message: str = "does not fit"


class Schema:
    """A schema of a contract, with only the components that it reaches. It is compiled when it is first used."""

    def __init__(self, schema: Mapping[str, Any], document: Mapping[str, Any], mode: str | None = None) -> None:
        self._schema = schema
        self._document = document
        self._mode = mode
        self._by_mode: dict[str, Schema] = {}

    def for_mode(self, mode: str) -> Schema:
        """The schema in which every `x-mode-id` is an integer for `live`, a UUID for `test`; itself if it has none."""
        if mode not in self._by_mode:
            schema = Schema(self._schema, self._document, mode)
            self._by_mode[mode] = self if schema.document == self.document else schema
        return self._by_mode[mode]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The schema with the components that it reaches."""
        components: dict[str, Any] = {}
        _collect_components(self._schema, self._document, components)
        document = {**self._schema, "components": {"schemas": components}}
        return document if self._mode is None else _with_mode_ids(document, self._mode)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        from jsonschema_rs import Draft202012Validator  # a start validates nothing

        return Draft202012Validator(
            _with_integer_checks(self.document),
            validate_formats=True,
            formats=dict(FORMATS),
            keywords={INTEGER: IntegerCheck},
        )

    @cached_property
    def _known_members(self) -> frozenset[str]:
        return frozenset(_property_names(self.document))

    def is_valid(self, body: Any) -> bool:
        """Whether a body has no violation."""
        return bool(self._validator.is_valid(body))

    def violations(self, body: Any) -> list[Violation]:
        """All violations of a body; only the first ones of a large body (G85). 1.0 is not an integer (G19)."""
        if self.is_valid(body):
            return []
        part = invalid_part(body, self._known_members, self.is_valid)
        return [self._violation(error) for error in self._validator.iter_errors(part)]

    def _violation(self, error: Any) -> Violation:
        trail = list(error.evaluation_path)
        missing = getattr(error.kind, "property", None) if trail[-1] == "required" else None
        path = (*error.instance_path, *([missing] if missing else []))
        nodes, keyword = list(self._nodes(trail)), str(trail[-1]) if trail[-1] != INTEGER else "type"
        code, own = _code(nodes, keyword, missing), _own_message(nodes[-1], keyword)
        safe = own or DEFAULT_MESSAGES.get(keyword, "does not fit")
        return Violation(code, path, keyword, with_path(own or (safe if missing else error.message), path), safe)

    def _nodes(self, trail: list[Any]) -> Iterator[Mapping[str, Any]]:
        """The schema nodes from the root to the one whose keyword failed, including every `$ref` target on the way."""
        node: Any = self.document
        yield node
        for i, part in enumerate(trail, 1):
            while isinstance(node, Mapping) and "$ref" in node and part not in node:
                node = self._target(node["$ref"])
                yield node
            if i == len(trail):
                return
            node = self._target(node["$ref"]) if part == "$ref" else node[part]
            if isinstance(node, Mapping):
                yield node

    def _target(self, ref: str) -> Any:
        return self.document["components"]["schemas"][ref.rsplit("/", 1)[1]]


def _code(nodes: list[Mapping[str, Any]], keyword: str, missing: str | None) -> str | None:
    if missing is not None:
        child = nodes[-1].get("properties", {}).get(missing, {})
        codes = child.get("x-code") if isinstance(child, Mapping) else None
        if isinstance(codes, Mapping) and "required" in codes:
            return str(codes["required"])
    return _nearest_code(nodes, keyword)


def _own_message(node: Mapping[str, Any], keyword: str) -> str | None:
    message = node.get("x-message")
    if isinstance(message, Mapping):
        message = message.get(keyword)
    return None if message is None else str(message)


def _nearest_code(nodes: list[Mapping[str, Any]], keyword: str) -> str | None:
    """The code of the innermost node that names one; only the innermost is asked for the keyword itself."""
    for i, node in enumerate(reversed(nodes)):
        codes = node.get("x-code")
        if isinstance(codes, str):
            return codes
        if isinstance(codes, Mapping):
            code = (codes.get(keyword) if i == 0 else None) or codes.get("*")
            if code:
                return str(code)
    return None


def dotted(path: Path) -> str:
    """A path as text, such as `recipients[0].email`; the whole body is `body`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".") or "body"


def with_path(message: str, path: Path) -> str:
    """The message behind its path, cut to 200 characters."""
    return f"{dotted(path)}: {message if len(message) <= 200 else message[:197] + '...'}"


def _collect_components(node: Any, document: Mapping[str, Any], components: dict[str, Any]) -> None:
    if isinstance(node, Mapping):
        ref = node.get("$ref")
        if isinstance(ref, str):
            name = ref.rsplit("/", 1)[1]
            if name not in components:
                components[name] = document["components"]["schemas"][name]
                _collect_components(components[name], document, components)
        for value in node.values():
            _collect_components(value, document, components)
    elif isinstance(node, list):
        for value in node:
            _collect_components(value, document, components)


def _property_names(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        yield from node.get("properties", ())
        yield from node.get("required", ()) if isinstance(node.get("required"), list) else ()
    for value in node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ():
        yield from _property_names(value)


def _with_mode_ids(node: Any, mode: str) -> Any:
    if isinstance(node, list):
        return [_with_mode_ids(value, mode) for value in node]
    if not isinstance(node, Mapping):
        return node
    members = {name: _with_mode_ids(value, mode) for name, value in node.items()}
    if node.get("x-mode-id") is not True:
        return members
    keyword, kind = ("format", "integer") if mode == "live" else ("minimum", "string")
    members.pop(keyword, None)
    return {**members, "type": [kind, "null"] if "null" in node["type"] else kind}


def _with_integer_checks(node: Any) -> Any:
    if isinstance(node, list):
        return [_with_integer_checks(value) for value in node]
    if not isinstance(node, Mapping):
        return node
    members = {name: _with_integer_checks(value) for name, value in node.items()}
    kinds = node.get("type")
    return (
        {**members, INTEGER: True}
        if kinds == "integer" or (isinstance(kinds, list) and "integer" in kinds)
        else members
    )
