# One finished turn, sent with urllib.
import json
import os
import urllib.request

turn = {
    "id": "t-1",
    "session_id": os.environ["SESSION"],
    "model": "openai/gpt-4o-mini",
    "input": [{"role": "user", "content": "How full is web-1?"}],
    "tools": [
        {
            "id": "call_1",
            "name": "disk",
            "arguments": {"host": "web-1"},
            "result": {"rows": [{"host": "web-1", "disk_pct": 91.4}]},
        }
    ],
    "output": "web-1 is 91.4% full, and 21 GiB are free.",
    "tokens": {"input": 60, "output": 20},
}
request = urllib.request.Request(
    os.environ["ASSAY_URL"] + "/v1/turns",
    data=json.dumps({"turns": [turn]}).encode(),
    headers={
        "authorization": "Bearer " + os.environ["ASSAY_KEY"],
        "content-type": "application/json",
    },
)
with urllib.request.urlopen(request) as reply:
    print(reply.read().decode())
