# Makes one POST with curl, and prints the status and the body.
curl -sS -m 10 "$1" -H 'Content-Type: application/json' -d "$2" -o body.txt -w '%{http_code} ' && cat body.txt
