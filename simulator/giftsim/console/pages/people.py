"""People: the rosters of teams, contacts of their CRMs, and recipients, with forms to add or change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, abort, request, url_for

from giftsim.console.control_client import current_world, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.listing import Entry, List, Listing, read_listing
from giftsim.console.page import Place, act_and_return, render_page
from giftsim.console.pages.money import team_names
from giftsim.frontend.states import tone, words

BLUEPRINT = Blueprint("people", __name__)
PLACES = (Place("People", "people.show", "p", "people", "World", 1, of="team"),)
TITLES: Final[Mapping[str, str]] = {"people": "People", "contacts": "CRM contacts", "recipients": "Recipients"}
PERSON_FIELDS = ("work_email", "first_name", "last_name", "department", "location", "country", "birthday", "start_date")
CONTACT_FIELDS = ("id", "name", "email", "company", "title")
UPSERT, UPSERTER = "/api/teams/v1/people", "team.live_approver"
EXAMPLE = {"work_email": "bo@example.com", "first_name": "Bo", "last_name": "Berg"}
Row = Mapping[str, Any]


@BLUEPRINT.get("/w/<world>/people", defaults={"view": "people"})
@BLUEPRINT.get("/w/<world>/people/<any(contacts, recipients):view>")
def show(view: str) -> Response:
    """One list of people; its detail is the first of them."""
    listing = _listing(view)
    return _show(view, listing, listing.first)


@BLUEPRINT.get("/w/<world>/people/<any(people, contacts, recipients):view>/<int:seq>")
def one(view: str, seq: int) -> Response:
    """One of them beside the list."""
    return _show(view, _listing(view, _path(view, seq)), _row(view, seq))


@BLUEPRINT.post("/w/<world>/people")
def put_person() -> Response:
    """Add a person to the roster of the first team, or change the one with this mail address, by a real call."""
    person = {name: request.form[name].strip() for name in PERSON_FIELDS if request.form.get(name, "").strip()}
    return act_and_return(
        f"Write {person.get('work_email', 'a person')[:60]} to the roster",
        lambda world: real_call(world, UPSERTER, UPSERT, {"people": [person]}),
        said=_written,
    )


@BLUEPRINT.post("/w/<world>/people/contacts")
def put_contact() -> Response:
    """Add a contact to a CRM of the first team, or change the one with this id."""
    fields = {name: request.form.get(name, "").strip() for name in ("provider", *CONTACT_FIELDS)}
    body = _contact_body(fields)
    return act_and_return(
        f"Write the contact {fields['id'][:60]}",
        lambda world: world.post("simulate/crm", body),
        said=lambda crm: f"{crm['provider']} has {crm['contacts']} contacts of the team.",
    )


@BLUEPRINT.post("/w/<world>/people/contacts/<int:seq>/delete")
def delete_contact(seq: int) -> Response:
    """Delete a contact in its CRM."""
    row = _row("contacts", seq)
    named = {"id": row["id"], "object_type": row["object_type"]}
    body = {"provider": row["provider"], "team_id": row["team_id"], "delete": named}
    return act_and_return(
        f"Delete the contact {row['name'][:60]}",
        lambda world: world.post("simulate/crm", body),
        said=lambda crm: f"{row['name']} is deleted in {crm['provider']}, with all deals.",
        then=url_for("people.show", view="contacts"),
    )


def _show(view: str, listing: Listing, row: Row | None) -> Response:
    described = current_world().describe()
    call = curl_command("POST", described["urls"]["team"] + "/people", {"people": [EXAMPLE]}, key=KEY)
    return render_page(
        "people.html",
        view=view,
        views=TITLES,
        listing=listing,
        row=row,
        person_fields=PERSON_FIELDS,
        teams=team_names(current_world()),
        call=with_key_line(call, described["credentials"].get(UPSERTER)),
        contact_call=curl_command(
            "POST", described["urls"]["control"] + "/simulate/crm", _contact_body(_EXAMPLE_CONTACT)
        ),
    )


def _listing(view: str, shown: str | None = None) -> Listing:
    return read_listing(
        view, List(TITLES[view], url_for("people.show", view=view), _ENTRIES[view], plain=True), shown=shown
    )


def _row(view: str, seq: int) -> Row:
    found: list[Row] = current_world().get(view, after=max(seq - 1, 0), limit=1)[view]
    return found[0] if found and found[0]["seq"] == seq else abort(404, f"there is no such row in {TITLES[view]}")


def _path(view: str, seq: int) -> str:
    return url_for("people.one", view=view, seq=seq)


def _person(row: Row) -> Entry:
    end = row["department"] or "" if row["livemode"] else "sandbox"
    return Entry(_path("people", row["seq"]), row["display_name"], line=row["work_email"], end=end)


def _contact(row: Row) -> Entry:
    line = ", ".join(filter(None, (row["email"], row["title"], row["company"])))
    return Entry(_path("contacts", row["seq"]), row["name"], line=line, end=row["provider"])


def _recipient(row: Row) -> Entry:
    line = ", ".join(filter(None, (words(row["status"]), row["email"])))
    path, name = _path("recipients", row["seq"]), row["name"] or "an open seat"
    return Entry(path, name, line=line, tone=tone(row["status"]), at=row["claimed_at"])


_ENTRIES: Final[Mapping[str, Callable[[Row], Entry]]] = {
    "people": _person,
    "contacts": _contact,
    "recipients": _recipient,
}
_EXAMPLE_CONTACT = {"provider": "hubspot", "id": "c-1", "name": "Cy Cole", "email": "cy@client.example"}


def _contact_body(fields: dict[str, str]) -> dict[str, Any]:
    contact = {name: fields[name] for name in CONTACT_FIELDS if fields.get(name)}
    return {"provider": fields["provider"], "upsert": contact}


def _written(result: dict[str, Any]) -> str:
    name = result["data"][0].get("display_name", f"Person {result['data'][0]['id']}")
    return f"{name} was {'added to' if result['created'] else 'changed on'} the roster."
