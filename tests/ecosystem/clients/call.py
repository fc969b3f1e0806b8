"""Makes one POST with Python's requests, and prints the status and the body."""

import sys

import requests

response = requests.post(sys.argv[1], data=sys.argv[2], headers={"Content-Type": "application/json"}, timeout=60)
print(response.status_code, response.text)
