"""What the studio adds to every world: its tables, how previews are rendered, and what orders ask of it."""

from __future__ import annotations

from giftsim.domain.team.external_file import FILES
from giftsim.domain.team.orders.authorization import UNSIGNED
from giftsim.domain.team.orders.order_fulfilment import SENDER
from giftsim.domain.team.studio.artwork import ARTWORK
from giftsim.domain.team.studio.branding import BRANDINGS, sender
from giftsim.domain.team.studio.preview import PREVIEW, PREVIEWS, RENDER, named
from giftsim.domain.team.studio.proof import PROOF, PROOFS, unsigned
from giftsim.domain.team.studio.template import TEMPLATES
from giftsim.kernel.definitions import PackageDefinitions
from giftsim.kernel.signals import connect, connect_key
from giftsim.kernel.state import TIMER_SUBJECT

DEFINITIONS = PackageDefinitions(
    tables=(FILES, ARTWORK, PREVIEWS, PROOFS, TEMPLATES, BRANDINGS),
    machines=(PREVIEW, PROOF),
    timers=PREVIEW.timer_handlers(),
    settings=(RENDER,),
    connections=(
        connect(SENDER, sender),
        connect(UNSIGNED, unsigned),
        connect_key(TIMER_SUBJECT, PREVIEW.name, named),
    ),
)
