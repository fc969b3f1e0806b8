"""A right webhook receiver in FastAPI: `python receiver.py PORT SECRET`. `GET /counted` shows what it counted."""

import json
import sys

import uvicorn
from fastapi import FastAPI, Request, Response

from giftsim import verify

app = FastAPI()
counted: dict[str, str] = {}


@app.post("/gifts")
async def gifts(request: Request) -> Response:
    """Verify the raw body, then count the event once."""
    body = await request.body()
    try:
        verify.webhook(body, request.headers.get(verify.HEADER), sys.argv[2])
    except verify.InvalidSignature:
        return Response(status_code=400)
    event = json.loads(body)
    counted.setdefault(event["id"], event["type"])
    return Response(status_code=204)


@app.get("/counted")
async def show() -> dict[str, str]:
    """The type of each event by its id."""
    return counted


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
