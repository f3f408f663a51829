"""For apps that use OpenTelemetry: an exporter to Assay, and the attributes that it reads.

The names are those of docs/reference/opentelemetry.md.
"""

from __future__ import annotations

import importlib
from typing import Any, Mapping, Protocol, Sequence

from ._errors import AssayError
from ._record import text_of
from ._settings import read_settings


class SpanLike(Protocol):
    """The part of a span that is used here; every OpenTelemetry span has it."""

    def set_attributes(self, attributes: Any) -> Any: ...


def create_exporter(url: str | None = None, key: str | None = None, **options: Any) -> Any:
    """An OTLP/HTTP span exporter to Assay; ``options`` are those of ``OTLPSpanExporter``."""
    settings = read_settings(url, key)
    if settings.misconfigured is not None:
        raise AssayError("misconfigured", settings.misconfigured)
    module = _imported("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    headers = {"authorization": f"Bearer {settings.key}", **(options.pop("headers", None) or {})}
    return module.OTLPSpanExporter(
        endpoint=f"{settings.url}/v1/traces", headers=headers, **options
    )


def configure(url: str | None = None, key: str | None = None, *, provider: Any = None) -> Any:
    """Sends the spans of a tracer provider to Assay.

    Without ``provider``, it makes one and sets it as the global provider. Returns the provider.
    """
    exporter = create_exporter(url, key)
    processor = _imported("opentelemetry.sdk.trace.export").BatchSpanProcessor(exporter)
    if provider is None:
        provider = _imported("opentelemetry.sdk.trace").TracerProvider()
        _imported("opentelemetry.trace").set_tracer_provider(provider)
    provider.add_span_processor(processor)
    return provider


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(
            f"{name} is not installed: install opentelemetry-sdk and "
            "opentelemetry-exporter-otlp-proto-http"
        ) from error


def session_attributes(
    session_id: str,
    *,
    mission_id: str | None = None,
    task_id: str | None = None,
    subject_kind: str | None = None,
) -> dict[str, str]:
    """Attributes of a session, for a span or as resource attributes of a whole process."""
    named = {
        "assay.session.id": session_id,
        "gen_ai.conversation.id": session_id,
        "assay.mission.id": mission_id,
        "assay.task.id": task_id,
        "assay.subject.kind": subject_kind,
    }
    return {name: value for name, value in named.items() if value is not None}


def record_tool_result(
    span: SpanLike, name: str, *, id: str | None = None, arguments: Any = None, result: Any
) -> None:
    """For the span of a tool: its result becomes a source of the next answer in the trace."""
    attributes = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.result": text_of(result),
    }
    if id is not None:
        attributes["gen_ai.tool.call.id"] = id
    if arguments is not None:
        attributes["gen_ai.tool.call.arguments"] = text_of(arguments)
    span.set_attributes(attributes)


def record_documents(span: SpanLike, documents: Sequence[Mapping[str, str]]) -> None:
    """For the span of a retrieval: each document becomes a context block of the next answer."""
    attributes = {"openinference.span.kind": "RETRIEVER"}
    for at, document in enumerate(documents):
        if "id" in document:
            attributes[f"retrieval.documents.{at}.document.id"] = document["id"]
        attributes[f"retrieval.documents.{at}.document.content"] = document["content"]
    span.set_attributes(attributes)
