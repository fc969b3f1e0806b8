"""The kinds of secrets of the services: keys, sessions, and the links that recipients and approvers get."""

from __future__ import annotations

import re
from typing import Final

from giftsim.engine.gateway.secret_kinds import HEX, WEBHOOK_SECRET, SecretKind, SecretTable

MODES: Final = ("live", "test")

PARTNER_KEY: Final = SecretKind("key", "pk_", 16, modes=MODES)
TEAM_KEY: Final = SecretKind("key", "ptk_", 16, "[A-Za-z0-9-]{1,64}", modes=MODES)
SESSION: Final = SecretKind("session", "sess_", 20, scheme="Session")
CLAIM: Final = SecretKind("claim", "/claim/", 20, separator="/")
PREVIEW_IMAGE: Final = SecretKind("preview", "/previews/", 20, separator="/", suffix=".png")
# In the order in which recordings look for them.
OF_GIFTING: Final = (CLAIM, PARTNER_KEY, TEAM_KEY, SESSION, PREVIEW_IMAGE)
KINDS: Final = (WEBHOOK_SECRET, *OF_GIFTING)
KEYS: Final = {"partner": PARTNER_KEY, "team": TEAM_KEY}
CREDENTIALS: Final = (PARTNER_KEY, TEAM_KEY, SESSION)
LINKS: Final = (CLAIM, PREVIEW_IMAGE)
# A key without a name of its own is also in the name of its credential.
CREDENTIAL_NAME: Final = re.compile(rf"\.(?:{'|'.join(rf'(?<={each}[.])' for each in KEYS)})({HEX}{{16}})\b")

# Every text that may be drawn, so that one pass over a text finds all of them.
_LENGTHS: Final = sorted({kind.drawn for kind in KINDS if kind.bare}, reverse=True)
CANDIDATE: Final = re.compile(
    "|".join(
        (
            *(f"{kind.prefix}{HEX}{{{kind.drawn}}}" for kind in KINDS if not kind.bare),
            *(f"(?<!{HEX}){HEX}{{{kind.drawn}}}{re.escape(kind.suffix)}" for kind in KINDS if kind.suffix),
            f"(?<!{HEX})(?:{'|'.join(f'{HEX}{{{length}}}' for length in _LENGTHS)})(?!{HEX})",
        )
    )
)

redact: Final = SecretTable(KINDS).redact

# Whole credentials as a client may send them, for messages to it.
SENT: Final = "|".join(
    re.sub(r"\?P<\w+>", "?:", kind.form.pattern).replace("{1,64}", "+") for kind in (*CREDENTIALS, WEBHOOK_SECRET)
)
