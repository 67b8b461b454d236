"""A string planted in every rubric turns up nowhere but where judging may write.

Lies beside the flow tests (not in tests/security) because it needs their server and corpora.
"""

from __future__ import annotations

import gzip
import json
import pickle
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from flows.corpus import run_corpus
from flows.learn import learn_corpus
from flows.runs.summary import CellSummary
from flows.settings import load_settings
from tasks.judging.records import Verdict

CANARY = "CANARY-5f1d0a7e-heliotrope"
ALLOWED_NAMES = {"scores.json", "judgement.json"}


PROWLING = [
    {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    for n, (name, arguments) in enumerate(
        [
            (
                "bash",
                {"command": "grep -r heliotrope /matter /tmp /home /root /var/tmp; cat ../*.json ../../*/*.json; env"},
            ),
            ("read", {"path": "../task.json"}),
            ("read", {"path": "../checklist.json"}),
            ("read", {"path": "../../../sealed"}),
            ("grep", {"pattern": "heliotrope", "path": "../task.json"}),
            ("glob", {"pattern": "**"}),
            ("number_scan", {"path": "../../task.json"}),
            ("docx_inspect", {"path": "matter.json"}),
            ("search", {"query": "criteria rubric gold answer"}),
        ]
    )
]
"""What an agent does that looks for the answers: through every tool that takes a path."""


class _Model(BaseHTTPRequestHandler):
    """An OpenAI-compatible endpoint that keeps what it was asked."""

    prompts: list[bytes]

    def do_POST(self) -> None:
        self.prompts.append(self.rfile.read(int(self.headers["Content-Length"])))
        reply = "# Memo\n\nThe lease is dated March 3, 2021 [lease.txt]. The laws of Ohio govern it [lease.txt, § 2].\n"
        asked = json.loads(self.prompts[-1])
        snoops = asked.get("tools") and not any(m["role"] == "tool" for m in asked["messages"])
        message = {"role": "assistant", "content": None, "tool_calls": PROWLING} if snoops else {}
        body = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": "local",
                "choices": [
                    {"index": 0, "finish_reason": "stop", "message": message or {"role": "assistant", "content": reply}}
                ],
                "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def model() -> Iterator[tuple[str, list[bytes]]]:
    prompts: list[bytes] = []
    handler = type("Recording", (_Model,), {"prompts": prompts})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as endpoint:
        threading.Thread(target=endpoint.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{endpoint.server_port}/v1", prompts
        endpoint.shutdown()


@pytest.mark.usefixtures("unchecked", "server", "kept_workers")
def test_the_rubric_stays_with_the_judge(
    corpus: Callable[..., Path],
    model: tuple[str, list[bytes]],
    tmp_path: Path,
    prefect_home: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, prompts = model
    monkeypatch.setenv("LOCAL_KEY", "not-a-key")
    (tmp_path / "solon.toml").write_text(
        f'[models.local]\nmodel = "openai/local"\napi_base = "{url}"\napi_key_env = "LOCAL_KEY"\n'
    )
    flags = {"home": tmp_path / "home", "workers": 1}
    settings = load_settings(flags, cwd=tmp_path, env={})
    root = planted(corpus(3, CANARY))
    guard_verdicts(monkeypatch)
    run = run_corpus(root, ["extractive", "api:local", "basic:local"], settings, limit=1, run_id="r")
    learned = learn_corpus(root, settings, steps=1, minibatch=2, holdout=0.0, learn_id="l")
    said = "".join(capfd.readouterr())

    assert run.cells[0].criteria == 5
    assert prompts
    assert not [p for p in prompts if CANARY.encode() in p]
    assert [p for p in prompts if b'"role": "tool"' in p or b'"role":"tool"' in p]  # the agent did look for it
    assert CANARY not in said
    (given,) = learned.inputs.glob("*.json")
    told = json.loads(given.read_text())["signals"]  # from the published warehouse, which holds the canary
    assert [one["passed"] + one["failed"] > 0 for one in told] == [True] * 2
    for one in told:  # the last words of the solver, redacted
        assert one["final_message"].startswith("Drafted [file]: of [figure]")
        assert not set("0123456789") & set(one["final_message"])
    leaks = [str(p) for base in (tmp_path / "home", prefect_home) for p in leaking(base, settings_allowed(tmp_path))]
    assert leaks == []
    # The test can see: where judging may write, the canary is found.
    assert list(leaking(tmp_path / "home" / "sealed", ()))
    assert [p for p in leaking(tmp_path / "home" / "runs", (), names=set()) if p.name in ALLOWED_NAMES]


@pytest.mark.thorough
@pytest.mark.usefixtures("unchecked", "server")
def test_the_rubric_stays_with_the_judge_on_ray(
    corpus: Callable[..., Path], tmp_path: Path, prefect_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, on another plane; that roles share no process there is shown by the tests of planes."""
    settings = load_settings({"home": tmp_path / "home", "workers": 1, "compute": "ray"}, cwd=tmp_path, env={})
    guard_verdicts(monkeypatch)
    run = run_corpus(planted(corpus(1, CANARY)), ["extractive"], settings, run_id="y")
    assert run.cells[0].criteria == 5
    leaks = [str(p) for base in (tmp_path / "home", prefect_home) for p in leaking(base, settings_allowed(tmp_path))]
    assert leaks == []
    assert list(leaking(tmp_path / "home" / "sealed", ()))


def planted(root: Path) -> Path:
    """Plant the canary in every field of a rubric and of a reference checklist, and in fields that nobody knows."""
    item = {"id": "what", "title": CANARY, "names": [f"also {CANARY}"], "asks": CANARY}
    groups = [{"id": "all", "title": CANARY, "items": [item]}]
    reference = {
        "reference_checklist": {"name": "mine", "title": CANARY, "alpha": 0.9, "groups": groups},
        "values": {CANARY: [{"value": CANARY, "evidence": [CANARY]}]},
        "text": f"The answer is {CANARY}.",
    }
    for file in root.rglob("task.json"):
        task = json.loads(file.read_text())
        anchor = {
            "document": "lease.txt",
            "scope": ["lease.txt", CANARY],
            "facet": ["governing law", CANARY],
            "match": {"kind": "value", "any": ["Atlantis", CANARY]},
        }
        every = {"id": f"C-{CANARY}", "title": CANARY, "match_criteria": CANARY, "sources": [CANARY], "hint": CANARY}
        task["criteria"] += [{**every, "anchors": [anchor]}, {**every, "id": f"D-{CANARY}"}]
        task |= {"gold": {"answer": CANARY}, CANARY: CANARY}
        file.write_text(json.dumps(task))
        file.with_name("checklist.json").write_text(json.dumps(reference))
    return root


def guard_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process of the driver and the learner fail at the first verdict it would make or read."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a verdict in the process of the learner")

    monkeypatch.setattr("tasks.judging.records.Verdict.__init__", refused)
    monkeypatch.setattr("tasks.judging.records.Verdict.__setstate__", refused)
    monkeypatch.setattr("tasks.judging.records.JudgeReport.model_validate_json", refused)
    with pytest.raises(AssertionError):  # the guard can see a verdict that comes from another process
        pickle.loads(pickle.dumps(Verdict.model_construct(criterion_id="C", title="t", status="fail")))
    monkeypatch.setattr("flows.corpus.finish", lambda plan, table, settings, pinned: _Done(table))


class _Done(NamedTuple):
    """What a run gives back when the landing of it is left out (the learner's landing has its own process)."""

    cells: tuple[CellSummary, ...]


def settings_allowed(tmp_path: Path) -> tuple[Path, ...]:
    home = tmp_path / "home"
    verdicts = home / "warehouse" / "parts" / "verdict"
    return (home / "sealed", home / "judge-cache", verdicts, home / "warehouse" / "solon.duckdb", home / "reports")


def leaking(base: Path, allowed: tuple[Path, ...], names: set[str] = ALLOWED_NAMES) -> Iterator[Path]:
    """Yield the files below ``base`` that hold the canary, packed or not."""
    for path in base.rglob("*"):
        excused = path.name in names or any(path.is_relative_to(a) for a in allowed)
        if path.is_file() and not excused and any(CANARY.encode() in data for data in contents(path)):
            yield path


def contents(path: Path) -> Iterator[bytes]:
    """Yield a file's bytes, and what is inside where it is packed."""
    yield path.read_bytes()
    if path.suffix == ".gz":
        yield gzip.decompress(path.read_bytes())
    elif path.suffix == ".parquet":
        import pyarrow.parquet as pq

        yield str(pq.read_table(path).to_pylist()).encode()
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            yield from (archive.read(name) for name in archive.namelist())
