"""The reading process and the cache: crashes cost one document, content decides, nothing is served stale."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.harness import packaged
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import DocumentRef, Matter
from tasks.sources import texts
from tasks.sources.limits import ReaderLimits
from tasks.sources.pool import ReaderPool
from tasks.sources.records import CanonicalText
from tasks.sources.stage import inventory
from tasks.sources.texts import load_texts, read_document, read_file, text_path


def ref_of(path: Path, name: str | None = None) -> DocumentRef:
    data = path.read_bytes()
    return DocumentRef(name=name or path.name, path=path, sha256=hashlib.sha256(data).hexdigest(), size=len(data))


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    path = tmp_path / "lease.txt"
    path.write_text("LEASE AGREEMENT\n\nThe rent is $900.\n")
    return path


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the documents that were really read."""
    read: list[str] = []
    pool = texts.reader_pool()

    class Counting:
        size = pool.size

        def read(self, path: Path, name: str) -> CanonicalText:
            read.append(name)
            return pool.read(path, name)

    monkeypatch.setattr(texts, "reader_pool", Counting)
    return read


def test_a_document_is_read_once_whatever_it_is_called(lease: Path, tmp_path: Path, counted: list[str]) -> None:
    first = read_document(ref_of(lease), tmp_path / "cache")
    copy = tmp_path / "copy.txt"
    copy.write_bytes(lease.read_bytes())
    again = read_document(ref_of(copy, "room/copy.txt"), tmp_path / "cache")
    assert counted == ["lease.txt"]
    assert (first.text, again.text) == ("LEASE AGREEMENT\n\nThe rent is $900.\n",) * 2
    assert (first.document, again.document) == ("lease.txt", "room/copy.txt")
    kept = gzip.decompress(text_path(ref_of(lease), tmp_path / "cache").read_bytes())
    assert b"lease" not in kept


def test_the_suffix_counts_for_plain_text_only(tmp_path: Path) -> None:
    table, words = tmp_path / "t.csv", tmp_path / "t.txt"
    for path in (table, words):
        path.write_text("a,b\n")
    assert read_document(ref_of(table), tmp_path / "c").media == "csv"
    assert read_document(ref_of(words), tmp_path / "c").media == "txt"


@pytest.mark.parametrize(
    "damage",
    [b"", b"not gzip", gzip.compress(b"{}", mtime=0), gzip.compress(b'{"text": 1}', mtime=0)],
    ids=["empty", "not gzip", "no text", "text is a number"],
)
def test_a_corrupt_entry_is_read_again(lease: Path, tmp_path: Path, counted: list[str], damage: bytes) -> None:
    ref, cache = ref_of(lease), tmp_path / "cache"
    read_document(ref, cache)
    text_path(ref, cache).write_bytes(damage)
    assert read_document(ref, cache).text.startswith("LEASE")
    assert len(counted) == 2
    assert not list(cache.rglob("*.part"))


