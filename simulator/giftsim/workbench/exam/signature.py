"""The sums of the files of an exam, and their signature with a key of ssh.

Why ssh: whoever commits has such a key and `ssh-keygen`, and the other side can check it without giftsim.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

SUMS: Final = "SHA256SUMS"
SIGNATURE: Final = f"{SUMS}.sig"
NAMESPACE: Final = "giftsim-report"  # also of folders that `report` made, which is now `exam`
_LINE: Final = re.compile(r"([0-9a-f]{64})  ([\w.-]+(?:/[\w.-]+)*)")
_KEY: Final = re.compile(r"with (\S+ key SHA256:\S+)")


class CannotSign(Exception):
    """The sums could not be signed, or a signature could not be checked; the message says why."""


class Verdict(msgspec.Struct, frozen=True):
    """What a check of a folder found: its files, those that are wrong with the reason, and who signed it.

    `key` is the signing key; `signer` is its owner in the list of signers, if there is such a list.
    """

    files: tuple[str, ...]
    wrong: tuple[str, ...]
    key: str | None = None
    signer: str | None = None


def write_sums(folder: Path, files: Iterable[str]) -> None:
    """Write the sums of files in a folder, as `sha256sum` does."""
    lines = [f"{_sum(folder / name)}  {name}\n" for name in sorted(files)]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


def read_sums(folder: Path) -> dict[str, str]:
    """The sums by file, of lines that name a file below the folder. OSError."""
    found = map(_LINE.fullmatch, (folder / SUMS).read_text(encoding="utf-8", errors="replace").splitlines())
    return {match[2]: match[1] for match in found if match is not None and ".." not in match[2].split("/")}


def sign(folder: Path, key: Path) -> None:
    """Sign the sums with a private key, or with the public one of a key in an agent. CannotSign."""
    (folder / SIGNATURE).unlink(missing_ok=True)
    _ssh_keygen("-Y", "sign", "-f", str(key), "-n", NAMESPACE, str(folder / SUMS))


def fingerprint(key: Path) -> str:
    """The fingerprint of a key, of which the private or the public half is named. CannotSign."""
    return _ssh_keygen("-l", "-f", str(key)).split()[1]


def verify(folder: Path, signers: Path | None = None) -> Verdict:
    """Check the sums and the signature of a folder, which must be there if `signers` say who may sign. OSError."""
    sums = read_sums(folder)
    wrong = [f"{name}: {why}" for name, expected in sums.items() if (why := _difference(folder / name, expected))]
    extra = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    wrong += [f"{name}: is not part of it" for name in sorted(extra - {*sums, SUMS, SIGNATURE})]
    if not sums:
        wrong.append(f"{SUMS}: names no file")
    if not (folder / SIGNATURE).is_file():
        wrong += [f"{SIGNATURE}: is missing, so none of the signers has signed"] if signers is not None else []
        return Verdict(tuple(sums), tuple(wrong))
    try:
        key, signer = _signed_by(folder, signers)
    except CannotSign as error:
        return Verdict(tuple(sums), (*wrong, f"{SIGNATURE}: {error}"))
    return Verdict(tuple(sums), tuple(wrong), key, signer)


def _signed_by(folder: Path, signers: Path | None) -> tuple[str, str | None]:
    """The key of the signature, and its owner among the signers. CannotSign."""
    sums, given = (folder / SUMS).read_bytes(), ("-n", NAMESPACE, "-s", str(folder / SIGNATURE))
    signer = None
    if signers is None:
        said = _ssh_keygen("-Y", "check-novalidate", *given, content=sums)
    else:
        found = _ssh_keygen("-Y", "find-principals", "-f", str(signers), "-s", str(folder / SIGNATURE))
        signer = found.splitlines()[0].strip()
        said = _ssh_keygen("-Y", "verify", "-f", str(signers), "-I", signer, *given, content=sums)
    key = _KEY.search(said)
    return key[1] if key else said.strip(), signer


def _difference(path: Path, expected: str) -> str:
    """How a file differs from what was summed; empty if it does not."""
    if not path.is_file():
        return "is missing"
    return "" if _sum(path) == expected else "has changed"


def _sum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _ssh_keygen(*arguments: str, content: bytes | None = None) -> str:
    """Run ssh-keygen; what it printed. CannotSign. A passphrase is asked for on the terminal."""
    stdin = None if content is not None else subprocess.DEVNULL
    try:
        done = subprocess.run(["ssh-keygen", *arguments], input=content, stdin=stdin, capture_output=True, check=False)
    except FileNotFoundError:
        raise CannotSign("ssh-keygen is not installed; it comes with OpenSSH") from None
    printed = (done.stdout + done.stderr).decode(errors="replace").strip()
    if done.returncode != 0:
        raise CannotSign(printed.splitlines()[-1] if printed else "ssh-keygen failed and does not say why")
    return printed
