from __future__ import annotations

import contextvars
import datetime
import functools
import inspect
import uuid
from typing import Any, Callable, Mapping, Sequence, TypeVar

from ._json import to_json, to_plain
from ._settings import logger

F = TypeVar("F", bound=Callable[..., Any])
Send = Callable[[Mapping[str, Any]], str]

_current: contextvars.ContextVar[Record | None] = contextvars.ContextVar(
    "assay_turn", default=None
)


def current_turn() -> Record | None:
    """The innermost turn that is recorded here; None outside of one."""
    return _current.get()


def add_tool(name: str, arguments: Any = None, result: Any = None, id: str | None = None) -> None:
    """Adds a tool call to the current turn; does nothing outside of one."""
    record = _current.get()
    if record is not None:
        record.tool(name, arguments, result, id=id)


class Record:
    """A turn while it is recorded. It is sent when its block ends; no method raises."""

    def __init__(self, send: Send, members: Mapping[str, Any]) -> None:
        self._send = send
        self._members: dict[str, Any] = dict(members)
        self._tools = _listed(self._members.pop("tools", None))
        self._context = _listed(self._members.pop("context", None))
        self._tokens: list[contextvars.Token[Record | None]] = []
        self._started = _now()
        self._is_sent = False
        self.id: str = str(self._members.pop("id", None) or f"t-{uuid.uuid4()}")
        self._join(_current.get())

    def _join(self, outer: Record | None) -> None:
        """A nested turn is in the session and the trace of the outer one."""
        if outer is None:
            return
        session = outer._members.get("session_id")
        if session is not None:
            self._members.setdefault("session_id", session)
        trace = outer._members.setdefault("trace_id", uuid.uuid4().hex)
        self._members.setdefault("trace_id", trace)

    def tool(
        self, name: str, arguments: Any = None, result: Any = None, *, id: str | None = None
    ) -> None:
        """A tool call with its result: a source for the answer."""
        call = {"id": id or f"call-{len(self._tools) + 1}", "name": name}
        call["arguments"] = to_plain(arguments)
        call["result"] = to_plain(result)
        self._tools.append(call)

    def context(self, content: Any, *, id: str | None = None) -> None:
        """A document that the model received: also a source."""
        block = {"id": id or f"ctx-{len(self._context) + 1}", "content": to_plain(content)}
        self._context.append(block)

    def set(self, **members: Any) -> None:
        """Sets members of the turn: ``model``, ``cost_usd``, ``tokens``, ``reference`` …"""
        self._members.update(members)

    @property
    def output(self) -> Any:
        return self._members.get("output")

    @output.setter
    def output(self, value: Any) -> None:
        self._members["output"] = value

    def _enter(self) -> None:
        self._tokens.append(_current.set(self))

    def _leave(self) -> None:
        try:
            _current.reset(self._tokens.pop())
        except (ValueError, IndexError):
            # The block ends in another context than it began, as in some test fixtures.
            _current.set(None)

    def __enter__(self) -> Record:
        self._enter()
        return self

    def __exit__(self, _kind: Any, error: BaseException | None, _trace: Any) -> None:
        self._leave()
        self.finish(error)

    async def __aenter__(self) -> Record:
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self.__exit__(kind, error, trace)

    def finish(self, error: BaseException | None = None) -> None:
        """Sends the turn once. Without an answer, for example after an exception, there is none."""
        if self._is_sent:
            return
        self._is_sent = True
        try:
            members = self._members
            output = members.get("output")
            if output is None and members.get("envelope") is None:
                return
            if error is not None:
                metadata = dict(members.get("metadata") or {})
                metadata["error"] = f"{type(error).__name__}: {error}"
                members["metadata"] = metadata
            if output is not None and not isinstance(output, str):
                members["output"] = text_of(output)
            members.setdefault("started_at", self._started)
            members.setdefault("ended_at", _now())
            if self._tools:
                members["tools"] = self._tools
            if self._context:
                members["context"] = self._context
            self._send({"id": self.id, **members})
        except Exception:
            logger.debug("a turn could not be recorded", exc_info=True)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else to_json(to_plain(value))


class Recording:
    """How a decorated function becomes a turn."""

    def __init__(
        self,
        send: Send,
        members: Mapping[str, Any],
        read_input: Callable[..., Any] | None,
        read_output: Callable[[Any], Any] | None,
    ) -> None:
        self.send = send
        self.members = members
        self.read_input = read_input
        self.read_output = read_output

    def start(self, function: Callable[..., Any], args: Any, more: Any) -> Record:
        record = Record(self.send, self.members)
        if "input" not in self.members:
            record.set(input=self._input_of(function, args, more))
        return record

    def _input_of(self, function: Callable[..., Any], args: Any, more: Any) -> Any:
        try:
            if self.read_input is not None:
                return self.read_input(*args, **more)
            values = arguments_of(function, args, more)
            if len(values) == 1:
                (value,) = values.values()
                return value if _is_messages(value) else text_of(value)
            return to_json(to_plain(values))
        except Exception:
            logger.debug("the input of a turn could not be read", exc_info=True)
            return None

    def end(self, record: Record, result: Any) -> None:
        """The result is the answer, unless the function set one."""
        try:
            value = result if self.read_output is None else self.read_output(result)
            if record.output is None and value is not None:
                record.output = value
        except Exception:
            logger.debug("the output of a turn could not be read", exc_info=True)


