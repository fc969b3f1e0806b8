"""For each line: the wall clock before and after a real wait, and how long that was."""

import datetime
import sys
import threading
import time

for _ in sys.stdin:
    begun, before = time.monotonic(), time.time()
    threading.Event().wait(0.05)
    time.sleep(0.05)
    after = datetime.datetime.now(datetime.UTC)
    elapsed = round((time.monotonic() - begun) * 1000)
    print(round(before * 1000), round(after.timestamp() * 1000), elapsed, flush=True)
