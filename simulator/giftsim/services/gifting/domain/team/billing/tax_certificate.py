"""Tax certificates: files, given by URL, that the service reviews (A1.10, A7.20, T-2.40, T-8.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from giftsim.engine.kernel.setting import number
from giftsim.engine.kernel.state import State
from giftsim.engine.kernel.state_machine import Machine, Row
from giftsim.engine.kernel.table import TableSpec
from giftsim.services.gifting.domain.team.external_file import (
    FILE_CHANGES,
    FILE_METADATA,
    file_address,
    file_extension,
)
from giftsim.services.gifting.domain.team.team_errors import validation_error
from giftsim.services.gifting.domain.team.tenant import Tenant, TenantRecord, public_id, tenant_table

FIRST_ID = 45_001
MAX_BYTES = 10 * 1024 * 1024
MAX_FILE_BYTES = number(
    "tax_certificates.max_bytes", MAX_BYTES, "the bytes of the largest tax certificate, 10 MB", 1, MAX_BYTES
)
PENDING_REVIEW, ACCEPTED, REJECTED = "pending_review", "accepted", "rejected"
OUTCOMES: Final[Mapping[str, str]] = {ACCEPTED: "accept", REJECTED: "reject"}
TYPES: Final[Mapping[str, str]] = {
    "pdf": "application/pdf",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
}


class TaxCertificate(TenantRecord, frozen=True, gc=False):
    """A registered file; `size_bytes` is 0 if its size is unknown."""

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
    """Register a certificate, which then waits for its review.

    Nothing is downloaded: FILE_METADATA has the type and size of some URLs, the extension gives the type of others.
    ValidationFailed for another type of file, for one above 10 MB, and for an address that leads to no file (G448).
    Nobody reads the file again.
    """
    address = file_address(state, url) if state[FILE_CHANGES].rows else url
    metadata = None if address is None else state.handler(FILE_METADATA)(state, address)
    content_type, size_bytes = metadata or (TYPES.get(file_extension(address or ""), ""), 0)
    if content_type not in TYPES.values():
        raise validation_error("url", "must name a PDF, PNG, JPEG or WebP file")
    if size_bytes > state.setting(MAX_FILE_BYTES):
        raise validation_error("url", f"must name a file of at most {state.setting(MAX_FILE_BYTES)} bytes")
    n = state[TAX_CERTIFICATES].next_n
    certificate_id = public_id(state, tenant, "tax certificate", n, FIRST_ID)
    return state[TAX_CERTIFICATES].add(
        TaxCertificate(n, tenant.owner, certificate_id, state.now_ms, url, region, content_type, size_bytes)
    )


def review_certificate(state: State, certificate: TaxCertificate, outcome: str) -> TaxCertificate:
    """Accept or reject a certificate. InvalidState if it was reviewed already."""
    return TAX_CERTIFICATE.fire(state, certificate, OUTCOMES[outcome], reviewed_ms=state.now_ms)
