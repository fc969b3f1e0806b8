"""Random changes of what is at addresses while a team uses the files; after each, the world is compared."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from giftsim import Simulator
from tests.models.compare import assert_same
from tests.models.files import MOST_BYTES, Change, File, Files, Preview, Unfit
from tests.models.team_comparison import API, LIVE, compare_members
from tests.models.team_machine import START
from tests.models.team_money import Refused
from tests.models.team_statement import instant
from tests.models.world import Answer, ModelMachine

HOST = "https://files.example.com/"
NAMES = ("a.png", "b.png", "c.png", "form.pdf", "plain", "page.html")
urls = st.sampled_from([HOST + name for name in NAMES])
NOT_PUBLIC = ("https://127.0.0.1/a.png", "http://files.example.com/a.png")
files = st.builds(
    File, st.sampled_from(("image/png", "application/pdf", "text/html")), st.sampled_from((0, MOST_BYTES, 11_000_000))
)
AFTER = {"0s": 0, "2s": 2, "5s": 5, "1h": 3600, "2d": 172_800}
afters = st.sampled_from(tuple(AFTER))
places = st.integers(0, 5)
MOST = 6


class FilesMachine(ModelMachine):
    """A team whose artwork and certificates are files that others move."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator)
        self.calls = 0

    @initialize(copied=st.sampled_from((False, False, True)))
    def begin(self, *, copied: bool) -> None:
        """An order with a proof, and one artwork; the service may keep copies of artwork, by a setting."""
        assert self.world.control("PATCH", "/settings", {"artwork.copied": copied}).status == 200
        self.model = Files(START, are_copied=copied)
        order = self._post("/team-orders", {"collection": "branded-kit", "headcount": 1}).json
        self.item = order["items"][0]["id"]
        self.order = order["id"]
        self.register(HOST + "a.png")

    @invariant()
    def compare(self) -> None:
        """Artwork, previews, the proof and the certificates are those of the model."""
        artwork = [{"id": row.id, "url": row.url, "content_type": row.content_type} for row in self.model.artwork]
        compare_members(artwork[::-1], self._get("/artwork?limit=100")["data"], "the artwork")
        for preview in self.model.previews:
            shown = self._get(f"/previews/{preview.id.value}")
            compare_members(_preview(preview), shown, "a preview")
            assert (shown["image_url"] is not None) == (preview.status == "ready"), shown
        self._compare_proof()
        certificates = [
            {"certificate_id": row.id, "url": row.url, "content_type": row.file.content_type,
             "size_bytes": row.file.size, "status": row.status}
            for row in self.model.certificates
        ]  # fmt: skip
        rows = sorted(self.world.view("certificates"), key=lambda row: row["certificate_id"])
        compare_members(certificates, rows, "the certificates")

    def _compare_proof(self) -> None:
        proof = self.model.proof
        versions = [{"version": i + 1, "artwork_id": each.id} for i, each in enumerate(proof.versions)]
        row = {
            "status": proof.status, "current_version": len(versions) or None, "versions": versions[::-1],
            "signed_version": proof.signed,
        }  # fmt: skip
        compare_members(row, self._get(f"/team-orders/{self.order}/proofs")["data"][0], "the proof")

    def _get(self, path: str) -> Any:
        answer = self.world.call(LIVE, "GET", API + path)
        assert answer.status == 200, answer
        return answer.json

    def _post(self, path: str, body: Any, key: str = LIVE) -> Answer:
        self.calls += 1
        return self.world.call(key, "POST", API + path, body, Idempotency_Key=f"k{self.calls}")

    def _agree(self, answer: Answer, act: Callable[[], Any]) -> Any:
        """Let the model act: both refuse with the same status, code and field, or neither does."""
        try:
            record = act()
        except Refused as refusal:
            assert_same((refusal.status, refusal.code), (answer.status, answer.code), "the refusal")
            if isinstance(refusal, Unfit):
                assert_same([refusal.field], [each["field"] for each in answer.json["error"]["details"]], "the field")
            return None
        assert 200 <= answer.status < 300, answer
        return record

    # What is at an address

    @rule(url=urls, file=files)
    def put(self, url: str, file: File) -> None:
        """A file is put at an address."""
        answer = self.world.verb("file", url=url, content_type=file.content_type, bytes=file.size)
        self._agree(answer, lambda: self.model.put(url, file))

    @rule(url=urls, file=files, after=afters)
    def put_later(self, url: str, file: File, after: str) -> None:
        """Another file is at an address from an instant on."""
        self._change(url, after, Change(0, file), content_type=file.content_type, bytes=file.size)

    @rule(url=urls, leads_to=urls | st.sampled_from(NOT_PUBLIC), after=afters)
    def redirect(self, url: str, leads_to: str, after: str) -> None:
        """An address leads to another one."""
        self._change(url, after, Change(0, target=leads_to), redirects_to=leads_to)

    @rule(length=st.integers(4, 6))
    def redirect_far(self, length: int) -> None:
        """An address leads to an image by many redirects; five are followed."""
        hops = [HOST + "a.png", *[f"{HOST}hop{i}.png" for i in range(length)]]
        for url, target in pairwise(hops):
            self._change(url, "0s", Change(0, target=target), redirects_to=target)

    @rule(url=urls, after=afters)
    def end(self, url: str, after: str) -> None:
        """An address is gone."""
        self._change(url, after, Change(0), gone=True)

    def _change(self, url: str, after: str, change: Change, **members: Any) -> None:
        answer = self.world.verb("file", url=url, after=after, **members)
        at = self.model.now + AFTER[after]
        self._agree(answer, lambda: self.model.change(url, change._replace(at=at)))
        expected = {"url": url, "redirects_to": change.target, "gone": "gone" in members, "from": instant(at)}
        compare_members(expected, answer.json, "the answer")

    # What the team does

    @precondition(lambda self: len(self.model.artwork) < MOST)
    @rule(url=urls)
    def register(self, url: str) -> None:
        """Artwork is registered."""
        answer = self._post("/artwork", {"url": url, "name": "Logo"})
        artwork = self._agree(answer, lambda: self.model.register(url))
        if artwork:
            expected = {"id": artwork.id, "url": url, "content_type": artwork.content_type}
            compare_members(expected, answer.json, "the artwork")

    @precondition(lambda self: self.model.artwork and len(self.model.previews) < MOST)
    @rule(place=places)
    def draw(self, place: int) -> None:
        """A preview of some artwork starts."""
        artwork = self.model.artwork[place % len(self.model.artwork)]
        body = {"product_id": 101, "placements": {"front": {"artwork_id": artwork.id.value}}}
        answer = self._post("/artwork/previews", body)
        compare_members(_preview(self._agree(answer, lambda: self.model.draw(artwork))), answer.json, "the preview")

    @precondition(lambda self: self.model.previews)
    @rule(place=places, outcome=st.sampled_from(("ready", "failed")))
    def end_preview(self, place: int, outcome: str) -> None:
        """A rendering ends early."""
        preview = self.model.previews[-1 - place % len(self.model.previews)]
        answer = self.world.verb("preview", preview_id=preview.id.value, outcome=outcome)
        self._agree(answer, lambda: self.model.end_preview(preview, outcome))

    @precondition(lambda self: self.model.artwork)
    @rule(place=places)
    def add_version(self, place: int) -> None:
        """The proof gets a version."""
        artwork = self.model.artwork[place % len(self.model.artwork)]
        answer = self._post(f"/proofs/{self.item}/versions", {"artwork_id": artwork.id.value})
        self._agree(answer, lambda: self.model.add_version(artwork))

    @precondition(lambda self: self.model.proof.versions)
    @rule(decision=st.sampled_from(("approve", "approve", "request_changes", "sign")))
    def decide(self, decision: str) -> None:
        """The newest version is reviewed or signed."""
        if decision == "sign":
            body = {"version": len(self.model.proof.versions)}
            self._agree(self._post(f"/proofs/{self.item}/sign", body, "session.approver"), self.model.sign)
        else:
            answer = self._post(f"/proofs/{self.item}/review", {"decision": decision})
            self._agree(answer, lambda: self.model.review(decision))

    @precondition(lambda self: len(self.model.certificates) < MOST)
    @rule(url=urls)
    def certify(self, url: str) -> None:
        """A tax certificate is given."""
        answer = self._post("/tax-certificates", {"url": url, "region": "NV"})
        certificate = self._agree(answer, lambda: self.model.certify(url))
        if certificate:
            expected = {"id": certificate.id, "content_type": certificate.file.content_type}
            compare_members(expected, answer.json, "the certificate")

    @precondition(lambda self: self.model.certificates)
    @rule(place=places, outcome=st.sampled_from(("accepted", "rejected")))
    def end_review(self, place: int, outcome: str) -> None:
        """A certificate is accepted or rejected, whatever is at its address by now."""
        certificate = self.model.certificates[-1 - place % len(self.model.certificates)]
        answer = self.world.verb("certificate", certificate_id=certificate.id.value, outcome=outcome)
        self._agree(answer, lambda: self.model.end_review(certificate, outcome))

    @rule(after=st.sampled_from(("1s", "2s", "5s", "1h", "2d")))
    def pass_time(self, after: str) -> None:
        """Time passes."""
        self.world.advance(by=after)
        self.model.advance({"1s": 1, **AFTER}[after])


def _preview(preview: Preview) -> dict[str, Any]:
    finished = preview.finished_at
    return {
        "id": preview.id, "status": preview.status, "failure": preview.failure,
        "finished_at": None if finished is None else instant(finished),
    }  # fmt: skip
