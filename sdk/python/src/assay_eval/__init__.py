"""The Python client of Assay: records turns, requests verdicts, evaluates functions."""

from ._async_client import AsyncAssay
from ._client import Assay
from ._errors import AssayError
from ._evaluate import EvaluationResult, evaluate, evaluate_async
from ._record import Record, add_tool, current_turn
from ._queue import Stats

__version__ = "0.1.0"

__all__ = [
    "Assay",
    "AssayError",
    "AsyncAssay",
    "EvaluationResult",
    "Record",
    "Stats",
    "add_tool",
    "current_turn",
    "evaluate",
    "evaluate_async",
]
