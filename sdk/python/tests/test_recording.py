from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from typing import Any, AsyncIterator, Iterator

import pytest
from conftest import LIMIT, Fake

from assay_eval import Assay, AsyncAssay, add_tool, current_turn


def sent(fake: Fake, client: Assay) -> list[dict[str, Any]]:
    assert client.flush(LIMIT)
    return fake.turns()


def test_a_block_becomes_a_turn_with_its_tools(fake: Fake, client: Assay) -> None:
    with client.record(input="How full?", session_id="s-1", tags=["a"]) as turn:
        turn.tool("disk", {"host": "web-1"}, {"disk_pct": 91.4})
        turn.context("a document", id="doc-1")
        turn.set(model="openai/gpt-4o", cost_usd=0.004)
        turn.output = "91.4%"
    (stored,) = sent(fake, client)
    assert stored.pop("started_at") <= stored.pop("ended_at")
    assert stored == {
        "id": turn.id,
        "input": "How full?",
        "session_id": "s-1",
        "tags": ["a"],
        "model": "openai/gpt-4o",
        "cost_usd": 0.004,
        "output": "91.4%",
        "tools": [
            {
                "id": "call-1",
                "name": "disk",
                "arguments": {"host": "web-1"},
                "result": {"disk_pct": 91.4},
            }
        ],
        "context": [{"id": "doc-1", "content": "a document"}],
    }


def test_a_function_becomes_a_turn_and_its_tools_are_sources(fake: Fake, client: Assay) -> None:
    @client.tool
    def disk(host: str) -> dict[str, float]:
        return {"disk_pct": 91.4}

    @client.tool(name="search")
    def look(term: str) -> str:
        raise LookupError("nothing")

    @client.turn(model="openai/gpt-4o", tags=["prod"])
    def answer(question: str) -> str:
        with contextlib.suppress(LookupError):
            look("web-1")
        add_tool("clock", result="12:00")
        return f"{disk('web-1')['disk_pct']}%"

    assert answer("How full?") == "91.4%"
    # Outside of a turn a tool is an ordinary function.
    assert disk("web-2") == {"disk_pct": 91.4}
    add_tool("clock", result="12:00")
    (turn,) = sent(fake, client)
    assert (turn["input"], turn["output"]) == ("How full?", "91.4%")
    assert (turn["model"], turn["tags"]) == ("openai/gpt-4o", ["prod"])
    assert [(each["name"], each["arguments"], each["result"]) for each in turn["tools"]] == [
        ("search", {"term": "web-1"}, {"error": "LookupError: nothing"}),
        ("clock", None, "12:00"),
        ("disk", {"host": "web-1"}, {"disk_pct": 91.4}),
    ]
    assert answer.__name__ == "answer"


def test_input_and_output_of_any_shape(fake: Fake, client: Assay) -> None:
    @dataclasses.dataclass
    class Reply:
        text: str
        connection: object

    class Bot:
        @client.turn(read_output=lambda reply: reply.text)
        def ask(self, question: str, limit: int = 3) -> Reply:
            return Reply("yes", object())

        @client.turn
        def chat(self, messages: list[dict[str, str]]) -> Any:
            return {"answer": 1, "at": {2}}

        @client.turn(read_input=lambda _self, question: question.upper())
        def shout(self, question: str) -> Reply:
            return Reply("yes", object())

    bot = Bot()
    bot.ask("Why?", limit=5)
    bot.chat([{"role": "user", "content": "hi"}])
    bot.shout("why")
    first, second, third = sent(fake, client)
    assert (first["input"], first["output"]) == ('{"question": "Why?", "limit": 5}', "yes")
    assert second["input"] == [{"role": "user", "content": "hi"}]
    assert second["output"] == '{"answer": 1, "at": [2]}'
    assert third["input"] == "WHY"
    assert '"connection": "<object object' in third["output"]


def test_exceptions_pass_on_and_leave_no_turn_without_an_answer(
    fake: Fake, client: Assay
) -> None:
    @client.turn
    def fails(_question: str) -> str:
        raise ValueError("of the app")

    with pytest.raises(ValueError, match="of the app"):
        fails("x")
    assert current_turn() is None
    with pytest.raises(ValueError), client.record() as turn:
        turn.output = "half"
        raise ValueError("later")
    (stored,) = sent(fake, client)
    assert stored["output"] == "half"
    assert stored["metadata"] == {"error": "ValueError: later"}


