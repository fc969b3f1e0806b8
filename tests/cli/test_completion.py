"""Completion in the shell: the printed script, run by bash, offers what there is."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from tests.docs.shell_session import environment

ASK = """\
eval "$(giftsim completion bash)"
COMP_WORDS=({words}) COMP_CWORD={last}
_giftsim_completion giftsim
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("giftsim expl", {"explore", "explore-merge"}),
        ("giftsim worlds ''", {"create", "fork", "reset", "delete"}),
        ("giftsim completion ''", {"bash", "fish", "zsh"}),
        ("giftsim play --jun", {"--junit"}),
        ("giftsim --po", {"--port"}),
        ("giftsim --port 80 --worlds", {"--worlds-prefix"}),
    ],
)
def test_bash_completes(tmp_path: Path, words: str, offered: set[str]) -> None:
    script = ASK.format(words=words, last=len(words.split()) - 1)
    done = subprocess.run(
        ["bash", "-c", script], env=environment(tmp_path, active=True), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize(
    ("shell", "line"),
    [("zsh", "compdef _giftsim_completion giftsim"), ("fish", "complete --no-files --command giftsim")],
)
def test_other_shells_get_theirs(shell: str, line: str) -> None:
    done = CliRunner().invoke(main, ["completion", shell])
    assert done.exit_code == 0
    assert line in done.stdout
    assert f"_GIFTSIM_COMPLETE={shell}_complete" in done.stdout


def test_another_shell_is_refused() -> None:
    done = CliRunner().invoke(main, ["completion", "tcsh"])
    assert done.exit_code == 2
    assert "'tcsh' is not one of 'bash', 'fish', 'zsh'" in done.stderr
