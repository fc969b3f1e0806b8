"""Random changes of a roster and a CRM while gifts name their people; after each, the world is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from giftsim import Simulator
from tests.models.compare import assert_same
from tests.models.people import PROVIDER, Name, People, Person
from tests.models.team_comparison import API, LIVE, compare_members
from tests.models.team_money import Refused
from tests.models.world import Answer, ModelMachine

ids = st.sampled_from(("1", "2", "3", "4"))
names = st.tuples(st.sampled_from(("contact", "contact", "lead")), ids)
shown = st.sampled_from(("Ann Ash", "Bo Berg", "Cy Cole"))
emails = st.sampled_from(("ann@example.com", "bo@example.com", "cy@example.com"))
firsts = st.sampled_from(("Ann", "Bo", "Cy"))
MOST_GIFTS = 6


class ContactsMachine(ModelMachine):
    """A team whose keys send gifts, and a CRM that changes by itself."""

    def __init__(self, simulator: Simulator) -> None:
        super().__init__(simulator)
        self.calls = 0
        self.gone: list[Person] = []

    @initialize(follows=st.booleans(), first=st.lists(st.tuples(names, shown, st.none() | emails), max_size=4))
    def begin(self, follows: bool, first: list[tuple[Name, str, str | None]]) -> None:
        """A CRM with some contacts; a former name leads on or is refused, by a setting."""
        setting = {"crm.former_ids": "follow" if follows else "refuse"}
        assert self.world.control("PATCH", "/settings", setting).status == 200
        self.model = self._model(follows)
        self.upsert(("contact", "1"), "Ann Ash", "ann@example.com")
        for each in first:
            self.upsert(*each)

    def _model(self, follows: bool) -> People:
        return People(follows_former=follows)

    @invariant()
    def compare(self) -> None:
        """The contacts, the roster and the names of the gifts are those of the model."""
        answer = self.world.call(LIVE, "GET", f"{API}/contacts?provider={PROVIDER}")
        self._agree(answer, self.model.listed, "the contacts")
        roster = {row["id"]: row for row in self._get("/people?limit=100")}
        assert_same(len(self.model.roster), len(roster), "the size of the roster")
        for person in self.model.roster:
            if person.id.value is None:
                written = {"people": [{"work_email": person.email}]}
                assert_same({"data": [{"id": person.id}]}, _ids(self._post("/people", written).json), "a person")
            row = {"first_name": person.first, "last_name": person.last, "display_name": person.name}
            compare_members(row, roster[person.id.value], "a person")
        gifts = [
            {"id": gift.id, "status": gift.status, "recipients": [{"name": gift.name}]}
            for gift in reversed(self.model.gifts)
        ]
        compare_members(gifts, self._get("/gifts?limit=50"), "the gifts")

    def _get(self, path: str) -> Any:
        answer = self.world.call(LIVE, "GET", API + path)
        assert answer.status == 200, answer
        return answer.json["data"]

    def _post(self, path: str, body: Any) -> Answer:
        self.calls += 1
        return self.world.call(LIVE, "POST", API + path, body, Idempotency_Key=f"k{self.calls}")

    def _agree(self, answer: Answer, act: Callable[[], Any], about: str = "") -> None:
        try:
            expected = act()
        except Refused as refusal:
            assert_same((refusal.status, refusal.code), (answer.status, answer.code), "the refusal")
            return
        assert 200 <= answer.status < 300, answer
        if about:
            compare_members(expected, answer.json["data"], about)

    def _crm(self, **change: Any) -> Answer:
        return self.world.verb("crm", provider=PROVIDER, **change)

    # The CRM

    @rule(name=names, shown=shown, email=st.none() | emails)
    def upsert(self, name: Name, shown: str, email: str | None) -> None:
        """A contact is created or changed, perhaps without an email."""
        row = {"object_type": name[0], "id": name[1], "name": shown, "email": email}
        self._agree(self._crm(upsert=row), lambda: self.model.upsert(name, shown, email))

    @rule(gone=names, into=names)
    def merge(self, gone: Name, into: Name) -> None:
        """Two contacts are merged, and what is left of them may get a gift."""
        row = {"from_type": gone[0], "from": gone[1], "object_type": into[0], "into": into[1]}
        self._agree(self._crm(merge=row), lambda: self.model.merge(gone, into))
        if len(self.model.gifts) < MOST_GIFTS:
            self.give_to_contact(into)

    @rule(lead=ids, new_id=ids)
    def convert(self, lead: str, new_id: str) -> None:
        """A lead becomes a contact."""
        self._agree(self._crm(convert={"id": lead, "new_id": new_id}), lambda: self.model.convert(lead, new_id))

    @rule(name=names)
    def delete(self, name: Name) -> None:
        """A contact is deleted."""
        row = {"object_type": name[0], "id": name[1]}
        self._agree(self._crm(delete=row), lambda: self.model.delete(name))

    @rule(outage=st.booleans(), half=st.booleans())
    def disturb(self, *, outage: bool, half: bool) -> None:
        """The provider is down, or answers with half of its contacts, or is well again."""
        assert self._crm(outage=outage, half=half).status == 200
        self.model.is_down, self.model.is_half = outage, half

    @precondition(lambda self: len(self.model.gifts) < MOST_GIFTS)
    @rule(name=names)
    def give_to_contact(self, name: Name) -> None:
        """A gift to a contact."""
        recipient = {"crm": {"provider": PROVIDER, "object_type": name[0], "id": name[1]}}
        body = {"recipients": [recipient], "gift": {"collection_slug": "welcome-kit"}}
        self._agree(self._post("/gifts", body), lambda: self.model.give_to_contact(name))


class PeopleMachine(ContactsMachine):
    """The same team, with a roster."""

    @rule(email=emails, first=firsts, new_email=st.none() | emails)
    def sync(self, email: str, first: str, new_email: str | None) -> None:
        """The provider changes a person, perhaps the email."""
        row = {"work_email": email, "first_name": first, "last_name": "Sync"}
        row |= {"new_work_email": new_email} if new_email else {}
        self._agree(self._crm(people=[row]), lambda: self.model.sync(email, first, "Sync", new_email))

    @rule(email=emails, first=firsts)
    def write(self, email: str, first: str) -> None:
        """A key writes a person."""
        row = {"work_email": email, "first_name": first, "last_name": "Own"}
        self._agree(self._post("/people", {"people": [row]}), lambda: self.model.write(email, first, "Own"))

    @rule(email=emails)
    def remove(self, email: str) -> None:
        """The provider takes a person off the roster."""
        person = self.model.person(email)
        self.gone += [person] if person else []
        self._agree(self._crm(remove=[email]), lambda: self.model.remove(email))

    @precondition(lambda self: (self.model.roster or self.gone) and len(self.model.gifts) < MOST_GIFTS)
    @rule(place=st.integers(0, 5))
    def give_to_person(self, place: int) -> None:
        """A gift to a person of the roster, or to one who was removed."""
        every = [*self.model.roster, *self.gone]
        person = every[place % len(every)]
        body = {"recipients": [{"person_id": person.id.value}], "gift": {"collection_slug": "welcome-kit"}}
        self._agree(self._post("/gifts", body), lambda: self.model.give_to_person(person))


def _ids(shown: Any) -> dict[str, Any]:
    return {"data": [{"id": row["id"]} for row in shown["data"]]}
