"""What an exam draws: people, addresses, products, references and instants, other ones in each sitting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random  # noqa: TID251  # seeded, and outside of every world
from typing import Any, Final

import msgspec

from giftsim.engine.kernel.instants import DAY, MINUTE, format_instant, parse_instant

Address = Mapping[str, str]

# Names from everywhere: composed and combining letters, several scripts, from right to left, apostrophes, one word.
GIVEN: Final = (
    "Zoë", "Łukasz", "Ayşe", "Đorđe", "Renée", "Björk", "Nguyễn", "Seán", "Ana-María", "Jose\u0301", "D'Arcy",
    "Øystein", "王小明", "さくら", "지우", "Ελένη", "Наталья", "שרה", "ليلى", "अनन्या", "สมชาย", "Bo", "X Æ", "Mary Ann",
    "Ngozi",
)  # fmt: skip
FAMILY: Final = (
    "O'Neil", "Müller", "García Márquez", "Kowalczyk", "İnönü", "van der Berg", "Smith", "Þórsson", "Brânză", "Žižek",
    "Fernández-Vega", "李", "山田", "김", "Παπαδοπούλου", "Иванова", "כהן", "حسن", "शर्मा", "ใจดี", "Lee",
    "Sørensen", "de Sá",
)  # fmt: skip
PLACES: Final[Sequence[tuple[str, str, str]]] = (
    ("Reno", "NV", "89501"), ("Austin", "TX", "78701"), ("Portland", "OR", "97201"), ("Boston", "MA", "02108"),
    ("Boise", "ID", "83702"), ("Juneau", "AK", "99801"), ("Honolulu", "HI", "96813"), ("Chicago", "IL", "60601"),
    ("St. Paul", "MN", "55101"), ("Cañon City", "CO", "81212"), ("Miami", "FL", "33101"), ("Newark", "NJ", "07102"),
)  # fmt: skip
ABROAD: Final[Sequence[Address]] = (
    {"city": "London", "zip": "SW1A 2AA", "country": "GB"},
    {"city": "Toronto", "state": "ON", "zip": "M5V 2T6", "country": "CA"},
    {"city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"},
    {"city": "Berlin", "zip": "10115", "country": "DE"},
    {"city": "Lyon", "zip": "69001", "country": "FR"},
)
STREETS: Final = ("Main St", "Elm Ave", "Calle Ocho", "Rue Royale", "Broadway", "5th St NW", "Peña Blvd", "King's Ct")
THINGS: Final = (
    "mug",
    "scarf",
    "notebook",
    "lamp",
    "kettle",
    "puzzle",
    "throw",
    "vase",
    "jam",
    "globe",
    "clock",
    "tea",
)
WORDS: Final = (
    "amber",
    "birch",
    "cobalt",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heron",
    "iris",
    "juniper",
    "koi",
    "lark",
)


class Person(msgspec.Struct, frozen=True):
    """A recipient."""

    name: str
    email: str
    address: Address | None = None

    @property
    def row(self) -> dict[str, Any]:
        """The recipient as an order has it."""
        return {"name": self.name, "email": self.email, **({} if self.address is None else {"address": self.address})}


class Product(msgspec.Struct, frozen=True):
    """A product of the world that is drawn: its id, SKU, name, and its price in cents."""

    id: int
    code: str
    name: str
    price_cents: int

    @property
    def slug(self) -> str:
        """The slug by which a team's gift names it."""
        return self.code.lower()


class Order(msgspec.Struct, frozen=True):
    """An order that the app was asked for: its reference, items and recipients, and the app's answer."""

    reference: str
    items: tuple[Mapping[str, Any], ...]
    people: tuple[Person, ...]
    sender: str
    answer: Mapping[str, Any] = {}

    @property
    def emails(self) -> list[str]:
        """The recipients by their emails."""
        return [each.email for each in self.people]

    @property
    def members(self) -> dict[str, Any]:
        """The members of the action that asks for the order."""
        rows = [each.row for each in self.people]
        return {"reference": self.reference, "items": list(self.items), "gift_sender": self.sender, "recipients": rows}


class Drawing:
    """Draws from one `random`. Emails and references never come twice."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._taken: set[str] = set()

    def word(self) -> str:
        """A word with a number, new each time."""
        while True:
            word = f"{self.random.choice(WORDS)}{self.random.choice(('-', '.', ''))}{self.random.randrange(10, 99999)}"
            if word not in self._taken:
                self._taken.add(word)
                return word

    def reference(self) -> str:
        """The name of an intent of the app: not a number, not in order, and new each time."""
        return self.random.choice(("{}", "order {}", "PO/{}", "{}#a", "nº {}")).format(self.word())

    def plain_reference(self) -> str:
        """The same in printable ASCII, for an intent whose idempotency key is a header."""
        return self.random.choice(("{}", "gift {}", "PO/{}", "{}#a", "{}")).format(self.word())

    def person(self, *, address: bool = False) -> Person:
        """Someone with an email address that nobody else has, and with an address if asked."""
        name = f"{self.random.choice(GIVEN)} {self.random.choice(FAMILY)}"
        host = self.random.choice(("example.com", "mail.example.org", "example.net"))
        return Person(name, f"{self.word()}@{host}", self.address() if address else None)

    def people(self, many: int, *, address: bool = False) -> list[Person]:
        """So many people; all have addresses, or none has."""
        return [self.person(address=address) for _ in range(many)]

    def address(self) -> Address:
        """An address in the United States that the service accepts."""
        city, state, code = self.random.choice(PLACES)
        line = f"{self.random.randrange(1, 9900)} {self.random.choice(STREETS)}"
        return {"address1": line, "city": city, "state": state, "zip": code, "country": "US"}

    def address_abroad(self) -> Address:
        """An address in another country that the service accepts."""
        return {"address1": f"{self.random.randrange(1, 900)} {self.random.choice(STREETS)}", **self.one_of(*ABROAD)}

    def products(self) -> list[Product]:
        """The products of a world: three to six, with other ids, codes, names and prices in each."""
        first, chosen = self.random.randrange(1000, 90000), self.random.sample(THINGS, self.random.randrange(3, 7))
        return [self._product(first + n * 7, thing) for n, thing in enumerate(chosen)]

    def _product(self, number: int, thing: str) -> Product:
        code = f"{thing[:2].upper()}{self.random.randrange(10, 9999)}"
        return Product(number, code, f"{self.word()} {thing}", self.random.randrange(199, 9999))

    def collection(self, products: Sequence[Product]) -> Mapping[str, Any]:
        """A collection of some of these products, for teams, as a fixture has it."""
        some = self.random.sample(products, self.random.randrange(1, 4))
        slug = self.word().replace(".", "-").lower()
        return {"id": products[0].id, "slug": slug, "name": slug.title(), "items": [each.slug for each in some]}

    def instant(self) -> str:
        """An ordinary instant: a minute in one of three years."""
        after = self.random.randrange(3 * 365 * DAY // MINUTE) * MINUTE
        return format_instant(parse_instant("2027-01-01T00:00:00Z") + after)

    def one_of(self, *choices: Any) -> Any:
        """One of the choices."""
        return self.random.choice(choices)

    def between(self, least: int, most: int) -> int:
        """A whole number between these, both included."""
        return self.random.randint(least, most)
