"""The bench of questions of law: what counts as the right authority and period, and as a confident error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from flows.bench.law.matching import match, periods, same_period
from flows.bench.law.measure import measure_law, totals
from flows.bench.law.questions import CLOSED, LawQuestion, read_closed, read_questions
from flows.bench.law.table import render
from tasks.matter.failures import SolonError


@pytest.mark.parametrize(
    ("held", "right", "said"),
    [
        ("8 U.S.C. § 1252", "8 U.S.C. § 1252(b)(1)", "right"),
        ("42 U.S.C. § 1252", "8 U.S.C. § 1252(b)(1)", "wrong"),
        ("42 Pa. Cons. Stat. § 8371", "42 Pa.C.S. § 8371", "right"),
        ("13 Pa. Cons. Stat. § 8371", "42 Pa.C.S. § 8371", "wrong"),
        ("Code des assurances art. L. 114-1", "art. L. 114-1 C. assur.", "right"),
        ("Code des assurances art. L. 113-1", "art. L. 114-1 C. assur.", "wrong"),
        ("Regulation (EC) 139/2004 art. 10", "Reg. 139/2004 art. 10(1)", "right"),
        ("Regulation (EC) 139/2004", "Reg. 139/2004 art. 10(1)", "act"),
        ("Regulation (EC) 139/2004 art. 9", "Reg. 139/2004 art. 10(1)", "wrong"),
        ("Fair Work Act 2009 (Cth) s. 394", "Fair Work Act s 394(2)(a)", "right"),
        ("Fair Work Act 2009 (Cth)", "Fair Work Act s 394(2)(a)", "act"),
        ("Cal. Civ. Proc. Code § 412.20", "Cal. Code Civ. Proc. § 412.20(a)(3)", "right"),
        ("Cal. Civ. Code § 412.2", "Cal. Code Civ. Proc. § 412.20(a)(3)", "wrong"),
        ("Cal. Lab. Code § 2339", "Cal. Fam. Code § 2339(a)", "wrong"),
        ("§ 15a InsO", "§ 15a(1) InsO", "right"),
        ("Code de commerce art. L. 330-3", "C. com. (France) art. L. 330-3", "right"),
        ("Code de commerce art. L. 330-3", "C. civ. (France) art. L. 330-3", "wrong"),
        ("Code de procédure civile art. 1520", "CPC (France) art. 1520", "right"),
        ("Code pénal art. 1520", "CPC (France) art. 1520", "wrong"),
        ("Legge 392/1978 art. 38", "L. 392/1978 art. 38", "right"),
        ("Legge 392/1978 art. 38", "L. 392/1979 art. 38", "wrong"),
        ("Construction Act, R.S.O. 1990, c. C.30, s. 22", "Código Civil art. 22", "wrong"),
        ("Construction Act, R.S.O. 1990, c. C.30, s. 22", "Construction Act s. 22", "right"),
        ("Fisheries Act, R.S.C. 1985, c. F-14, s. 36", "Fisheries Act (Canada) s. 36(3)", "right"),
        ("Pa. R. Civ. P. 1026", "Pa. R.C.P. No. 1026(a)", "right"),
        ("Pa. R. Crim. P. 1026", "Pa. R.C.P. No. 1026(a)", "wrong"),
        ("§ 15b InsO", "§ 15a(1) InsO", "wrong"),
        ("N.Y. C.P.L.R. § 5513", "CPLR 5513(a)", "right"),
        ("Rules of the High Court (Cap. 4A) O. 12 r. 5", "Cap. 4A O. 12 r. 5", "right"),
        ("N.Y. Real Prop. Acts. Law § 711", "RPAPL § 711(2)", "right"),
        ("Cal. Civ. Proc. Code § 412.20", "CCP § 412.20(a)(3)", "right"),
        ("Fed. R. Civ. P. 41", "PACE 1984 s 41", "wrong"),
        ("Arbitration Act 2025 s. 1", "Arbitration Act 1996 s 1", "wrong"),
        ("Banks v Goodfellow (1870) LR 5 QB 549", "Banks v Goodfellow (1870) LR 5 QB 549", "right"),
        ("Case C-311/18, Schrems II (2020)", "Commissioner v Facebook Ireland (Schrems II), C-311/18", "right"),
        ("South Dakota v. Wayfair, 138 S. Ct. 2080 (2018)", "South Dakota v. Wayfair, 585 U.S. 162 (2018)", "right"),
        ("Quill Corp. v. North Dakota, 504 U.S. 298 (1992)", "South Dakota v. Wayfair, 585 U.S. 162 (2018)", "wrong"),
        ("Ley 9/2017 art. 50", "Ley 9/2017 art. 50.1", "right"),  # a paragraph
        ("CPC (Brazil) art. 1.003", "CPC art. 1.015", "wrong"),  # a thousand
        ("28 U.S.C. § 1291", "Cohen v. Beneficial Indus. Loan Corp., 337 U.S. 541 (1949)", "wrong"),
    ],
)  # fmt: skip
def test_citations_are_compared_by_instrument_and_section(held: str, right: str, said: str) -> None:
    assert match(held, right) == said


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("30 days after service", {(30, "day", False)}),
        ("promptly and no later than 3 business days after", {(3, "day", True)}),
        ("2 years and 6 months from the act", {(30, "month", False)}),
        ("not less than 10 nor more than 60 days before", {(10, "day", False), (60, "day", False)}),
        ("not less than 4 weeks and not more than 10 weeks", {(28, "day", False), (70, "day", False)}),
        ("60 days after service, or 180 days after entry", {(60, "day", False), (180, "day", False)}),
        ("within 6 months before expiration of the 5-year period", {(6, "month", False)}),
        ("15 working days | 15 days", {(15, "day", True), (15, "day", False)}),
        ("by 5.00 pm on the 28th day following", {(28, "day", False)}),
        ("at once", set()),
    ],
)
def test_periods_are_read_from_words(said: str, found: set[tuple[int, str, bool]]) -> None:
    assert periods(said) == found


def test_a_window_counts_the_right_period_only_in_the_right_days() -> None:
    window = {"n": 2, "unit": "year", "calendar": "calendar"}
    assert same_period(window, "24 months from the act")
    court_days = {"n": 5, "unit": "day", "calendar": "business"}
    assert not same_period(court_days, "5 days after")
    assert same_period(court_days, "5 days after", "court days (without weekends and judicial holidays)")
    assert not same_period({**court_days, "calendar": "calendar"}, "5 days after", "court days")
    assert not same_period(court_days, "5 days after", "from service; no court days")


def _tool(answers: dict[str, tuple[str, float]]) -> Any:
    def tool(question: str, within: str = "") -> dict[str, Any]:
        citation, score = answers.get(f"{question} in {within}", answers.get(question, ("", 0.0)))
        rows = [{"citation": citation, "score": score}] if citation else []
        window = {
            "window_id": "a/b",
            "authority": citation,
            "n": 9,
            "unit": "day",
            "calendar": "calendar",
            "score": score,
        }
        near = [] if rows else [{"citation": "1 U.S.C. § 4"}]
        return {"authorities": rows, "windows": [window] if rows else [], "nearest": near}

    return tool


def _asked(id_: str, kind: str, authority: str = "", period: str = "") -> LawQuestion:
    return LawQuestion.model_validate(
        {"id": id_, "area": "tax", "jurisdiction": "US", "kind": kind, "question": id_, "authority": authority,
         "period": period}
    )  # fmt: skip


def test_right_wrong_and_silent_answers_are_counted_apart() -> None:
    asked = [
        _asked("a", "deadline", "1 U.S.C. § 2", "9 days after service"),
        _asked("b", "authority", "1 U.S.C. § 3"),
        _asked("c", "authority", "1 U.S.C. § 4"),
        _asked("d", "not_held"),
        _asked("e", "not_held"),
    ]
    tool = _tool(
        {
            "a": ("1 U.S.C. § 2", 0.9),
            "b": ("1 U.S.C. § 9", 0.7),
            "b in US": ("1 U.S.C. § 3", 0.7),
            "e": ("1 U.S.C. § 9", 0.3),
        }
    )
    result = measure_law(asked, tool)
    counts = result["all"]
    assert (counts["authority_right"], counts["authority_of"], counts["authority_not_held"]) == (1, 3, 1)
    assert counts["authority_near"] == 1  # c: the nearest of what is no answer
    assert (counts["period_right"], counts["period_of_right_law"], counts["period_of"]) == (1, 1, 1)
    assert (counts["not_held_right"], counts["not_held_of"], counts["wrong_with_confidence"]) == (1, 2, 1)
    assert [(row["right"], row["wrong"]) for row in result["scores"] if row["right"] + row["wrong"]] == [
        (0, 1), (0, 1), (1, 0),
    ]  # fmt: skip
    assert (result["told"]["authority_right"], result["told"]["wrong_with_confidence"]) == (2, 0)
    said = render(result)
    assert "with the place told" in said
    assert "b wrong, period none, 0.70" in said
    assert "a right" not in said


def test_a_file_that_holds_no_question_is_named(tmp_path: Path) -> None:
    for content in ("id,area\n", "id,area,jurisdiction,kind,question\n1,tax,US,riddle,what\n"):
        path = tmp_path / "questions.csv"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(SolonError, match=r"questions\.csv"):
            read_questions(path)


def test_a_row_that_is_no_question_is_told_by_its_column(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("id,area,jurisdiction,kind,question\nx1,tax,US federal,period,When is it due?\n")
    with pytest.raises(SolonError, match=r"mine\.csv: has a row that is no question: kind: Input should be"):
        read_questions(path)


def test_of_a_closed_set_totals_alone_are_told() -> None:
    asked = [_asked("secret", "authority", "1 U.S.C. § 3")]
    told = totals(measure_law(asked, _tool({"secret": ("1 U.S.C. § 9", 0.7)})))
    assert told["all"]["wrong_with_confidence"] == 1
    assert "secret" not in str(told)
    assert "1 U.S.C." not in render(told)


def test_every_closed_set_is_there_and_no_other_is_read() -> None:
    for name in CLOSED:
        assert len(read_closed(name)) >= 100
    with pytest.raises(SolonError, match="telephone"):
        read_closed("nowhere")
