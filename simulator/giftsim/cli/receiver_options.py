"""The options of an exam of a webhook receiver alone, and the exam that they ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from giftsim.cli.options import Number, option, refuse_unused
from giftsim.cli.serve_option_values import InvalidOptions, read_allowances

if TYPE_CHECKING:
    from giftsim.workbench.exam.receiver_exam import ReceiverExam

Command = Callable[..., Any]
NAMES = ("secret", "next_secret", "old_secret", "interface", "check", "break_", "mend", "timeout", "forward_allow")

_OPTIONS = (
    option("--secret", help="The secret of --receiver, whsec_.... Better in its variable."),
    click.option("--next-secret", metavar="SECRET", help="The secret that replaces it, which is accepted too."),
    click.option("--old-secret", metavar="SECRET", help="A secret that was replaced, which is accepted no more."),
    click.option(
        "--interface",
        type=click.Choice(["partner", "team"]),
        default="partner",
        show_default=True,
        help="Whose webhooks --receiver receives.",
    ),
    click.option("--check", metavar="CMD", help="A command that checks what --receiver believes, after each probe."),
    click.option("--break", "break_", metavar="CMD", help="A command after which --receiver cannot do its work."),
    click.option("--mend", metavar="CMD", help="A command that ends what --break began."),
    click.option(
        "--timeout",
        default=10.0,
        show_default=True,
        metavar="SECONDS",
        type=Number(0, 10, min_open=True),
        help="How long --receiver has for an answer.",
    ),
    option("--forward-allow", multiple=True, metavar="HOST[:PORT]|CIDR", help="Allow --receiver to be there too."),
)  # fmt: skip


def receiver_options(command: Command) -> Command:
    """`--receiver`, and what belongs to it."""
    for each in reversed(_OPTIONS):
        command = each(command)
    return click.option("--receiver", metavar="URL", help="Examine this webhook receiver, in place of an app.")(command)


def receiver_exam(given: Mapping[str, Any], seed: int) -> ReceiverExam:
    """The exam of the receiver that the options name. UsageError."""
    from giftsim.workbench.exam.receiver_exam import ReceiverExam

    if given["secret"] is None:
        raise click.UsageError("--receiver needs the --secret that it knows")
    if (given["break_"] is None) != (given["mend"] is None):
        raise click.UsageError("--break and --mend belong together")
    try:
        return ReceiverExam(
            given["receiver"],
            given["secret"],
            next_secret=given["next_secret"],
            old_secret=given["old_secret"],
            interface=given["interface"],
            check=given["check"],
            break_command=given["break_"],
            mend_command=given["mend"],
            only=given["only"],
            timeout_s=given["timeout"],
            seed=seed,
            forward_allow=read_allowances(given["forward_allow"]),
        )
    except (ValueError, InvalidOptions) as error:
        raise click.UsageError(str(error)) from None


def refuse_without_receiver(given: Mapping[str, Any]) -> None:
    """UsageError for options of a receiver without one."""
    if given["receiver"] is None:
        refuse_unused(NAMES, "it belongs to --receiver")