def _is_messages(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, Mapping) and "role" in each for each in value
    )


def arguments_of(function: Callable[..., Any], args: Sequence[Any], more: Any) -> dict[str, Any]:
    """By name, without ``self`` and ``cls``."""
    bound = inspect.signature(function).bind(*args, **more)
    return {
        name: value for name, value in bound.arguments.items() if name not in ("self", "cls")
    }


def record_function(function: F, recording: Recording) -> F:
    wrapped: Any
    if inspect.isasyncgenfunction(function):
        wrapped = _async_generator(function, recording)
    elif inspect.isgeneratorfunction(function):
        wrapped = _generator(function, recording)
    elif inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapped(*args: Any, **more: Any) -> Any:
            with recording.start(function, args, more) as record:
                result = await function(*args, **more)
                recording.end(record, result)
                return result

    else:

        @functools.wraps(function)
        def wrapped(*args: Any, **more: Any) -> Any:
            with recording.start(function, args, more) as record:
                result = function(*args, **more)
                recording.end(record, result)
                return result

    return wrapped  # type: ignore[no-any-return]


def _streamed(items: list[Any]) -> Any:
    return "".join(items) if all(isinstance(each, str) for each in items) else items


def _generator(function: Callable[..., Any], recording: Recording) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapped(*args: Any, **more: Any) -> Any:
        record = recording.start(function, args, more)
        inner = function(*args, **more)
        items: list[Any] = []
        failure: BaseException | None = None
        step, value = inner.send, None
        try:
            while True:
                # Only while the function runs: the consumer's own turns are not nested in it.
                record._enter()
                try:
                    item = step(value)
                except StopIteration as end:
                    return end.value
                finally:
                    record._leave()
                items.append(item)
                step, value = inner.send, None
                try:
                    value = yield item
                except GeneratorExit:
                    inner.close()
                    raise
                except BaseException as error:
                    step, value = inner.throw, error
        except GeneratorExit:
            raise
        except BaseException as error:
            failure = error
            raise
        finally:
            if items:
                recording.end(record, _streamed(items))
            record.finish(failure)

    return wrapped


def _async_generator(function: Callable[..., Any], recording: Recording) -> Callable[..., Any]:
    @functools.wraps(function)
    async def wrapped(*args: Any, **more: Any) -> Any:
        record = recording.start(function, args, more)
        inner = function(*args, **more)
        items: list[Any] = []
        failure: BaseException | None = None
        step, value = inner.asend, None
        try:
            while True:
                record._enter()
                try:
                    item = await step(value)
                except StopAsyncIteration:
                    return
                finally:
                    record._leave()
                items.append(item)
                step, value = inner.asend, None
                try:
                    value = yield item
                except GeneratorExit:
                    await inner.aclose()
                    raise
                except BaseException as error:
                    step, value = inner.athrow, error
        except GeneratorExit:
            raise
        except BaseException as error:
            failure = error
            raise
        finally:
            if items:
                recording.end(record, _streamed(items))
            record.finish(failure)

    return wrapped


def record_tool(function: F, name: str | None) -> F:
    """Each call becomes a tool call of the current turn, with its result or its exception."""
    label = str(name or getattr(function, "__name__", "tool"))

    def note(args: Any, more: Any, result: Any) -> None:
        try:
            record = _current.get()
            if record is not None:
                record.tool(label, arguments_of(function, args, more), result)
        except Exception:
            logger.debug("a tool call could not be recorded", exc_info=True)

    def note_error(args: Any, more: Any, error: Exception) -> None:
        note(args, more, {"error": f"{type(error).__name__}: {error}"})

    wrapped: Any
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def wrapped(*args: Any, **more: Any) -> Any:
            try:
                result = await function(*args, **more)
            except Exception as error:
                note_error(args, more, error)
                raise
            note(args, more, result)
            return result

    else:

        @functools.wraps(function)
        def wrapped(*args: Any, **more: Any) -> Any:
            try:
                result = function(*args, **more)
            except Exception as error:
                note_error(args, more, error)
                raise
            note(args, more, result)
            return result

    return wrapped  # type: ignore[no-any-return]
