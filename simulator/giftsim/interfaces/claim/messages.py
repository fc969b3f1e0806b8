"""What a person in a browser reads in place of a page that does not work: what is wrong, and how to go on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from giftsim.pages.error_words import ErrorWords, Way

ASK_SENDER = "Ask the person who sent you the gift"
TRY_AGAIN = "Try again"

WAYS: Final[Mapping[str, Way]] = MappingProxyType(
    {
        "claim_used": Way(
            "This gift was claimed already",
            "If that was you, all is done. If it was not, or if the address is wrong, write to the person who sent you "
            "the link.",
        ),
        "claim_expired": Way("This link has expired", f"{ASK_SENDER} for a new link."),
        "claim_canceled": Way("This gift was canceled", f"{ASK_SENDER} if you think that this is a mistake."),
        "claim_unpaid": Way(
            "This gift is not ready yet", f"It can be claimed as soon as it is paid. {TRY_AGAIN} later.", TRY_AGAIN
        ),
        "claim_exhausted": Way("Every gift of this link is taken", f"{ASK_SENDER} for another link."),
        "claim_not_found": Way("This link does not work", "Check that the address is the whole link of your mail."),
        "world_not_found": Way("This link does not work", "Check that the address is the whole link of your mail."),
        "foreign_origin": Way(
            "This did not come from the gift's own page", "Open the page of the gift and enter your address there.",
            "Open the page",
        ),
        "method_not_allowed": Way("This page can only be read and filled in", "Open it and go on.", "Open the page"),
    }
)  # fmt: skip

OTHER: Final = Way("This does not work", "Nothing was changed. Go back to the page and try it once more.", TRY_AGAIN)

CLAIM_WORDS: Final = ErrorWords("/claim/", WAYS, OTHER)
