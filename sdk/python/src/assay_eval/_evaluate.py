from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Iterator, Mapping, Optional, Sequence, Union, cast
from urllib.parse import quote

from ._answer_item import Loop, answer_item
from ._async_client import AsyncAssay, in_thread
from ._client import Assay
from ._errors import AssayError
from ._json import to_json
from .wire import ExperimentResult, Gate, GateResult, NewItem

#: A function or coroutine of an item, or a target that the server calls (``type``: ``prompt`` or
#: ``http``).
Task = Union[Callable[[Any], Any], Mapping[str, Any]]

#: Outputs and characters of one request, and the time between two looks at the experiment.
_OUTPUTS_AT_ONCE = 50
_CHARS_AT_ONCE = 2_000_000
_LOOK = 0.5
_GATE_MEMBERS = ("min_pass_rate", "no_regression_against", "max_cost_usd")


@dataclass(frozen=True)
class EvaluationResult:
    id: str
    #: The experiment's page in the console.
    url: str
    experiment: ExperimentResult
    #: None if the evaluation has none.
    gate: GateResult | None

    def assert_passed(self) -> None:
        """Raises AssertionError with the reasons of the gate."""
        state = self.experiment["state"]
        if self.gate is None:
            if state != "done":
                raise AssertionError(f"the experiment is {state}: {self.url}")
            return
        if not self.gate["passed"]:
            reasons = [f"- {each['message']}" for each in self.gate["reasons"]]
            raise AssertionError("\n".join([f"the gate failed: {self.url}", *reasons]))


def evaluate(
    dataset: str,
    task: Task,
    verifiers: Sequence[str],
    *,
    client: Assay | None = None,
    items: Sequence[NewItem] | None = None,
    split: str | None = None,
    gate: Gate | None = None,
    repetitions: int = 1,
    concurrency: int = 4,
    task_timeout: float = 120.0,
    name: str | None = None,
    branch: str | None = None,
    commit: str | None = None,
    baseline: str | None = None,
    budget_usd: float | None = None,
) -> EvaluationResult:
    """Runs a task over a dataset as an experiment, and waits for its verdicts and its gate.

    A task that raises, is too slow or returns nothing that JSON can express gives a failed row.
    Raises AssayError; the experiment is then cancelled, as after Ctrl+C.
    """
    plan = _Plan(
        client=client or Assay(),
        dataset=dataset,
        task=task,
        verifiers=verifiers,
        items=items,
        split=split,
        gate=gate,
        repetitions=repetitions,
        concurrency=concurrency,
        task_timeout=task_timeout,
        about={
            "name": name or dataset,
            "branch": branch,
            "commit": commit,
            "baseline": baseline,
            "budget_usd": budget_usd,
        },
    )
    plan.check()
    if not inspect.iscoroutinefunction(task):
        return plan.run(threading.Event(), None)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="assay-tasks", daemon=True)
    thread.start()
    try:
        return plan.run(threading.Event(), loop)
    finally:
        _end_loop(loop, thread)


def _end_loop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    """Cancels running calls, for example after Ctrl+C."""

    async def cancel_rest() -> None:
        rest = asyncio.all_tasks() - {cast("asyncio.Task[Any]", asyncio.current_task())}
        for each in rest:
            each.cancel()
        if rest:
            await asyncio.wait(rest, timeout=1.0)
        loop.call_soon(loop.stop)

    asyncio.run_coroutine_threadsafe(cancel_rest(), loop)
    thread.join(2.0)
    if not thread.is_alive():
        loop.close()


