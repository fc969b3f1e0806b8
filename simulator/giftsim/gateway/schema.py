"""The shape of a body: jsonschema-rs judges, and each violation knows the error code that its schema node names.

A node's `x-code` is a code, or a map from the failing keyword to a code with `*` for the rest. The node that failed is
asked first; for a missing member its own node's entry `required`; then the nodes around it, up through `$ref`.
Its `x-message`, a text or a map from keywords to texts, says what would fit without echoing what came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import jsonschema_rs
import msgspec

Path = tuple[str | int, ...]

# What is said of a keyword whose node has no words of its own.
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "required": "is required",
        "type": "has the wrong type",
        "enum": "is none of the known words",
        "const": "is not what is known here",
        "minLength": "is too short",
        "maxLength": "is too long",
        "minItems": "has too few entries",
        "maxItems": "has too many entries",
        "uniqueItems": "names an entry twice",
        "minimum": "is too small",
        "maximum": "is too large",
        "additionalProperties": "is not known",
    }
)


class Violation(msgspec.Struct, frozen=True, gc=False):
    """One thing wrong with a body: `path` leads to it, `code` is what the contract calls it (None: unnamed).

    `words` are the contract's own or usual ones, which echo nothing; `message` is the contract's own or the
    validator's, which may say more and echo what came.
    """

    code: str | None
    path: Path
    keyword: str
    message: str
    words: str = "does not fit"


class Shape:
    """A schema of a contract, compiled when it is first asked, with only the components it reaches."""

    def __init__(self, schema: Mapping[str, Any], document: Mapping[str, Any], mode: str | None = None) -> None:
        self._schema = schema
        self._document = document
        self._mode = mode
        self._modes: dict[str, Shape] = {}

    def of_mode(self, mode: str) -> Shape:
        """The same shape with every `x-mode-id` an integer for `live`, a UUID for `test`; itself if it has none."""
        if mode not in self._modes:
            moded = Shape(self._schema, self._document, mode)
            self._modes[mode] = self if moded.document == self.document else moded
        return self._modes[mode]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The schema with the components that it reaches."""
        reached: dict[str, Any] = {}
        _reach(self._schema, self._document, reached)
        whole = {**self._schema, "components": {"schemas": reached}}
        return whole if self._mode is None else _moded(whole, self._mode)

    @cached_property
    def _judge(self) -> jsonschema_rs.Draft202012Validator:
        return jsonschema_rs.Draft202012Validator(self.document, validate_formats=True)

    def violations(self, body: Any, strict_numbers: bool = False) -> list[Violation]:
        """What is wrong with a body; `strict_numbers` when it holds a number like 1.0, which is no integer (G19)."""
        if strict_numbers:
            return list(self._slowly(body))
        if self._judge.is_valid(body):
            return []
        return [self._violation(error) for error in self._judge.iter_errors(body)]

    def _violation(self, error: Any) -> Violation:
        trail = list(error.evaluation_path)
        missing = getattr(error.kind, "property", None) if trail[-1] == "required" else None
        path = (*error.instance_path, *([missing] if missing else []))
        return self._named(trail, missing, path, error.message)

    def _slowly(self, body: Any) -> Iterator[Violation]:
        """The cold path, by the jsonschema library, whose notion of an integer can be told."""
        import jsonschema

        checker = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
            "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
        )
        extend: Any = jsonschema.validators.extend
        validator = extend(jsonschema.Draft202012Validator, type_checker=checker)
        for error in validator(self.document, format_checker=validator.FORMAT_CHECKER).iter_errors(body):
            trail = list(error.absolute_schema_path)
            missing = error.message.split("'")[1] if error.validator == "required" else None
            path = (*error.absolute_path, *([missing] if missing else []))
            yield self._named(trail, missing, path, error.message)

    def _named(self, trail: list[Any], missing: str | None, path: Path, message: str) -> Violation:
        nodes, keyword = list(self._nodes(trail)), str(trail[-1])
        code, told = _code(nodes, keyword, missing), _told(nodes[-1], keyword)
        words = told or WORDS.get(keyword, "does not fit")
        return Violation(code, path, keyword, said(told or (words if missing else message), path), words)

    def _nodes(self, trail: list[Any]) -> Iterator[Mapping[str, Any]]:
        """The schema nodes from the root down to the one whose keyword failed, through every `$ref` on the way."""
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
        named = child.get("x-code") if isinstance(child, Mapping) else None
        if isinstance(named, Mapping) and "required" in named:
            return str(named["required"])
    return _nearest(nodes, keyword)


def _told(node: Mapping[str, Any], keyword: str) -> str | None:
    told = node.get("x-message")
    if isinstance(told, Mapping):
        told = told.get(keyword)
    return None if told is None else str(told)


def _nearest(nodes: list[Mapping[str, Any]], keyword: str) -> str | None:
    """The code of the innermost node that names one; only the innermost is asked for the keyword itself."""
    for i, node in enumerate(reversed(nodes)):
        named = node.get("x-code")
        if isinstance(named, str):
            return named
        if isinstance(named, Mapping):
            code = (named.get(keyword) if i == 0 else None) or named.get("*")
            if code:
                return str(code)
    return None


def dotted(path: Path) -> str:
    """A path as people write it: `recipients[0].email`; the whole body is `body`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return text.lstrip(".") or "body"


def said(message: str, path: Path) -> str:
    """A sentence that names the place first, and is not longer than a line."""
    return f"{dotted(path)}: {message if len(message) <= 200 else message[:197] + '...'}"


def _reach(node: Any, document: Mapping[str, Any], reached: dict[str, Any]) -> None:
    if isinstance(node, Mapping):
        ref = node.get("$ref")
        if isinstance(ref, str):
            name = ref.rsplit("/", 1)[1]
            if name not in reached:
                reached[name] = document["components"]["schemas"][name]
                _reach(reached[name], document, reached)
        for value in node.values():
            _reach(value, document, reached)
    elif isinstance(node, list):
        for value in node:
            _reach(value, document, reached)


def _moded(node: Any, mode: str) -> Any:
    if isinstance(node, list):
        return [_moded(value, mode) for value in node]
    if not isinstance(node, Mapping):
        return node
    inside = {name: _moded(value, mode) for name, value in node.items()}
    if node.get("x-mode-id") is not True:
        return inside
    dropped, kept = ("format", "integer") if mode == "live" else ("minimum", "string")
    inside.pop(dropped, None)
    return {**inside, "type": [kept, "null"] if "null" in node["type"] else kept}