def test_a_read_only_cache_costs_nothing_but_time(lease: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "cache"
    blocked.write_text("a file, not a folder")
    assert read_document(ref_of(lease), blocked).text.startswith("LEASE")


def test_a_changed_file_is_a_problem_and_is_not_cached(lease: Path, tmp_path: Path) -> None:
    ref = ref_of(lease)
    lease.write_text("something else")
    read = read_document(ref, tmp_path / "cache")
    assert read.text == ""
    assert "changed" in read.problems[0].message
    assert not text_path(ref, tmp_path / "cache").exists()


def test_a_missing_file_is_a_problem(lease: Path, tmp_path: Path) -> None:
    ref = ref_of(lease)
    lease.unlink()
    read = read_document(ref, tmp_path / "cache")
    assert read.problems[0].line().startswith("lease.txt: The file cannot be opened")


def test_problems_name_the_document(tmp_path: Path) -> None:
    path = tmp_path / "empty.docx"
    path.write_bytes(b"")
    for _ in range(2):  # read, then served
        assert read_document(ref_of(path, "x/empty.docx"), tmp_path / "c").problems[0].subject == "x/empty.docx"


def test_read_file_uses_the_name_it_is_given(lease: Path) -> None:
    assert read_file(lease).document == "lease.txt"
    assert read_file(lease, "memo.txt").document == "memo.txt"


def test_a_timeout_ends_that_document_and_the_next_is_read(lease: Path) -> None:
    pool = ReaderPool(1)
    late = pool.read(lease, "a.txt", ReaderLimits(wall_seconds=0.001))
    assert [p.cause for p in late.problems] == [FailureCause.TIMEOUT]
    assert pool.read(lease, "a.txt").text.startswith("LEASE")
    pool.close()


def test_a_killed_reader_costs_one_document(lease: Path) -> None:
    pool = ReaderPool(1)
    pool.read(lease, "a.txt")
    os.kill(pool._idle[0].process.pid, 9)
    assert pool.read(lease, "a.txt").text.startswith("LEASE")  # a dead idle process is replaced
    pool.close()


@pytest.mark.slow
def test_running_out_of_memory_is_a_failure_of_that_document_only(tmp_path: Path, lease: Path) -> None:
    big = tmp_path / "big.txt"
    big.write_bytes(b"word\n\n" * 200_000)  # a record for each paragraph
    pool = ReaderPool(1)
    read = pool.read(big, "big.txt", ReaderLimits(memory_bytes=160 * 1024**2))
    assert read.text == ""
    assert read.problems[0].cause in {FailureCause.CAPACITY, FailureCause.READER}
    assert pool.read(lease, "a.txt").text.startswith("LEASE")
    pool.close()


def test_many_threads_share_the_readers(tmp_path: Path) -> None:
    paths = []
    for number in range(24):
        path = tmp_path / f"{number}.txt"
        path.write_text(f"Document {number}\n" * (number + 1))
        paths.append(path)
    pool = ReaderPool(2)
    with ThreadPoolExecutor(8) as threads:
        read = list(threads.map(pool.read, paths, [p.name for p in paths]))
    assert [r.text.split("\n", 1)[0] for r in read] == [f"Document {n}" for n in range(24)]
    assert len(pool._idle) <= 2
    pool.close()


def test_the_reader_sees_no_secrets_of_its_parent(lease: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    pool = ReaderPool(1)
    pool.read(lease, "a.txt")
    environment = Path(f"/proc/{pool._idle[0].process.pid}/environ")
    if not environment.exists():
        pytest.skip("no /proc on this system")
    assert b"canary" not in environment.read_bytes()
    pool.close()


def test_readers_end_when_their_parent_is_killed(lease: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from tasks.sources.pool import ReaderPool; pool = ReaderPool(1); "
        "pool.read(Path(sys.argv[1]), 'a.txt'); print(pool._idle[0].process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(lease)], capture_output=True, text=True, timeout=60, check=False
    )
    reader = Path(f"/proc/{int(done.stdout)}")
    for _ in range(100):
        if not reader.exists() or "Z" in (reader / "stat").read_text().split()[2]:
            return
        time.sleep(0.05)
    pytest.fail("the reading process outlived its parent")


def test_reading_is_deterministic(lease: Path, tmp_path: Path) -> None:
    entries = []
    for name in ("one", "two"):
        read_document(ref_of(lease), tmp_path / name)
        entries.append(text_path(ref_of(lease), tmp_path / name).read_bytes())
    assert entries[0] == entries[1]


def test_concurrent_writers_of_one_entry(lease: Path, tmp_path: Path) -> None:
    ref, cache = ref_of(lease), tmp_path / "cache"
    seen: list[str] = []

    def read() -> None:
        seen.append(read_document(ref, cache).text)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {"LEASE AGREEMENT\n\nThe rent is $900.\n"}


def test_inventory_covers_every_document_and_what_was_withheld(tmp_path: Path, lease: Path) -> None:
    empty, partial = tmp_path / "empty.pdf", tmp_path / "broken.json"
    empty.write_bytes(b"")
    partial.write_text('{"rent": ')
    withheld = Failure(cause=FailureCause.POLICY, stage="matter", subject="eval.json", message="A rubric was withheld.")
    matter = Matter(
        matter_id="a/b",
        title="t",
        area="a",
        instructions="i",
        documents=(ref_of(partial), ref_of(empty), ref_of(lease)),
        problems=(withheld,),
    )
    cache = tmp_path / "cache"
    state = inventory(matter, cache, packaged().knowledge)
    assert [(c.document, c.status) for c in state.coverage] == [
        ("broken.json", "partial"),
        ("empty.pdf", "unread"),
        ("lease.txt", "read"),
        ("eval.json", "unread"),
    ]
    assert [d.document for d in state.documents] == ["broken.json", "lease.txt"]
    assert state.documents[1].title == "LEASE AGREEMENT"
    assert state.documents[1].document_type == "lease"
    assert [str(f.value) for f in state.documents[1].figures] == ["900"]
    assert inventory(matter, cache, packaged().knowledge) == state
    assert list(load_texts(matter, cache)) == ["broken.json", "lease.txt"]
