"""Follows a stream for clients/python/test/chaos.test.ts, and writes a line per item: its position, id and revision."""

from __future__ import annotations

import json
import sys
import time

from tapewire import Item, State, Tapewire

filters, pause_s = json.loads(sys.argv[1]), float(sys.argv[2])
for event in Tapewire().stream(filters, states=True, silence_s=4):
    if isinstance(event, Item):
        print(event.seq, event.item["id"], event.item["revision"], flush=True)
        time.sleep(pause_s)
    else:
        print(event.state if isinstance(event, State) else event, flush=True)
