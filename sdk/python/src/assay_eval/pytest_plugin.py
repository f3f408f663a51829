"""The pytest plugin: the fixtures ``assay``, ``assert_verdict`` and ``assay_evaluate``."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Sequence, cast

import pytest

from ._client import Assay
from ._evaluate import EvaluationResult, Task, evaluate
from .wire import Verification

_TURNS = "_assay_turns"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("assay").addoption(
        "--assay-outcomes",
        action="store_true",
        help="report the result of each test as the outcome of the turns that it recorded",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "assay_outcomes: report the test's result as the outcome of the turns that it recorded",
    )


@pytest.fixture(scope="session")
def assay_client() -> Iterator[Assay]:
    """One client for all tests, with ASSAY_URL and ASSAY_API_KEY."""
    with Assay() as client:
        if client._settings.misconfigured is not None:
            pytest.fail(f"Assay: {client._settings.misconfigured}", pytrace=False)
        yield client


@pytest.fixture
def assay(assay_client: Assay, request: pytest.FixtureRequest) -> Iterator[Assay]:
    """The client; turns that it records belong to this test."""
    turns: list[str] = []
    setattr(request.node, _TURNS, turns)
    assay_client._watchers.append(turns.append)
    yield assay_client
    assay_client._watchers.remove(turns.append)
    # With the option or the marker; a test that was skipped has no result.
    passed = getattr(request.node, "_assay_passed", None)
    is_wanted = request.config.getoption("--assay-outcomes") or (
        request.node.get_closest_marker("assay_outcomes") is not None
    )
    if is_wanted and passed is not None:
        for turn in turns:
            assay_client.outcome(
                {
                    "turn_id": turn,
                    "success": passed,
                    "source": "pytest",
                    "note": request.node.nodeid,
                }
            )


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome = yield
    report = cast(Any, outcome).get_result()
    if report.when == "call" and not report.skipped:
        item._assay_passed = report.passed  # type: ignore[attr-defined]


@pytest.fixture
def assert_verdict(assay: Assay) -> Callable[..., Verification]:
    """Verifies work, and fails the test with the verdict's reasons if it is another one."""

    def check(
        kind: str, work: Any, outcome: str = "passed", *, timeout: float = 120.0
    ) -> Verification:
        __tracebackhide__ = True
        verify = cast(Callable[..., Verification], assay.verify)
        verification = verify(kind, work, timeout=timeout)
        if verification["outcome"] != outcome:
            pytest.fail(describe_verdict(verification, outcome), pytrace=False)
        return verification

    return check


@pytest.fixture
def assay_evaluate(assay: Assay) -> Callable[..., EvaluationResult]:
    """Runs ``evaluate`` with this client, and fails the test with the reasons of the gate."""

    def run(
        dataset: str, task: Task, verifiers: Sequence[str], **options: Any
    ) -> EvaluationResult:
        __tracebackhide__ = True
        result = evaluate(dataset, task, verifiers, client=assay, **options)
        try:
            result.assert_passed()
        except AssertionError as error:
            pytest.fail(str(error), pytrace=False)
        return result

    return run


def describe_verdict(verification: Verification, expected: str) -> str:
    """The reasons of a verdict, a line each."""
    actual = verification["outcome"] or verification["state"]
    lines = [f"{verification['verifier']}: {actual}, expected {expected}"]
    for issue in verification["issues"]:
        lines.append(f"- {issue['severity']}: {issue['message']}")
    if not verification["issues"]:
        for score in verification.get("scores") or []:
            if score.get("met") is False:
                lines.append(f"- {score.get('name')}: {score.get('reasoning')}")
    lines.append(verification["url"])
    return "\n".join(lines)
