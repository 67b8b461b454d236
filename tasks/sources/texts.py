"""Canonical texts of documents: read once in a limited process, kept by content."""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from tasks.matter.base import content_hash
from tasks.matter.code import code_version
from tasks.matter.dataroom import change_of, changed_failure
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.records import DocumentRef, Matter
from tasks.sources.builder import problem
from tasks.sources.pool import ReaderPool, reader_pool
from tasks.sources.records import CanonicalText
from tasks.sources.sniff import hint_of

_Entry = TypeVar("_Entry", bound=BaseModel)


@lru_cache(maxsize=1)
def extractor_version() -> str:
    """Return a hash over the code that reads documents (12 hex digits): the second half of a cache key.

    The code itself is hashed because a forgotten version number would serve yesterday's text for today's reader.
    """
    return code_version("tasks.sources.extract", "tasks.sources.readers")


def read_document(ref: DocumentRef, cache: Path, memory: Path | None = None) -> CanonicalText:
    """Return the canonical text of a document; bad documents carry problems instead of raising.

    Args:
        ref: The document.
        cache: Root of the content-addressed cache.
        memory: Folder of the attempt that reads, for what a later reading might give otherwise. All stages of the
            attempt, in whatever process, get one text or one failure; the next attempt has a folder of its own.
    """
    if memory is None:
        return _read(ref, cache)
    known = memory / f"{content_hash(ref.name)[:8]}-{text_path(ref, cache).name}"
    with held(known.with_suffix(".lock")):
        text = load_entry(known, CanonicalText)
        if text is None:
            text = _read(ref, cache)
            if not text_path(ref, cache).is_file():
                store_entry(known, text.model_copy(update={"document": ""}))
    return text.model_copy(update={"document": ref.name})


def _read(ref: DocumentRef, cache: Path) -> CanonicalText:
    """Return the text from the cache, or read it and keep what any later read would give too."""
    kept = cached_text(ref, cache)
    if kept is None:
        kept = read_anew(ref, reader_pool())
        keep_text(ref, kept, cache)
    return _named(kept, ref.name, ref.sha256)


def cached_text(ref: DocumentRef, cache: Path) -> CanonicalText | None:
    """Return the text that the cache holds of a document, without its name; None where it holds none."""
    kept = load_entry(text_path(ref, cache), CanonicalText)
    return kept if kept and kept.sha256 == ref.sha256 else None


def read_anew(ref: DocumentRef, pool: ReaderPool) -> CanonicalText:
    """Read a document that is not in the cache."""
    read = pool.read(ref.path, ref.name)
    return read if read.sha256 == ref.sha256 else _not_loaded(ref, read)


def keep_text(ref: DocumentRef, text: CanonicalText, cache: Path) -> None:
    """Store a newly read text in the cache, unless another reading may give more."""
    if text.sha256 and not is_passing(text):
        store_entry(text_path(ref, cache), text.model_copy(update={"document": ""}))


def is_passing(text: CanonicalText) -> bool:
    """Tell whether a later reading may succeed: the document changed, or the machine failed."""
    return not text.sha256 or any(_passing(p) for p in text.problems)


def read_file(path: Path, name: str | None = None, redlines: bool = False, tables: bool = False) -> CanonicalText:
    """Read a file without a cache: the judge's reader of deliverables.

    Args:
        path: The file.
        name: Name to give it; default its own.
        redlines: Show tracked changes of a Word file as ``[ins]…[/ins]`` and ``[del]…[/del]``, with a segment of
            kind ``revision`` each that says who made it; otherwise they are read as accepted.
        tables: Of a PDF only its tables, one line per row, in one segment per table, labelled ``p. 3, table 1``, and
            ``(no rulings)`` where words are merely aligned in columns.
    """
    name = name or path.name
    read = reader_pool().read(path, name, redlines=redlines, tables=tables)
    return _named(read, name, read.sha256 or hashlib.sha256(b"").hexdigest())


def load_texts(matter: Matter, cache: Path, memory: Path | None = None) -> dict[str, CanonicalText]:
    """Return the readable documents of a matter by name, in the order of the matter."""
    return {t.document: t for t in read_all(matter.documents, cache, memory) if t.text.strip()}


def read_all(refs: Iterable[DocumentRef], cache: Path, memory: Path | None = None) -> list[CanonicalText]:
    """Read documents side by side, as many at once as there are reading processes."""
    refs = list(refs)
    if len(refs) < 2:
        return [read_document(ref, cache, memory) for ref in refs]
    with ThreadPoolExecutor(max_workers=reader_pool().size) as threads:
        return list(threads.map(lambda ref: read_document(ref, cache, memory), refs))


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a lock between threads and processes; its file is removed afterwards.

    Where no lock is available (a read-only cache), the work is done without one.
    """
    handle = -1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        while handle < 0:
            handle = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(handle, fcntl.LOCK_EX)
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    break
            os.close(handle)  # who held it before took the file away
            handle = -1
    except OSError:
        handle = -1
    try:
        yield
    finally:
        if handle >= 0:
            path.unlink(missing_ok=True)
            os.close(handle)


def text_path(ref: DocumentRef, cache: Path) -> Path:
    """Return the path of the cached text: by content, and by what the suffix says about plain text."""
    hint = hint_of(ref.name)
    tail = f"-{hint}" if hint else ""
    return cache / "texts" / ref.sha256[:2] / f"{ref.sha256}-{extractor_version()}{tail}.json.gz"


def load_entry(path: Path, kind: type[_Entry]) -> _Entry | None:
    """Return a cached record; None where it is absent or corrupt (then it is made again)."""
    try:
        return kind.model_validate_json(gzip.decompress(path.read_bytes()))
    except (OSError, EOFError, ValueError, ValidationError):
        return None


def store_entry(path: Path, record: BaseModel) -> None:
    """Write a record atomically; a full disk or a read-only cache loses the cache entry, not the run."""
    data = gzip.compress(record.model_dump_json().encode("utf-8", "surrogatepass"), compresslevel=5, mtime=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
    except OSError:
        return


def _not_loaded(ref: DocumentRef, read: CanonicalText) -> CanonicalText:
    """Return a reading for a file that changed after it was loaded: nothing of it is kept.

    A file that could be opened when the matter was loaded and now cannot is a changed one too, even where it came
    back since. What is left is a reader that gave up before it had the bytes: its problem stands.
    """
    change = change_of(ref)
    refused = any(p.cause is FailureCause.INPUT for p in read.problems)
    if change is None and not read.sha256 and not refused:
        return read
    change = change or changed_failure(ref.name, "The file was another, or gone, when it was read.")
    told = problem(FailureCause.CHANGED, change.message, change.remedy)
    return CanonicalText(document="", sha256="", extractor="none/0", media="", text="", problems=(told,))


def _passing(failure: Failure) -> bool:
    """Tell whether a failure may not recur because the machine caused it, not the document."""
    return failure.cause in {FailureCause.TIMEOUT, FailureCause.READER}


def _named(text: CanonicalText, name: str, sha256: str) -> CanonicalText:
    """Fill in the document's name, which cached texts do not know."""
    problems = tuple(
        p.model_copy(update={"subject": f"{name}: {p.subject}" if p.subject else name}) for p in text.problems
    )
    return text.model_copy(update={"document": name, "sha256": sha256, "problems": problems})
