"""What the studio brings into every world: its tables, how previews come about, and what other rooms ask it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulator.domain.team.studio.artwork import ARTWORK
from simulator.domain.team.studio.branding import BRANDINGS, sender
from simulator.domain.team.studio.file import FILES, file_facts
from simulator.domain.team.studio.preview import PREVIEW, PREVIEWS, RENDER, named
from simulator.domain.team.studio.proof import PROOF, PROOFS, proof_status, unsigned
from simulator.domain.team.studio.template import TEMPLATES
from simulator.kernel.machine import Machine
from simulator.kernel.setting import Setting
from simulator.kernel.state import Verb
from simulator.kernel.table import Spec

SPECS: tuple[Spec[Any], ...] = (FILES, ARTWORK, PREVIEWS, PROOFS, TEMPLATES, BRANDINGS)

MACHINES: tuple[Machine[Any], ...] = (PREVIEW, PROOF)

TIMERS: Mapping[str, Verb] = MappingProxyType(PREVIEW.verbs())

SETTINGS: tuple[Setting[Any], ...] = (RENDER,)

HOOKS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "file_facts": file_facts,
        "sender": sender,
        "proof_status": proof_status,
        "unsigned": unsigned,
        f"name {PREVIEW.name}": named,
    }
)
