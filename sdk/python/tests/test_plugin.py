from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conftest import until

from assay_eval import Assay

TESTS = '''
import pytest

SOURCE = [{"id": "tc1", "result": {"pct": 91.4}}]


def test_sourced(assert_verdict):
    verification = assert_verdict("integrity", {"tools": SOURCE, "output": "It is 91.4% full."})
    assert verification["outcome"] == "passed"


def test_unsourced(assert_verdict):
    assert_verdict("integrity", {"tools": SOURCE, "output": "77 GB are free."})


def test_expected_failure(assert_verdict):
    assert_verdict("integrity", {"tools": SOURCE, "output": "77 GB are free."}, "failed")


def test_gate(assay, assay_evaluate):
    checks = [{"check": "contains", "value": "never said"}]
    assay.call("PUT", "/v1/verifiers/py-never", {"kind": "checks", "checks": checks})
    assay_evaluate(
        "py-plugin",
        lambda item: item["input"],
        ["py-never"],
        items=[{"id": "a", "input": "x"}],
        gate={"min_pass_rate": {"py-never": {"at_least": 0.5}}},
    )


@pytest.mark.assay_outcomes
@pytest.mark.parametrize("number", [1, 2])
def test_outcome(assay, number):
    assay.send({"id": f"py-outcome-{number}", "output": "x"})
    assert number == 1


def test_without_the_marker(assay):
    assay.send({"id": "py-outcome-3", "output": "x"})
'''


def run(tmp_path: Path, *arguments: str, **variables: str) -> str:
    file = tmp_path / "test_app.py"
    file.write_text(TESTS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file), *arguments],
        cwd=tmp_path,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout + done.stderr


def outcome_of(real: Assay, turn: str) -> list[bool]:
    labels = real.call("GET", "/v1/labels", query={"subject_id": turn})["data"]
    return [label["success"] for label in labels if label["source"] == "pytest"]


def test_a_test_fails_with_the_reasons_and_reports_outcomes(real: Assay, tmp_path: Path) -> None:
    said = run(tmp_path)
    assert "3 failed, 4 passed" in said, said
    assert "failed, expected passed" in said
    assert 'high: The figure "77' in said
    assert "the gate failed: http" in said
    assert until(lambda: outcome_of(real, "py-outcome-1")) == [True]
    assert until(lambda: outcome_of(real, "py-outcome-2")) == [False]
    assert outcome_of(real, "py-outcome-3") == []
    run(tmp_path, "--assay-outcomes", "-k", "without_the_marker")
    assert until(lambda: outcome_of(real, "py-outcome-3")) == [True]


def test_without_a_key_a_test_fails_with_the_fix(tmp_path: Path) -> None:
    said = run(tmp_path, "-k", "sourced", ASSAY_API_KEY="")
    assert "there is no API key: pass `key`, or set ASSAY_API_KEY" in said
    assert "2 errors" in said
