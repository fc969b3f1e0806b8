"""What the studio brings into every world: its tables, how previews come about, and what other rooms ask it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from giftsim.domain.team.studio.artwork import ARTWORK
from giftsim.domain.team.studio.branding import BRANDINGS, sender
from giftsim.domain.team.studio.external_file import FILES, file_facts
from giftsim.domain.team.studio.preview import PREVIEW, PREVIEWS, RENDER, named
from giftsim.domain.team.studio.proof import PROOF, PROOFS, proof_status, unsigned
from giftsim.domain.team.studio.template import TEMPLATES
from giftsim.kernel.setting import Setting
from giftsim.kernel.state import Verb
from giftsim.kernel.state_machine import Machine
from giftsim.kernel.table import TableSpec

SPECS: tuple[TableSpec[Any], ...] = (FILES, ARTWORK, PREVIEWS, PROOFS, TEMPLATES, BRANDINGS)

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
