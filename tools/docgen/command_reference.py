"""The reference of the command line, from the commands' own help."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click

from tools.docgen.markdown import table


def command_reference(program: click.Group, name: str = "giftsim") -> str:
    """Every command of a program as a Markdown section: its usage, its help and its options."""
    context = click.Context(program, info_name=name)
    return "\n\n".join(_sections(program, context))


def _sections(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield _section(command, inner)
        if isinstance(command, click.Group):
            yield from _sections(command, inner)


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"## {context.command_path}", f"```text\n{usage}\n```", cleandoc(command.help or "")]
    records = (param.get_help_record(context) for param in command.params)
    options = [record for record in records if record and record[1]]
    if options:
        parts.append(table(("option", "meaning"), [(f"`{declared}`", help_) for declared, help_ in options]))
    if command.epilog:
        parts.append("\n".join(["```text", *_paragraphs(command.epilog), "```"]))
    return "\n\n".join(parts)


def _paragraphs(text: str) -> Iterator[str]:
    r"""The lines of a help text without click's `\b`, which keeps a paragraph's line breaks."""
    return (line for line in cleandoc(text).splitlines() if line != "\b")
