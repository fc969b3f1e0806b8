"""Pictures of what the commands print in a terminal of 80 columns: `python -m tools pictures --commands`.

tmux is the terminal. A sheet shows many commands side by side, as a terminal with a light or a dark page shows them.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from giftsim.cli.commands import LISTED
from giftsim.cli.main import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
WIDTH, HEIGHT = 80, 400
MOST_S = 20
# The colours of xterm, which are harder to read than those of most terminals.
NORMAL = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
]
BRIGHT = [(127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255)]
THEMES: Final = {
    "light": TerminalTheme((255, 255, 255), (0, 0, 0), NORMAL, [*BRIGHT, (255, 255, 255)]),
    "dark": TerminalTheme((0, 0, 0), (229, 229, 229), NORMAL, [*BRIGHT, (255, 255, 255)]),
}
# Of each sheet, the commands: `{order}` is an order that was shipped, `{files}` a folder with files for them.
TABLES: Final = (
    "now", "orders --limit 6", "orders {order}", "mail --limit 6", "deliveries --limit 8",
    "faults add status=503 --operation createTeamOrder --first 2", "faults add charge=card_charge_failed", "faults",
    "act", "act ship", "act receiver --help", "act fund add_cents=500", "worlds",
    "advance 10d --dry-run", "advance next", "undo", "advance 3d", "faults end", "worlds create checkout-test",
    "worlds fork what-if", "worlds reset checkout-test", "worlds delete checkout-test", "wait --timeout 0", "wait",
    "version",
    "coverage --missing", "coverage --next", "statements P-6", "statements --guesses --about team",
    "play scenarios/partner/declined_card.yaml", "play scenarios/partner --quiet", "play {files}/wrong.yaml",
    "check scenarios/partner", "check {files}/wrong.yaml {files}/fixture.yaml", "trace --out {files}/w.html",
    "trace {files}/w.html", "record --out {files}/r.yaml", "play --exact {files}/r.yaml", "check {files}/w.journal",
    "serve haproxy --processes 2 --commands", "serve trust", "schema part | head -20", "completion bash | head -20",
    "exam --receiver http://127.0.0.1:9/hooks --secret whsec_a", "compare --list | head -40",
)  # fmt: skip
ERRORS: Final = (
    "evnts", "reset", "frobnicate", "orders 99", "orders mug", "undo 900", "advance 3x",
    "act claim team_order_id=1", "act ship to=shiped", "act shp",
    "advance", "advance 2020-01-01T00:00:00Z", "now -w not-there", "now --url http://127.0.0.1:1", "now --url ftp://x",
    "faults add", "faults add colour=red", "faults add status=503 --operation createTeamOrdr", "faults end fault-99",
    "worlds fork default", "worlds delete not-there", "serve --port {port}", "serve --clock sometimes",
    "serve --fixture fancy", "serve --journal {files}/wrong.yaml", "serve --certificate {files}/wrong.yaml",
    "serve --trace {files}/wrong.yaml",
    "serve --at 3", "serve --host 0.0.0.0", "serve --processes 0", "serve haproxy", "serve haproxy --at gifts-1", "run",
    "run --route gifts.vendor.example -- true", "run --route https://gifts.vendor.example=partner.prepayed -- true",
    "run --route https://gifts.vendor.example -- not-a-program", "play nothing.yaml", "play", "exam --app x",
    "check nothing.yaml", "exam", "exam --receiver http://a.example/x", "coverage {files}/wrong.yaml",
    "coverage --next nothing", "run --assumptions", "explore", "explore --app http://127.0.0.1:1",
    "exam --verify nothing",
    "compare", "compare --target https://gifts.vendor.example", "trace {files}/wrong.yaml",
    "record --from {files}/wrong.yaml --as pytest", "play --exact {files}/wrong.yaml", "play --exact nothing.yaml",
    "statements P-99", "schema scenarios", "completion csh", "mcp --url ftp://x",
    "open --url http://127.0.0.1:1 --json",
)  # fmt: skip
SHEET = """<!doctype html><meta charset=utf-8><style>
body {{ margin: 16px; background: {page}; color: {text}; columns: {columns}; column-gap: 24px; width: {width}px }}
section {{ break-inside: avoid; margin-bottom: 18px }}
h2 {{ font: bold 13px sans-serif; margin: 0 0 4px; opacity: .7 }}
pre {{ font: 13px/1.25 "DejaVu Sans Mono", monospace; margin: 0; width: 80ch; outline: 1px dotted #8888 }}
</style>{sections}"""


def sheets() -> Mapping[str, Sequence[str]]:
    """The commands of each sheet."""
    helps = [f"{path} --help" for path in ("", *_paths(main))]
    third = len(helps) // 3 + 1
    parts = {f"help-{n + 1}": helps[n * third : (n + 1) * third] for n in range(3)}
    half = len(ERRORS) // 2
    return {**parts, "tables": TABLES, "errors-1": ERRORS[:half], "errors-2": ERRORS[half:]}


def take_commands(browser: Browser, origin: str, world: str, folder: Path, only: str = "") -> int:
    """Write a picture of each sheet in each scheme; how many."""
    chosen = {name: commands for name, commands in sheets().items() if only in name}
    with TemporaryDirectory() as files:
        values = _prepared(Path(files), origin, world)
        for name, commands in chosen.items():
            printed = {command: screen(command.format(**values), origin, world) for command in commands}
            for scheme, theme in THEMES.items():
                page = browser.new_page(viewport={"width": 2080, "height": 800})
                page.set_content(sheet(printed, theme))
                page.screenshot(path=folder / f"commands-{name}-{scheme}.png", full_page=True)
                page.close()
    return len(chosen) * len(THEMES)


def screen(command: str, origin: str, world: str) -> str:
    """What tmux shows of a command, with its colours."""
    main_program = shlex.join([sys.executable, "-c", "from giftsim.cli.main import main; main(prog_name='giftsim')"])
    environment = {**os.environ, "GIFTSIM_URL": origin, "GIFTSIM_WORLD": world, "TERM": "xterm-256color"}
    with TemporaryDirectory() as folder:
        tmux = ["tmux", "-S", str(Path(folder) / "socket"), "-f", os.devnull]
        shell = f"timeout {MOST_S} {main_program} {command}; {shlex.join(tmux)} wait-for -S done; sleep {MOST_S}"
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        subprocess.run([*tmux, "new-session", "-d", *size, shell], check=True, env=environment, cwd=ROOT)
        try:
            subprocess.run([*tmux, "wait-for", "done"], check=True, timeout=2 * MOST_S)
            shown = subprocess.run([*tmux, "capture-pane", "-p", "-e"], check=True, capture_output=True, text=True)
        finally:
            subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)
    return shown.stdout.rstrip()


def sheet(printed: Mapping[str, str], theme: TerminalTheme, columns: int = 3) -> str:
    """The page of a sheet."""
    sections = []
    for command, text in printed.items():
        console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(text), soft_wrap=True)
        body = console.export_html(theme=theme, inline_styles=True, code_format="<pre>{code}</pre>")
        sections.append(f"<section><h2>giftsim {escape(command)}</h2>{body}</section>")
    page, text = theme.background_color.hex, theme.foreground_color.hex
    return SHEET.format(page=page, text=text, columns=columns, width=columns * 680, sections="".join(sections))


def _paths(group: click.Group, above: str = "") -> Iterator[str]:
    """The commands that the help lists, with those below them."""
    context = click.Context(group)
    for name in LISTED if not above else group.list_commands(context):
        command = group.get_command(context, name)
        yield f"{above}{name}"
        if isinstance(command, click.Group):
            yield from _paths(command, f"{above}{name} ")


def _prepared(folder: Path, origin: str, world: str) -> dict[str, str]:
    """The values of commands, with files that are wrong in some place."""
    (folder / "wrong.yaml").write_text("scenario: Wrong\nsteps:\n- advance: 3x\n- call: GET /api/external/nothing\n")
    (folder / "fixture.yaml").write_text("extends: empty\npartners:\n- key: 7\n")
    (folder / "w.journal").write_bytes(b"")
    listed = screen("orders --json", origin, world)
    numbers = [word.strip(",") for line in listed.splitlines() if '"id":' in line for word in line.split()[-1:]]
    return {"files": str(folder), "order": numbers[-1], "port": origin.rpartition(":")[2]}
