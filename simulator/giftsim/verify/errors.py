"""Why a webhook is refused: a kind of InvalidSignature, drawn as a tree in `giftsim.verify`."""

from __future__ import annotations

from typing import ClassVar


class InvalidSignature(ValueError):
    """The webhook is not to be trusted; `reason` is a word for programs, and the message a sentence for people."""

    reason: ClassVar[str] = "invalid"


class MissingSecret(InvalidSignature):
    """The secret is empty or blank, so that anybody could have signed with it."""

    reason = "no_secret"


class MissingHeader(InvalidSignature):
    """The request has no signature header, or an empty one."""

    reason = "no_header"


class MalformedHeader(InvalidSignature):
    """The header has no `t`, several, or one that is no plain decimal number."""

    reason = "malformed_header"


class NoSignature(InvalidSignature):
    """The header has no `v1`."""

    reason = "no_signature"


class SignatureMismatch(InvalidSignature):
    """No `v1` of the header is the digest of `<t>.<body>` with this secret."""

    reason = "mismatch"


class TooOld(InvalidSignature):
    """Genuine, but signed longer ago than the tolerance: perhaps somebody sends it again."""

    reason = "too_old"


class TooNew(InvalidSignature):
    """Genuine, but signed further in the future than the tolerance: a clock is wrong."""

    reason = "too_new"
