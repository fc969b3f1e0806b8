"""The reference of the command line, from the commands' own help, without what `--help` alone has to say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from inspect import cleandoc
from typing import Final, NamedTuple

import click

SHARED_BY: Final = 2  # from as many commands on, an option with the same help is described once
TOKENS: Final = "A command that takes `--url` takes the two options for the token too."
CODE: Final = re.compile(r'`[^`]*`|"[^"]*"|(?<![\w-])--[a-z][a-z-]*')  # code, quotations, and options in a text
BRACKETS: Final = re.compile(r"  \[([^\[\]]+)\]$")
LEADS: Final = re.compile(r"\b[Ee]xit status|\b[Ee]xit with")  # sentences that are kept of a help's later paragraphs


class Command(NamedTuple):
    """A command with its context, and the name and help of each of its options."""

    command: click.Command
    context: click.Context
    options: tuple[tuple[str, str], ...]


def command_reference(program: click.Group, name: str = "giftsim") -> str:
    """Every command of a program as a section: what it does, its usage and options. What many share comes first."""
    commands = list(_commands(program, click.Context(program, info_name=name)))
    counted = Counter(option for each in commands for option in each.options)
    shared = {option for option, count in counted.items() if count >= SHARED_BY}
    lines = [_line(option) for option in counted if option in shared]
    sections = [_section(each, shared) for each in commands]
    return "\n\n".join(["## Options of several commands", "\n".join(lines), TOKENS, *sections])


def _commands(group: click.Group, context: click.Context) -> Iterator[Command]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        records = (param.get_help_record(inner) for param in command.params)
        yield Command(command, inner, tuple(record for record in records if record and record[1]))
        if isinstance(command, click.Group):
            yield from _commands(command, inner)


def _section(each: Command, shared: set[tuple[str, str]]) -> str:
    left_out = ("[OPTIONS]", "[COMMAND] [ARGS]...") if isinstance(each.command, click.Group) else ("[OPTIONS]",)
    arguments = [piece for piece in each.command.collect_usage_pieces(each.context) if piece not in left_out]
    usage = f" `{' '.join(arguments)}`" if arguments else ""
    parts = [f"## {each.context.command_path}", f"{_text(each.command.help or '')}{usage}"]
    if own := [_line(option) for option in each.options if option not in shared]:
        parts.append("\n".join(own))
    if others := [f"`{_name(option)}`" for option in each.options if option in shared and not _is_token(option)]:
        parts.append(f"Also {', '.join(others)}.")
    return "\n\n".join(parts)


def _text(text: str) -> str:
    """The first paragraph of a help, and what the others say of the exit status."""
    first, *others = [" ".join(each.split()) for each in cleandoc(text).replace("\b\n", "").split("\n\n")]
    sentences = (sentence for each in others for sentence in re.split(r"(?<=[.:]) (?=[A-Z`])", each))
    return _with_code(" ".join([first, *filter(LEADS.search, sentences)]))


def _with_code(text: str) -> str:
    """A text with the options in it as code, so that no page makes a dash of their hyphens."""
    return CODE.sub(lambda found: f"`{found[0]}`" if found[0].startswith("--") else found[0], text)


def _is_token(option: tuple[str, str]) -> bool:
    return _name(option).startswith("--control-token")


def _name(option: tuple[str, str]) -> str:
    """The long name of an option: `--world` of `-w, --world TEXT`."""
    return next(part for part in option[0].replace(",", " ").split() if part.startswith("--"))


def _line(option: tuple[str, str]) -> str:
    """An option with its default, and the variable that does not have its name."""
    declared, text = option
    brackets = BRACKETS.search(text)
    notes = dict(part.partition(": ")[::2] for part in (brackets[1].split("; ") if brackets else ()))
    variable = notes.get("env var", "")
    named = [f"`{variable}`"] if variable != f"GIFTSIM_{_name(option)[2:].upper().replace('-', '_')}" else []
    told = ", ".join(part for part in (notes.get("default", "").strip("()"), *named) if part.strip("`"))
    return f"- `{declared}`: {_with_code(BRACKETS.sub('', text))}{f' ({told})' if told else ''}"
