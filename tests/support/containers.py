"""Containers for tests in `tests/ecosystem`: Debian's podman and buildah, with a storage and settings of their own.

Nothing but Debian's mirror and the package index is needed: the base image is made by debootstrap. It needs root.
"""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.python_tools import clean_environment
from tests.support.served_simulator import ROOT
from tests.support.tools import require_tool
from tests.support.waiting import wait_until

CACHE = ROOT / ".cache" / "containers"
BASE, IMAGE = "localhost/python-base", "localhost/giftsim"
SUITE, PACKAGES = "bookworm", "python3,python3-venv,ca-certificates"
PROGRAMS = {
    "podman": "podman", "buildah": "buildah", "runc": "runc", "debootstrap": "debootstrap", "iptables": "iptables",
}  # fmt: skip
AUTHORITIES, PIP_SETTINGS = Path("/etc/ssl/certs/ca-certificates.crt"), Path("/etc/pip.conf")
TIMEOUT_S = 900
UNPACKED = ("./var/cache/apt/archives/*.deb", "./var/lib/apt/lists/*", "./usr/share/doc/*", "./usr/share/man/*")


class Containers:
    """The container tools of this machine, with the image of giftsim; `env` is what they run with."""

    def __init__(self) -> None:
        for program, package in PROGRAMS.items():
            require_tool(program, package)
        if os.geteuid() != 0:
            pytest.skip("the base image is made by debootstrap, which needs root")
        CACHE.mkdir(parents=True, exist_ok=True)
        self.env = clean_environment(
            CONTAINERS_STORAGE_CONF=str(CACHE / "storage.conf"), CONTAINERS_CONF=str(CACHE / "containers.conf")
        )
        (CACHE / "containers.conf").write_text(settings())
        self._choose_storage()

    def run(self, *command: str | Path, env: Mapping[str, str] | None = None, check: bool = True) -> str:
        """What a command prints; AssertionError if it fails."""
        done = subprocess.run(
            [str(word) for word in command], env={**self.env, **(env or {})}, capture_output=True, text=True,
            timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        assert done.returncode == 0 or not check, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout if check else done.stdout + done.stderr

    def build(self) -> None:
        """Build the image of giftsim as it is now; layers that did not change are taken from before."""
        self._import_base()
        secrets = {"ca": AUTHORITIES, "pip": PIP_SETTINGS}
        given = [f"--secret=id={name},src={path}" for name, path in secrets.items() if path.is_file()]
        self.run(
            "buildah", "build", "--format=docker", "--isolation=chroot", "--network=host", "--layers", *given,
            f"--build-arg=BASE={BASE}", "--tag", IMAGE, ROOT,
        )  # fmt: skip

    def works(self) -> bool:
        """Whether a container runs here at all."""
        return "fine" in self.run("podman", "run", "--rm", "--network=bridge", BASE, "echo", "fine", check=False)

    @contextmanager
    def service(self) -> Iterator[dict[str, str]]:
        """Podman's socket, which speaks Docker's protocol, as variables for Testcontainers."""
        socket = CACHE / f"podman.{os.getpid()}.sock"
        with subprocess.Popen(
            ["podman", "system", "service", "--time=0", f"unix://{socket}"],
            env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as child:  # fmt: skip
            try:
                wait_until(socket.exists)
                yield {"DOCKER_HOST": f"unix://{socket}", **TESTCONTAINERS}
            finally:
                child.terminate()
        socket.unlink(missing_ok=True)

    def _choose_storage(self) -> None:
        """Overlay where the kernel and the file system have it, else copies."""
        for driver in ("overlay", "vfs"):
            root = CACHE / driver
            (CACHE / "storage.conf").write_text(
                f'[storage]\ndriver = "{driver}"\ngraphroot = "{root}"\nrunroot = "{root}.run"\n'
            )
            if "graphRoot" in self.run("podman", "info", check=False):
                return
        pytest.skip("podman has no storage that works here")

    def _import_base(self) -> None:
        if self.run("podman", "images", "-q", BASE):
            return
        tree = CACHE / "base"
        shutil.rmtree(tree, ignore_errors=True)
        self.run("debootstrap", "--variant=minbase", f"--include={PACKAGES}", SUITE, tree)
        without = " ".join(f"--exclude='{pattern}'" for pattern in UNPACKED)
        self.run("sh", "-euc", f"tar -C {tree} {without} -c . | podman import -q - {BASE}")
        shutil.rmtree(tree)


# Ryuk is a container that removes others, and would be fetched from a registry. The tests may run in a container
# themselves, from which Testcontainers would conclude that ports are published elsewhere.
TESTCONTAINERS: Mapping[str, str] = {
    "TESTCONTAINERS_RYUK_DISABLED": "true",
    "TESTCONTAINERS_HOST_OVERRIDE": "127.0.0.1",
    "TESTCONTAINERS_CONNECTION_MODE": "docker_host",
}


def settings() -> str:
    """Settings that also work without systemd and without the right to raise limits."""
    limits = {"nofile": resource.RLIMIT_NOFILE, "nproc": resource.RLIMIT_NPROC}
    known = {name: resource.getrlimit(limit)[1] for name, limit in limits.items()}
    values = {name: 4096 if value < 0 else min(value, 4096) for name, value in known.items()}
    ulimits = ", ".join(f'"{name}={value}:{value}"' for name, value in values.items())
    return (
        f"[containers]\ndefault_ulimits = [{ulimits}]\n"
        '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n'
    )


def containers() -> Containers:
    """The container tools with an image that is up to date. Where none can run, the test is skipped."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = Containers()
        found.build()
        if not found.works():
            pytest.skip(f"containers do not run here: {found.run('podman', 'run', '--rm', BASE, 'true', check=False)}")
    return found


def only(rows: Any) -> Any:
    """The one row of a list."""
    [row] = rows
    return row
