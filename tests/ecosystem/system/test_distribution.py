"""The wheel and the source archive have what belongs to them, and the same sources give the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections import Counter
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.docs.pages import ROOT
from tests.system.test_distribution import PARTS, SHOWN

# Pages for those who change giftsim, what makes a site of them, and pages that show a file beside the folder.
NOT_SHIPPED = tuple(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["exclude"])
BUILDS = ("hatch_build.py", "locks/test.lock", "docs/internals/licences.md", "pyproject.toml", ".gitignore")
PAPERS = [*sorted(SHOWN), "CONTRIBUTING.md", "LICENSE", "README.md", *BUILDS]
INFO = ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "sboms/giftsim.cdx.json"]
KINDS = {
    ".py",
    ".yaml",
    ".json",
    ".csv",
    ".html",
    ".css",
    ".js",
    ".svg",
    ".png",
    ".md",
    ".cfg",
    ".cjs",
    ".txt",
    ".typed",
    ".woff2",
}
LARGEST = 512 * 1024
EPOCH = "1735689600"


def build(tree: Path, out: Path, umask: int = 0o022, **env: str) -> tuple[Path, Path]:
    """Build wheel and sdist as `make dist` does."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(out)],
        cwd=tree, check=True, capture_output=True, timeout=120, umask=umask, env={**os.environ, **env},
    )  # fmt: skip
    [wheel], [sdist] = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist of the sources as they are now."""
    return build(ROOT, tmp_path_factory.mktemp("dist"), SOURCE_DATE_EPOCH=EPOCH)


@pytest.fixture(scope="module")
def sources() -> list[str]:
    """The files of the project that belong into a distribution, as version control knows them."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--", *PARTS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]
    return [name for name in names if not name.startswith(NOT_SHIPPED)]


def in_wheel(name: str) -> str:
    """Where a source file is in the wheel."""
    [part] = [part for part in PARTS if name == part or name.startswith(f"{part}/")]
    return PARTS[part] + name.removeprefix(part)


def test_the_wheel_has_what_belongs_and_nothing_else(built: tuple[Path, Path], sources: list[str]) -> None:
    with ZipFile(built[0]) as wheel:
        names = {entry.filename: entry.file_size for entry in wheel.infolist()}
    contracts = [name for name in names if name.startswith("giftsim/_data/contracts/")]
    papers = {f"giftsim/_data/{name}" for name in SHOWN}
    own = {f"giftsim-0.2.0.dist-info/{name}" for name in INFO}
    assert set(names) - set(contracts) == {in_wheel(name) for name in sources} | papers | own
    read_at_start = [name for name in sources if "/contract" in name or name.startswith("fixtures/")]
    yaml = [name for name in read_at_start if name.endswith(".yaml")]
    stems = Counter(Path(name).name.split(".")[0] for name in contracts)
    assert stems == Counter(Path(name).stem for name in yaml), "each contract and fixture is there as JSON too, once"
    assert {Path(name).suffix for name in sources} <= KINDS
    assert [name for name, size in names.items() if size > LARGEST] == []


def test_the_sdist_has_what_the_wheel_needs_and_the_papers(built: tuple[Path, Path], sources: list[str]) -> None:
    with tarfile.open(built[1]) as archive:
        members = [member for member in archive.getmembers() if not member.isdir()]
        names = {member.name.removeprefix("giftsim-0.2.0/") for member in members}
        text = archive.extractfile("giftsim-0.2.0/PKG-INFO")
        assert text
        info = message_from_bytes(text.read())
    assert names == {*sources, *PAPERS, "PKG-INFO"}
    assert {member.uid for member in members} == {0}
    assert (info["Name"], info["Version"], info["Requires-Python"]) == ("giftsim", "0.2.0", ">=3.11")
    assert info.get_all("Provides-Extra", [])[:1] == ["calendar"]
    assert {"faker", "hypothesis", "pytest"}.isdisjoint(
        line.split(";")[0].split(">")[0] for line in info.get_all("Requires-Dist", []) if "extra ==" not in line
    )


def test_the_same_sources_give_the_same_bytes(built: tuple[Path, Path], tmp_path: Path) -> None:
    """In another folder, with other times and modes of files; and the wheel that the sdist gives is the same one."""
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="fully_trusted")
    tree = tmp_path / "giftsim-0.2.0"
    for path in tree.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        if path.is_file():
            path.chmod(0o600)
    again = build(tree, tmp_path / "again", umask=0o077, SOURCE_DATE_EPOCH=EPOCH, TZ="Asia/Tokyo", PYTHONHASHSEED="7")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]
    shutil.rmtree(tree)


def test_the_date_of_the_files_can_be_set(built: tuple[Path, Path], tmp_path: Path) -> None:
    with ZipFile(built[0]) as wheel:
        assert {entry.date_time[:3] for entry in wheel.infolist()} == {(2025, 1, 1)}
    with ZipFile(build(ROOT, tmp_path / "dated", SOURCE_DATE_EPOCH="1767225600")[0]) as wheel:
        assert {entry.date_time[:3] for entry in wheel.infolist()} == {(2026, 1, 1)}


def test_an_installed_giftsim_serves_the_documentation(built: tuple[Path, Path], tmp_path: Path) -> None:
    with ZipFile(built[0]) as wheel:
        wheel.extractall(tmp_path)
    program = (
        "import giftsim; client = giftsim.Simulator(fixture='bare').client\n"
        "for path in ('', 'how-to/move-time', 'changelog', 'reference/machines/shipment.svg', 'pictures/home.png'):\n"
        "    print(client.call('GET', f'/console/docs/{path}', headers={'Host': 'localhost'}).status)\n"
        "print(giftsim.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.split() == [*["200"] * 5, str(tmp_path / "giftsim" / "__init__.py")]
