"""The scenario library by question, the source of a scenario beside its steps, and playing one step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from flask import Blueprint, Response, g, jsonify, request, url_for

from giftsim.console.control_client import current_control, current_world
from giftsim.console.curl import curl_command
from giftsim.console.filters import with_links
from giftsim.console.page import Place, if_refused, origin, redirect_back, render_page
from giftsim.engine.client.control import ControlRefused, quote_segment

MOST_LINES, LINES_BEFORE = 300, 60  # of a long file, a part around the step that matters
MOST_EXCERPT, LINES_AROUND = 15, 2


class Line(NamedTuple):
    """A line of a file: its number from 1, its text, and `passed`, `failed`, `next`, `error` or nothing."""

    number: int
    text: str
    mark: str


class FileLines(NamedTuple):
    """A file: its name, the lines that are shown of it, and how many it has."""

    file: str
    lines: list[Line]
    total: int


def source_lines(
    file: Mapping[str, str],
    steps: Sequence[Mapping[str, Any]],
    failure: Mapping[str, Any] | None = None,
    next_step: int | None = None,
) -> FileLines:
    """A file with marks. `failure` has the place of what failed, or of an error; `next_step` is the step to come."""
    marks = _marks(file, steps, next_step)
    if failure is not None and failure["file"] == file["file"]:
        marks.setdefault(failure["line"], "error")
    texts = file["text"].splitlines()
    focus = next((number for number, mark in marks.items() if mark in ("failed", "error", "next")), 1)
    start = 0 if len(texts) <= MOST_LINES else max(0, min(focus - LINES_BEFORE, len(texts) - MOST_LINES))
    shown = enumerate(texts[start : start + MOST_LINES], start=start + 1)
    return FileLines(file["file"], [Line(n, text, marks.get(n, "")) for n, text in shown], len(texts))


def _marks(file: Mapping[str, str], steps: Sequence[Mapping[str, Any]], next_step: int | None) -> dict[int, str]:
    """The mark of each line of a step; a step inside another takes precedence."""
    marks: dict[int, str] = {}
    for step in steps:
        if step["file"] != file["file"]:
            continue
        mark = "next" if step["step"] == next_step else step.get("outcome") or ""
        for number in range(step["line"], step["line"] + len(step["text"].splitlines())):
            if mark and marks.get(number) not in ("failed", "next"):
                marks[number] = mark
    return marks


def excerpt(files: Sequence[Mapping[str, str]], failure: Mapping[str, Any] | None) -> list[Line]:
    """The lines around what failed, from two before it to the end of the step, at most fifteen."""
    text = next((file["text"] for file in files if failure and file["file"] == failure["file"]), None)
    if text is None or failure is None:
        return []
    lines, first = text.splitlines(), failure["line"]
    last, indent = first, _indent(lines[first - 1])
    while last < min(len(lines), first + MOST_EXCERPT) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    start = max(0, first - 1 - LINES_AROUND)
    return [
        Line(number, line, "failed" if first <= number else "")
        for number, line in enumerate(lines[start:last], start=start + 1)
    ]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


BLUEPRINT = Blueprint("scenarios", __name__)
PLACES = (Place("Scenarios", "scenarios.library", "s", "play", "Tools", 1),)
SESSIONS = "/scenarios/sessions"
FOLDERS = ("partner", "team", "museum", "together", "rehearsals", "own")
YAML = {"Content-Type": "application/yaml"}
STEPS_SHOWN, STEPS_BEFORE, CHANGES_SHOWN, ORDERS_SHOWN = 60, 20, 40, 4
OVER = ("passed", "failed")
EXAMPLE = """scenario: A mug for Bo
steps:
  - call: POST /api/external/team-orders
    as: partner.prepaid
    body:
      idempotency_key: first
      gift_sender: Ada
      items: [{sku_code: MUG-01}]
      recipients: [{name: Bo, email: bo@example.com}]
    expect: {status: 201}
  - advance: 1d
