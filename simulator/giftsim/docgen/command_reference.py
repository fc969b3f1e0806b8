"""The reference of the command line, from the commands' own help."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

import click

from giftsim.docgen.reference_tables import table


def command_reference(program: click.Group, name: str = "giftsim") -> str:
    """Every command of a program as a Markdown section: its usage, its help and its options."""
    context = click.Context(program, info_name=name)
    sections = (_section(program.commands[each], context) for each in sorted(program.commands))
    return "\n\n".join(sections)


def _section(command: click.Command, program: click.Context) -> str:
    context = click.Context(command, info_name=command.name, parent=program)
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
