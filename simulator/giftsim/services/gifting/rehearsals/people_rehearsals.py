"""What goes wrong with products, with people, and with what is known of them."""

from __future__ import annotations

from typing import Final

from giftsim.engine.gateway.rehearsal import Rehearsal, Step, verb

ORDER: Final = ("team_order_id", "gift_id", "campaign_id")
RECIPIENT: Final = (*ORDER, "recipient_id", "recipient")
PROVIDER: Final = {"provider": "provider", "team_id": "team_id", "key": "key"}
HUBSPOT: Final = {"provider": "hubspot"}
CRM: Final = "POST /simulate/crm"
NEXT_DOOR: Final = {"address1": "3 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"}

REHEARSALS: Final = (
    Rehearsal(
        "product-gone",
        "product",
        "A product is sold out.",
        "The product leaves the catalogue, and new orders of it are refused. Orders that exist go on.",
        "Your app tells the customer, reads the catalogue again, and does not try the same order again.",
        (verb("stock", "product", on_sale=False),),
        "G444",
        (("product",),),
    ),
    Rehearsal(
        "option-gone",
        "product",
        "A size or a colour is sold out while recipients choose.",
        "The option leaves the catalogue and the claim pages. Whoever picks it is refused; the other options stay.",
        "Your app keeps no list of options of its own, and tells a refused option from a refused order.",
        (verb("stock", "product", "option", on_sale=False),),
        "G446",
        (("product",), ("option",)),
    ),
    Rehearsal(
        "file-gone",
        "file",
        "The address of a logo leads nowhere any more.",
        "What is registered by this address stays; a preview of it fails, and new versions of proofs are refused.",
        "Your app tells a failed preview from a slow one, and gives addresses that do not expire.",
        (Step("POST /simulate/file", {"gone": True}, {"url": "url"}),),
        "G448",
        (("url",),),
    ),
    Rehearsal(
        "address-corrected",
        "recipient",
        "The recipient has moved, and nothing is produced yet.",
        "The address of the parcel changes, by default to one in Reno. Once production has started this is refused.",
        "Your app shows where the parcel really goes, and not what it sent.",
        (verb("address", *RECIPIENT, "address", address=NEXT_DOOR),),
        "G457",
        (ORDER,),
    ),
    Rehearsal(
        "mail-bounced",
        "recipient",
        "The mail with a claim link bounces.",
        "The mail in the outbox has bounced. The recipient's status stays, and the link expires like any other.",
        "Your app notices recipients who never claim, and sends a new link to another address.",
        (verb("mail", *RECIPIENT, event="bounced"),),
        "G458",
        (ORDER,),
    ),
    Rehearsal(
        "more-people-than-seats",
        "order",
        "More people open a shared link than it has seats.",
        "Others claim every seat that is free. Whoever opens the link after them is told that all gifts are claimed.",
        "Your app shows how many seats are free, and a second order is easy for whoever shared the link.",
        (Step("POST /simulate/claim", {}, {each: each for each in ORDER}, each="recipient"),),
        "G459",
        (ORDER,),
    ),
    Rehearsal(
        "contact-merged",
        "contact",
        "Somebody merges two contacts in the CRM.",
        "The contact `contact` ends, and `into` gets its deals. Rules and gifts that name the first are refused.",
        "Your app keeps no id of a contact for good, and finds the person by the other one.",
        (Step(CRM, HUBSPOT, {**PROVIDER, "contact": "merge.from", "into": "merge.into"}),),
        "G450",
        (("contact",), ("into",)),
    ),
    Rehearsal(
        "contact-deleted",
        "contact",
        "Somebody deletes a contact in the CRM.",
        "The contact ends with its deals. A gift to it is refused; those that were sent go on.",
        "Your app drops the contact, and does not ask for it again and again.",
        (Step(CRM, HUBSPOT, {**PROVIDER, "contact": "delete.id"}),),
        "G451",
        (("contact",),),
    ),
    Rehearsal(
        "provider-half",
        "provider",
        "The CRM answers with half of its contacts.",
        "The provider lists only its older contacts, and nothing in the answer says so, until `half` is false again.",
        "Your app deletes nobody because a list lacks them once.",
        (Step(CRM, {**HUBSPOT, "half": True}, PROVIDER),),
        "G454",
    ),
    Rehearsal(
        "provider-down",
        "provider",
        "The CRM does not answer.",
        "What needs the provider is refused, until `outage` is false again.",
        "Your app says so, keeps what it knows, and asks again later.",
        (Step(CRM, {**HUBSPOT, "outage": True}, PROVIDER),),
        "A8.5",
    ),
)
