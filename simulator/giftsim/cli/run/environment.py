"""The environment of a program of `run`: variables by which its clients use the proxy and trust its certificate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from giftsim.cli.run.proxy import Proxy
from giftsim.cli.trust import JAVA, trusting

if TYPE_CHECKING:
    from giftsim.engine.server.authority import Authority

PRELOAD = Path(__file__).parent / "preload.cjs"
LOCAL = "localhost,127.0.0.1,::1"
# These hold options: what the user has in them stays, and ours follow.
ADDED_TO = (JAVA, "NODE_OPTIONS")


def variables(proxy: Proxy, authority: Authority | None, others: str, before: Mapping[str, str]) -> dict[str, str]:
    """The variables for a proxy; `before` is the environment that they are added to."""
    url = f"http://127.0.0.1:{proxy.port}"
    hosts = proxy.forwarder.routes.names("http", "https")
    found = dict(trusting(authority)) if authority is not None else {}
    java = [
        f"-D{scheme}.proxy{part}" for scheme in ("http", "https") for part in ("Host=127.0.0.1", f"Port={proxy.port}")
    ]
    found[JAVA] = " ".join([*java, *filter(None, [found.get(JAVA)])])
    found["NODE_OPTIONS"] = f"--require {json.dumps(PRELOAD.as_posix(), ensure_ascii=False)}"
    found["GIFTSIM_ROUTES"] = json.dumps({"proxy": proxy.port, "hosts": hosts, "others": others})
    for name, value in {"http_proxy": url, "https_proxy": url, "no_proxy": LOCAL}.items():
        found |= {name: value, name.upper(): value}
    return {
        name: f"{before[name]} {value}" if name in ADDED_TO and before.get(name) else value
        for name, value in found.items()
    }
