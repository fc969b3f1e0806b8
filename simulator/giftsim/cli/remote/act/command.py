"""The command `act`: what the outside world does, and what its people do, by a verb and its keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from giftsim.cli.remote.act.members import WrongWord, choices, keys_of, read_members, types_of
from giftsim.cli.remote.act.verbs import REHEARSE_PATH, Verb, all_verbs, find_rehearsal, find_verb, verb_names
from giftsim.cli.remote.output import print_json, print_members, print_table, to_json
from giftsim.cli.remote.record_commands import PARCELS
from giftsim.cli.remote.simulator_connection import RemoteWorld, complete_in_world, with_world
from giftsim.engine.gateway.node import Node
from giftsim.engine.kernel.texts import suggest_name

TYPE_WORDS = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
              "array": "a JSON array", "object": "a JSON object", "null": "null"}  # fmt: skip

KEYS = "--keys"
REHEARSE, NAME = "rehearse", "name="  # takes its name also as a word alone


def complete_words(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The verbs, then the keys of the verb, then the values of a key that begin with what is typed."""
    words = [word for word in ctx.params.get("words") or () if word]
    return complete_in_world(ctx, incomplete, lambda sim: list(_completions(sim, words, incomplete)))


class ActCommand(click.Command):
    """A command whose help is that of a verb, if one is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the help of a verb for its keys."""
        words = self.make_parser(ctx).parse_args(list(args))[0].get("words")
        if isinstance(words, tuple) and words and not {*args}.isdisjoint(ctx.help_option_names):
            args = [*(word for word in args if word not in ctx.help_option_names), KEYS]
        return super().parse_args(ctx, args)


@click.command(cls=ActCommand)
@click.argument("words", nargs=-1, metavar="[VERB [KEY=VALUE]...]", shell_complete=complete_words)
@click.option(KEYS, "asks_keys", is_flag=True, hidden=True)
@with_world
def act(sim: RemoteWorld, words: tuple[str, ...], asks_keys: bool, as_json: bool) -> None:
    """Act as the outside world, by a verb of the test-control API: people claim, approve and pay, parcels are shipped,
    hosts and settings change.

    Without VERB, list the verbs; `act VERB --help` shows the keys of one. A dot leads into an object
    (address.city=Reno). A value is JSON where the key takes that, such as a number or true, and otherwise text.
    """
    if not words:
        _print_verbs(all_verbs(sim), as_json)
        return
    verb = find_verb(sim, words[0])
    if verb is None:
        names = verb_names(sim)
        raise click.UsageError(f"there is no verb {words[0][:60]!r}; {suggest_name(words[0], names)}")
    if verb.name == REHEARSE and words[1:]:
        verb, words = _rehearsal(sim, verb, words)
    if asks_keys:
        click.echo(_keys_text(verb), nl=False)
        return
    if len(words) == 1 and verb.name == words[0] and Node.root(verb.schema).members:
        click.echo(_keys_text(verb), nl=False, err=True)
        raise click.exceptions.Exit(click.UsageError.exit_code)
    try:
        members = read_members(verb, words[1:])
    except WrongWord as error:
        raise click.UsageError(str(error)) from None
    _print_answer(verb, members, verb.send(sim, members), as_json)


def _rehearsal(sim: RemoteWorld, verb: Verb, words: tuple[str, ...]) -> tuple[Verb, tuple[str, ...]]:
    """The verb of the rehearsal that is named first, by its name or as `name=NAME`, and the words without it.

    Any other first word stays a key of `rehearse`.
    """
    name = words[1].removeprefix(NAME)
    if "=" in name:
        return verb, words
    found = find_rehearsal(sim, verb, name)
    return (verb, (words[0], NAME + name, *words[2:])) if found is None else (found, (words[0], *words[2:]))


def _completions(sim: RemoteWorld, words: Sequence[str], typed: str) -> Iterator[str]:
    """What may follow words. A shell may have parted a word at its `=`, and then takes the value alone."""
    if not words:
        yield from verb_names(sim)
        return
    verb = find_verb(sim, words[0])
    if verb is None:
        return
    if verb.name == REHEARSE and words[1:]:
        verb = find_rehearsal(sim, verb, words[1].removeprefix(NAME)) or verb
    keys = dict(keys_of(Node.root(verb.schema)))
    last = words[-1] if words[-1] in keys else words[-2] if words[-1] == "=" else None
    key, separator, _ = typed.partition("=")
    if separator:
        yield from (f"{key}={value}" for value in _values(keys.get(key)))
    elif last is not None:
        yield from _values(keys.get(last))
    else:
        yield from (f"{name}=" for name in keys if not any(word.partition("=")[0] == name for word in words))


def _values(node: Node | None) -> list[str]:
    """The values that a key takes, if only some are."""
    if node is None:
        return []
    values = choices(node) or ((True, False) if types_of(node) == {"boolean"} else ())
    return [value if isinstance(value, str) else to_json(value) for value in values]


def _print_verbs(verbs: Sequence[Verb], as_json: bool) -> None:
    if as_json:
        print_json([{"verb": verb.name, "summary": verb.summary, "schema": verb.schema} for verb in verbs])
        return
    formatter = click.get_current_context().make_formatter()
    formatter.write_dl([(verb.name, verb.summary) for verb in verbs])
    click.echo(formatter.getvalue() + "\n`giftsim act VERB --help` shows the keys of a verb.")


def _keys_text(verb: Verb) -> str:
    """What a verb does, and its keys with what they take and mean."""
    formatter = click.get_current_context().make_formatter()
    formatter.write_usage(f"giftsim act {verb.name}", "KEY=VALUE...")
    formatter.write_paragraph()
    formatter.write_text(verb.summary)
    required = verb.schema.get("required", ())
    rows = [(key, _meaning(node, key in required)) for key, node in keys_of(Node.root(verb.schema))]
    with formatter.section("Keys"):
        formatter.write_dl(rows or [("none", "")])
    for group in verb.one_of:
        formatter.write_paragraph()
        formatter.write_text(f"One of these is required: {', '.join(group)}.")
    return formatter.getvalue()


def _meaning(node: Node, is_required: bool) -> str:
    """What a key takes, what it means, and what it is without being given."""
    schemas = [part.schema for part in node.parts]
    values = _values(node)
    takes = next((schema["x-takes"] for schema in schemas if "x-takes" in schema), None) or (
        ", ".join(values) if values else " or ".join(TYPE_WORDS[each] for each in sorted(types_of(node)))
    )
    means = next((schema["description"] for schema in schemas if schema.get("description")), "")
    default = next((f"[default: {to_json(schema['default'])}]" for schema in schemas if "default" in schema), "")
    last = "[required]" if is_required else default
    return "  ".join(filter(None, [". ".join(filter(None, [takes, " ".join(means.split())])), last]))


def _print_answer(verb: Verb, members: Mapping[str, Any], answer: Any, as_json: bool) -> None:
    """Print what the simulator answered: parcels as a table, of settings those that were given, else every member."""
    if as_json:
        print_json(answer)
        return
    if verb.path == REHEARSE_PATH:
        for each in answer["done"]:
            click.echo(f"{each['call']}  {to_json(each['body'])}")
        click.echo(f"{answer['happens']}\nCheck: {answer['check']}")
        return
    rows = [answer] if isinstance(answer, Mapping) and "claim_link" in answer else (answer or {}).get("parcels")
    if rows is not None:
        print_table(rows, PARCELS, "no parcel was moved")
    elif verb.name == "settings":
        print_members({name: answer[name] for name in members})
    else:
        print_members(answer or {"done": verb.name})
