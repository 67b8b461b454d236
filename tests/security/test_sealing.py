"""Attacks on the door of a corpus: nothing of a rubric passes, nothing hangs, one bad task is one line."""

from __future__ import annotations

import base64
import io
import json
import os
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.matter.dataroom import list_documents
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.loading import load_corpus, load_folder

pytestmark = pytest.mark.usefixtures("sealed_here")

CANARY = "CANARYheliotrope7"
GOLD = f"PASS if the memo says that the lessor of the vineyard renewed for nine years {CANARY}."
CRITERION = {"id": "C-1", "title": "t", "match_criteria": GOLD}


def archive(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as into:
        for name, data in members.items():
            into.writestr(name.replace("__", "/"), data)
    return buffer.getvalue()


def mail(payload: bytes) -> bytes:
    lines = base64.encodebytes(payload)
    return b"Subject: x\nFrom: a@b.c\nContent-Transfer-Encoding: base64\n\n" + lines


RUBRIC = json.dumps({"criteria": [CRITERION]}).encode()
HIDDEN = {
    "under a suffix no one scans": ("scan.dat", RUBRIC),
    "as a PDF that is none": ("lease.pdf", RUBRIC),
    "in UTF-16": ("a.txt", GOLD.encode("utf-16")),
    "in UTF-16 without a mark": ("a.txt", GOLD.encode("utf-16-le")),
    "in JSON escapes": ("a.json", "".join(f"\\u{ord(c):04x}" for c in GOLD).encode()),
    "in a mail's attachment": ("a.eml", mail(RUBRIC)),
    "in an archive in a mail": ("b.eml", mail(archive(rubric=RUBRIC))),
    "in an archive in an archive": ("a.zip", archive(inner=archive(rubric=GOLD.encode()))),
    "in a Word file's odd part": ("a.docx", archive(word__rubric=RUBRIC)),
    "behind entities": ("a.html", "".join(f"<b>&#{ord(c)};</b>" for c in GOLD).encode()),
    "as the task file itself": ("task.json", b"{}"),
    "as the task file in capitals": ("sub/TASK.JSON", b"{}"),
}


@pytest.mark.parametrize(("name", "data"), HIDDEN.values(), ids=HIDDEN)
def test_a_rubric_in_disguise_is_withheld(
    make_task: Callable[..., Path], tmp_path: Path, name: str, data: bytes
) -> None:
    make_task(documents={"lease.txt": "The rent is $900.", name: data}, criteria=[CRITERION])
    (matter,) = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    assert [d.name for d in matter.documents] == ["lease.txt"]
    assert [(p.subject, p.cause) for p in matter.problems] == [(name, FailureCause.POLICY)]


@pytest.mark.parametrize("link", ["lease.pdf", "notes.txt", "noend"])
def test_a_link_to_a_task_file_is_withheld(make_task: Callable[..., Path], tmp_path: Path, link: str) -> None:
    other = make_task("tax/other", criteria=[{**CRITERION, "match_criteria": "short"}])
    folder = make_task("tax/mine", criteria=[CRITERION])
    (folder / "documents" / link).symlink_to(folder / "task.json")
    (folder / "documents" / f"other-{link}").symlink_to(other / "task.json")
    matters = load_corpus(tmp_path / "corpus", tmp_path / "sealed").matters
    assert [d.name for m in matters for d in m.documents] == ["lease.txt", "lease.txt"]


def test_a_task_directory_as_a_plain_folder_does_not_give_its_rubric_to_the_solver(
    make_task: Callable[..., Path],
) -> None:
    matter = load_folder(make_task(criteria=[CRITERION]), "What is the rent?", [])
    assert [d.name for d in matter.documents] == ["documents/lease.txt"]
    assert [p.subject for p in matter.problems] == ["task.json"]


BAD: dict[str, dict[str, Any]] = {
    "title missing": {"criteria": [{"id": CANARY, "match_criteria": CANARY}]},
    "weight": {"criteria": [{**CRITERION, "id": CANARY, "weight": CANARY}]},
    "ids twice": {"criteria": [{**CRITERION, "id": CANARY}] * 2},
    "unknown deliverable": {"criteria": [{**CRITERION, "id": CANARY, "deliverables": [CANARY]}]},
    "deliverable an object": {"criteria": [{**CRITERION, "deliverables": {CANARY: CANARY}}]},
    "anchors of another kind": {"criteria": [{**CRITERION, "anchors": {"match": {"kind": CANARY, "any": [CANARY]}}}]},
    "anchors with odd keys": {"criteria": [{**CRITERION, "anchors": [{CANARY: CANARY, "match": CANARY}]}]},
    "anchors a text": {"criteria": [{**CRITERION, "anchors": CANARY}]},
    "criterion a text": {"criteria": [CANARY]},
    "half a surrogate": {"criteria": [{**CRITERION, "title": CANARY + "\ud800"}]},
    "half a surrogate in the title": {"title": "\udfff", "criteria": [CRITERION]},
    "documents folder with a null": {"docs_dir": "a\0b", "criteria": [CRITERION]},
    "documents folder too long": {"docs_dir": "a" * 5000, "criteria": [CRITERION]},
}


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD)
def test_a_bad_rubric_is_one_line_without_its_words(
    make_task: Callable[..., Path], tmp_path: Path, fields: dict[str, Any]
) -> None:
    make_task("area/bad", **fields)
    make_task("area/good")
    corpus = load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    assert [m.matter_id for m in corpus.matters if m.matter_id != "area/bad"] == ["area/good"]
    assert CANARY not in corpus.model_dump_json()
    for problem in corpus.problems:
        assert problem.remedy
        assert len(problem.line().splitlines()) == 1


