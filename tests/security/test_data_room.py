"""A data room of attacks through the real command: each is one line with its remedy, the good document is read."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tasks.judging.lost_documents import Lost
from tasks.judging.sealing import SolverEyes
from tasks.matter.dataroom import list_documents
from tasks.matter.failures import FailureCause
from tasks.matter.rubric import Criterion
from tasks.matter.seal import seal_corpus
from tasks.sources.pool import ReaderPool
from tasks.sources.records import CoverageEntry
from tasks.sources.texts import read_document

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def docx(body: str, head: str = "", relations: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_TYPES}"><Override PartName="/word/document.xml" ContentType="{_MAIN}"/></Types>',
        )
        package.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_RELS}"><Relationship Id="r" Type="{_OFFICE}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        package.writestr("word/document.xml", f"<?xml version='1.0'?>{head}<w:document {W}>{body}</w:document>")
        package.writestr("word/_rels/document.xml.rels", f'<Relationships xmlns="{_RELS}">{relations}</Relationships>')
    return buffer.getvalue()


def words(text: str) -> str:
    return f"<w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body>"


def nested_mail(depth: int) -> bytes:
    inner = b"Subject: leaf\nFrom: a@b.c\n\nleaf\n"
    for i in range(depth):
        edge = b"B%d" % i
        inner = (
            b"Subject: %d\nFrom: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=%s\n\n--%s\n"
            b"Content-Type: text/plain\n\nbody\n--%s\nContent-Type: message/rfc822\n\n" % (i, edge, edge, edge)
        ) + b"%s\n--%s--\n" % (inner, edge)
    return inner


def nested_zip(depth: int) -> bytes:
    data = b"x"
    for _ in range(depth):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("a.zip", data)
        data = buffer.getvalue()
    return data


@pytest.fixture
def visits() -> Iterator[tuple[str, list[str]]]:
    """A server that nobody should call."""
    seen: list[str] = []

    class Seen(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Seen) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", seen
        server.shutdown()


GOOD = "LEASE\n\nThis Lease is dated March 3, 2021.\n\n1. Rent\n\nThe rent is $900 a month.\n"


def room_of_attacks(room: Path, url: str) -> None:
    room.mkdir()
    (room / "good.txt").write_text(GOOD)
    bomb = words("A" * 30_000_000)
    external = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/{kind}" Target="{target}" {mode}/>'
        for n, (kind, target, mode) in enumerate(
            [
                ("attachedTemplate", f"{url}/evil.dotm", 'TargetMode="External"'),
                ("footnotes", "file:///etc/passwd", 'TargetMode="External"'),
                ("comments", "../../../../../etc/passwd", ""),
                ("image", f"{url}/beacon.png", 'TargetMode="External"'),
            ]
        )
    )
    entity = f'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "{url}/x.dtd">%p;]>'
    laughs = "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9))
    files: dict[str, bytes] = {
        "bomb.docx": docx(bomb),
        "external.docx": docx(words("The lease of the mill."), relations=external),
        "xxe.docx": docx(words("before &x; after"), head=entity),
        "laughs.docx": docx(words("&j;"), head=f'<!DOCTYPE d [<!ENTITY a "ha">{laughs}]>'),
        "deep.docx": docx(
            "<w:body>" + "<w:tbl><w:tr><w:tc>" * 3000 + "x" + "</w:tc></w:tr></w:tbl>" * 3000 + "</w:body>"
        ),
        "deep.html": b"<html><body>" + b"<div>" * 50_000 + b"deep" + b"</div>" * 50_000,
        "page.html": f'<html><img src="{url}/i.png"><link href="{url}/c.css"><iframe src="{url}/f"></iframe>M'.encode(),
        "deep.json": b"[" * 200_000,
        "nest.eml": nested_mail(20),
        "nest.zip": nested_zip(8),
        "loop.pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Count 9999999/Kids[2 0 R 2 0 R]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF",
        "-rf.txt": b"A lease with a dash.",
        "a\nb\x1b[31m \"q\" 'r' <script>|`.txt": b"A lease with a name.",
        "l" * 250 + ".txt": b"A lease with a long name.",
        "nul.txt": b"\x00" * 1000,
    }
    for name, data in files.items():
        (room / name).write_bytes(data)
    os.mkfifo(room / "pipe.docx")
    (room / "zero.pdf").symlink_to("/dev/zero")
    (room / "again").symlink_to(room)


@pytest.mark.slow
def test_a_data_room_of_attacks(tmp_path: Path, project: Path, visits: tuple[str, list[str]]) -> None:
    url, seen = visits
    room_of_attacks(tmp_path / "room", url)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "flows.cli", "matter", str(tmp_path / "room"), "--ask", "What is the rent?"),
            *("--deliverable", "memo.docx", "--deliverable", "table.csv", "--json"),
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(project),
            "SOLON_HOME": str(tmp_path / "home"),
            "SOLON_PREFECT": "off",
        },
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout)
    assert result["outcome"] == "finished"
    assert seen == []
    report = Path(result["release_report"]).read_text()
    release = json.loads(Path(result["release_report"]).with_suffix(".json").read_text())
    coverage = {entry["document"]: entry for entry in release["coverage"]}
    assert coverage["good.txt"]["status"] == "read"
    assert coverage["external.docx"]["status"] == "read"
    for name in ("pipe.docx", "zero.pdf", "bomb.docx", "loop.pdf", "nest.zip"):
        (failure,) = coverage[name]["failures"]
        assert failure["remedy"], name
        assert coverage[name]["status"] == "unread"
    assert "<script>" not in report.replace("\\<script\\>", "")
    left = [p for p in (tmp_path / "home").rglob("*") if p.is_file()]
    assert not [p for p in left if b"root:x:0:0" in p.read_bytes()]


def test_a_document_that_changes_after_it_was_listed_is_not_read(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "lease.txt").write_text("The rent is $900.")
    ((ref,), _) = list_documents(room, room)
    (room / "lease.txt").write_text("The rent is $901.")
    text = read_document(ref, tmp_path / "cache")
    assert text.text == ""
    assert "changed" in text.problems[0].message
    (room / "lease.txt").unlink()
    os.mkfifo(room / "lease.txt")
    assert read_document(ref, tmp_path / "cache").problems[0].remedy


@pytest.mark.slow
def test_a_home_inside_the_data_room_is_refused(tmp_path: Path, project: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "good.txt").write_text(GOOD)
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "matter", str(room), "--ask", "What?", "--home", str(room / "solon")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(project), "SOLON_PREFECT": "off"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert "inside" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


class Shut:
    """A file system on which some folders and files may not be opened, whoever asks (these tests may run as root)."""

    def __init__(self, monkeypatch, code, *names):
        self.code, self.names = code, names
        for module, function in ((os, "scandir"), (os, "open")):
            monkeypatch.setattr(module, function, self.guarded(getattr(module, function)))

    def guarded(self, function):
        def call(path, *args, **more):
            if Path(str(path)).name in self.names:
                raise OSError(self.code, os.strerror(self.code), str(path))
            return function(path, *args, **more)

        return call


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE])
def test_a_file_that_may_be_good_and_cannot_be_opened_is_a_failure_of_ours(tmp_path, monkeypatch, code):
    for name in ("lease.txt", "good.txt"):
        (tmp_path / name).write_text("The rent.")
    (tmp_path / "dangling.txt").symlink_to("nowhere.txt")
    Shut(monkeypatch, code, "lease.txt")
    documents, withheld = list_documents(tmp_path, tmp_path)
    assert [d.name for d in documents] == ["good.txt"]
    found = {f.subject: f.cause for f in withheld}
    assert found == {"lease.txt": FailureCause.READER, "dangling.txt": FailureCause.INPUT}


def test_a_folder_that_cannot_be_listed_is_named_and_what_rests_on_it_is_unscored(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "lease.txt").write_text("The rent.")
    (tmp_path / "good.txt").write_text("The rent.")
    Shut(monkeypatch, errno.EACCES, "sub")
    documents, (failure,) = list_documents(tmp_path, tmp_path)
    assert [d.name for d in documents] == ["good.txt"]
    assert (failure.subject, failure.cause) == ("sub/", FailureCause.READER)
    good = CoverageEntry(document="good.txt", status="read", characters=9)
    lost = Lost.of([good, CoverageEntry(document="sub/", status="unread", characters=0, failures=(failure,))])
    match = {"kind": "value", "any": ["Ohio"]}
    for document, unscored in (("sub/lease.txt", True), ("good.txt", False), ("subject.txt", False)):
        anchor = {"document": document, "match": match}
        criterion = Criterion.model_validate({"id": "c", "title": "t", "match_criteria": "m", "anchors": [anchor]})
        assert (lost.foregone(criterion) is not None) == unscored


@pytest.mark.parametrize("closed", ["documents", "tax"])
def test_tasks_that_cannot_be_reached_are_named(make_task, tmp_path, monkeypatch, closed):
    make_task("tax/one")
    make_task("leases/two")
    Shut(monkeypatch, errno.ESTALE, closed)
    pool = ReaderPool(1)
    corpus = seal_corpus(tmp_path / "corpus", tmp_path / "sealed", SolverEyes(pool, None))
    pool.close()
    said = {p.subject: p.cause for p in corpus.problems}
    names = {"documents": ["leases/two/task.json", "tax/one/task.json"], "tax": ["tax/"]}[closed]
    assert said == dict.fromkeys(names, FailureCause.READER)
    assert [m.matter_id for m in corpus.matters] == ([] if closed == "documents" else ["leases/two"])
