"""The verbs of `act`, as a running simulator describes them: how each is sent, and the schema of what it takes.

Most are the verbs that `GET /worlds/{w}/simulate` lists. The others are operations of the control API, by a short name,
and verbs with some members already chosen, which have the names of the methods of the clients for tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from giftsim.cli.remote.simulator_connection import Remote, RemoteWorld
from giftsim.engine.client.control import quote_segment
from giftsim.engine.gateway.node import resolve_ref

OBJECT: Final = {"type": "object", "additionalProperties": False}
# Operations of the contract, below the path of a world.
OPERATIONS: Final[Mapping[str, str]] = {
    "rehearse": "rehearse",
    "receiver": "putReceiver",
    "delete_receiver": "deleteReceiver",
    "settings": "changeSettings",
    "actor": "createActor",
    "delete_actor": "deleteActor",
    "key": "createKey",
    "change_key": "changeKey",
    "revoke_key": "revokeKey",
    "session": "createSession",
    "clock": "setClock",
    "snapshot": "saveSnapshot",
    "restore": "restoreSnapshot",
    "resend": "resendDelivery",
    "answer": "answerDelivery",
    "test_endpoint": "testEndpoint",
}
REHEARSE_PATH: Final = "/rehearse"
WORDS: Final[Mapping[str, str]] = {"a word": "string", "true or false": "boolean", "a whole number": "integer"}
CHOICE: Final = "one of "


class Shorthand(NamedTuple):
    """A verb with members that are `fixed`, or that it has unless others are given; `keys` are all that it takes.

    `also` is what it does besides.
    """

    verb: str
    fixed: Mapping[str, Any] = {}
    usual: Mapping[str, Any] = {}
    keys: Sequence[str] = ()
    also: str = ""


SHORTHANDS: Final[Mapping[str, Shorthand]] = {
    "approve": Shorthand("approval", fixed={"decision": "approve"}),
    "reject": Shorthand("approval", fixed={"decision": "reject"}),
    "ship": Shorthand("shipment", usual={"to": "shipped"}, also="it enters an address for a gift that nobody claimed"),
    "fund": Shorthand("account", usual={"key": "partner.prepaid"}, keys=("add_cents", "key", "account_id")),
}
ONE_OF_THEM: Final[Mapping[str, tuple[str, str]]] = {"key": ("key", "account_id")}  # one replaces the other


class Verb(NamedTuple):
    """How a verb is sent: `path` is below a world, and its `{names}` are members of `schema`, as those of the body.

    Of each group of members in `one_of`, one must be given.
    """

    name: str
    summary: str
    method: str
    path: str
    schema: Mapping[str, Any]
    fixed: Mapping[str, Any] = {}
    usual: Mapping[str, Any] = {}
    has_body: bool = True
    one_of: Sequence[Sequence[str]] = ()

    def whole(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What is sent for the members that are given."""
        usual = {
            name: value
            for name, value in self.usual.items()
            if not any(other in given for other in ONE_OF_THEM.get(name, ()))
        }
        return {**usual, **given, **self.fixed}

    def send(self, sim: RemoteWorld, members: Mapping[str, Any]) -> Any:
        """Act in a world; the answer."""
        body, path = dict(members), self.path
        for name in [name for name in members if f"{{{name}}}" in path]:
            path = path.replace(f"{{{name}}}", quote_segment(body.pop(name)))
        return sim.send(self.method, path, body if self.has_body else None)


def verb_names(sim: RemoteWorld) -> list[str]:
    """The names of all verbs, the shorthands first."""
    listed = [row["verb"] for row in _listed(sim)]
    return [*_shorthands(listed), *listed, *OPERATIONS]


def all_verbs(sim: RemoteWorld) -> list[Verb]:
    """All verbs, the shorthands first."""
    simulated = {verb.name: verb for verb in map(_simulated, _listed(sim))}
    short = [_short(name, simulated[SHORTHANDS[name].verb]) for name in _shorthands(simulated)]
    return [*short, *simulated.values(), *_operations(sim, OPERATIONS)]


def find_verb(sim: RemoteWorld, name: str) -> Verb | None:
    """A verb by its name."""
    if name in OPERATIONS:
        return next(_operations(sim, [name]), None)
    verb = SHORTHANDS[name].verb if name in SHORTHANDS else name
    found = next((_simulated(row) for row in _listed(sim) if row["verb"] == verb), None)
    return _short(name, found) if found is not None and name in SHORTHANDS else found