def test_recording_never_raises(fake: Fake, client: Assay) -> None:
    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError("no repr")

    def broken(*_values: Any) -> Any:
        raise RuntimeError("a reader of the app")

    @client.turn(read_input=broken, read_output=broken, tools=7, metadata=3)
    def answer(_value: Any) -> str:
        turn = current_turn()
        assert turn is not None
        turn.tool("t", Hostile(), float("nan"))
        turn.output = "set"
        return "x"

    assert answer(Hostile()) == "x"
    (stored,) = sent(fake, client)
    assert stored["output"] == "set"
    assert stored["tools"][0]["arguments"] == "<Hostile>"


def test_nested_turns_share_session_and_trace(fake: Fake, client: Assay) -> None:
    @client.turn
    def inner(question: str) -> str:
        add_tool("inner-tool", result=1)
        return "inner answer"

    @client.turn(session_id="s-1")
    def outer(question: str) -> str:
        inner("a")
        add_tool("outer-tool", result=2)
        return "outer answer"

    outer("b")
    first, second = sent(fake, client)
    assert (first["output"], second["output"]) == ("inner answer", "outer answer")
    assert first["session_id"] == second["session_id"] == "s-1"
    assert first["trace_id"] == second["trace_id"]
    assert [each["name"] for each in first["tools"]] == ["inner-tool"]
    assert [each["name"] for each in second["tools"]] == ["outer-tool"]


def test_concurrent_coroutines_keep_their_own_tools(fake: Fake, client: Assay) -> None:
    @client.tool
    async def disk(host: str) -> str:
        await asyncio.sleep(0)
        return f"{host} is full"

    @client.turn
    async def answer(host: str) -> str:
        return await disk(host)

    async def main() -> None:
        await asyncio.gather(*(answer(f"web-{n}") for n in range(10)))

    asyncio.run(main())
    turns = sent(fake, client)
    assert len(turns) == 10
    for turn in turns:
        assert [each["result"] for each in turn["tools"]] == [turn["output"]]
        assert turn["output"] == f"{turn['input']} is full"


def test_a_generator_is_recorded_when_it_ends_or_is_closed(fake: Fake, client: Assay) -> None:
    @client.turn
    def stream(question: str) -> Iterator[str]:
        add_tool("disk", result=91.4)
        yield "91.4"
        yield "%"
        yield " and more"

    assert "".join(stream("all")) == "91.4% and more"
    part = stream("part")
    assert next(part) + next(part) == "91.4%"
    # While the consumer works, the turn is not its own.
    assert current_turn() is None
    part.close()
    stream("never started")
    turns = sent(fake, client)
    assert [(turn["input"], turn["output"]) for turn in turns] == [
        ("all", "91.4% and more"),
        ("part", "91.4%"),
    ]
    assert all(turn["tools"][0]["name"] == "disk" for turn in turns)


def test_a_generator_keeps_its_protocol(fake: Fake, client: Assay) -> None:
    @client.turn
    def echo() -> Any:
        got = yield "first"
        try:
            yield got
        except KeyError:
            yield "caught"
        return "returned"

    running = echo()
    assert next(running) == "first"
    assert running.send("sent") == "sent"
    assert running.throw(KeyError()) == "caught"
    with pytest.raises(StopIteration) as end:
        next(running)
    assert end.value.value == "returned"
    (turn,) = sent(fake, client)
    assert turn["output"] == "firstsentcaught"


def test_an_async_generator_is_recorded(fake: Fake, client: Assay) -> None:
    @client.turn
    async def stream(question: str) -> AsyncIterator[str]:
        add_tool("disk", result=91.4)
        yield "91.4"
        await asyncio.sleep(0)
        yield "%"

    async def main() -> None:
        assert [part async for part in stream("all")] == ["91.4", "%"]
        part = stream("part")
        assert await part.__anext__() == "91.4"
        assert current_turn() is None
        await part.aclose()  # type: ignore[attr-defined]

    asyncio.run(main())
    turns = sent(fake, client)
    assert [(turn["input"], turn["output"]) for turn in turns] == [
        ("all", "91.4%"),
        ("part", "91.4"),
    ]


def test_the_async_client_records_in_the_same_way(fake: Fake) -> None:
    async def main() -> None:
        async with AsyncAssay(fake.url, "k") as client:

            @client.turn
            async def answer(question: str) -> str:
                return "yes"

            await answer("Why?")
            async with client.record() as turn:
                turn.output = "block"
            assert await client.flush(LIMIT)
            assert client.stats().accepted == 2

    asyncio.run(main())
    assert [turn["output"] for turn in fake.turns()] == ["yes", "block"]
