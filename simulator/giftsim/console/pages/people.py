"""People: the rosters of teams, contacts of their CRMs, and recipients, with forms to add or change them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from giftsim.console.control_client import current_world, real_call
from giftsim.console.curl import KEY, curl_command, with_key_line
from giftsim.console.page import Place, act_and_return, choose_parameter, query_members, render_page
from giftsim.console.pages.money import team_names

BLUEPRINT = Blueprint("people", __name__)
PLACES = (Place("People", "people.show", "p", "people", "World", 1, of="team"),)
VIEWS = ("people", "contacts", "recipients")
PERSON_FIELDS = ("work_email", "first_name", "last_name", "department", "location", "country", "birthday", "start_date")
CONTACT_FIELDS = ("id", "name", "email", "company", "title")
UPSERT, UPSERTER = "/api/teams/v1/people", "team.live_approver"
EXAMPLE = {"work_email": "bo@example.com", "first_name": "Bo", "last_name": "Berg"}
LISTED = 50


@BLUEPRINT.get("/w/<world>/people")
def show() -> Response:
    """One list of people."""
    view, world = choose_parameter("view", VIEWS), current_world()
    described = world.describe()
    call = curl_command("POST", described["urls"]["team"] + "/people", {"people": [EXAMPLE]}, key=KEY)
    return render_page(
        "people.html",
        view=view,
        person_fields=PERSON_FIELDS,
        rows=world.get(view, order="newest", limit=LISTED, **query_members("q", "before")),
        teams=team_names(world),
        call=with_key_line(call, described["credentials"].get(UPSERTER)),
        contact_call=curl_command(
            "POST", described["urls"]["control"] + "/simulate/crm", _contact_body(_EXAMPLE_CONTACT)
        ),
    )


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


_EXAMPLE_CONTACT = {"provider": "hubspot", "id": "c-1", "name": "Cy Cole", "email": "cy@client.example"}


def _contact_body(fields: dict[str, str]) -> dict[str, Any]:
    contact = {name: fields[name] for name in CONTACT_FIELDS if fields.get(name)}
    return {"provider": fields["provider"], "upsert": contact}


def _written(result: dict[str, Any]) -> str:
    name = result["data"][0].get("display_name", f"Person {result['data'][0]['id']}")
    return f"{name} was {'added to' if result['created'] else 'changed on'} the roster."
