"""Present: one story without navigation, in large type, by four keys."""

from __future__ import annotations

from flask import Blueprint, Response, g, make_response, redirect, render_template, request, url_for

from giftsim.console.control_client import WorldControl, current_world, real_call
from giftsim.console.mending import account_of, make_again, mend_of
from giftsim.console.names import world_name
from giftsim.console.page import HOME, is_own_path
from giftsim.console.pages.home import PATH, SENDER, first_gift
from giftsim.console.present import (
    GIFT,
    PAY,
    TIME,
    Act,
    choose_subject,
    hour_of_webhooks,
    newest_failure,
    next_act,
    read_scene,
    receiver_of,
)
from giftsim.console.stepper import failed_charge
from giftsim.engine.client.control import ControlRefused

ENDED = "The story has ended. Space again: your app sends another gift. 0 begins this one again."
BLUEPRINT = Blueprint("present", __name__)


@BLUEPRINT.get("/w/<world>/present")
def show() -> Response:
    """What just happened to a record, and what comes next. It begins at the change `begin`; `back` is where it ends."""
    world, about, begin = current_world(), request.args.get("about"), request.args.get("begin", type=int)
    if about is None or begin is None:
        about = about or choose_subject(world, _back())
        said = "This is the newest that failed in this world." if about and about == newest_failure(world) else ""
        return _go(about, g.cursor, said, first=about)
    scene = read_scene(world, about)
    g.now = world.get("clock")["now"]
    host, passed = receiver_of(world, scene)
    text = render_template(
        "present.html",
        name=world_name(world.describe()),
        now=g.now,
        scene=scene,
        act=next_act(world, scene),
        host=host,
        passed=passed,
        begin=begin,
        first=request.args.get("first", ""),
        back=_back(),
        said=request.args.get("said", ""),
        ended=request.args.get("ended", ""),
    )
    return make_response(text)


@BLUEPRINT.post("/w/<world>/present/next")
def go_on() -> Response:
    """Let happen what comes next."""
    world, about = current_world(), request.form.get("about", "")
    scene = read_scene(world, about)
    act = next_act(world, scene)
    if act is None:
        return _go(about, _begin(), "Nothing comes next in this world.")
    if act.how == GIFT and scene is not None and not request.form.get("ended"):
        return _go(about, _begin(), ENDED, ended=True)
    try:
        about = _do(world, act)
        if due := hour_of_webhooks(world, about):
            world.advance({"to": due})
    except ControlRefused as error:
        return _go(about, _begin(), f"{act.label}: {error.message}")
    return _go(about, _begin())


@BLUEPRINT.post("/w/<world>/present/again")
def begin_again() -> Response:
    """Return the world to where presenting began."""
    world, first = current_world(), request.form.get("first", "")
    try:
        world.post("undo", {"to": _begin()})
    except ControlRefused as error:
        said = "This is the beginning." if error.code == "nothing_to_undo" else error.message
        return _go(first, _begin(), said)
    return _go(first, world.get("changes", **{"from": "now"})["next"])


def _do(world: WorldControl, act: Act) -> str:
    """Do what comes next; the record that it was about."""
    if act.how == GIFT:
        return f"order:{real_call(world, SENDER, PATH, first_gift(world.describe()))['team_order']['id']}"
    if act.how == TIME:
        world.advance({"to": act.body["to"]})
    elif act.how == PAY:
        read = world.get(f"orders/{act.about.partition(':')[2]}")
        failed = failed_charge(read["order"], read["money"])
        if failed is not None:
            make_again(world, read["order"], mend_of(failed, account_of(world, read["order"]), read["timeline"]))
    else:
        world.post(f"simulate/{act.body['verb']}", act.body["body"])
    return act.about


def _begin() -> int:
    return request.form.get("begin", 0, type=int)


def _back() -> str:
    """The page that one comes from, and returns to."""
    back = request.values.get("back", "")
    return back if is_own_path(back) else url_for(HOME)


def _go(about: str, begin: int, said: str = "", first: str | None = None, *, ended: bool = False) -> Response:
    first = request.form.get("first", "") if first is None else first
    path = url_for(
        "present.show", about=about, begin=begin, first=first, back=_back(), said=said or None, ended=ended or None
    )
    return redirect(path, 303)  # type: ignore[return-value]
