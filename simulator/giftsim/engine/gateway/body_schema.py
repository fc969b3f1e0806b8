"""JSON Schema validation of bodies by jsonschema-rs. Each violation has the error code that its schema node names.

A node's `x-code` is a code, or a map from the failing keyword to a code, with `*` for all other keywords. The node
that failed is asked first. For a missing member, the `required` entry of the member's own node comes before that. Then
follow the enclosing nodes, up through `$ref`. `x-message`, a text or a map from keywords to texts, says what is
expected and repeats nothing of the body. Without one, the module `expected` has the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from giftsim.engine.gateway import expected
from giftsim.engine.gateway.body_parts import SIZE, Part, Path, invalid_part, number_of_values, parts
from giftsim.engine.gateway.node import nodes_along
from giftsim.engine.gateway.validator import INTEGER, compile_validator, self_contained
from giftsim.engine.kernel.setting import choice
from giftsim.engine.problem import MAX_COUNTED

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator


LINE_ENDS = choice("texts.line_ends", ("any", "lf"), "the line ends that a text may contain: all, or LF alone (G351)")


class Violation(msgspec.Struct, frozen=True, gc=False):
    """One thing wrong with a body: `path` leads to it, `code` is the contract's error code for it, if it names one.

    `message` is the reason, then the value, shortened, unless the contract has its own message. `safe_message` is the
    reason alone, so it repeats nothing of the body. Both say if a text looks like JSON that was encoded twice.
    """

    code: str | None
    path: Path
    keyword: str
    message: str
    safe_message: str = "does not fit"


class Rule(NamedTuple):
    """A place of a schema that a body violates: its keyword and node, and the code and message of the contract."""

    keyword: str
    node: Mapping[str, Any]
    code: str | None
    message: str | None


class Schema:
    """A schema of a contract, with only the components that it reaches. It is compiled when it is first used."""

    def __init__(self, schema: Mapping[str, Any], document: Mapping[str, Any], mode: str | None = None) -> None:
        self._schema = schema
        self._document = document
        self._mode = mode
        self._by_mode: dict[str, Schema] = {}
        self._rules: dict[tuple[Path, str | None], Rule] = {}

    def for_mode(self, mode: str) -> Schema:
        """The schema in which every `x-mode-id` is an integer for `live`, a UUID for `test`; itself if it has none."""
        if mode not in self._by_mode:
            schema = Schema(self._schema, self._document, mode)
            self._by_mode[mode] = self if schema.document == self.document else schema
        return self._by_mode[mode]

    @cached_property
    def with_line_feeds_only(self) -> Schema:
        """The schema by the other reading of `texts.line_ends`: texts may contain LF, and CR in no place."""
        document = _with_line_feeds_only(self.document)
        return Schema(document, document)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The schema with the components that it reaches."""
        document = self_contained(self._schema, self._document)
        return document if self._mode is None else _with_mode_ids(document, self._mode)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return compile_validator(self.document)

    @cached_property
    def _known_members(self) -> frozenset[str]:
        return frozenset(_property_names(self.document))

    def is_valid(self, body: Any) -> bool:
        """Whether a body has no violation."""
        return bool(self._validator.is_valid(body))

    def violations(self, body: Any) -> list[Violation]:
        """The violations of a body, at most MAX_COUNTED (G85). 1.0 is not an integer (G19).

        Of a value with the wrong type only that is reported.
        """
        if self.is_valid(body):
            return []
        found = self._violations_by_part(body) if number_of_values(body) > SIZE else []
        found = found or list(self._violations_in(Part(body), body))
        mistyped = {each.path for each in found if each.keyword == "type"}
        return [each for each in found if each.keyword == "type" or each.path not in mistyped][:MAX_COUNTED]

    def _violations_by_part(self, body: Any) -> list[Violation]:
        """Those in entries of the longest list, and around it. None if only the whole body has one, as a long list."""
        found: list[Violation] = []
        around: set[tuple[Path, str]] = set()  # found in a part before: the list itself too
        for part in parts(body, self._known_members):
            new = [] if self.is_valid(part.body) else list(self._violations_in(part, body))
            found += [each for each in new if (each.path, each.keyword) not in around]
            around.update((each.path, each.keyword) for each in new if each.path[:-1][: len(part.path)] != part.path)
            if len(found) >= MAX_COUNTED:
                break
        return found

    def _violations_in(self, part: Part, whole: Any) -> Iterator[Violation]:
        """The violations of an invalid part; those of its beginning, if one entry makes it very large."""
        body = part.body
        if number_of_values(body) > 3 * SIZE:
            body = invalid_part(body, self._known_members, self.is_valid)
        for error in self._validator.iter_errors(body):
            path = part.original(tuple(error.instance_path))
            if path is not None:
                yield from (
                    self._violation(each, part.original(tuple(each.instance_path)) or path, whole)
                    for each in self._causes(error)
                )

    def _causes(self, error: Any) -> Sequence[Any]:
        """The errors in the one alternative that the value is meant for, by its type; else the error itself.

        An alternative whose node has its own message is not looked into.
        """
        branches = getattr(error.kind, "context", None)
        if not branches or self._rule(tuple(error.evaluation_path), None).message is not None:
            return [error]
        meant = [each for each in branches if not any(_is_of_another_type(error, cause) for cause in each)]
        return [each for cause in meant[0] for each in self._causes(cause)] if len(meant) == 1 else [error]

    def _violation(self, error: Any, path: Path, body: Any) -> Violation:
        trail = tuple(error.evaluation_path)
        missing = getattr(error.kind, "property", None) if trail[-1] == "required" else None
        rule = self._rule(trail, missing)
        place, value = located(body, path)
        place = (*place, *([missing] if missing else []))
        hint = expected.encoding_hint(error.kind, value)
        if rule.message is not None:
            message = rule.message + hint
            return Violation(rule.code, place, rule.keyword, with_path(message, place), message)
        reason = expected.reason(error, rule.node)
        message = expected.with_value(reason, error.kind, value)
        return Violation(rule.code, place, rule.keyword, with_path(message, place), reason + hint)

    def _rule(self, trail: Path, missing: str | None) -> Rule:
        """The rule at a place of the schema."""
        rule = self._rules.get((trail, missing))
        if rule is None:
            nodes, keyword = list(nodes_along(self.document, trail)), str(trail[-1]) if trail[-1] != INTEGER else "type"
            rule = Rule(keyword, nodes[-1], _code(nodes, keyword, missing), _own_message(nodes[-1], keyword))
            self._rules[trail, missing] = rule
        return rule