async def evaluate_async(
    dataset: str,
    task: Task,
    verifiers: Sequence[str],
    *,
    client: AsyncAssay | None = None,
    items: Sequence[NewItem] | None = None,
    split: str | None = None,
    gate: Gate | None = None,
    repetitions: int = 1,
    concurrency: int = 4,
    task_timeout: float = 120.0,
    name: str | None = None,
    branch: str | None = None,
    commit: str | None = None,
    baseline: str | None = None,
    budget_usd: float | None = None,
) -> EvaluationResult:
    """As ``evaluate``; a task that is a coroutine runs in this event loop.

    If the caller is cancelled, so is the experiment.
    """
    plan = _Plan(
        client=(client or AsyncAssay())._sync,
        dataset=dataset,
        task=task,
        verifiers=verifiers,
        items=items,
        split=split,
        gate=gate,
        repetitions=repetitions,
        concurrency=concurrency,
        task_timeout=task_timeout,
        about={
            "name": name or dataset,
            "branch": branch,
            "commit": commit,
            "baseline": baseline,
            "budget_usd": budget_usd,
        },
    )
    plan.check()
    stop = threading.Event()
    loop = asyncio.get_running_loop()
    try:
        return await in_thread(lambda: plan.run(stop, loop))
    except asyncio.CancelledError:
        stop.set()
        raise


@dataclass(frozen=True)
class _Plan:
    client: Assay
    dataset: str
    task: Task
    verifiers: Sequence[str]
    items: Sequence[NewItem] | None
    split: str | None
    gate: Gate | None
    repetitions: int
    concurrency: int
    task_timeout: float
    about: Mapping[str, Any]

    def check(self) -> None:
        """The server checks the rest."""
        _check(
            isinstance(self.dataset, str) and self.dataset != "",
            "dataset: is required; name one, such as refunds or refunds@3",
        )
        _check(
            self.items is None or "@" not in self.dataset,
            "dataset: must have no version if there are items, which become its latest one",
        )
        _check(
            callable(self.task) or (isinstance(self.task, Mapping) and "type" in self.task),
            "task: is required: a function of an item, or a mapping with the type prompt or http",
        )
        _check(
            not isinstance(self.verifiers, str) and len(self.verifiers) > 0,
            "verifiers: is required, a list of names such as ['integrity']",
        )
        for name, value, most in (
            ("repetitions", self.repetitions, 100),
            ("concurrency", self.concurrency, 64),
        ):
            _check(
                isinstance(value, int) and 1 <= value <= most,
                f"{name}: must be a whole number from 1 to {most}",
            )
        _check(self.task_timeout > 0, "task_timeout: must be more than 0 seconds")
        for member in self.gate or {}:
            _check(
                member in _GATE_MEMBERS,
                f"gate.{member}: is not known; the members are {', '.join(_GATE_MEMBERS)}",
            )
        for verifier in (self.gate or {}).get("min_pass_rate", {}):
            _check(
                verifier in self.verifiers,
                f"gate.min_pass_rate.{verifier}: is not one of the verifiers; "
                f"use one of {', '.join(self.verifiers)}",
            )

    def run(self, stop: threading.Event, loop: Loop) -> EvaluationResult:
        dataset = self._prepare_dataset()
        target = {"type": "outputs"} if callable(self.task) else self.task
        request = {
            **self.about,
            "dataset": dataset,
            "split": self.split,
            "repetitions": self.repetitions,
            "concurrency": self.concurrency,
            "verifiers": list(self.verifiers),
            "target": target,
        }
        started = self.client.call(
            "POST",
            "/v1/experiments",
            {name: value for name, value in request.items() if value is not None},
        )
        id = str(started["id"])
        try:
            if callable(self.task):
                _Outputs(self, id, stop, loop).send_all()
            experiment = self._follow(id, stop)
            gate = (
                None
                if self.gate is None
                else self.client.call("POST", f"/v1/experiments/{id}/gate", dict(self.gate))
            )
            return EvaluationResult(
                id, str(started["url"]), experiment, cast(Optional[GateResult], gate)
            )
        except BaseException:
            stop.set()
            try:
                self.client.call("POST", f"/v1/experiments/{id}/cancel", timeout=5.0)
            except AssayError:
                pass
            raise

    def _prepare_dataset(self) -> str:
        """The dataset with its version, if items were stored."""
        if self.items is None:
            return self.dataset
        try:
            self.client.dataset(self.dataset)
        except AssayError as error:
            if error.status != 404:
                raise
            self.client.put_dataset(self.dataset)
        stored = self.client.add_items(self.dataset, self.items, mode="replace")
        _refuse_rejected(stored, "items")
        return f"{self.dataset}@{stored['version']}"

    def _follow(self, id: str, stop: threading.Event) -> ExperimentResult:
        while True:
            experiment = self.client.call("GET", f"/v1/experiments/{id}")
            if experiment["state"] not in ("running", "open"):
                return cast(ExperimentResult, experiment)
            if stop.wait(_LOOK):
                raise AssayError("aborted", "the evaluation was stopped")