ODD: dict[str, dict[str, Any]] = {
    "tags a number": {"tags": 5},
    "tags a text": {"tags": "lease"},
    "sources a number": {"criteria": [{**CRITERION, "sources": 7}]},
    "extra keys": {CANARY: CANARY, "notes": {"gold": CANARY}, "criteria": [{**CRITERION, CANARY: CANARY}]},
}


@pytest.mark.parametrize("fields", ODD.values(), ids=ODD)
def test_odd_values_do_not_stop_a_task(make_task: Callable[..., Path], tmp_path: Path, fields: dict[str, Any]) -> None:
    make_task(**fields)
    corpus = load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    assert len(corpus.matters) == 1
    assert CANARY not in corpus.model_dump_json()


def test_a_number_of_ten_thousand_digits(make_task: Callable[..., Path], tmp_path: Path) -> None:
    (make_task("area/bad") / "task.json").write_text('{"title": ' + "9" * 10_000 + "}")
    make_task("area/good")
    corpus = load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    assert len(corpus.matters) == len(corpus.problems) == 1


@pytest.mark.usefixtures("own_sealer")
def test_a_folder_whose_name_is_not_utf8(make_task: Callable[..., Path], tmp_path: Path) -> None:
    bad = make_task("area/bad")
    bad.rename(bad.with_name(os.fsdecode(b"\xff")))
    make_task("area/good")
    corpus = load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    assert [m.matter_id for m in corpus.matters] == ["area/good"]
    assert [p.subject for p in corpus.problems] == ["area/\\udcff/task.json"]


@pytest.mark.usefixtures("own_sealer")
def test_a_pipe_for_a_task_file_does_not_hang(make_task: Callable[..., Path], tmp_path: Path) -> None:
    file = make_task("area/bad") / "task.json"
    file.unlink()
    os.mkfifo(file)
    make_task("area/good")
    corpus = load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    assert "is a pipe" in corpus.problems[0].message


def test_a_data_room_of_traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "good.txt").write_text("The rent is $900.")
    os.mkfifo(room / "pipe.docx")
    (room / "loop.txt").symlink_to(room / "loop.txt")
    (room / "circle").symlink_to(room)
    (room / "zero.pdf").symlink_to("/dev/zero")
    with (room / "vast.txt").open("wb") as vast:
        vast.truncate(2 * 1024**3)
    (room / "shut.txt").write_text("x")
    (room / "shut.txt").chmod(0)
    (room / "a\nb\x1b[31m\u202ec.txt").write_text("x")
    (room / "-rf 'x' \"y\".txt").write_text("x")
    (Path(os.fsencode(str(room)).decode("utf-8")) / os.fsdecode(b"\xff.txt")).write_text("x")
    monkeypatch.chdir(room)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("door.sock")
    documents, withheld = list_documents(room, room)
    told = {f.subject: f.message for f in withheld}
    expected = {"good.txt", "-rf 'x' \"y\".txt", "a\nb\x1b[31m\u202ec.txt"}
    assert {d.name for d in documents} - {"shut.txt"} == expected  # root reads what is shut
    unread = {"pipe.docx", "loop.txt", "zero.pdf", "vast.txt", "\\udcff.txt", "door.sock", "circle/"}
    assert set(told) - {"shut.txt"} == unread
    for failure in withheld:
        assert failure.remedy
        assert failure.line().isprintable()


def test_a_line_is_one_line_whatever_a_file_is_called() -> None:
    failure = Failure(
        cause=FailureCause.INPUT, stage="x", subject="a\r\n\x1b]0;owned\x07\u2028\u202efdp.exe", message="no"
    )
    assert failure.line().isprintable()
    assert failure.line().startswith("a\\r\\n\\x1b]0;owned\\x07\\u2028\\u202efdp.exe: no")


@pytest.mark.usefixtures("own_sealer")
def test_the_sealed_store_is_shut_to_others(make_task: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "sealed").mkdir(mode=0o755)
    make_task()
    load_corpus(tmp_path / "corpus", tmp_path / "sealed")
    modes = {p.stat().st_mode & 0o077 for p in (tmp_path / "sealed", *(tmp_path / "sealed").iterdir())}
    assert modes == {0}
