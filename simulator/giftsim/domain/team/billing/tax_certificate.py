"""Tax certificates: files by URL that the service reviews (A1.10, A7.20, T-2.40, T-8.5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from giftsim.domain.team.external_file import FILE_METADATA
from giftsim.domain.team.problem import invalid
from giftsim.domain.team.tenant import Tenant, TenantRecord, public_id, tenant_table
from giftsim.kernel.state import State
from giftsim.kernel.state_machine import Machine, Row
from giftsim.kernel.table import TableSpec

FIRST_ID = 45_001
MAX_BYTES = 10 * 1024 * 1024
PENDING_REVIEW, ACCEPTED, REJECTED = "pending_review", "accepted", "rejected"
OUTCOMES: Final[Mapping[str, str]] = MappingProxyType({ACCEPTED: "accept", REJECTED: "reject"})
TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pdf": "application/pdf",
        "png": "image/png",
        "jpg": "image/jpeg",
        "jpeg": "image/jpeg",
        "webp": "image/webp",
    }
)


class TaxCertificate(TenantRecord, frozen=True, gc=False):
    """A file that was registered; `size_bytes` is 0 where nobody has said how large it is."""

    url: str
    region: str | None
    content_type: str
    size_bytes: int
    status: str = PENDING_REVIEW
    reviewed_ms: int | None = None


TAX_CERTIFICATES: TableSpec[TaxCertificate] = tenant_table("team.tax_certificate", TaxCertificate)

TAX_CERTIFICATE: Machine[TaxCertificate] = Machine(
    "certificate",
    TAX_CERTIFICATES,
    initial=(PENDING_REVIEW,),
    final=(ACCEPTED, REJECTED),
    rows=[Row(PENDING_REVIEW, "accept", ACCEPTED), Row(PENDING_REVIEW, "reject", REJECTED)],
)


def register_certificate(state: State, tenant: Tenant, url: str, region: str | None) -> TaxCertificate:
    """A new certificate that waits for its review; ValidationFailed for a file of another kind, or too large a one.

    Nothing is downloaded. FILE_FACTS knows some URLs; of all others the extension is believed.
    """
    known = state.handler(FILE_METADATA)(state, url)
    content_type, size_bytes = known or (TYPES.get(_extension(url), ""), 0)
    if content_type not in TYPES.values():
        raise invalid("url", "must name a PDF, PNG, JPEG or WebP file")
    if size_bytes > MAX_BYTES:
        raise invalid("url", f"must name a file of at most {MAX_BYTES} bytes")
    n = state[TAX_CERTIFICATES].next_n
    certificate_id = public_id(state, tenant, "tax certificate", n, FIRST_ID)
    return state[TAX_CERTIFICATES].add(
        TaxCertificate(n, tenant.owner, certificate_id, state.now_ms, url, region, content_type, size_bytes)
    )


def review_certificate(state: State, certificate: TaxCertificate, outcome: str) -> TaxCertificate:
    """Accept or reject it; InvalidState for one that was reviewed."""
    return TAX_CERTIFICATE.fire(state, certificate, OUTCOMES[outcome], reviewed_ms=state.now_ms)


def _extension(url: str) -> str:
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
