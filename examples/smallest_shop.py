"""The smallest app that an exam can ask: it takes orders and does little else. `python3 smallest_shop.py 9100`."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from flask import Flask, request

from giftsim import verify

app, shop = Flask("shop"), {}
STAGES = {
    "team_order.claimed": "claimed",
    "team_order.shipped": "shipped",
    "team_order.delivered": "delivered",
}
MEMBERS = ("reference", "gift_sender", "items", "recipients")


@app.post("/giftsim/start")
def start():  # forget everything, and use this service
    shop.update(request.get_json(), orders={}, seen=set())
    return {"actions": ["order"]}


@app.post("/giftsim/do")
def do():  # act, with your own code
    asked = request.get_json()
    if asked.pop("action") != "order":
        return {}, 501
    order = {name: asked[name] for name in MEMBERS}
    call = Request(
        f"{shop['simulator']}/api/external/team-orders",
        json.dumps({"idempotency_key": order["reference"], **order}).encode(),
        {"Authorization": f"Bearer {shop['key']}", "Content-Type": "application/json"},
    )
    try:
        with urlopen(call, timeout=5) as answer:
            state, charged = "placed", json.load(answer)["totals"]["charged_cents"]
    except HTTPError:
        state, charged = "refused", 0
    shop["orders"][order["reference"]] = {
        "state": state,
        "charged_cents": charged,
        "recipients": {
            each["email"]: {"stage": "ordered", "booked": {}}
            for each in order["recipients"]
        },
    }
    return {"state": state}


@app.post("/giftsim/webhooks")
def webhooks():  # your webhook receiver
    signature = request.headers.get(verify.HEADER)
    try:
        verify.webhook(request.get_data(), signature, shop["secret"])
    except verify.InvalidSignature as refused:
        return refused.reason, 400
    event = request.get_json()
    if event["type"] in STAGES and event["id"] not in shop["seen"]:
        shop["seen"].add(event["id"])
        book(event["type"], event["data"])
    return "", 204


def book(kind, data):
    order = shop["orders"].get(data["team_order"]["reference"])
    if order is not None:
        recipient = order["recipients"][data["recipient"]["email"]]
        recipient["stage"] = STAGES[kind]
        recipient["booked"][kind] = recipient["booked"].get(kind, 0) + 1


@app.get("/giftsim/check")
def check():  # say what you believe
    return {"ok": True, "orders": shop["orders"]}


app.run(port=int(sys.argv[1]))
