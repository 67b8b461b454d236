"""Which files of a data room are documents, which are withheld and why, and when one is no longer what was loaded."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from tasks.matter.dataroom import MAX_BYTES, change_of, changes, is_document, list_documents
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.private import MARKER
from tasks.matter.records import DocumentRef


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "room"
    folder.mkdir(parents=True)
    return folder


def put(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def names(documents: list[DocumentRef]) -> list[str]:
    return [d.name for d in documents]


def only(found: tuple[list[DocumentRef], list[Failure]]) -> Failure:
    assert found[0] == []
    (failure,) = found[1]
    assert failure.remedy
    return failure


@pytest.mark.parametrize("name", [".DS_Store", ".hidden", "~$memo.docx", "Thumbs.db", "DESKTOP.INI", ".ds_store"])
def test_system_and_lock_files_are_no_documents(name: str) -> None:
    assert not is_document(name)


@pytest.mark.parametrize("name", ["memo.docx", "~memo.docx", "$memo", "thumbs.db.txt", "a.b"])
def test_other_files_are(name: str) -> None:
    assert is_document(name)


def test_documents_are_listed_by_name_with_their_size_and_hash(room: Path) -> None:
    for name in ("b.txt", "B/a.txt", "a/z.txt", "a.txt", "a/deep/er.txt"):
        put(room / name, name)
    for name in (".git/config", "a/.cache/x.txt", "a/Thumbs.db", "~$b.txt"):
        put(room / name)
    documents, withheld = list_documents(room, room)
    assert names(documents) == ["B/a.txt", "a.txt", "a/deep/er.txt", "a/z.txt", "b.txt"]
    assert withheld == []
    for document in documents:
        assert document.path == (room / document.name).resolve()
        assert document.size == len(document.name)
        assert document.sha256 == hashlib.sha256(document.name.encode()).hexdigest()


def test_a_long_file_is_hashed_to_its_end(room: Path) -> None:
    (room / "long.txt").write_bytes(b"a" * (2 * 1024**2 + 7) + b"end")
    ((long,), _) = list_documents(room, room)
    assert long.sha256 == hashlib.sha256((room / "long.txt").read_bytes()).hexdigest()
    assert change_of(long) is None


def test_a_file_that_was_written_again_is_hashed_again(room: Path) -> None:
    os.utime(put(room / "a.txt", "one"), ns=(1, 1))
    ((first,), _) = list_documents(room, room)
    os.utime(put(room / "a.txt", "two"), ns=(2, 2))
    ((second,), _) = list_documents(room, room)
    assert first.sha256 != second.sha256 == hashlib.sha256(b"two").hexdigest()


def test_a_folder_of_ours_within_the_room_is_no_part_of_it(room: Path) -> None:
    put(room / "lease.txt")
    put(room / "solon" / MARKER)
    put(room / "solon" / "draft.md")
    put(room / "solon" / "deep" / "er.md")
    put(room / "z.txt")
    documents, withheld = list_documents(room, room)
    assert (names(documents), withheld) == (["lease.txt", "z.txt"], [])
    put(room / MARKER)  # the room itself may lie among our folders
    assert names(list_documents(room, room)[0]) == ["lease.txt", "z.txt"]


def test_a_link_within_the_corpus_is_followed_and_one_out_of_it_is_not(room: Path) -> None:
    shared = put(room.parent / "shared" / "lease.txt")
    (room / "lease.txt").symlink_to(shared)
    documents, _ = list_documents(room, room.parent)
    assert [(d.name, d.path) for d in documents] == [("lease.txt", shared.resolve())]
    failure = only(list_documents(room, room))
    assert (failure.cause, failure.subject) == (FailureCause.POLICY, "lease.txt")
    assert "leads out of the corpus" in failure.message


def test_a_folder_that_is_a_link_is_not_entered_and_told(room: Path) -> None:
    put(room.parent / "other" / "lease.txt")
    (room / "other").symlink_to(room.parent / "other")
    for boundary, why in ((room.parent, "is a link to a folder"), (room, "leads out of the corpus")):
        documents, _ = list_documents(room, boundary)
        failure = only(list_documents(room, boundary))
        assert (documents, failure.subject) == ([], "other/")
        assert why in failure.message


def test_a_link_into_a_folder_of_ours_is_withheld(room: Path) -> None:
    put(room.parent / "sealed" / MARKER)
    (room / "a.json").symlink_to(put(room.parent / "sealed" / "a.json"))
    assert "keeps to itself" in only(list_documents(room, room.parent)).message


@pytest.mark.parametrize("name", ["task.json", "Scores.JSON", "deep/judgement.json"])
def test_a_file_that_may_say_how_work_is_judged_is_withheld(room: Path, name: str) -> None:
    put(room / name)
    failure = only(list_documents(room, room))
    assert failure.subject == name
    assert "rubric" in failure.message


def test_a_link_to_such_a_file_is_withheld_whatever_it_is_called(room: Path) -> None:
    (room / "memo.txt").symlink_to(put(room.parent / "task.json"))
    assert "rubric" in only(list_documents(room, room.parent)).message


def test_whoever_asks_may_refuse_a_file(room: Path) -> None:
    put(room / "a.txt")
    put(room / "b.txt")
    documents, (failure,) = list_documents(room, room, lambda path: "is not for you" if path.name == "a.txt" else "")
    assert names(documents) == ["b.txt"]
    assert failure.message == "withheld: it is not for you"


def test_a_pipe_is_withheld_without_waiting_for_a_writer(room: Path) -> None:
    os.mkfifo(room / "pipe.txt")
    failure = only(list_documents(room, room))
    assert failure.cause is FailureCause.INPUT
    assert "pipe" in failure.message


def test_a_file_too_large_to_read_is_withheld_before_it_is_read(room: Path) -> None:
    with (room / "huge.pdf").open("wb") as sparse:
        sparse.truncate(MAX_BYTES + 1)
    failure = only(list_documents(room, room))
    assert failure.cause is FailureCause.CAPACITY
    assert "larger than 1024 MB" in failure.message


@pytest.mark.parametrize("target", ["nowhere.txt", "loop.txt"])
def test_a_link_that_leads_nowhere_is_named(room: Path, target: str) -> None:
    (room / "loop.txt").symlink_to(target)
    failure = only(list_documents(room, room))
    assert (failure.cause, failure.subject) == (FailureCause.INPUT, "loop.txt")
    assert "cannot be opened" in failure.message


def test_a_name_that_is_not_utf_8_is_named_in_letters_that_are(room: Path) -> None:
    (room / os.fsdecode(b"le\xe4se.txt")).write_text("x")
    failure = only(list_documents(room, room))
    assert failure.subject == "le\\udce4se.txt"
    assert "not UTF-8" in failure.message


def test_what_changed_or_went_is_told_and_what_stayed_is_not(room: Path) -> None:
    for name in ("same.txt", "longer.txt", "other.txt", "gone.txt", "pipe.txt"):
        os.utime(put(room / name, "The rent is $900."), ns=(1, 1))
    documents, _ = list_documents(room, room)
    put(room / "longer.txt", "The rent is $900.00.")
    put(room / "other.txt", "The rent is $901.")
    os.utime(room / "other.txt", ns=(1, 1))  # neither a time stamp nor a cache is believed
    (room / "gone.txt").unlink()
    (room / "pipe.txt").unlink()
    os.mkfifo(room / "pipe.txt")
    found = {failure.subject: failure for failure in changes(documents)}
    assert set(found) == {"longer.txt", "other.txt", "gone.txt", "pipe.txt"}
    assert all(f.cause is FailureCause.CHANGED and f.remedy for f in found.values())
    assert "changed after" in found["longer.txt"].message
    assert "changed after" in found["other.txt"].message
    assert "No such file" in found["gone.txt"].message
    assert "no longer a regular file" in found["pipe.txt"].message
