"""The command `completion`: what a shell runs to complete commands, options, worlds, orders, faults and verbs."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

PROGRAM = "giftsim"
VARIABLE = "_GIFTSIM_COMPLETE"
SHELLS = ("bash", "fish", "zsh")
# Bash goes on typing after the `=` of a key.
NO_SPACE = ("    return 0\n", "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null\n    return 0\n")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion for SHELL, for its start-up file.

    \b
    bash   eval "$(giftsim completion bash)"      in ~/.bashrc
    zsh    eval "$(giftsim completion zsh)"       in ~/.zshrc
    fish   giftsim completion fish | source       in ~/.config/fish/config.fish
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(found(ctx.find_root().command, {}, PROGRAM, VARIABLE).source().replace(*NO_SPACE))
