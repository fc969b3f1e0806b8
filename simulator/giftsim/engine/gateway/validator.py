"""How a schema of a contract is compiled by jsonschema-rs: with what it refers to, and two rules of our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from giftsim.engine.kernel.email_address import is_email
from giftsim.engine.kernel.instants import is_date

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

# Formats with a rule of our own. Years are 0001 to 9999; RFC 3339 has a year 0000 too, which no calendar has.
FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {"date": is_date, "email": is_email}

INTEGER: Final = "x-integer"


class IntegerCheck:
    """The keyword `x-integer` of every integer node: refuses 1.0, which JSON Schema takes for an integer (G19)."""

    def __init__(self, parent_schema: Mapping[str, Any], value: bool, schema_path: Sequence[str | int]) -> None:
        pass

    def validate(self, instance: Any) -> None:
        """Raise ValueError, whose text is the violation's message, for a float without a fraction."""
        if isinstance(instance, float) and instance.is_integer():
            raise ValueError(f'{instance} is not of type "integer"')


def self_contained(schema: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with the components of the document that it reaches."""
    components: dict[str, Any] = {}
    _collect_components(schema, document, components)
    return {**schema, "components": {"schemas": components}}


def compile_validator(document: Mapping[str, Any]) -> Draft202012Validator:
    """The validator of a self-contained schema."""
    from jsonschema_rs import Draft202012Validator  # a start validates nothing

    return Draft202012Validator(
        _with_integer_checks(document),
        validate_formats=True,
        formats=dict(FORMATS),
        keywords={INTEGER: IntegerCheck},
    )


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
