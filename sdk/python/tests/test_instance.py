from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import uuid
from typing import Any

import pytest
from conftest import LIMIT, until

from assay_eval import Assay, AssayError, AsyncAssay, evaluate, evaluate_async

TOOLS = [{"id": "tc1", "name": "disk", "result": {"rows": [{"host": "web-1", "pct": 91.4}]}}]
PLAN = {
    "goal": "Export invoices",
    "subgoals": [{"id": "s1", "description": "Read them", "agent": "coder", "depends_on": []}],
    "execution_order": [{"phase": "sequential", "subgoals": ["s1"]}],
}
SCORES = {"completeness": 0.9, "consistency": 0.9, "groundedness": 0.8, "routability": 1}
MISSION: Any = {
    "mission_id": "py-m",
    "description": "Report on web-1",
    "tasks": [{"task_id": "t-1", "output": "web-1 was down."}],
}
OUTPUT = {
    "agent": "coder",
    "summary": "Read 214 invoices.",
    "data": {"rows": 214},
    "confidence": 0.9,
    "tools_used": ["sql"],
    "metadata": {},
}


@pytest.fixture(scope="module")
def words(real: Assay) -> str:
    checks = [{"check": "contains", "value": "Say"}]
    real.call("PUT", "/v1/verifiers/py-words", {"kind": "checks", "checks": checks})
    return "py-words"


def test_turns_and_outcomes_are_stored(real: Assay) -> None:
    rejections: list[Any] = []
    with Assay(on_reject=rejections.append, compression="gzip") as client:
        with client.record(input="How full?", session_id="py-s-1") as turn:
            turn.tool("disk", {}, {"pct": 91.4})
            turn.set(metadata={"long": "word " * 500})
            turn.output = "It is 91.4% full."
        bad = client.send({"output": "x", "cost_usd": -1})
        client.outcome({"turn_id": turn.id, "success": True, "source": "ci"})
        assert client.flush(LIMIT)
        assert [(each["id"], each["code"]) for each in rejections] == [(bad, "invalid")]
        assert (client.stats().accepted, client.stats().rejected) == (2, 1)
    stored = real.call("GET", f"/v1/turns/{turn.id}")
    assert stored["session_id"] == "py-s-1"
    assert stored["tools"][0]["result"] == {"pct": 91.4}
    verdict = until(lambda: list(real.verifications(turn_id=turn.id, kind="integrity")))[0]
    assert verdict["outcome"] == "passed"
    (label,) = real.call("GET", "/v1/labels", query={"subject_id": turn.id})["data"]
    assert (label["success"], label["source"]) == (True, "ci")


def test_a_verdict_its_repetition_its_conflict_and_its_override(real: Assay) -> None:
    id = f"py-{uuid.uuid4()}"
    verdict = real.verify("integrity", {"id": id, "tools": TOOLS, "output": "91.4% and 77 GB"})
    assert verdict["outcome"] == "failed"
    assert verdict["integrity"] is not None and verdict["integrity"]["unsourced"] == 1
    again = real.verify("integrity", {"id": id, "tools": TOOLS, "output": "91.4% and 77 GB"})
    assert again["id"] == verdict["id"]
    with pytest.raises(AssayError) as caught:
        real.verify("integrity", {"id": id, "output": "other"})
    assert caught.value.status == 409
    ruling = real.override(verdict["id"], {"verdict": "fail", "reason": "no source", "grade": 2})
    assert ruling["verdict"] == "unsourced"
    assert len(real.verification(verdict["id"])["overrides"]) == 1
    assert real.label({"verification_id": verdict["id"], "grade": 3})["grade"] == 3


def test_every_kind_returns_a_verification(real: Assay, words: str) -> None:
    verdicts = [
        real.verify(
            "task",
            {
                "task_output": "## Impact\n\nnone\n",
                "success_criteria": [{"check": "required_sections", "value": ["Impact"]}],
            },
        ),
        real.verify("code", {"request": "Explain it", "files": [{"path": "a.py", "content": ""}]}),
        real.verify("consistency", {"outputs": [{"task_id": id, "output": "x"} for id in "ab"]}),
        real.verify("mission", MISSION, wait=False),
        real.verify("decomposition", {"query": "q", "decomposition": PLAN, "scores": SCORES}),
        real.verify("agent-output", {"subgoal": PLAN["subgoals"][0], "output": OUTPUT}),
        real.verify(
            "synthesis",
            {
                "query": "q",
                "answer": "214.",
                "agent_outputs": [{"id": "o", **OUTPUT}],
                "claims": [],
            },
        ),
        real.verify("turn", {"messages": [{"role": "user", "content": "Hi"}], "completion": "x"}),
        real.verify(words, {"subject": {"output": "Say it"}}),
    ]
    assert [each["kind"] for each in verdicts] == [
        "task",
        "code",
        "consistency",
        "mission",
        "decomposition",
        "agent-output",
        "synthesis",
        "turn",
        "checks",
    ]
    assert verdicts[0]["outcome"] == verdicts[-1]["outcome"] == "passed"
    contract = real.contract("Create server.py with a Flask API", model="openai/gpt-4o")
    assert contract["active"] is True


def test_refusals_have_fields_and_a_request_id(real: Assay) -> None:
    with pytest.raises(AssayError) as caught:
        real.verify("task", {"task_output": 7})  # type: ignore[typeddict-item]
    assert (caught.value.code, caught.value.status) == ("invalid_request", 400)
    assert caught.value.details[0]["path"] == "task_output"
    assert caught.value.request_id is not None
    with pytest.raises(AssayError) as caught:
        Assay(key="asy_nobodys").verification("ver_1")
    assert caught.value.status == 401


