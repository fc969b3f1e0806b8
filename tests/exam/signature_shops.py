"""The example shop with one mistake each in how it verifies webhooks."""

# mypy: disable-error-code="misc,has-type,no-any-return"
# The example has no types, and its classes are subclassed here.
from __future__ import annotations

import hmac
import json
from typing import Any

from giftsim.engine.webhooks.signature import TOLERANCE_S
from giftsim.engine.worlds.system_clock import seconds
from tests.exam.sample_shop import Shop

SHIPPED = "team_order.shipped"


def _fields(signature: str | None) -> dict[str, str]:
    return dict(field.partition("=")[::2] for field in (signature or "").split(","))


class WritesAgain(Shop):
    """Verifies the JSON that it writes itself."""

    def is_genuine(self, signature: str, body: bytes) -> bool:
        """Parse the body and write it as `JSON.stringify` does."""
        try:
            written = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
        except ValueError:
            return False
        return bool(super().is_genuine(signature, written))


class ReadsLatin(Shop):
    """Verifies a text that it decoded wrongly."""

    def is_genuine(self, signature: str, body: bytes) -> bool:
        """Take the body for Latin text."""
        return bool(super().is_genuine(signature, body.decode("latin-1").encode()))


class TrustsUnsigned(Shop):
    """Refuses wrong signatures, and takes a webhook without any."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Trust whoever does not sign."""
        return not signature or bool(super().is_genuine(signature, body))


class ComparesBeginnings(Shop):
    """Compares as many digits as were sent."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Compare a beginning."""
        fields = _fields(signature)
        if not fields.get("t", "").isdecimal() or abs(seconds() - int(fields["t"])) > TOLERANCE_S:
            return False
        digests = [self.digest(secret, fields["t"], body).decode() for secret in self.secrets]
        return bool(fields.get("v1")) and any(digest.startswith(fields["v1"]) for digest in digests)


class RemembersForgeries(Shop):
    """Remembers the id of an event before it knows whether the event is genuine."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Note the id first."""
        try:
            event = json.loads(body)
        except ValueError:
            return False
        known = event["id"] in self.seen
        genuine = bool(super().is_genuine(signature, body))
        if not genuine and not known:
            self.seen.add(event["id"])
        return genuine


class AnyAge(Shop):
    """Takes a webhook of any age."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Look at the digest only."""
        fields = _fields(signature)
        digests = [self.digest(secret, fields.get("t", ""), body) for secret in self.secrets]
        return any(hmac.compare_digest(fields.get("v1", "").encode(), digest) for digest in digests)


class TrustsTheFuture(AnyAge):
    """Refuses what is too old only."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Look at one side of the time."""
        t = _fields(signature).get("t", "")
        return t.isdecimal() and seconds() - int(t) <= TOLERANCE_S and super().is_genuine(signature, body)


class LastSignature(Shop):
    """Reads a header into a dictionary, which keeps the last of several signatures."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Keep the last."""
        written = ",".join(f"{name}={value}" for name, value in _fields(signature).items())
        return bool(super().is_genuine(written, body))


class TwoFields(Shop):
    """Expects exactly `t`, then `v1`."""

    def is_genuine(self, signature: str | None, body: bytes) -> bool:
        """Refuse any other header."""
        names = [field.partition("=")[0] for field in (signature or "").split(",")]
        return names == ["t", "v1"] and bool(super().is_genuine(signature, body))


class OneSecret(Shop):
    """Knows one secret only, the one that it got first."""

    def use_secrets(self, *_: Any, **__: Any) -> Any:
        """Keep what it has."""
        return {}


class LastSecret(Shop):
    """Knows one secret only, the last that it is told."""

    def use_secrets(self, secrets: list[str], **_: Any) -> Any:
        """Take the last."""
        self.secrets = secrets[-1:]
        return {}


class KeepsSecrets(Shop):
    """Never forgets a secret."""

    def use_secrets(self, secrets: list[str], **_: Any) -> Any:
        """Add to what it has."""
        self.secrets = [*self.secrets, *secrets]
        return {}
