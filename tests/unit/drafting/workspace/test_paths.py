"""Every way to say a path, and where it leads: into the room, or nowhere."""

from __future__ import annotations

import errno
import hashlib
import os
import socket
import threading
import time
from pathlib import Path

import pytest

from tasks.drafting.workspace.confine.kernel import call as kernel_call
from tasks.drafting.workspace.paths import Paths
from tasks.drafting.workspace.records import Room
from tasks.drafting.workspace.room import close_room, open_room
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.records import DocumentRef, Matter
from tasks.sources.records import CanonicalText

_LEASE = b"The rent is $900."


def _matter(folder: Path, *names: str) -> Matter:
    original = folder / "original"
    original.write_bytes(_LEASE)
    digest = hashlib.sha256(_LEASE).hexdigest()
    documents = tuple(DocumentRef(name=n, path=original, sha256=digest, size=len(_LEASE)) for n in names)
    return Matter(matter_id="tax/memo", title="Memo", area="tax", instructions="State it.", documents=documents)


def _text(name: str) -> CanonicalText:
    return CanonicalText(document=name, sha256="0" * 64, extractor="txt/1", media="txt", text="The rent is $900.")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    matter = _matter(tmp_path, "lease.txt", "mails/first.eml")
    made = open_room(matter, {"lease.txt": _text("lease.txt")}, tmp_path / "attempt")
    (made.scratch / "note").write_text("n")
    (tmp_path / "secret").write_text("s")
    (made.scratch / "link").symlink_to(tmp_path / "secret")
    (made.scratch / "away").symlink_to(tmp_path)
    (made.output / "round").symlink_to("round")
    os.link(tmp_path / "secret", made.scratch / "hard")
    os.mkfifo(made.output / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(made.scratch / "socket"))
    return made


_LED = [
    ("documents/lease.txt", False, "documents/lease.txt"),
    ("/matter/documents/lease.txt", False, "documents/lease.txt"),
    ("//matter//./documents/mails/../lease.txt", False, "documents/lease.txt"),
    ("lease.txt", False, "documents/lease.txt"),
    ("mails/first.eml", False, "documents/mails/first.eml"),
    ("lease.txt.txt", False, "text/lease.txt.txt"),
    ("note", False, "scratch/note"),
    ("documents", False, "documents"),
    ("documents/mails", False, "documents/mails"),
    ("memo.docx", True, "output/memo.docx"),
    ("new/deep/memo.docx", True, "output/new/deep/memo.docx"),
    ("/matter/output/memo.docx", True, "output/memo.docx"),
    ("scratch/note", True, "scratch/note"),
    ("scratch/../output/memo.docx", True, "output/memo.docx"),
    ("output/Note détaillée.docx", True, "output/Note détaillée.docx"),
    ("~", True, "output/~"),
]


@pytest.mark.parametrize(("said", "write", "place"), _LED)
def test_a_path_of_the_room_leads_there(room: Room, said: str, write: bool, place: str):
    assert Paths(room).resolve(said, write) == room.output.parent / place


def test_a_real_path_of_the_room_leads_there(room: Room):
    assert Paths(room).resolve(str(room.output / "memo.docx"), write=True) == room.output / "memo.docx"


_REFUSED = [
    ("/etc/passwd", False),
    ("/matter/../etc/passwd", False),
    ("../attempt.json", False),
    ("documents/../../transcript.jsonl", False),
    ("output/../../x", True),
    ("/matterx/output/x", True),
    ("/proc/self/root/etc/passwd", False),
    ("scratch/link", False),
    ("scratch/link", True),
    ("scratch/away/secret", False),
    ("scratch/away/new", True),
    ("scratch/hard", False),
    ("scratch/hard", True),
    ("output/round", False),
    ("output/pipe", False),
    ("output/pipe", True),
    ("scratch/socket", False),
    ("scratch/note/below", True),
    ("documents/new.txt", True),
    ("documents/lease.txt", True),
    ("text/lease.txt.txt", True),
    ("documents", True),
    ("output/a\x00b", True),
    ("documents/a\x00b", False),
    ("output/a\nb", True),
    ("output/evil\u202excod.md", True),
    ("output/" + "x" * 300, True),
    ("x/" * 2000 + "x", False),
    ("output/\udcff", True),
]


@pytest.mark.parametrize(("said", "write"), _REFUSED)
def test_a_path_out_of_the_room_is_refused(room: Room, said: str, write: bool):
    paths = Paths(room)
    calls = [lambda: paths.resolve(said, write), lambda: paths.write(said, b"x") if write else paths.read(said)]
    for call in calls:
        with pytest.raises(SolonError) as refused:
            call()
        assert refused.value.failure.cause is FailureCause.POLICY
        assert refused.value.failure.remedy
    assert (room.output.parent.parent / "secret").read_text() == "s"


@pytest.mark.parametrize(("said", "write"), [("", False), ("/matter", False), ("output", True), ("leese.txt", False)])
def test_a_path_to_nothing_is_a_mistake(room: Room, said: str, write: bool):
    with pytest.raises(SolonError) as refused:
        Paths(room).resolve(said, write)
    assert refused.value.failure.cause is FailureCause.INPUT


def test_what_is_not_there_is_named_by_what_is_near(room: Room):
    with pytest.raises(SolonError, match=r"documents/lease\.txt"):
        Paths(room).resolve("documents/leese.txt", write=False)


