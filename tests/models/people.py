"""A team's roster and the contacts of a CRM, as the documents describe them (T-2.13 to T-2.15, A7.7, G450 to G455).

`people_rules.py` has the rules that make gifts of their deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.models.compare import Learned
from tests.models.team_money import Refused, wrong_state

PROVIDER = "acme"
Name = tuple[str, str]  # the type and the id of a contact


@dataclass(eq=False)
class Contact:
    """A contact of the CRM. Nobody is shown its email (T-1.9).

    For rules it is one person with those of `once`: who was merged into it (G450), or deleted under its id (G451).
    """

    object_type: str
    id: str
    name: str
    email: str | None
    number: int  # in the order of creation
    is_alive: bool = True
    once: set[Contact] = field(default_factory=set)

    @property
    def everyone(self) -> set[Contact]:
        """The contact, and those who are the same person for rules."""
        return {self, *self.once}


@dataclass(eq=False)
class Deal:
    """An event of a contact, on a day in Los Angeles."""

    contact: Contact
    trigger: str
    day: date


@dataclass(eq=False)
class Gift:
    """A gift to one person: it keeps the name and the email of its call (G374)."""

    name: str
    email: str
    id: Learned = field(default_factory=lambda: Learned(int))
    status: str = "awaiting_approval"
    sent_at: int = 0
    claimed_at: int | None = None


@dataclass(eq=False)
class Person:
    """A person of the roster; `managed` are the fields that the provider keeps (A7.7)."""

    email: str
    first: str
    last: str
    managed: bool = False
    id: Learned = field(default_factory=lambda: Learned(int))

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


class People:
    """One team, with one CRM."""

    def __init__(self, *, follows_former: bool) -> None:
        self.follows_former = follows_former
        self.contacts: list[Contact] = []
        self.former: dict[Name, Contact | None] = {}
        self.deleted: dict[Name, set[Contact]] = {}
        self.deals: list[Deal] = []
        self.made = 0
        self.is_down = self.is_half = False
        self.roster: list[Person] = []
        self.gifts: list[Gift] = []

    # The CRM

    def find(self, name: Name) -> Contact:
        """A contact by its type and id."""
        for each in self.contacts:
            if (each.object_type, each.id) == name:
                return each
        raise Refused(404, "contact_not_found")

    def upsert(self, name: Name, shown: str, email: str | None) -> None:
        """A contact is created or changed."""
        try:
            contact = self.find(name)
        except Refused:
            contact = Contact(*name, shown, email, self.made, once=set(self.deleted.get(name, ())))
            self.made += 1
            self.contacts.append(contact)
        contact.name, contact.email = shown, email

    def merge(self, gone: Name, into: Name) -> None:
        """A contact ends; the other one gets what it lacks (G450)."""
        target, contact = self.find(into), self.find(gone)
        if contact is target:
            raise Refused(400, "invalid_body")
        target.email = target.email or contact.email
        target.once |= contact.everyone
        for deal in self.deals:
            deal.contact = target if deal.contact is contact else deal.contact
        self._end(contact, target)

    def convert(self, lead: str, new_id: str) -> None:
        """A lead becomes a contact, perhaps with another id (G452)."""
        contact = self.find(("lead", lead))
        if any((each.object_type, each.id) == ("contact", new_id) for each in self.contacts):
            raise wrong_state()
        self.former["lead", lead] = contact
        contact.object_type, contact.id = "contact", new_id
        contact.once |= self.deleted.get(("contact", new_id), set())

    def delete(self, name: Name) -> None:
        """A contact ends with its deals; who is made again under its id is the same for rules (G451)."""
        contact = self.find(name)
        self.deals = [deal for deal in self.deals if deal.contact is not contact]
        self.deleted.setdefault(name, set()).update(contact.everyone)
        self._end(contact, None)

    def _end(self, contact: Contact, into: Contact | None) -> None:
        if into is not None:
            self.former = {name: into if each is contact else each for name, each in self.former.items()}
        self.former[contact.object_type, contact.id] = into
        contact.is_alive = False
        self.contacts.remove(contact)

    @property
    def answered(self) -> Sequence[Contact]:
        """The contacts that the provider answers with: perhaps only the older half of them (G454)."""
        some = sorted(self.contacts, key=lambda each: each.number)
        return some[: (len(some) + 1) // 2] if self.is_half else some

    def listed(self) -> list[dict[str, Any]]:
        """`GET /contacts` of the provider, by name."""
        self._check_provider()
        return [
            {"provider": PROVIDER, "id": each.id, "object_type": each.object_type, "display_name": each.name}
            for each in sorted(self.answered, key=lambda each: (each.name, each.number))
        ]

    def _check_provider(self) -> None:
        if self.is_down:
            raise Refused(503, "provider_unavailable")  # A8.5

    def give_to_contact(self, name: Name) -> None:
        """A gift to a contact, which must have an email (G453); a former name may lead to another one (G450)."""
        self._check_provider()
        try:
            contact: Contact | None = self.find(name)
        except Refused:
            contact = self.former.get(name) if self.follows_former else None
        if contact is None or not contact.is_alive or contact not in self.answered or contact.email is None:
            raise Refused(422, "validation_failed")
        self.gifts.append(Gift(contact.name, contact.email))

    # The roster

    def person(self, email: str) -> Person | None:
        """The person with a work email."""
        return next((each for each in self.roster if each.email == email), None)

    def sync(self, email: str, first: str, last: str, new_email: str | None) -> None:
        """The provider creates or changes a person, whose names it keeps from then on (G455)."""
        person = self.person(email)
        if new_email is not None:
            if person is None:
                raise Refused(404, "person_not_found")
            if self.person(new_email) not in (None, person):
                raise wrong_state()
            person.email = new_email
        if person is None:
            person = Person(email, first, last)
            self.roster.append(person)
        person.first, person.last, person.managed = first, last, True

    def write(self, email: str, first: str, last: str) -> None:
        """A key writes a person; what the provider manages stays (A7.7)."""
        person = self.person(email)
        if person is None:
            self.roster.append(Person(email, first, last))
        elif not person.managed:
            person.first, person.last = first, last

    def remove(self, email: str) -> None:
        """The provider takes a person off the roster (G455)."""
        person = self.person(email)
        if person is None:
            raise Refused(404, "person_not_found")
        self.roster.remove(person)

    def give_to_person(self, person: Person) -> None:
        """A gift to a person of the roster."""
        if person not in self.roster:
            raise Refused(422, "validation_failed")
        self.gifts.append(Gift(person.name, person.email))