"""


@BLUEPRINT.get("/w/<world>/scenarios")
def library() -> Response:
    """The scenarios of the library, grouped by the question that each answers, and the sessions under way."""
    return _library(request.args.get("draft") or EXAMPLE)


def _library(draft: str, wrong: ControlRefused | None = None) -> Response:
    """The library, with a draft to play, and what is wrong with it."""
    control, text, folder = current_control(), request.args.get("q", ""), request.args.get("folder", "")
    found = control.get("/scenarios", limit=1000, q=text or None)["scenarios"]
    counts = Counter(row["folder"] for row in found)
    folders = [*((name, name, counts[name]) for name in FOLDERS if counts[name]), ("all", "all", len(found))]
    chosen = folder if counts[folder] or folder == "all" else "all" if text or not found else found[0]["folder"]
    rows = [row for row in found if chosen in ("all", row["folder"])]
    groups = [(key, list(each)) for key, each in groupby(rows, lambda row: (row["folder"], row["question"]))]
    return render_page(
        "scenarios/library.html",
        questions=groups,
        folders=folders,
        folder=chosen,
        total=len(found),
        q=text,
        sessions=control.get(SESSIONS, limit=50)["sessions"],
        example=EXAMPLE,
        status=wrong.status if wrong else 200,
        draft=draft,
        wrong=wrong and _marked(draft, wrong),
        command=curl_command("GET", origin() + control.path(f"/scenarios?q={text}")),
    )


@BLUEPRINT.get("/w/<world>/scenarios/<name>")
def scenario(name: str) -> Response:
    """One scenario of the library: its source beside its steps."""
    found = current_control().get(f"/scenarios/{quote_segment(name)}")
    files = [source_lines(file, found["plan"], found["error"]) for file in found["files"]]
    command = curl_command("POST", origin() + current_control().path(f"{SESSIONS}?name={name}"))
    return render_page("scenarios/scenario.html", scenario=found, files=files, command=command)


@BLUEPRINT.post("/w/<world>/scenarios/sessions")
def begin() -> Response:
    """Begin a session with a scenario of the library or a text, and go to it; `play` plays it whole."""
    control, name, text = current_control(), request.form.get("name"), request.form.get("text", "")
    try:
        if name:
            session = control.post(SESSIONS, b"", name=name, limit=1)
        else:
            session = control.send("POST", SESSIONS, text.replace("\r\n", "\n"), query={"limit": 1}, headers=YAML)
        if request.form.get("play") and session["state"] not in OVER:
            session = _played(session["id"], {"to": "end"})
    except ControlRefused as error:
        if not name and "line" in error.details:
            return _library(text, error)
        return redirect_back(f"The scenario cannot be played: {_place(error)}{error.message}", failed=True)
    said = f"{session['scenario']}: {_summary(session)}"
    return redirect_back(said, failed=session["state"] == "failed", to=_path(session))


@BLUEPRINT.get("/w/<world>/scenarios/sessions/<session_id>")
def session(session_id: str) -> Response:
    """A session: its steps, its source with what passed and what failed, and what the last step touched."""
    path = f"{SESSIONS}/{quote_segment(session_id)}"
    after = request.args.get("after", type=int)
    head = current_control().get(path, limit=1)
    start = max(0, (head["next_step"] or head["step_count"]) - STEPS_BEFORE) if after is None else after
    steps = current_control().get(path, after=start, limit=STEPS_SHOWN)
    everything = current_control().get(path, limit=1000)["steps"]
    files = [source_lines(file, everything, head["failure"], head["next_step"]) for file in head["files"]]
    orders = _orders(head)
    return render_page(
        "scenarios/session.html",
        session=head,
        steps=steps["steps"],
        start=start,
        next=steps["next"],
        files=[file for file in files if file.lines],
        touched=_touched(head),
        orders=orders,
        over=head["state"] in OVER,
        excerpt=excerpt(head["files"], head["failure"]),
        text=head["files"][0]["text"],
    )


@BLUEPRINT.post("/w/<world>/scenarios/sessions/<session_id>/step")
def step(session_id: str) -> Response:
    """Play the next step, or all that are left; as JSON to a script that plays them one by one."""
    body: dict[str, Any] = {"to": "end"} if request.form.get("to") == "end" else {"count": 1}
    is_script = request.accept_mimetypes.best == "application/json"
    try:
        session = current_control().post(f"{SESSIONS}/{quote_segment(session_id)}/step", body, limit=1)
    except ControlRefused as error:
        if is_script:
            return jsonify({"error": error.message, "over": True})
        return redirect_back(f"No step was played: {error.message}", failed=True)
    over = session["state"] in OVER
    if is_script:
        return jsonify({"played": session["played"], "over": over})
    said = _summary(session) if over else f"Played: {session['steps'][0]['title']}."
    return redirect_back(said, failed=session["state"] == "failed", to=_path(session))


@BLUEPRINT.post("/w/<world>/scenarios/sessions/<session_id>/back")
@if_refused("Could not go one step back")
def step_back(session_id: str) -> Response:
    """Go one step back: play all steps but the last again, in a new world, which comes out the same."""
    head = current_control().get(f"{SESSIONS}/{quote_segment(session_id)}", limit=1)
    return _again(head, head["files"][0]["text"], head["name"], head["played"] - 1, "One step back: ")


@BLUEPRINT.post("/w/<world>/scenarios/sessions/<session_id>/edit")
def edit(session_id: str) -> Response:
    """Play an edited text again up to where the session is, and continue from there."""
    head = current_control().get(f"{SESSIONS}/{quote_segment(session_id)}", limit=1)
    text = request.form.get("text", "").replace("\r\n", "\n")
    try:
        whole = bool(request.form.get("play"))
        return _again(head, text, None, head["played"], "Edited: ", whole=whole)
    except ControlRefused as error:
        if "line" in error.details:
            return _library(text, error)
        return redirect_back(f"The scenario cannot be played: {error.message}", failed=True)


def _again(
    head: Mapping[str, Any], text: str, name: str | None, steps: int, said: str, *, whole: bool = False
) -> Response:
    """Play steps, and as many as were added, in a new session, which takes the place of another one with its world."""
    control = current_control()
    if name:
        session = control.post(SESSIONS, b"", name=name, limit=1)
    else:
        session = control.send("POST", SESSIONS, text, query={"limit": 1}, headers=YAML)
    steps += max(0, session["step_count"] - head["step_count"])
    if (whole or steps > 0) and session["state"] not in OVER:
        session = _played(session["id"], {"to": "end"} if whole else {"count": steps})
    _delete(head["id"])
    return redirect_back(f"{said}{_summary(session)}", failed=session["state"] == "failed", to=_path(session))


def _played(session_id: str, steps: Mapping[str, Any]) -> Any:
    """A new session after steps; if they are refused, the session and its world go too."""
    try:
        return current_control().post(f"{SESSIONS}/{quote_segment(session_id)}/step", steps, limit=1)
    except ControlRefused:
        _delete(session_id)
        raise


def _delete(session_id: str, *, keep: bool = False) -> None:
    """End a session, with its world or without it."""
    current_control().send("DELETE", f"{SESSIONS}/{quote_segment(session_id)}", query={"keep": keep})


@BLUEPRINT.post("/w/<world>/scenarios/sessions/<session_id>/stop")
@if_refused("The session was not stopped")
def stop(session_id: str) -> Response:
    """End a session, with its world or without it, and go back to the library."""
    keep = request.form.get("keep") == "true"
    _delete(session_id, keep=keep)
    if keep:
        return redirect_back(f"Stopped. The world {g.world_id} is yours: look around, go on.", to=url_for("home.show"))
    return redirect_back("Stopped, and its world deleted.", to=url_for("scenarios.library", world="default"))


def _path(session: dict[str, Any]) -> str:
    """The page of a session, in the world of the session."""
    return url_for("scenarios.session", world=session["world"] or g.world_id, session_id=session["id"])


def _summary(session: dict[str, Any]) -> str:
    if session["state"] == "failed":
        failure = session["failure"]
        return f"failed in {failure['file']}, line {failure['line']}: {failure['title']}."
    if session["state"] == "passed":
        return "every step passed."
    return f"{session['played']} of {session['step_count']} steps played."


def _marked(draft: str, error: ControlRefused) -> dict[str, Any]:
    """What is wrong with a draft: a text, and its lines with a mark at the wrong one."""
    file = {"file": "scenario.yaml", "text": draft}
    text = f"The scenario cannot be played: {_place(error)}{error.message}"
    return {"text": text, "files": [source_lines(file, (), {"file": file["file"], "line": error.details["line"]})]}


def _place(error: ControlRefused) -> str:
    """Where in the text an error is."""
    details = error.details
    return f"line {details['line']}, column {details['column']}: " if "line" in details else ""


def _touched(session: dict[str, Any]) -> list[dict[str, Any]]:
    """What the steps that were played last did in the session's world, the newest first."""
    if not session["played"] or session["world"] != g.world_id:
        return []
    found = current_world().get("changes", after=session["changes_after"], limit=200)["changes"]
    return with_links([change for change in found if change["kind"] != "timer"][-CHANGES_SHOWN:][::-1])


def _orders(session: dict[str, Any]) -> list[dict[str, Any]]:
    """The newest orders of the session's world."""
    if session["world"] != g.world_id:
        return []
    orders = current_world().get("orders", order="newest", limit=ORDERS_SHOWN)["orders"]
    return with_links([{**order, "subject": {"kind": "team_order", "id": order["id"]}} for order in orders])