def test_datasets(real: Assay) -> None:
    real.put_dataset("py-set", name="Python", description="of a test")
    stored = real.add_items("py-set", [{"id": "a", "input": 1}, {"id": "b", "input": [2]}])
    assert (stored["version"], stored["added"]) == (1, 2)
    real.add_items("py-set", [{"id": "c", "input": 3, "split": "dev"}], mode="replace")
    assert [item["id"] for item in real.items("py-set")] == ["c"]
    assert {item["id"] for item in real.items("py-set", version=1)} == {"a", "b"}
    assert "py-set" in [each["slug"] for each in real.datasets()]
    real.delete_dataset("py-set")
    with pytest.raises(AssayError) as caught:
        real.dataset("py-set")
    assert caught.value.code == "not_found"


ITEMS: Any = [{"id": word, "input": f"Say {word}", "reference": word} for word in ("one", "two")]


def test_evaluate_decides_by_its_gate(real: Assay, words: str) -> None:
    seen: list[Any] = []

    def task(item: Any) -> Any:
        seen.append(item.get("reference"))
        return {"output": item["input"], "tools": [], "cost_usd": 0.5, "latency_ms": 12}

    result = evaluate(
        "py-spoken",
        task,
        [words],
        client=real,
        items=ITEMS,
        gate={"min_pass_rate": {words: {"at_least": 0.9}}},
        repetitions=2,
        name="Spoken",
        branch="main",
        commit="abc",
        budget_usd=5,
    )
    result.assert_passed()
    assert seen == [None] * 4
    experiment = result.experiment
    assert (experiment["id"], experiment["url"]) == (result.id, result.url)
    assert (experiment["name"], experiment["branch"]) == ("Spoken", "main")
    assert (experiment["state"], experiment["dataset"]) == ("done", "py-spoken@1")
    assert (experiment["counts"]["answered"], experiment["cost_usd"]["target"]) == (4, 2)
    assert experiment["results"][0]["pass_rate"]["value"] == 1


def test_a_task_that_fails_fails_its_row_and_the_gate(real: Assay, words: str) -> None:
    def task(item: Any) -> Any:
        if item["id"] == "one":
            raise ValueError("no one")
        return object()

    gate: Any = {"min_pass_rate": {words: {"at_least": 0.9}}}
    result = evaluate("py-failed", task, [words], client=real, items=ITEMS, gate=gate)
    assert result.experiment["counts"]["failed"] == 2
    rows = real.pages(f"/v1/experiments/{result.id}/rows")
    assert sorted(row["error"] for row in rows) == ["no one", "object is not JSON"]
    with pytest.raises(AssertionError, match="the gate failed: http"):
        result.assert_passed()


def test_coroutines_and_slow_tasks(real: Assay, words: str) -> None:
    async def task(item: Any) -> str:
        if item["id"] == "two":
            await asyncio.Event().wait()
        return str(item["input"])

    result = evaluate(
        "py-slow", task, [words], client=real, items=ITEMS, task_timeout=0.5
    )
    counts = result.experiment["counts"]
    assert (counts["answered"], counts["failed"], result.gate) == (1, 1, None)

    async def main() -> None:
        loop = asyncio.get_running_loop()

        async def here(item: Any) -> str:
            assert asyncio.get_running_loop() is loop
            return str(item["input"])

        async with AsyncAssay() as client:
            done = await evaluate_async("py-slow", here, [words], client=client)
            assert done.experiment["counts"]["answered"] == 2

    asyncio.run(main())


def test_a_cancelled_evaluation_cancels_its_experiment(real: Assay, words: str) -> None:
    async def main() -> None:
        began = asyncio.Event()
        ended = asyncio.Event()

        async def task(_item: Any) -> None:
            began.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        running = asyncio.ensure_future(
            evaluate_async("py-stopped", task, [words], items=ITEMS, client=AsyncAssay())
        )
        await began.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.wait_for(ended.wait(), LIMIT)

    asyncio.run(main())
    state = {"dataset": "py-stopped", "state": "cancelled"}
    until(lambda: list(real.pages("/v1/experiments", state)))


PROGRAM = """
import asyncio, sys
from assay_eval import evaluate


async def task(item):
    print("began", flush=True)
    await asyncio.Event().wait()


evaluate("py-interrupted", task, [sys.argv[1]], items=[{"id": "a", "input": "x"}])
"""


def test_ctrl_c_cancels_the_experiment(real: Assay, words: str) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "began\n"
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=LIMIT)
    assert said.strip().endswith("KeyboardInterrupt")
    assert "destroyed" not in said and "never awaited" not in said
    state = {"dataset": "py-interrupted", "state": "cancelled"}
    until(lambda: list(real.pages("/v1/experiments", state)))


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("dataset: is required", {"dataset": ""}),
        ("dataset: must have no version", {"dataset": "py-spoken@1"}),
        ("items: 1 rejected; [1]", {"items": [{"input": 1}, {"id": "x"}]}),
        ("task: is required", {"task": None}),
        ("verifiers: is required", {"verifiers": []}),
        ("concurrency: must be a whole number from 1 to 64", {"concurrency": 65}),
        ("task_timeout: must be", {"task_timeout": 0}),
        ("gate.min_rate: is not known", {"gate": {"min_rate": {}}}),
        ("gate.min_pass_rate.other: is not one", {"gate": {"min_pass_rate": {"other": {}}}}),
    ],
)
def test_an_argument_is_refused_with_its_name(
    real: Assay, words: str, message: str, change: dict[str, Any]
) -> None:
    arguments: dict[str, Any] = {
        "dataset": "py-refused",
        "task": str,
        "verifiers": [words],
        "items": ITEMS,
        "client": real,
        **change,
    }
    with pytest.raises(AssayError) as caught:
        evaluate(**arguments)
    assert caught.value.code == "invalid"
    assert message in caught.value.message