def _is_of_another_type(error: Any, cause: Any) -> bool:
    return cause.instance_path == error.instance_path and cause.evaluation_path[-1] in (
        "type",
        INTEGER,
        "const",
        "enum",
    )


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


AS_INDEX: Final = re.compile(r"\+?[0-9]{1,20}")  # names that the validator takes for an index


def located(body: Any, path: Iterable[str | int]) -> tuple[Path, Any]:
    """A path of the validator as one of the body, and the value there; what cannot be followed is left out.

    The validator takes names such as `0`, `02` and `+2` for indexes, and leaves empty names out.
    """
    place: Path = ()
    for part in path:
        for key in _keys(body, part):
            place, body = (*place, key), body[key]
    return place, body


def _keys(body: Any, part: str | int) -> Path:
    """The members of a body that the validator means by a part of a path."""
    if isinstance(body, list):
        return (part,) if isinstance(part, int) and part < len(body) else ()
    if not isinstance(body, Mapping):
        return ()
    if str(part) in body:
        return (str(part),)
    for name in body if isinstance(part, int) else ():
        if AS_INDEX.fullmatch(name) and int(name) == part:
            return (name,)
    return ("", *_keys(body[""], part)) if "" in body else ()


def dotted(path: Path) -> str:
    """A path as text, such as `people[0].email`, cut to 200 characters; the whole body is `body`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}"
    return expected.shortened(text.lstrip("."), 200) or "body"


def with_path(message: str, path: Path) -> str:
    """The message behind its path."""
    return f"{dotted(path)}: {message}"


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


def _with_line_feeds_only(node: Any) -> Any:
    if isinstance(node, list):
        return [_with_line_feeds_only(value) for value in node]
    if not isinstance(node, Mapping):
        return node
    members = {name: _with_line_feeds_only(value) for name, value in node.items()}
    if node.get("pattern") == expected.ANY_LINES:
        messages = {name: text for name, text in node.get("x-message", {}).items() if name != "pattern"}
        return {**members, "pattern": expected.LINE_FEEDS, "x-message": messages}
    return members
