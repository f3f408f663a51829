from __future__ import annotations

import ast
import importlib.metadata
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import assay_eval
from assay_eval import AssayError, otel

SOURCES = Path(__file__).parents[1]


@pytest.mark.parametrize("file", sorted(SOURCES.rglob("*.py")), ids=lambda file: file.name)
def test_the_syntax_is_that_of_python_3_9(file: Path) -> None:
    ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))


def test_the_package_imports_only_the_standard_library() -> None:
    allowed = {*sys.stdlib_module_names, "assay_eval", "pytest"}
    for file in (SOURCES / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [str(node.module)]
            assert {name.split(".")[0] for name in names} <= allowed, file


def test_the_installed_package_is_the_built_one() -> None:
    """python.int.test.ts unpacks the wheel."""
    built = importlib.metadata.distribution("assay-eval")
    assert built.version == assay_eval.__version__
    assert (built.requires or []) == []
    files = {str(file) for file in built.files or []}
    assert "assay_eval/py.typed" in files
    assert any(file.endswith("LICENSE") for file in files)
    (entry,) = (each for each in built.entry_points if each.group == "pytest11")
    assert entry.load().assert_verdict is not None


TELEMETRY = ("exporter.otlp.proto.http.trace_exporter", "sdk.trace.export", "sdk.trace", "trace")


class Recorded(types.ModuleType):
    """Replaces a package of OpenTelemetry that Debian does not have: it records its calls."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.calls: list[Any] = []

    def OTLPSpanExporter(self, **options: Any) -> Any:
        self.calls.append(options)
        return "exporter"

    def BatchSpanProcessor(self, exporter: Any) -> Any:
        return ("processor", exporter)

    def TracerProvider(self) -> Any:
        self.calls.append("provider")
        return types.SimpleNamespace(add_span_processor=self.calls.append)

    def set_tracer_provider(self, provider: Any) -> None:
        self.calls.append(provider)


def test_spans_are_exported_to_assay(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {f"opentelemetry.{name}": Recorded(name) for name in TELEMETRY}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    provider = otel.configure("http://assay:4318/", "asy_k")
    assert modules["opentelemetry.exporter.otlp.proto.http.trace_exporter"].calls == [
        {
            "endpoint": "http://assay:4318/v1/traces",
            "headers": {"authorization": "Bearer asy_k"},
        }
    ]
    assert modules["opentelemetry.trace"].calls == [provider]
    own = types.SimpleNamespace(added=[])
    own.add_span_processor = own.added.append
    assert otel.configure("http://assay:4318", "k", provider=own) is own
    assert own.added == [("processor", "exporter")]


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(ImportError, match="install opentelemetry-sdk and"):
        otel.configure("http://assay:4318", "k")
    monkeypatch.delenv("ASSAY_API_KEY", raising=False)
    with pytest.raises(AssayError, match="there is no API key"):
        otel.configure("http://assay:4318")


def test_attributes_of_spans() -> None:
    class Span:
        attributes: dict[str, str] = {}

        def set_attributes(self, attributes: dict[str, str]) -> None:
            self.attributes = attributes

    span = Span()
    otel.record_tool_result(span, "disk", id="c1", arguments={"host": "web-1"}, result="full")
    assert span.attributes == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "disk",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": '{"host": "web-1"}',
        "gen_ai.tool.call.result": "full",
    }
    otel.record_documents(span, [{"id": "d1", "content": "x"}, {"content": "y"}])
    assert span.attributes == {
        "openinference.span.kind": "RETRIEVER",
        "retrieval.documents.0.document.id": "d1",
        "retrieval.documents.0.document.content": "x",
        "retrieval.documents.1.document.content": "y",
    }
    assert otel.session_attributes("s-1", task_id="t-1") == {
        "assay.session.id": "s-1",
        "gen_ai.conversation.id": "s-1",
        "assay.task.id": "t-1",
    }
