"""Corpora and folders: every quirk of the task format, and one clear line for each bad task."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.matter.dataroom import changes
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.loading import load_corpus, load_folder
from tasks.matter.rubric import Rubric

pytestmark = pytest.mark.usefixtures("sealed_here")

CRITERION = {"id": "C-001", "title": "States the rent", "match_criteria": "PASS if the rent is stated."}
SECRET = "PASS if the memorandum says that the canary sang at nineteen minutes past the hour."


def load(tmp_path: Path, limit: int | None = None):
    return load_corpus(tmp_path / "corpus", tmp_path / "sealed", limit)


@pytest.mark.usefixtures("own_sealer")
def test_public_half_and_sealed_half(make_task, tmp_path):
    make_task(criteria=[{**CRITERION, "match_criteria": SECRET}], _expected_answer="SECRET-KEY")
    corpus = load(tmp_path)
    (matter,) = corpus.matters
    assert matter.matter_id == "tax/memo-001"
    assert matter.area == "tax"
    assert [d.name for d in matter.documents] == ["lease.txt"]
    public = corpus.model_dump_json()
    assert "canary" not in public
    assert "SECRET-KEY" not in public
    sealed = tmp_path / "sealed" / f"{matter.digest}.json"
    assert Rubric.model_validate_json(sealed.read_text()).criteria[0].match_criteria == SECRET
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o600


def test_the_driver_process_never_imports_the_rubric():
    import subprocess
    import sys

    code = "import sys, tasks.matter.loading; print([m for m in sys.modules if 'rubric' in m or 'seal' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name", ["tax/memo", "tax/memo/scenario-1", "a/b/c/memo"], ids=["two levels", "three levels", "four levels"]
)
def test_any_nesting(make_task, tmp_path, name):
    make_task(name)
    assert [m.matter_id for m in load(tmp_path).matters] == [name]


def test_a_single_task_folder_is_a_corpus_of_one(make_task, tmp_path):
    folder = make_task()
    (matter,) = load_corpus(folder, tmp_path / "sealed").matters
    assert matter.matter_id == "memo-001"


def test_shared_document_store_is_not_copied(make_task, tmp_path):
    store = tmp_path / "corpus" / "dms"
    store.mkdir(parents=True)
    (store / "lease.txt").write_text("shared")
    for name in ("area/one", "area/two"):
        make_task(name, documents={}, docs_dir="../../dms")
    one, two = load(tmp_path).matters
    assert one.documents == two.documents
    assert one.documents[0].path == (store / "lease.txt").resolve()


def test_task_without_deliverables(make_task, tmp_path):
    make_task(drop=("deliverables",), criteria=[{**CRITERION, "id": "C001"}])
    assert load(tmp_path).matters[0].deliverables == ()


def test_criterion_may_name_a_deliverable_by_name_or_by_file(make_task, tmp_path):
    make_task(
        deliverables={"memo": "memo.docx"},
        criteria=[
            {**CRITERION, "deliverables": ["memo"]},
            {**CRITERION, "id": "C-002", "deliverables": ["memo.docx"], "sources": ["lease.txt"]},
            {**CRITERION, "id": "C-003", "evaluation_options": {"include_docx_redlines": True}},
        ],
    )
    (matter,) = load(tmp_path).matters
    rubric = Rubric.model_validate_json((tmp_path / "sealed" / f"{matter.digest}.json").read_text())
    assert [c.deliverables for c in rubric.criteria] == [("memo.docx",), ("memo.docx",), ()]
    assert [c.include_redlines for c in rubric.criteria] == [False, False, True]


BAD_TASKS = [
    ("no title", {"drop": ("title",)}, "`title` is missing"),
    ("blank brief", {"instructions": "  "}, "`instructions` is missing"),
    ("no criteria", {"drop": ("criteria",)}, "`criteria` is missing"),
    ("criterion without match", {"criteria": [{"id": "C-1", "title": "t"}]}, "criterion 1 lacks `match_criteria`"),
    ("weight", {"criteria": [{**CRITERION, "weight": 2}]}, "criterion 1 has a `weight`"),
    ("unknown deliverable", {"criteria": [{**CRITERION, "deliverables": ["x.docx"]}]}, "criterion 1 names an unknown"),
    ("twice the same id", {"criteria": [CRITERION, CRITERION]}, "criteria 1 and 2 have the same id"),
    ("two of one name", {"deliverables": {"memo": "memo.docx", "note": "Memo.docx"}}, "have the file name 'Memo.docx'"),
    ("deliverable outside", {"deliverables": {"memo": "../memo.docx"}}, "unusable file name '../memo.docx'"),
    ("deliverable of 300 letters", {"deliverables": {"memo": "m" * 300 + ".docx"}}, "unusable file name"),
    ("deliverable with a zero", {"deliverables": {"memo": "memo\0.docx"}}, "unusable file name"),
    ("deliverable in two lines", {"deliverables": {"memo": "me\nmo.docx"}}, "unusable file name"),
    ("deliverables a number", {"deliverables": 3}, "`deliverables` is not a map"),
    ("bad anchors", {"criteria": [{**CRITERION, "anchors": {"match": {"kind": "guess", "any": []}}}]}, "anchors"),
    ("no documents", {"documents": {}}, "no documents in `documents/`"),
    ("store outside", {"docs_dir": "../../../.."}, "leads out of the corpus"),
    ("store missing", {"docs_dir": "../dms"}, "there is no folder `../dms`"),
]


@pytest.mark.parametrize(("fields", "message"), [case[1:] for case in BAD_TASKS], ids=[case[0] for case in BAD_TASKS])
def test_a_bad_task_gives_one_line_and_does_not_stop_the_corpus(make_task, tmp_path, fields, message):
    make_task("area/bad", **fields)
    make_task("area/good")
    corpus = load(tmp_path)
    assert [m.matter_id for m in corpus.matters] == ["area/good"]
    (problem,) = corpus.problems
    assert problem.subject == "area/bad/task.json"
    assert message in problem.message
    assert problem.remedy
    assert "\n" not in problem.line()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"title": "x",', "broken JSON at line 1"),
        (b"[]", "not a JSON object"),
        (b'{"title": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"", "broken JSON"),
    ],
    ids=["cut off", "list", "latin-1", "deep", "empty"],
)
def test_broken_task_files(make_task, tmp_path, content, message):
    (make_task("area/bad") / "task.json").write_bytes(content)
    make_task("area/good")
    corpus = load(tmp_path)
    assert len(corpus.matters) == 1
    assert message in corpus.problems[0].message


def test_byte_order_mark_is_read(make_task, tmp_path):
    file = make_task() / "task.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert len(load(tmp_path).matters) == 1


def office_file(text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        words = text.split()
        archive.writestr("word/document.xml", "<w:p>" + "".join(f"<w:t>{w} </w:t>" for w in words) + "</w:p>")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("eval.json", json.dumps({"criteria": [{"match_criteria": "anything"}]}).encode()),
        ("notes.txt", f"by the way:\n{SECRET.upper()}".encode()),
        ("notes.docx", office_file(SECRET)),
    ],
    ids=["the field", "verbatim text", "split over runs of a Word file"],
)
def test_a_rubric_among_the_documents_is_withheld(make_task, tmp_path, name, content):
    make_task(
        documents={"lease.txt": "The rent is $900.", name: content}, criteria=[{**CRITERION, "match_criteria": SECRET}]
    )
    (matter,) = load(tmp_path).matters
    assert [d.name for d in matter.documents] == ["lease.txt"]
    assert [(p.subject, p.cause) for p in matter.problems] == [(name, FailureCause.POLICY)]


def test_a_damaged_archive_is_left_to_the_reader(make_task, tmp_path):
    make_task(documents={"lease.docx": b"PK\x03\x04 not a zip"})
    (matter,) = load(tmp_path).matters
    assert [d.name for d in matter.documents] == ["lease.docx"]


def test_links_out_of_the_corpus_and_system_files_are_left_out(make_task, tmp_path):
    outside = tmp_path / "secret.txt"
    outside.write_text("not yours")
    folder = make_task(documents={"a.txt": "a", ".DS_Store": "x", "~$a.docx": "lock"}) / "documents"
    (folder / "link.txt").symlink_to(outside)
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    (matter,) = load(tmp_path).matters
    assert [d.name for d in matter.documents] == ["a.txt"]
    assert {p.subject for p in matter.problems} == {"link.txt", "gone.txt"}


def test_digest_follows_content_and_not_place(make_task, tmp_path):
    folder = make_task()
    first = load(tmp_path).matters[0].digest
    moved = tmp_path / "elsewhere"
    (tmp_path / "corpus").rename(moved)
    assert load_corpus(moved, tmp_path / "sealed").matters[0].digest == first
    (moved / folder.relative_to(tmp_path / "corpus") / "documents" / "lease.txt").write_text("The rent is $901.")
    assert load_corpus(moved, tmp_path / "sealed").matters[0].digest != first


def test_limit_takes_the_first_in_order(make_task, tmp_path):
    for name in ("c/x", "a/x", "b/x"):
        make_task(name)
    assert [m.matter_id for m in load(tmp_path, limit=2).matters] == ["a/x", "b/x"]
    with pytest.raises(SolonError, match="cannot load 0"):
        load(tmp_path, limit=0)


def test_misuse_names_the_folder(tmp_path):
    with pytest.raises(SolonError, match="is not a folder"):
        load_corpus(tmp_path / "nowhere", tmp_path / "sealed")
    with pytest.raises(SolonError, match=r"holds no task\.json"):
        load_corpus(tmp_path, tmp_path / "sealed")


def test_plain_folder(tmp_path):
    room = tmp_path / "Smith v. Jones (2024)"
    (room / "mail").mkdir(parents=True)
    (room / "mail" / "a.eml").write_text("Subject: x")
    (room / "b.txt").write_text("b")
    matter = load_folder(room, "Summarise.", ["memo.docx"])
    assert matter.matter_id == "Smith-v.-Jones-2024"
    assert [d.name for d in matter.documents] == ["b.txt", "mail/a.eml"]
    assert matter.deliverables[0].filename == "memo.docx"
    assert matter.title == ""  # what is asked, not the folder, is the subject
    assert load_folder(room, "Summarise.", [], title="Smith review").title == "Smith review"


@pytest.mark.parametrize("name", ["../memo.docx", "/etc/memo.docx", "a\\b.docx", "..", ""])
def test_plain_folder_rejects_unsafe_deliverables(tmp_path, name):
    (tmp_path / "b.txt").write_text("b")
    with pytest.raises(SolonError, match="bare file name"):
        load_folder(tmp_path, "Summarise.", [name])


def test_plain_folder_rejects_two_deliverables_of_one_name(tmp_path):
    (tmp_path / "b.txt").write_text("b")
    with pytest.raises(SolonError, match="two deliverables have the file name"):
        load_folder(tmp_path, "Summarise.", ["memo.docx", "Memo.docx"])


def test_plain_folder_needs_documents_and_a_brief(tmp_path):
    with pytest.raises(SolonError, match="holds no documents"):
        load_folder(tmp_path, "Summarise.", [])
    (tmp_path / "b.txt").write_text("b")
    with pytest.raises(SolonError, match="no brief"):
        load_folder(tmp_path, " ", [])


def test_real_corpora(shared_data, tmp_path):
    corpus = load_corpus(shared_data / "cuad_matters", tmp_path / "sealed")
    assert len(corpus.matters) == 37
    assert not corpus.problems
    assert sum(len(m.documents) for m in corpus.matters) == 123
    firm = load_corpus(shared_data / "lab" / "firm_knowledge_tasks", tmp_path / "sealed")
    assert len(firm.problems) == 250  # their document store is not part of the data
    assert all("no folder `../../dms`" in p.message or "leads out" in p.message for p in firm.problems)


def test_a_task_within_a_task_is_loaded_unless_attempts_lie_there(
    make_task: Callable[..., Path], tmp_path: Path
) -> None:
    outer = make_task("tax/a")
    for inner in ("tax/a/b", "tax/a/1", "tax/a/extractive/1", "tax/a/b/c/2/d"):
        make_task(inner)
    corpus = load_corpus(outer.parents[1], tmp_path / "sealed")
    assert [m.matter_id for m in corpus.matters] == ["tax/a", "tax/a/1", "tax/a/b"]
    told = {f.subject: f for f in corpus.problems}
    assert set(told) == {"tax/a/extractive/1/task.json", "tax/a/b/c/2/d/task.json"}
    assert "attempts are kept of the task tax/a" in told["tax/a/extractive/1/task.json"].message
    assert all(f.remedy for f in corpus.problems)


def test_two_tasks_never_share_a_name(make_task: Callable[..., Path], tmp_path: Path) -> None:
    root = make_task("a")
    make_task("a/a")
    corpus = load_corpus(root, tmp_path / "sealed")  # the task of the root itself is called by the root's name
    assert [m.matter_id for m in corpus.matters] == ["a"]
    assert [f.subject for f in corpus.problems] == ["a/task.json"]
    assert "has the name of the task a" in corpus.problems[0].message


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


def _piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _foldered(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _same_size_and_time(path: Path) -> None:
    before = path.stat()
    path.write_bytes(path.read_bytes()[::-1])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Path.unlink, "cannot be opened any more (No such file"),
        (lambda path: path.rename(path.with_name("b.txt")), "cannot be opened any more (No such file"),
        (_same_size_and_time, "changed after the matter was loaded"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "changed after the matter was loaded"),
        (lambda path: path.write_bytes(path.read_bytes() + b"."), "changed after the matter was loaded"),
        (_piped, "no longer a regular file"),
        (_foldered, "no longer a regular file"),
    ],
)
def test_a_document_is_compared_by_its_bytes(
    make_task: Callable[..., Path], tmp_path: Path, change: Callable[[Path], object], said: str
) -> None:
    folder = make_task(documents={"a.txt": "The rent is $900.", "kept.txt": "Kept."})
    matter = load_corpus(folder, tmp_path / "sealed").matters[0]
    assert changes(matter.documents) == ()
    held = _open_files()
    change(folder / "documents" / "a.txt")
    (told,) = changes(matter.documents)
    assert (told.subject, told.cause) == ("a.txt", FailureCause.CHANGED)
    assert said in told.message
    assert _open_files() == held


def test_the_same_bytes_again_are_the_same_document(make_task: Callable[..., Path], tmp_path: Path) -> None:
    folder = make_task()
    matter = load_corpus(folder, tmp_path / "sealed").matters[0]
    path = folder / "documents" / "lease.txt"
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)
    assert changes(matter.documents) == ()


def test_data_rooms_and_hidden_folders_hold_no_tasks(make_task, tmp_path):
    """A task file that a client put among the documents is a document, and withheld; it is never run as a matter."""
    folder = make_task("tax/memo")
    other = make_task("tax/hidden")
    inner = folder / "documents" / "sub"
    inner.mkdir()
    (inner / "task.json").write_bytes((other / "task.json").read_bytes())
    other.rename(other.with_name(".hidden"))
    corpus = load(tmp_path)
    assert [m.matter_id for m in corpus.matters] == ["tax/memo"]
    assert [p.subject for p in corpus.matters[0].problems] == ["sub/task.json"]
    assert corpus.problems == ()


def test_the_area_is_the_first_folder_and_none_where_there_is_none(make_task, tmp_path):
    make_task("tax/deep/memo")
    make_task("memo")
    assert {m.matter_id: m.area for m in load(tmp_path).matters} == {"memo": "", "tax/deep/memo": "tax"}


def test_a_limit_counts_matters_and_not_bad_tasks(make_task, tmp_path):
    make_task("a/bad", drop=("title",))
    for name in ("b/one", "c/two", "d/three"):
        make_task(name)
    assert [m.matter_id for m in load(tmp_path, 2).matters] == ["b/one", "c/two"]
    assert len(load(tmp_path, 9).matters) == 3