def find_rehearsal(sim: RemoteWorld, verb: Verb, name: str) -> Verb | None:
    """The verb `rehearse` with the name of a rehearsal, and only what that one takes; None if there is none."""
    rows = Remote(sim.client, sim.headers).send("GET", "/reference/rehearsals?limit=1000")["rehearsals"]
    row = next((row for row in rows if row["name"] == name), None)
    if row is None:
        return None
    known = verb.schema["properties"]
    schema = {
        **verb.schema,
        "properties": {member: known[member] for member in row["takes"]},
        "required": [group[0] for group in row["needs"] if len(group) == 1],
    }
    return verb._replace(
        name=f"{verb.name} {name}",
        summary=f"{row['fear']} {row['happens']} Check: {row['check']}".replace("`", ""),
        schema=schema,
        fixed={"name": name},
        one_of=[group for group in row["needs"] if len(group) > 1],
    )


def _listed(sim: RemoteWorld) -> list[dict[str, Any]]:
    verbs: list[dict[str, Any]] = sim.send("GET", "/simulate?limit=1000")["verbs"]
    return verbs


def _simulated(row: Mapping[str, Any]) -> Verb:
    return Verb(row["verb"], row["summary"], "POST", f"/simulate/{row['verb']}", row["schema"])


def _shorthands(names: Any) -> list[str]:
    return [name for name, short in SHORTHANDS.items() if short.verb in names]


def _short(name: str, verb: Verb) -> Verb:
    """A shorthand of a verb: its schema lacks what is fixed, and does not require what is usual."""
    short = SHORTHANDS[name]
    known = verb.schema["properties"]
    properties = {key: known[key] for key in short.keys or known if key not in short.fixed}
    for key, value in short.usual.items():
        properties[key] = {**properties[key], "default": value}
    required = {*verb.schema.get("required", ()), *short.keys[:1]} - {*short.fixed, *short.usual}
    schema = {**verb.schema, "properties": properties, "required": sorted(required)}
    chosen = " ".join(f"{key}={value}" for key, value in {**short.fixed, **short.usual}.items())
    summary = "; ".join(filter(None, [f"The verb {verb.name} with {chosen}", short.also]))
    return verb._replace(name=name, summary=summary, schema=schema, fixed=short.fixed, usual=short.usual)


def _operations(sim: RemoteWorld, names: Any) -> Iterator[Verb]:
    """Verbs that are operations, from the contract of the simulator."""
    root = Remote(sim.client, sim.headers)
    document = sim.client.call("GET", "/openapi/control.json", headers=sim.headers).json()
    found = {
        operation["operationId"]: (method, path, item, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if isinstance(operation, Mapping) and "operationId" in operation
    }
    for name in names:
        if OPERATIONS[name] not in found:
            continue
        method, path, item, operation = found[OPERATIONS[name]]
        schema = settings_schema(root) if name == "settings" else _schema(document, item, operation)
        yield Verb(
            name, operation["summary"], method.upper(), path.removeprefix("/worlds/{w}"), schema,
            has_body="requestBody" in operation,
        )  # fmt: skip


def _schema(document: Mapping[str, Any], item: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any]:
    """The members that an operation takes, in its path and in its body, as one object."""
    parameters = [
        resolve_ref(document, each) for each in (*item.get("parameters", ()), *operation.get("parameters", ()))
    ]
    in_path = {
        each["name"]: {"description": each.get("description", ""), **each["schema"]}
        for each in parameters
        if each["in"] == "path" and each["name"] != "w"
    }
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = resolve_ref(document, content.get("schema", OBJECT))
    return {
        **OBJECT,
        "properties": {**in_path, **body.get("properties", {})},
        "required": [*in_path, *body.get("required", ())],
        "components": {"schemas": document["components"]["schemas"]},
    }


def settings_schema(sim: Remote) -> dict[str, Any]:
    """The settings of a world as one object."""
    rows = sim.send("GET", "/reference/settings?limit=1000")["settings"]
    properties = {
        row["name"]: {"description": row["means"], "x-takes": row["takes"], "default": row["default"], **_type(row)}
        for row in rows
    }
    return {**OBJECT, "properties": properties, "components": {"schemas": {}}}


def _type(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a setting takes as a schema; what that cannot say, the simulator checks."""
    takes, default = row["takes"], row["default"]
    if takes.startswith(CHOICE):
        words = takes.removeprefix(CHOICE).split(", ")
        return {"enum": [int(word) if isinstance(default, int) else word for word in words]}
    kind, _, rest = takes.partition(", or null")
    name = next((word for start, word in {**WORDS, "a list": "array"}.items() if kind.startswith(start)), "string")
    return {"type": [name, "null"] if rest or takes != kind else name}
