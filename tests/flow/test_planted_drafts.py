"""`solon bench gates --planted`: a draft of ours is named by its run, its attempt or its file.

Lies beside the flow tests because it drafts a matter first, by the workers that they keep.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flow.conftest import in_process
from tests.unit.bench.test_gates_bench import LEASE


@pytest.mark.usefixtures("unchecked", "kept_workers")
def test_a_draft_is_named_by_its_run_attempt_or_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOLON_PREFECT", "off")  # a server takes ten seconds to start, and shows nothing of this
    monkeypatch.setenv("SOLON_WORKERS", "1")
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "lease-agreement.txt").write_text(LEASE, encoding="utf-8")
    home = ["--home", str(tmp_path / "home")]
    asked = ["--ask", "What is the base rent?", "--deliverable", "m.md"]
    assert in_process(["matter", str(tmp_path / "room"), *asked, *home]) == 0
    (attempt,) = (p.parent for p in (tmp_path / "home" / "runs").rglob("matter.json"))
    capsys.readouterr()
    text = (attempt / "output" / "m.md").read_text("utf-8")
    old = next(line for line in text.split("\n") if "$8,500" in line and text.count(line) == 1)
    error = {"kind": "amount", "old": old, "new": old.replace("$8,500", "$7,300")}
    places = [attempt, attempt.parents[2], attempt / "output" / "m.md"]
    file = tmp_path / "errors.json"
    file.write_text(json.dumps([{"draft": str(p), **error} for p in places]), encoding="utf-8")
    assert in_process(["bench", "gates", "--planted", str(file), "--json", *home]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["kinds"]["amount"] == {"planted": 3, "caught": 3, "share": 100.0}
    assert len(result["drafts"]) == 1
