"""Deliverables are landed under their names, and a good one is never touched."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from tasks.sources.records import SegmentKind
from tasks.sources.texts import read_file

WORK = "# Memo\n\n" + "The tenant shall pay the rent on the first day of each month to the landlord. " * 4
MORE = WORK + "\n\n" + "The landlord shall keep the roof in repair at its own cost during the term. " * 6


def names(view: Any) -> list[str]:
    return sorted(p.relative_to(view.output).as_posix() for p in view.output.rglob("*") if not p.is_dir())


@pytest.mark.parametrize(
    "where", ["drafts/memo.docx", "MEMO.DOCX", "Memo.docx", "memo.docx.docx", "my work/Memo.docx", "memo-final.docx"]
)
def test_work_under_another_name_or_folder_is_moved(attempt: Any, mechanism: Any, docx: Any, where: str) -> None:
    view = attempt({where: docx(WORK)})
    (firing,) = mechanism("landing").landed(view)
    assert firing.files == ("memo.docx",)
    assert firing.mechanism == "landing"
    assert names(view) == ["memo.docx"]
    assert "first day of each month" in read_file(view.output / "memo.docx").text


@pytest.mark.parametrize("where", ["memo.md", "memo.docx.md", "memo.txt", "memo.docx"])
def test_text_is_built_into_the_format_that_was_asked_for(attempt: Any, mechanism: Any, where: str) -> None:
    view = attempt({where: WORK})
    (firing,) = mechanism("landing").landed(view)
    assert "built anew" in firing.note
    assert names(view) == ["memo.docx"]
    assert read_file(view.output / "memo.docx").media == "docx"


def test_work_in_the_scratch_folder_is_copied(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({}, {"memo.md": WORK})
    assert mechanism("landing").landed(view)
    assert names(view) == ["memo.docx"]
    assert (view.scratch / "memo.md").is_file()  # nothing outside the output is changed


def test_a_stub_gives_way_to_the_work_and_the_fullest_is_taken(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"memo.docx": docx("# Memo\n\n[TBD]"), "a/memo.docx": docx(WORK), "b/memo.docx": docx(MORE)})
    assert mechanism("landing").landed(view)
    assert "keep the roof" in read_file(view.output / "memo.docx").text


def test_two_deliverables_each_get_their_own(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"x/memo.docx": docx(WORK), "x/letter.docx": docx(MORE)}, wanted=("memo.docx", "letter.docx"))
    assert len(mechanism("landing").landed(view)) == 2
    assert names(view) == ["letter.docx", "memo.docx"]
    assert "roof" in read_file(view.output / "letter.docx").text


def test_where_any_file_counts_the_work_is_raised_to_the_top(attempt: Any, mechanism: Any) -> None:
    view = attempt({"drafts/answer.md": WORK}, wanted=())
    assert [f.files for f in mechanism("landing").landed(view)] == [("answer.md",)]
    assert names(view) == ["answer.md"]


def test_a_good_deliverable_is_never_touched(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"memo.docx": docx(WORK), "drafts/memo.docx": docx(MORE), "memo.md": MORE}, {"memo.docx": MORE})
    before = (view.output / "memo.docx").read_bytes()
    assert mechanism("landing").landed(view) == []
    assert (view.output / "memo.docx").read_bytes() == before
    assert len(names(view)) == 3


@pytest.mark.parametrize(
    ("output", "scratch"),
    [
        ({}, {}),
        ({"notes.md": WORK}, {}),  # another name and another format: nobody knows
        ({}, {"notes.md": WORK, "memo-outline.md": WORK}),
        ({"memo.md": "# Memo\n\nTBD"}, {}),  # a stub is no better than nothing
        ({"memo.docx": "# Memo\n\nTBD"}, {"memo.md": "[insert analysis]"}),
        ({"drafts/memo.docx": b"PK\x03\x04 broken"}, {}),
    ],
)
def test_what_is_no_work_is_not_landed(attempt: Any, mechanism: Any, output: Any, scratch: Any) -> None:
    view = attempt(output, scratch)
    before = names(view)
    assert mechanism("landing").landed(view) == []
    assert names(view) == before


def test_two_strays_are_not_guessed_between(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"a.docx": docx(WORK), "b.docx": docx(MORE)})
    assert mechanism("landing").landed(view) == []


@pytest.mark.parametrize("name", ["memo.xlsx", "memo.csv", "memo.json"])
@pytest.mark.parametrize("held", ["memo.md", "memo.xlsx", "drafts/memo.txt"])
def test_prose_is_no_table(attempt: Any, mechanism: Any, docx: Any, name: str, held: str) -> None:
    view = attempt({"memo.docx": docx(WORK), held: WORK}, {"memo.md": WORK}, wanted=("memo.docx", name))
    before = names(view)
    assert mechanism("landing").landed(view) == []
    assert names(view) == before


def test_a_copy_of_a_document_is_no_work(attempt: Any, mechanism: Any, docx: Any) -> None:
    for name in ("lease.docx", "copy.docx"):
        view = attempt({name: docx(WORK)}, documents={})
        text = read_file(view.output / name).text
        for documents in ({"papers/lease.docx": "other"} if name == "lease.docx" else {"lease.docx": text},):
            assert mechanism("landing").landed(replace(view, documents=documents)) == []
        (view.output / name).unlink()


def test_what_is_built_anew_keeps_its_headings_and_tables(attempt: Any, mechanism: Any) -> None:
    view = attempt({"memo.md": WORK + "\n\n| Item | Date |\n|---|---|\n| Rent | May |\n"})
    mechanism("landing").landed(view)
    kinds = {s.kind for s in read_file(view.output / "memo.docx").segments}
    assert {SegmentKind.HEADING, SegmentKind.TABLE} <= kinds


def test_another_deliverable_is_no_stray(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"letter.docx": docx(WORK)}, wanted=("memo.docx", "letter.docx"))
    assert mechanism("landing").landed(view) == []


def test_without_a_builder_text_is_not_renamed_into_a_format(attempt: Any, mechanism: Any) -> None:
    view = attempt({"memo.md": WORK, "memo.docx": WORK})
    assert mechanism("landing", None).landed(view) == []
    assert names(view) == ["memo.docx", "memo.md"]


def test_links_and_names_that_lead_out_are_left_alone(attempt: Any, mechanism: Any, tmp_path: Any, docx: Any) -> None:
    secret = tmp_path / "secret.docx"
    secret.write_bytes(docx(WORK))
    view = attempt({}, {"x.txt": "x"}, wanted=("memo.docx", "../memo.docx"))
    (view.output / "memo.docx").symlink_to(secret)
    os.link(secret, view.scratch / "memo.docx")
    (view.output / "drafts").symlink_to(tmp_path)
    assert mechanism("landing").landed(view) == []
    assert not (tmp_path / "memo.docx").exists()


def test_a_link_in_the_place_of_the_deliverable_is_replaced_not_followed(
    attempt: Any, mechanism: Any, tmp_path: Any, docx: Any
) -> None:
    other = tmp_path / "other.docx"
    other.write_bytes(b"theirs")
    view = attempt({"drafts/memo.docx": docx(WORK)})
    (view.output / "memo.docx").symlink_to(other)
    assert mechanism("landing").landed(view)
    assert other.read_bytes() == b"theirs"
    assert not (view.output / "memo.docx").is_symlink()