def test_a_file_is_written_whole_or_not_at_all(room: Room):
    paths = Paths(room)
    assert paths.write("deep/memo.md", b"one") == room.output / "deep" / "memo.md"
    paths.write("deep/memo.md", b"two")
    assert paths.read("output/deep/memo.md") == b"two"
    assert [p.name for p in (room.output / "deep").iterdir()] == ["memo.md"]
    assert (room.output / "deep" / "memo.md").stat().st_mode & 0o777 == 0o644


def test_a_folder_exchanged_for_a_link_while_it_is_read_leads_nowhere(room: Room):
    outside = room.output.parent.parent / "outside"
    outside.mkdir()
    (outside / "x").write_text("secret")
    folder, link = room.scratch / "d", room.scratch / "other"
    folder.mkdir()
    (folder / "x").write_text("own")
    link.symlink_to(outside)
    over = threading.Event()

    def exchange() -> None:
        while not over.is_set():
            kernel_call(
                "renameat2", -100, os.fsencode(folder), -100, os.fsencode(link), 2
            )  # each takes the other's name

    thread = threading.Thread(target=exchange)
    thread.start()
    try:
        seen, end = set(), time.monotonic() + 20
        while time.monotonic() < end and seen != {b"own", "policy"}:
            seen |= {_attempt(Paths(room), "scratch/d/x") for _ in range(100)}
            _attempt(Paths(room), "scratch/d/y", b"written")
    finally:
        over.set()
        thread.join()
    assert seen == {b"own", "policy"}
    assert [p.name for p in outside.iterdir()] == ["x"]


def _attempt(paths: Paths, said: str, data: bytes = b"") -> bytes | str:
    try:
        return bytes(paths.write(said, data)) if data else paths.read(said)
    except SolonError as error:
        return error.failure.cause.value


def test_more_than_is_wanted_is_not_read(room: Room):
    with pytest.raises(SolonError) as refused:
        Paths(room).read("lease.txt", most=3)
    assert refused.value.failure.cause is FailureCause.CAPACITY


def test_files_are_listed_as_a_solver_names_them(room: Room):
    paths = Paths(room)
    everything = ("documents/lease.txt", "documents/mails/first.eml", "scratch/hard", "scratch/note")
    assert paths.files() == (*everything, "text/lease.txt.txt")
    assert paths.files("documents/mails") == ("documents/mails/first.eml",)


def test_a_second_pass_finds_its_work_and_a_clean_data_room(tmp_path: Path):
    matter = _matter(tmp_path, "lease.txt")
    first = open_room(matter, {}, tmp_path / "attempt")
    (first.output / "memo.md").write_text("draft")
    (first.documents / "lease.txt").chmod(0o644)
    (first.documents / "lease.txt").write_text("altered")
    second = open_room(matter, {}, tmp_path / "attempt")
    assert (second.documents / "lease.txt").read_bytes() == _LEASE
    assert (second.output / "memo.md").read_text() == "draft"
    close_room(second)
    assert sorted(p.name for p in (tmp_path / "attempt").iterdir()) == ["output", "scratch"]


def test_documents_are_copies_that_cannot_be_written(tmp_path: Path):
    matter = _matter(tmp_path, "lease.txt")
    room = open_room(matter, {}, tmp_path / "attempt")
    facts = (room.documents / "lease.txt").stat()
    assert facts.st_mode & 0o222 == 0
    assert facts.st_ino != matter.documents[0].path.stat().st_ino


@pytest.mark.parametrize("change", ["altered", "gone", "longer", "a pipe"])
def test_a_document_that_changed_after_loading_is_told(tmp_path: Path, change: str):
    matter = _matter(tmp_path, "lease.txt")
    original = matter.documents[0].path
    original.unlink()
    if change == "a pipe":
        os.mkfifo(original)
    elif change != "gone":
        original.write_bytes(_LEASE + b"!" if change == "longer" else _LEASE[::-1])
    with pytest.raises(SolonError) as failed:
        open_room(matter, {}, tmp_path / "attempt")
    assert failed.value.failure.cause is FailureCause.CHANGED


@pytest.mark.parametrize("name", ["../lease.txt", "/etc/lease.txt", "a/../../lease.txt", "."])
def test_a_document_with_a_name_that_leads_out_is_refused(tmp_path: Path, name: str):
    with pytest.raises(SolonError) as refused:
        open_room(_matter(tmp_path, name), {}, tmp_path / "attempt")
    assert refused.value.failure.cause is FailureCause.POLICY
    assert not (tmp_path / "lease.txt").exists()


@pytest.mark.parametrize("said", ["output", "documents", "scratch/", "/matter/text"])
def test_a_folder_has_no_bytes(room: Room, said: str):
    with pytest.raises(SolonError, match="is a folder, not a file") as refused:
        Paths(room).read(said)
    assert refused.value.failure.cause is FailureCause.INPUT


def test_a_folder_that_cannot_be_made_is_a_mistake_of_the_path_and_no_crash(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    def closed(*_: object, **__: object) -> None:  # its owner, a command of the solver, took the right to write away
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "mkdir", closed)
    with pytest.raises(SolonError, match="cannot be opened"):
        Paths(room).write("scratch/closed/a.md", b"x")
