"""Tables, machines, timers, settings and signal connections of artwork, previews, proofs, templates and branding."""

from __future__ import annotations

from giftsim.domain.team.design.artwork import ARTWORK
from giftsim.domain.team.design.branding import BRANDINGS, branding_sender_name
from giftsim.domain.team.design.preview import PREVIEW, PREVIEWS, RENDER, timer_subject
from giftsim.domain.team.design.proof import PROOF, PROOFS, unsigned_item
from giftsim.domain.team.design.template import TEMPLATES
from giftsim.domain.team.external_file import EXTERNAL_FILES
from giftsim.domain.team.orders.order_fulfilment import SENDER
from giftsim.domain.team.orders.proof_check import UNSIGNED
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect, connect_key
from giftsim.kernel.state import TIMER_SUBJECT

DEFINITIONS = PackageDefinitions(
    tables=(EXTERNAL_FILES, ARTWORK, PREVIEWS, PROOFS, TEMPLATES, BRANDINGS),
    machines=(PREVIEW, PROOF),
    timers=PREVIEW.timer_handlers(),
    settings=(RENDER,),
    connections=(
        connect(SENDER, branding_sender_name),
        connect(UNSIGNED, unsigned_item),
        connect_key(TIMER_SUBJECT, PREVIEW.name, timer_subject),
    ),
)
