# One finished turn, as a shell script sends it.
curl --silent --show-error --fail-with-body "$ASSAY_URL/v1/turns" \
  --header "authorization: Bearer $ASSAY_KEY" \
  --header 'content-type: application/json' \
  --data-binary @- <<JSON
{
  "turns": [
    {
      "id": "t-1",
      "session_id": "$SESSION",
      "model": "openai/gpt-4o-mini",
      "input": [{ "role": "user", "content": "How full is web-1?" }],
      "tools": [
        {
          "id": "call_1",
          "name": "disk",
          "arguments": { "host": "web-1" },
          "result": { "rows": [{ "host": "web-1", "disk_pct": 91.4 }] }
        }
      ],
      "output": "web-1 is 91.4% full, and 21 GiB are free.",
      "tokens": { "input": 60, "output": 20 }
    }
  ]
}
JSON