class _Outputs:
    """Calls the task for each item and repetition, and sends the outputs as they arrive."""

    def __init__(self, plan: _Plan, id: str, stop: threading.Event, loop: Loop) -> None:
        self._plan = plan
        self._id = id
        self._stop = stop
        self._loop = loop
        self._rows: Deque[tuple[dict[str, Any], int]] = deque()
        self._ready: list[str] = []
        self._lock = threading.Lock()
        self._failure: BaseException | None = None

    def send_all(self) -> None:
        items = list(self._items())
        for repetition in range(1, self._plan.repetitions + 1):
            self._rows.extend((item, repetition) for item in items)
        # The context of each worker is that of the caller.
        workers = [
            threading.Thread(
                target=contextvars.copy_context().run, args=(self._work,), daemon=True
            )
            for _ in range(min(self._plan.concurrency, len(self._rows)))
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            while worker.is_alive():
                # Without a timeout, Ctrl+C would wait for the task.
                worker.join(0.1)
                if self._stop.is_set():
                    raise self._failure or AssayError("aborted", "the evaluation was stopped")
        if self._failure is not None:
            raise self._failure
        self._send(self._take(is_last=True))
        self._plan.client.call("POST", f"/v1/experiments/{self._id}/finish", {})

    def _items(self) -> Iterator[dict[str, Any]]:
        head = self._plan.client.call("GET", f"/v1/experiments/{self._id}")
        slug, _, version = str(head["dataset"]).partition("@")
        path = f"/v1/datasets/{quote(slug, safe='')}/versions/{version}/items"
        for item in self._plan.client.pages(path, {"split": self._plan.split}):
            # Held-out items are used only when they are named.
            if self._plan.split is not None or item.get("split") != "held_out":
                yield item

    def _work(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    item, repetition = self._rows.popleft()
                except IndexError:
                    return
                answer = answer_item(
                    cast(Callable[[Any], Any], self._plan.task),
                    item,
                    self._plan.task_timeout,
                    self._loop,
                    self._stop,
                )
                text = to_json({"item_id": item["id"], "repetition": repetition, **answer})
                with self._lock:
                    self._ready.append(text)
                self._send(self._take(is_last=False))
        except BaseException as error:
            self._failure = error
            self._stop.set()

    def _take(self, *, is_last: bool) -> list[str]:
        with self._lock:
            if (
                not is_last
                and len(self._ready) < _OUTPUTS_AT_ONCE
                and sum(map(len, self._ready)) < _CHARS_AT_ONCE
            ):
                return []
            taken, self._ready = self._ready, []
            return taken

    def _send(self, outputs: list[str]) -> None:
        if not outputs:
            return
        body = f'{{"outputs":[{",".join(outputs)}]}}'
        stored = self._plan.client.call("POST", f"/v1/experiments/{self._id}/outputs", body)
        _refuse_rejected(stored, "outputs of the task")


def _refuse_rejected(stored: Mapping[str, Any], label: str) -> None:
    rejected = stored.get("rejected")
    if isinstance(rejected, list) and rejected:
        first = rejected[0]
        raise AssayError(
            "invalid",
            f"{label}: {len(rejected)} rejected; [{first.get('index')}]: {first.get('message')}",
        )


def _check(is_valid: bool, message: str) -> None:
    if not is_valid:
        raise AssayError("invalid", message)
