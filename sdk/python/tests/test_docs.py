from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import LIMIT
from test_package import TELEMETRY, Recorded

from assay_eval import Assay

ROOT = Path(__file__).parents[3]
PAGES = ("docs/how-to/use-python.md", "docs/reference/python.md", "sdk/python/README.md")


def blocks_of(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(
    page: str, real: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their order and one namespace; tests run with pytest and the installed plugin."""
    for name in TELEMETRY:
        monkeypatch.setitem(sys.modules, f"opentelemetry.{name}", Recorded(name))
    blocks = blocks_of(page)
    assert blocks
    names: dict[str, Any] = {"__name__": "example"}
    for number, block in enumerate(blocks):
        if "def test_" in block:
            run_tests(block, tmp_path / f"test_block_{number}.py")
        else:
            exec(compile(block, f"{page}, block {number}", "exec"), names)
    client = names["assay"]
    assert client.flush(LIMIT)
    stats = client.stats()
    assert stats.accepted == stats.taken > 0


def run_tests(code: str, file: Path) -> None:
    file.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        cwd=file.parent,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{code.count('def test_')} passed" in done.stdout


def test_every_page_that_names_the_package_is_run() -> None:
    pages = [
        str(page.relative_to(ROOT))
        for page in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "sdk").rglob("*.md")]
        if re.search(r"^(from|import) assay_eval\b", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert sorted(pages) == sorted(PAGES)
