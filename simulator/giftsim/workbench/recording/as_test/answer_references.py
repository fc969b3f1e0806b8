"""The answers of a recording so far: which variable has them, and where an id or a secret comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from giftsim.workbench.recording.as_test.literals import ORIGIN, WORLD, Path, Reference, Template

_JSON_PATH: Final = re.compile(r"\.`split\((.), -1, -1\)`|\.(\w+)|\[(\d+)\]")
_EXPRESSION: Final = re.compile(r"\$\$\{|\$\{(\w+)\}")
_MAX_ITEMS: Final = 20  # of a list in which an id is looked for
_TAKEN: Final = ("giftsim", "pytest", "world", "test", "expect", "base", "b64decode")


class Answers:
    """The answers so far. `used` has the paths that something refers to, with their values, by variable."""

    def __init__(self, constants: Mapping[str, Any]) -> None:
        self.used: dict[str, dict[Path, Any]] = {}
        self._constants = constants
        self._variables = {"world": WORLD, "origin": ORIGIN}
        self._names: dict[str, int] = {}
        self._bodies: list[tuple[Reference, str, Any]] = []

    def name(self, body: Any, otherwise: str) -> str:
        """A new variable for an answer, named for what it has first."""
        first = next(iter(body)) if isinstance(body, Mapping) and body else ""
        word = first if re.fullmatch(r"[a-z][a-z_]*", first) and isinstance(body[first], dict) else otherwise
        word = f"{word}_answer" if word in _TAKEN else "refused" if word == "error" else word
        self._names[word] = self._names.get(word, 0) + 1
        return word if self._names[word] == 1 else f"{word}_{self._names[word]}"

    def add(self, name: str, request: str, body: Any, saves: Mapping[str, str], *, is_answer: bool = True) -> None:
        """Keep an answer, and what is saved of it by JSONPath. `request` is its method and path."""
        base = Reference(name, (), is_answer=is_answer)
        self._bodies.append((base, request.partition("?")[0], body))
        for variable, json_path in saves.items():
            parts = list(_JSON_PATH.finditer(json_path))
            path = tuple(part[2] or int(part[3]) for part in parts if not part[1])
            split = next((part[1] for part in parts if part[1]), "")
            self._variables[variable] = Reference(name, path, split, is_answer)

    def text(self, text: str) -> Any:
        """A text of a step with its variables."""
        parts: list[Reference | str] = []
        end = 0
        for match in _EXPRESSION.finditer(text):
            parts += [text[end : match.start()], self._value(match[1]) if match[1] else "${"]
            end = match.end()
        parts = [part for part in (*parts, text[end:]) if part != ""]
        return parts[0] if len(parts) == 1 and isinstance(parts[0], Reference) else Template(tuple(parts))

    def data(self, value: Any, name: str = "") -> Any:
        """Data of a step with its variables, and references in place of ids."""
        if isinstance(value, Mapping):
            return {str(member): self.data(each, str(member)) for member, each in value.items()}
        if isinstance(value, list):
            return [self.data(each, name.removesuffix("s")) for each in value]
        if (found := self._id(name, value)) is not None:
            return found
        return self.text(value) if isinstance(value, str) else value

    def path(self, path: str) -> Any:
        """A path with references in place of ids."""
        path, mark, query = path.partition("?")
        segments: list[Any] = path.split("/")
        for i, segment in enumerate(segments[1:], start=1):
            made = self._made_at("/".join(map(str, path.split("/")[:i])), segment)
            kind = re.sub(r"s$", "", path.split("/")[i - 1]).replace("-", "_")
            segments[i] = made or self._id(f"{kind}_id", segment, as_text=True) or self.text(segment)
        parts: list[Any] = []
        for segment in segments:
            parts += ["/", *_parts(segment)]
        return Template((*parts[1:], mark, *_parts(self.text(query))))

    def _value(self, variable: str) -> Reference | str:
        if variable in self._constants:
            return str(self._constants[variable])
        found = self._variables[variable]
        return self._use(found, "") if found.path else found

    def _made_at(self, collection: str, segment: str) -> Reference | None:
        """The id in the answer of the call that created it."""
        for base, request, body in self._bodies:
            if request == f"POST {collection}":
                for path, value in _ids(body):
                    if str(value) == segment:
                        return self._use(Reference(base.name, path, is_answer=base.is_answer), value)
        return None

    def _id(self, name: str, value: Any, *, as_text: bool = False) -> Reference | None:
        """Where the id that a member of such a name has was answered first."""
        if not name.endswith("_id") or isinstance(value, bool) or not isinstance(value, int | str):
            return None
        for base, _, body in self._bodies:
            for path, found in _ids(body):
                names = [part for part in path if isinstance(part, str)]
                matches = names[-1] == name or names[-2:] in ([name[:-3], "id"], [f"{name[:-3]}s", "id"])
                if matches and (str(found) == value if as_text else found == value):
                    return self._use(Reference(base.name, path, is_answer=base.is_answer), found)
        return None

    def _use(self, reference: Reference, value: Any) -> Reference:
        self.used.setdefault(reference.name, {})[reference.path] = value
        return reference


def _parts(value: Any) -> tuple[Reference | str, ...]:
    return value.parts if isinstance(value, Template) else (value,)


def _ids(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The ids in an answer, with their paths."""
    if isinstance(value, Mapping):
        for name, member in value.items():
            if isinstance(member, int | str):
                if (name == "id" or name.endswith("_id")) and not (isinstance(member, str) and "${" in member):
                    yield (*path, name), member
            else:
                yield from _ids(member, (*path, name))
    elif isinstance(value, list):
        for i, item in enumerate(value[:_MAX_ITEMS]):
            yield from _ids(item, (*path, i))
