"""Reads the files of a contract into one OpenAPI document, and expands the short forms in which they are written.

What operations share is said once, at the top of the file or of its index:

    x-headers: {metered: [X-Request-Id, X-RateLimit-Limit]}       sets of headers
    x-answers: {busy: {'409': {description: ...}}}                 sets of answers
    x-every-operation: [unauthorized, foreign]                     sets of answers of every operation
    x-every-response: {x-headers: metered}                         headers and body of every response
    x-every-error: {x-body: Error}                                 headers and body of every response with `x-codes`
    x-lists: {x-list: {properties: {$name: {items: $items}}}}      schemas of lists

- `x-headers: metered` or `x-headers: [X-Request-Id]`, at a response: its headers.
- `x-body: Order`, at a response or a request body: JSON of this schema, with `x-examples`. A schema may stand for the
  name of one.
- `x-list: {orders: Order}`, as a schema, or at a response as its body: a list. Keywords beside it are added to the
  schema.
- `parameters: [Limit]`: a text among parameters is the name of one.
- `x-answers: [busy]`, among the responses of an operation: the answers of these sets. At a parameter of the
  components: the answers of every operation that has it.

What an operation or response writes itself comes first, then its sets, then those of its parameters, then `x-every-…`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from giftsim.engine.gateway import yaml_cache

METHODS = ("get", "post", "put", "patch", "delete")
ANSWERS, HEADERS, BODY, EXAMPLES, LISTS = "x-answers", "x-headers", "x-body", "x-examples", "x-lists"
EVERY = ("x-every-operation", "x-every-response", "x-every-error")

Node = Mapping[str, Any]


class BadContract(Exception):
    """A contract contradicts itself or its handlers; the simulator does not start."""


def document(path: Path) -> dict[str, Any]:
    """A contract as OpenAPI: its file, merged with the files beside it that `x-parts` names, and expanded."""
    whole: dict[str, Any] = yaml_cache.read_yaml(path)
    for name in whole.pop("x-parts", ()):
        part = yaml_cache.read_yaml(path.with_name(name))
        _merge(whole["paths"], part.get("paths", {}), f"{name}: paths")
        for kind, entries in part.get("components", {}).items():
            _merge(whole["components"].setdefault(kind, {}), entries, f"{name}: {kind}")
    return expanded(whole)


def _merge(into: dict[str, Any], entries: Node, place: str) -> None:
    duplicates = [name for name in entries if name in into]
    if duplicates:
        raise BadContract(f"{place} {', '.join(duplicates)} are defined in another part already")
    into.update(entries)


def expanded(whole: Node) -> dict[str, Any]:
    """The document without its short forms. BadContract for a set, header or schema that it does not define."""
    return _Expansion(whole).document()


class _Expansion:
    """A document as it is written, with what its operations share."""

    def __init__(self, whole: Node) -> None:
        self.whole = whole
        self.components: Node = whole.get("components", {})
        self.references: dict[tuple[str, str], dict[str, str]] = {}
        self.lists: Node = whole.get(LISTS, {})
        self.written_apart = {HEADERS, BODY, EXAMPLES, *self.lists, "headers", "content"}
        self.of_parameters: dict[str, list[str]] = {
            f"#/components/parameters/{name}": parameter[ANSWERS]
            for name, parameter in self.components.get("parameters", {}).items()
            if ANSWERS in parameter
        }
        every, response, error = EVERY
        self.headers = {
            name: self._headers(names, f"{HEADERS} {name}") for name, names in whole.get(HEADERS, {}).items()
        }
        self.every_response = self._parts(whole.get(response, {}), response)
        self.every_error = {**self.every_response, **self._parts(whole.get(error, {}), error)}
        self.answers = {name: self._set(name, answers) for name, answers in whole.get(ANSWERS, {}).items()}
        self.every_operation = self._named(whole.get(every, ()), every)

    def document(self) -> dict[str, Any]:
        """The whole document, expanded."""
        document = {name: value for name, value in self.whole.items() if name not in (ANSWERS, HEADERS, LISTS, *EVERY)}
        expansions: dict[str, Callable[[Any, str], Any]] = {
            "paths": self._path,
            "webhooks": self._path,
            "components": self._component,
        }
        for part, expand in expansions.items():
            if part in document:
                document[part] = {name: expand(node, name) for name, node in document[part].items()}
        return document

    def _component(self, nodes: Node, kind: str) -> Node:
        expansions = {"schemas": self._schema, "responses": self._response, "parameters": _parameter}
        if kind not in expansions:
            return nodes
        return {name: expansions[kind](node, f"{kind} {name}") for name, node in nodes.items()}

    def _path(self, item: Node, path: str) -> dict[str, Any]:
        """A path or a webhook. What an app answers to a webhook has no defaults."""
        shared = self._parameters(item, path)
        expand = self._operation if path.startswith("/") else self._request
        methods = {key: expand(item[key], shared, f"{key.upper()} {path}") for key in item if key in METHODS}
        return {**item, **_if_any(shared), **methods}

    def _request(self, node: Node, _shared: list[Node], place: str) -> dict[str, Any]:
        """An operation with its parameters and its request body expanded."""
        request = {**node, **_if_any(self._parameters(node, place))}
        if BODY in node.get("requestBody", ()):
            body = node["requestBody"]
            rest = {name: value for name, value in body.items() if name not in (BODY, EXAMPLES)}
            request["requestBody"] = {**rest, "content": self._content(body, place)}
        return request

    def _operation(self, node: Node, shared: list[Node], place: str) -> dict[str, Any]:
        request = self._request(node, shared, place)
        parameters = [*shared, *request.get("parameters", ())]
        return {**request, "responses": self._responses(node["responses"], parameters, place)}

    def _parameters(self, node: Node, place: str) -> list[Node]:
        return [
            self._reference("parameters", parameter, f"{place}: parameters")
            if isinstance(parameter, str)
            else parameter
            for parameter in node.get("parameters", ())
        ]

    def _responses(self, written: Node, parameters: Iterable[Node], place: str) -> dict[str, Any]:
        """The answers of an operation as they are written. If others are added, the errors are sorted by status."""
        responses: dict[str, Any] = {}
        for status, node in written.items():
            if status == ANSWERS:
                responses = {**responses, **self._named(node, place), **responses}
            else:
                responses[status] = self._response(node, f"{place} {status}")
        others = dict(self.every_operation)
        for parameter in parameters:
            others |= self._named(self.of_parameters.get(parameter.get("$ref", ""), ()), place)
        if others.keys() <= responses.keys():
            return responses
        return dict(sorted({**others, **responses}.items(), key=_successes_first))

    def _set(self, name: str, answers: Node) -> dict[str, Any]:
        return {status: self._response(answer, f"{ANSWERS} {name}: {status}") for status, answer in answers.items()}

    def _named(self, names: Iterable[str], place: str) -> dict[str, Any]:
        """The answers of sets; of two with the same status the later."""
        answers: dict[str, Any] = {}
        for name in names:
            answers |= self.answers[_known(name, self.answers, f"{place}: {ANSWERS}")]
        return answers

    def _response(self, node: Node, place: str) -> Node:
        if "$ref" in node:
            return node
        whole = {name: value for name, value in node.items() if name not in self.written_apart}
        defaults = self.every_error if "x-codes" in node else self.every_response
        return {**whole, **defaults, **self._parts(node, place)}

    def _parts(self, node: Node, place: str) -> dict[str, Any]:
        """The headers and the content of a response, as far as it says them."""
        parts: dict[str, Any] = {name: node[name] for name in ("headers", "content") if name in node}
        if HEADERS in node:
            parts["headers"] = self._headers(node[HEADERS], place)
        if BODY in node or not self.lists.keys().isdisjoint(node):
            parts["content"] = self._content(node, place)
        return parts

    def _headers(self, names: str | list[str], place: str) -> Node:
        if isinstance(names, str):
            return self.headers[_known(names, self.headers, f"{place}: {HEADERS}")]
        return {name: self._reference("headers", name, f"{place}: {HEADERS}") for name in names}

    def _content(self, node: Node, place: str) -> Node:
        """The content of a response or a request body with `x-body` or a list."""
        body = node.get(BODY, {keyword: node[keyword] for keyword in self.lists if keyword in node})
        schema = self._named_schema(body, f"{place}: {BODY}")
        examples = {"examples": node[EXAMPLES]} if EXAMPLES in node else {}
        return {"application/json": {"schema": schema, **examples}}

    def _schema(self, node: Any, place: str) -> Any:
        """A schema; if it is an `x-list`, the schema of a list with the keywords beside it."""
        if not isinstance(node, dict) or self.lists.keys().isdisjoint(node):
            return node
        keyword = next(keyword for keyword in self.lists if keyword in node)
        [(name, items), *more] = node[keyword].items()
        if more:
            raise BadContract(f"{place}: {keyword} has one member, the list's name, not {', '.join(node[keyword])}")
        filled = _filled(self.lists[keyword], name, self._named_schema(items, f"{place}: {keyword}"))
        return _joined(filled, {key: value for key, value in node.items() if key != keyword})

    def _named_schema(self, node: Any, place: str) -> Any:
        return self._reference("schemas", node, place) if isinstance(node, str) else self._schema(node, place)

    def _reference(self, kind: str, name: str, place: str) -> dict[str, str]:
        reference = self.references.get((kind, name))
        if reference is None:
            _known(name, self.components.get(kind, {}), place)
            reference = self.references[kind, name] = {"$ref": f"#/components/{kind}/{name}"}
        return reference


def _known(name: str, names: Iterable[str], place: str) -> str:
    if name not in names:
        raise BadContract(f"{place} names {name}; the contract has only {sorted(names)}")
    return name


def _parameter(node: Node, _place: str) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name != ANSWERS}


def _if_any(parameters: list[Node]) -> dict[str, Any]:
    return {"parameters": parameters} if parameters else {}


def _successes_first(answer: tuple[str, Any]) -> str:
    """For `sorted`, which keeps the order of the successes."""
    return max(answer[0], "399")


def _filled(template: Any, name: str, items: Node) -> Any:
    """The schema of a list, with its name and the schema of its items."""
    if isinstance(template, list):
        return [_filled(entry, name, items) for entry in template]
    if isinstance(template, dict):
        return {_filled(key, name, items): _filled(value, name, items) for key, value in template.items()}
    return {"$name": name, "$items": items}.get(template, template)


def _joined(base: dict[str, Any], more: Node) -> dict[str, Any]:
    """A schema with the entries of another: added to its lists and mappings, in place of other values."""
    joined = dict(base)
    for key, value in more.items():
        if isinstance(value, list) and key in base:
            joined[key] = [*base[key], *value]
        elif isinstance(value, dict) and key in base:
            joined[key] = {**base[key], **value}
        else:
            joined[key] = value
    return joined
