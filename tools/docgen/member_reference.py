"""The reference of a class: the signature of each public member, and the first sentence of its docstring."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator


def member_reference(documented: type, without: Collection[str]) -> str:
    """A list of the public members of a class in alphabetical order, except those named in `without`."""
    names = [name for name in sorted(dir(documented)) if not name.startswith("_") and name not in without]
    return "\n".join(f"- `{_signature(documented, name)}`: {_effect(documented, name)}" for name in names)


def _signature(documented: type, name: str) -> str:
    member = inspect.getattr_static(documented, name)
    if not inspect.isfunction(member):
        return name
    parts = ", ".join(_parameters(inspect.signature(member).parameters.values()))
    return f"{'await ' if inspect.iscoroutinefunction(member) else ''}{name}({parts})"


def _parameters(parameters: Collection[inspect.Parameter]) -> Iterator[str]:
    """The parameters of a method but the first, without their types."""
    before: object = None
    for parameter in list(parameters)[1:]:
        kind = parameter.kind
        if kind is not parameter.POSITIONAL_ONLY and before is parameter.POSITIONAL_ONLY:
            yield "/"
        if kind is parameter.KEYWORD_ONLY and before not in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL):
            yield "*"
        yield str(parameter.replace(annotation=parameter.empty))
        before = kind
    if before is inspect.Parameter.POSITIONAL_ONLY:
        yield "/"


def _effect(documented: type, name: str) -> str:
    text = inspect.getdoc(inspect.getattr_static(documented, name)) or inspect.getdoc(getattr(documented, name)) or ""
    return " ".join(text.partition("\n\n")[0].split())
