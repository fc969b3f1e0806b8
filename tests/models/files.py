"""Files at public addresses, and what a team makes of them, as the documents describe it (A7.20, G448, G449)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.models.compare import Learned
from tests.models.team_money import Refused, wrong_state

TYPES = {"png": "image/png", "pdf": "application/pdf", "html": "application/octet-stream"}
CERTIFICATES = ("application/pdf", "image/png")
MOST_BYTES = 10 * 1024 * 1024  # G377
MOST_HOPS = 5
RENDERING = 5  # seconds (A1.9)
UNREADABLE, UNDRAWN = "the renderer could not read the image at its address", "the renderer could not draw it"


class Unfit(Refused):
    """A call is refused because of one field."""

    def __init__(self, field: str) -> None:
        super().__init__(422, "validation_failed")
        self.field = field


class File(NamedTuple):
    """What a download gives; a type of None is unknown."""

    content_type: str | None
    size: int = 0


class Change(NamedTuple):
    """What is at an address from an instant on: a file, a redirect, or nothing without both."""

    at: int
    file: File | None = None
    target: str | None = None


@dataclass(eq=False)
class Artwork:
    """An image by its address, with the type that it had when it was registered."""

    url: str
    content_type: str | None
    id: Learned = field(default_factory=lambda: Learned(int))


@dataclass(eq=False)
class Preview:
    """Artwork on a mug."""

    due: int
    is_readable: bool  # when its rendering starts (G448)
    status: str = "pending"
    failure: str | None = None
    finished_at: int | None = None
    id: Learned = field(default_factory=lambda: Learned(int))


@dataclass(eq=False)
class Certificate:
    """A tax certificate: the file that was there when it was given (G449)."""

    url: str
    file: File
    status: str = "pending_review"
    id: Learned = field(default_factory=lambda: Learned(int))


@dataclass(eq=False)
class Proof:
    """The proof of one item of an order (A1.4)."""

    status: str = "awaiting_version"
    versions: list[Artwork] = field(default_factory=list)
    signed: int | None = None


class Files:
    """The addresses, and one team with an order whose item is branded."""

    def __init__(self, now: int, *, are_copied: bool) -> None:
        self.now, self.are_copied = now, are_copied
        self.files: dict[str, File] = {}
        self.changes: dict[str, list[Change]] = {}
        self.artwork: list[Artwork] = []
        self.previews: list[Preview] = []
        self.certificates: list[Certificate] = []
        self.proof = Proof()

    # Addresses

    def put(self, url: str, file: File) -> None:
        """A file for records that are made from now on; nothing else is said of the address any more."""
        self.files[url] = file
        self.changes.pop(url, None)

    def change(self, url: str, change: Change) -> None:
        """Something else is at an address, perhaps later."""
        self.changes.setdefault(url, []).append(change)

    def _change_of(self, url: str) -> Change | None:
        begun = [each for each in self.changes.get(url, ()) if each.at <= self.now]
        return max(reversed(begun), key=lambda each: each.at, default=None)  # of two at an instant, the later one

    def read(self, url: str) -> File | None:
        """What a download gives now: by at most five redirects, each to a public https address (G448)."""
        for _ in range(MOST_HOPS + 1):
            change = self._change_of(url)
            if change is None:
                ending = url.rpartition("/")[2].partition(".")[2]
                return self.files.get(url) or File(TYPES[ending] if ending else None)
            if change.file is not None:
                return change.file
            if change.target is None or not change.target.startswith("https://files.example.com/"):
                return None
            url = change.target
        return None

    def _image(self, url: str) -> File | None:
        file = self.read(url)
        is_image = file is not None and (file.content_type is None or file.content_type.startswith("image/"))
        return file if is_image else None

    def is_readable(self, artwork: Artwork) -> bool:
        """Whether its image is still there, if somebody said otherwise; a service with copies needs none."""
        is_same = self.are_copied or self._change_of(artwork.url) is None
        return is_same or self._image(artwork.url) is not None

    # What is made of them

    def register(self, url: str) -> Artwork:
        """Artwork is registered, if there is an image."""
        file = self._image(url)
        if file is None:
            raise Unfit("url")
        self.artwork.append(Artwork(url, file.content_type))
        return self.artwork[-1]

    def draw(self, artwork: Artwork) -> Preview:
        """A preview starts, and reads its image now."""
        self.previews.append(Preview(self.now + RENDERING, self.is_readable(artwork)))
        return self.previews[-1]

    def end_preview(self, preview: Preview, outcome: str) -> None:
        """A rendering ends early, as somebody says."""
        if preview.status != "pending":
            raise wrong_state()
        preview.status, preview.finished_at = outcome, self.now
        preview.failure = UNDRAWN if outcome == "failed" else None

    def add_version(self, artwork: Artwork) -> None:
        """A version of the proof, whose image must be there (G448); it ends a review and a signature (A1.4)."""
        if not self.is_readable(artwork):
            raise Unfit("artwork_id")
        self.proof.versions.append(artwork)
        self.proof.status, self.proof.signed = "in_review", None

    def review(self, decision: str) -> None:
        """A version is reviewed, whatever became of its image."""
        if self.proof.status != "in_review":
            raise wrong_state()
        self.proof.status = "ready_to_sign" if decision == "approve" else "changes_requested"

    def sign(self) -> None:
        """The newest version is signed, whatever became of its image."""
        if self.proof.status != "ready_to_sign":
            raise wrong_state()
        self.proof.status, self.proof.signed = "signed", len(self.proof.versions)

    def certify(self, url: str) -> Certificate:
        """A certificate is read once, now (G449)."""
        file = self.read(url)
        if file is None or file.content_type not in CERTIFICATES or file.size > MOST_BYTES:
            raise Unfit("url")
        self.certificates.append(Certificate(url, file))
        return self.certificates[-1]

    def end_review(self, certificate: Certificate, outcome: str) -> None:
        """The service accepts or rejects a certificate."""
        if certificate.status != "pending_review":
            raise wrong_state()
        certificate.status = outcome

    def advance(self, seconds: int) -> None:
        """Time passes, and renderings end."""
        self.now += seconds
        for each in self.previews:
            if each.status == "pending" and each.due <= self.now:
                each.status = "ready" if each.is_readable else "failed"
                each.finished_at, each.failure = each.due, None if each.is_readable else UNREADABLE
