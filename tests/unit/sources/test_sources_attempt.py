"""One attempt sees one text or one failure of a document, whatever process asks; want of memory is capacity."""

from __future__ import annotations

import hashlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import pytest

from flows.bench.tools.doubling_kinds import docx
from tasks.harness import packaged
from tasks.matter.failures import FailureCause
from tasks.matter.records import DocumentRef, Matter
from tasks.sources import builder, texts, worker
from tasks.sources.builder import MAX_PLACES, problem
from tasks.sources.extract import extract
from tasks.sources.limits import OUT_OF_MEMORY, ReaderLimits
from tasks.sources.pool import ReaderPool, _crash
from tasks.sources.records import CanonicalText
from tasks.sources.stage import inventory
from tasks.sources.texts import held, load_texts, read_document


class Pool:
    """A pool whose first readings fail for a passing reason."""

    size = 2

    def __init__(self, failures: int, partial: str = "") -> None:
        self.failures, self.partial = failures, partial
        self.read_names: list[str] = []
        self._lock = threading.Lock()

    def read(self, path: Path, name: str) -> CanonicalText:
        with self._lock:
            self.read_names.append(name)
            fails = len(self.read_names) <= self.failures
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        cause = FailureCause.READER if self.partial else FailureCause.TIMEOUT
        return CanonicalText(
            document=name,
            sha256=digest if self.partial or not fails else "",
            extractor="txt/2",
            media="txt",
            text=self.partial if fails else path.read_text(),
            problems=(problem(cause, "It took too long."),) if fails else (),
        )


@pytest.fixture
def ref(tmp_path: Path) -> DocumentRef:
    path = tmp_path / "lease.txt"
    path.write_text("The rent is $900.\n")
    return DocumentRef(name="lease.txt", path=path, sha256=hashlib.sha256(path.read_bytes()).hexdigest(), size=18)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Pool]:
    def made(failures: int, partial: str = "") -> Pool:
        one = Pool(failures, partial)
        monkeypatch.setattr(texts, "reader_pool", lambda: one)
        return one

    return made


def matter_of(ref: DocumentRef) -> Matter:
    return Matter(matter_id="a/b", title="t", area="a", instructions="Read.", documents=(ref,))


def test_a_failed_read_stays_failed_for_the_attempt_and_is_not_made_again(
    ref: DocumentRef, tmp_path: Path, pool: Callable[..., Pool]
) -> None:
    one, cache = pool(failures=1), tmp_path / "cache"
    state = inventory(matter_of(ref), cache, packaged().knowledge, tmp_path / "first")
    later = [load_texts(matter_of(ref), cache, tmp_path / "first") for _ in range(3)]
    assert one.read_names == ["lease.txt"]
    assert [entry.status for entry in state.coverage] == ["unread"]
    assert later == [{}, {}, {}]


def test_another_attempt_tries_again_and_the_first_keeps_its_failure(
    ref: DocumentRef, tmp_path: Path, pool: Callable[..., Pool]
) -> None:
    one, cache = pool(failures=1), tmp_path / "cache"
    failed = read_document(ref, cache, tmp_path / "first")
    assert read_document(ref, cache, tmp_path / "second").text == "The rent is $900.\n"
    assert read_document(ref, cache, tmp_path / "first") == failed  # though the text lies in the cache by now
    assert failed.problems[0].cause is FailureCause.TIMEOUT
    assert failed.problems[0].subject == "lease.txt"
    assert len(one.read_names) == 2


def test_a_text_that_is_partial_for_a_passing_reason_is_the_same_for_all_stages(
    ref: DocumentRef, tmp_path: Path, pool: Callable[..., Pool]
) -> None:
    one, cache = pool(failures=1, partial="The rent"), tmp_path / "cache"
    seen = [read_document(ref, cache, tmp_path / "first") for _ in range(3)]
    assert {text.text for text in seen} == {"The rent"}
    assert seen[0] == seen[1] == seen[2]
    assert len(one.read_names) == 1


def test_stages_side_by_side_read_once(ref: DocumentRef, tmp_path: Path, pool: Callable[..., Pool]) -> None:
    one, cache = pool(failures=1), tmp_path / "cache"
    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(lambda _: read_document(ref, cache, tmp_path / "first"), range(16)))
    assert one.read_names == ["lease.txt"]
    assert {text.text for text in seen} == {""}
    assert not list((tmp_path / "first").glob("*.lock"))


@pytest.mark.slow
def test_processes_side_by_side_take_turns(tmp_path: Path) -> None:
    code = (
        "import sys, time, pathlib\n"
        "from tasks.sources.texts import held\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "for _ in range(20):\n"
        "    with held(folder / 'a.lock'):\n"
        "        count = folder / 'count'\n"
        "        number = int(count.read_text()) if count.exists() else 0\n"
        "        time.sleep(0.001)\n"
        "        count.write_text(str(number + 1))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(texts.__file__).resolve().parents[2])}
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=environment) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "60"


