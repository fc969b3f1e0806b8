"""Java and PHP find the files of `giftsim serve trust`, whatever characters the name of their folder has."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from giftsim.cli.main import main
from tests.support.tools import require_tool


@pytest.mark.parametrize("name", ["o'brien", 'say "hi"', 'it\'s "both"', "a\\b ${HOME}", "two words"])
def test_java_and_php_find_the_files_of_a_user_whose_folder_has_quotes(tmp_path: Path, name: str) -> None:
    runner = CliRunner(env={"GIFTSIM_STATE": str(tmp_path / name)})
    variables = json.loads(runner.invoke(main, ["serve", "trust", "--json"]).stdout)["variables"]
    exported = runner.invoke(main, ["serve", "trust", "--export"]).stdout
    php = f"{exported}php -r 'echo ini_get(\"openssl.cafile\");'"
    java = f"{exported}java -XshowSettings:properties -version"
    require_tool("php", "php")
    require_tool("java", "java")
    shown = subprocess.run(["sh", "-c", php], capture_output=True, text=True, timeout=60, check=True)
    assert shown.stdout == variables["SSL_CERT_FILE"]
    shown = subprocess.run(["sh", "-c", java], capture_output=True, text=True, timeout=60, check=True)
    store = Path(variables["SSL_CERT_FILE"]).parent / "truststore.p12"
    assert f"javax.net.ssl.trustStore = {store}\n" in shown.stderr