def test_without_a_place_for_locks_the_work_is_done_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with held(tmp_path / "file" / "a.lock"):
        pass


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [140, *(pytest.param(n, marks=pytest.mark.thorough) for n in (100, 180))])
def test_a_reader_short_of_memory_says_capacity_wherever_it_ran_out(megabytes: int, tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 150_000))
    read = ReaderPool(1).read(path, "a.docx", ReaderLimits(memory_bytes=megabytes * 1024**2))
    assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]


def test_a_reader_that_goes_on_without_memory_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Python 3.11 spins where it gets no memory to handle its MemoryError: that was a timeout of five minutes."""
    spinner = (
        "import resource, sys, time; sys.stdin.readline()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (200_000_000, 200_000_000)); kept = []\n"
        "for size in (10_000_000, 1_000_000, 100_000):\n"
        "    try:\n"
        "        while True: kept.append(bytearray(size))\n"
        "    except MemoryError: pass\n"
        "while True: time.sleep(0.1)\n"
    )
    monkeypatch.setattr("sys.executable", _script(tmp_path, spinner))
    monkeypatch.setattr("tasks.sources.pool._GLANCE", 0.1)
    read = ReaderPool(1).read(tmp_path / "a.pdf", "a.pdf", ReaderLimits(memory_bytes=200_000_000, wall_seconds=30))
    assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]


def test_memory_that_runs_out_over_the_answer_is_capacity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Huge:
        def model_dump_json(self) -> str:
            raise MemoryError

    monkeypatch.setattr(worker, "answer", lambda *_: Huge())
    monkeypatch.setattr(worker, "_limit", lambda _: None)
    request = {"path": str(tmp_path / "a.txt"), "name": "a.txt", "limits": asdict(ReaderLimits())}
    answers = io.StringIO()
    worker.serve(io.StringIO(json.dumps(request) + "\n"), answers)
    read = CanonicalText.model_validate_json(answers.getvalue())
    assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        (OUT_OF_MEMORY, FailureCause.CAPACITY),
        (-signal.SIGABRT, FailureCause.CAPACITY),
        (-signal.SIGKILL, FailureCause.CAPACITY),
        (-signal.SIGXCPU, FailureCause.TIMEOUT),
        (-signal.SIGSEGV, FailureCause.READER),
        (1, FailureCause.READER),
    ],
)
def test_how_a_reader_ended_says_why(code: int, cause: FailureCause) -> None:
    assert _crash("a.pdf", code, ReaderLimits()).problems[0].cause is cause


@pytest.mark.slow
def test_a_crash_of_a_process_that_filled_its_memory_is_capacity(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A C library that gets no memory follows a null pointer: the signal alone would blame the reader."""
    size = 90_000_000 + resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # beyond what it inherits from us
    filler = (
        f"import ctypes, sys; sys.stdin.readline(); kept = bytearray({size}); "
        "kept[::4096] = bytes(len(kept[::4096])); ctypes.string_at(0)"
    )
    monkeypatch.setattr("sys.executable", _script(tmp_path, filler))
    read = ReaderPool(1).read(tmp_path / "a.pdf", "a.pdf", ReaderLimits(memory_bytes=size + 10_000_000))
    assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]
    roomy = ReaderPool(1).read(tmp_path / "a.pdf", "a.pdf", ReaderLimits(memory_bytes=20 * size))
    assert [p.cause for p in roomy.problems] == [FailureCause.READER]


def _script(folder: Path, code: str) -> str:
    """Return a stand-in for the interpreter, whatever arguments it is given."""
    source, path = folder / "filler.py", folder / "python"
    source.write_text(code)
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{source}"\n')
    path.chmod(0o700)
    return str(path)


def test_a_document_of_too_many_paragraphs_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_PLACES > 100_000
    monkeypatch.setattr(builder, "MAX_PLACES", 50)
    for data, name in (
        (docx("<w:p><w:r><w:t>Rent</w:t></w:r></w:p>" * 80), "a.docx"),
        (b"Rent\n\n" * 80, "a.txt"),
    ):
        read = extract(data, name)
        assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]
        assert "50" in read.problems[0].message
        assert 50 <= read.text.count("Rent") <= 52


def test_markup_beyond_its_budget_is_left_out_and_the_rest_is_served() -> None:
    data = docx("".join(f"<w:p><w:r><w:t>Rent {'abcdefgh'[i % 8] * i}.</w:t></w:r></w:p>" for i in range(400)))
    read = extract(data, "a.docx", ReaderLimits(markup_bytes=8_000))
    assert [p.cause for p in read.problems] == [FailureCause.CAPACITY]
    assert read.text.startswith("Rent .\n\nRent b.\n\nRent cc.\n")
    assert 50 < read.text.count("Rent") < 400
