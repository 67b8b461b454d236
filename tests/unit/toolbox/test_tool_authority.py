"""The authority tool: a citation in any usual spelling finds its entry, and nothing poses as found that is not.

Measured on 22 Nov 2026 with two sets of 60 spellings of entries drawn by hash (first place): search alone 53 and 43,
with citations read 60 and 60; the second set was written after the tool and measured once. The sets below are drawn
anew from whatever the catalogue holds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from flows.bench.liveness.records import with_rows
from tasks.harness import packaged
from tasks.toolbox.desk import Desk
from tasks.toolbox.tools.authority import _cited, _names, authority

Spell = Callable[[str, str], str]
DESK = Desk(harness=packaged())
BASE = packaged().knowledge
CODE: tuple[Spell, ...] = (
    lambda t, s: f"{t} USC {s}",
    lambda t, s: f"§ {s} of title {t}",
    lambda t, s: f"{t} U.S.C.A. § {s}(b)",
    lambda t, s: f"section {s} of title {t}, United States Code",
    lambda t, s: f"{t} usc {s}",
    lambda t, s: f"Title {t}, Section {s}",
    lambda t, s: f"what does {t} u.s.c. {s}(a) say",
    lambda t, s: f"{t} U.S. Code § {s}",
    lambda t, s: f"Sec. {s} of Title {t} of the U.S. Code",
    lambda t, s: f"{t} U.S.C.\u00a0§\u00a0{s}",
)
REGULATIONS: tuple[Spell, ...] = (
    lambda t, s: f"{t} CFR {s}",
    lambda t, s: f"{t} cfr § {s}",
    lambda t, s: f"{t} C. F. R. § {s}",
    lambda t, s: f"section {s} of title {t} of the Code of Federal Regulations",
    lambda t, s: f"claims under {t} CFR {s}",
)
RULES: tuple[Spell, ...] = (
    lambda _, n: f"FRCP {n}",
    lambda _, n: f"Rule {n} of the Federal Rules of Civil Procedure",
    lambda _, n: f"Federal Rule of Civil Procedure {n}",
    lambda _, n: f"fed r civ p {n}",
    lambda _, n: f"Fed.R.Civ.P. {n}(a)",
    lambda _, n: f"frcp rule {n}",
)
ACTS: tuple[Spell, ...] = (
    lambda act, s: f"section {s} of the {act}",
    lambda act, s: f"{act}, s {s}",
    lambda act, s: f"s.{s} {act}",
    lambda act, s: f"{act.lower()} s {s}",
)
FAMILIES: tuple[tuple[str, tuple[Spell, ...], int], ...] = (
    (r"(\d+) U\.S\.C\. § ([\w-]+)", CODE, 24),
    (r"(\d+) C\.F\.R\. § ([\w.-]+)", REGULATIONS, 15),
    (r"(Fed\. R\. Civ\. P\.) ([\d.]+)", RULES, 12),
    (r"([A-Z][\w ]+ Act (?:19|20)\d{2}) s\. (\d+)", ACTS, 9),
)


def _spellings() -> Iterator[tuple[str, str]]:
    rows = [row.citation for row in BASE.authorities]
    for pattern, spellings, n in FAMILIES:
        fitting = [c for c in rows if re.fullmatch(pattern, c)]
        for at, citation in enumerate(sorted(fitting, key=lambda c: hashlib.sha256(c.encode()).hexdigest())[:n]):
            match = re.fullmatch(pattern, citation)
            assert match
            yield citation, spellings[at % len(spellings)](match[1], match[2])


def test_sixty_spellings_of_entries_drawn_by_hash() -> None:
    catalogue = tuple(row.citation for row in BASE.authorities)
    pairs = list(_spellings())
    found = {said: {catalogue[at] for _, at, *_ in _cited(said, catalogue) if at is not None} for _, said in pairs}
    missed = [(citation, said) for citation, said in pairs if found[said] != {citation}]
    assert len(pairs) == 60
    assert len(missed) <= 2, missed


@pytest.mark.examples(2)
@pytest.mark.parametrize(
    ("query", "entry", "score"),
    [
        ("15 USC 78j(b)", "15 U.S.C. § 78j", 0.95),
        ("§ 78j of title 15", "15 U.S.C. § 78j", 1.0),
        ("SEC Rule 10b-5", "17 C.F.R. § 240.10b-5", 1.0),
        ("17 CFR 240.10b-5(b)", "17 C.F.R. § 240.10b-5", 0.95),
        ("Del. Code Ann. tit. 8, § 144", "8 Del. C. § 144", 1.0),
        ("DGCL § 102(b)(7)", "8 Del. C. § 102", 0.95),
        ("Art. 6(1)(f) GDPR", "GDPR art. 6", 0.95),
        ("326 U. S. 310", "Int'l Shoe Co. v. Washington, 326 U.S. 310 (1945)", 1.0),
    ],
)
def test_a_citation_comes_first_with_its_reason(query: str, entry: str, score: float) -> None:
    found = authority(DESK, query)
    first = found["authorities"][0]
    assert (first["citation"], first["score"]) == (entry, score)
    assert first["reason"].startswith(("is ", "holds "))
    assert [(c["held"], c["entry"]) for c in found["cited"]] == [(True, entry)]
    assert all(row["score"] < 1 and row["reason"] for row in found["authorities"][1:])


@pytest.mark.examples(3)
@pytest.mark.parametrize(
    "query",
    ["15 USC 99999", "29 CFR 9999.1", "FRCP 199", "99 Del. C. § 4", "Companies Act 2006 s 9999", "998 U.S. 99999"],
)
def test_what_the_catalogue_lacks_is_not_passed_off_as_held(query: str) -> None:
    found = authority(DESK, query)
    assert [c["held"] for c in found["cited"]] == [False]
    assert all(row["score"] < 1 for row in found["authorities"])


@pytest.mark.slow
def test_topics_and_nonsense_cite_nothing() -> None:
    assert authority(DESK, "insider trading")["cited"] == []
    assert authority(DESK, "insider trading")["authorities"]
    for query in ("", " ", "§", "(((", "\x00", "a" * 5_000, "1 " * 2_000):
        assert authority(DESK, query)["cited"] == []
    assert len(authority(DESK, "contract", k=3)["authorities"]) <= 3


def test_two_citations_of_one_question_both_come_first() -> None:
    found = authority(DESK, "how do FRCP 56 and 15 USC 78j compare")
    assert {row["citation"] for row in found["authorities"][:2]} == {"Fed. R. Civ. P. 56", "15 U.S.C. § 78j"}


def test_a_motion_is_cited_as_it_is_spoken() -> None:
    assert _names("Rule 12b6") == _names("12(b)(6) motion") == ["Fed. R. Civ. P. 12(b)(6)"]
    assert _names("Rule 12b-2") == ["17 C.F.R. § 240.12b-2"]


def _questions() -> dict[str, list[tuple[str, str]]]:
    """Return questions with their right answers by set: the first in halves by hash, the second whole.

    Ranking and floor were chosen on the half ``seen``. Of the other half only the totals were looked at; after them the
    rule came that one shared word is not enough. The second set was written then, and measured; the places that the
    catalogue has no law of were repaired after it. The set ``told`` is learned from.
    """
    sets: dict[str, list[tuple[str, str]]] = {"seen": [], "other": [], "second": [], "told": []}
    for line in (Path(__file__).parent / "authority_questions.tsv").read_text(encoding="utf-8").splitlines():
        name, question, answer = line.split("\t")
        half = "other" if int(hashlib.sha256(question.encode()).hexdigest(), 16) % 2 else "seen"
        sets[half if name == "first" else name].append((question, answer))
    return sets


def _is(citation: str, answer: str) -> bool:
    rest = citation.removeprefix(answer)
    return citation.startswith(answer) and (answer[-1].isalpha() or not rest or rest[0] not in "-.0123456789abcdefgh")


# Before: 22, 28 and 6 right in first place; 1, 0 and 0 of what has no answer without one.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first", "of", "nothing", "of_none"),
    [
        pytest.param("seen", 30, 41, 12, 13, marks=pytest.mark.thorough),
        pytest.param("other", 35, 47, 7, 9, marks=pytest.mark.thorough),
        # 8 right and 9 silent before the choice among the likeliest: of a name change in Utah and of a garden shed in
        # Wales it answers with law of names (U.C.C. § 9-507) and of planning appeals, for nothing else lies as near.
        ("second", 7, 11, 8, 10),
        ("told", 2, 2, 0, 0),  # as a story is told: neither was right before the words of data/asked for them
    ],
)
def test_questions_in_words(name: str, first: int, of: int, nothing: int, of_none: int) -> None:
    asked = _questions()[name]
    answered = [(question, answer.split("|")) for question, answer in asked if answer != "-"]
    tops = [(authority(DESK, question, k=3)["authorities"], answers) for question, answers in answered]
    right = sum(bool(rows) and any(_is(rows[0]["citation"], answer) for answer in answers) for rows, answers in tops)
    silent = sum(not authority(DESK, question)["authorities"] for question, answer in asked if answer == "-")
    assert (len(answered), len(asked) - len(answered)) == (of, of_none)
    assert right >= first
    assert silent >= nothing


def test_a_place_is_not_a_subject_and_a_deadline_is_that_of_its_rule() -> None:
    found = authority(DESK, "paid sick leave New York")
    assert found["authorities"][0]["citation"] == "N.Y. Lab. Law § 196-b"
    assert not any(row["citation"].startswith("New York Convention") for row in found["authorities"])
    convention = authority(DESK, "recognition of awards under the New York Convention")["authorities"][:5]
    assert any(row["citation"].startswith("New York Convention") for row in convention)
    found = authority(DESK, "answer deadline")
    assert found["authorities"][0]["citation"] == "Fed. R. Civ. P. 12"
    assert "civil_procedure/answer" in [row["window_id"] for row in found["windows"]]


def test_like_rows_share_no_chance_away() -> None:
    late = authority(DESK, "how long is the time to answer the complaint after service of summons")["windows"]
    assert late[0]["window_id"] == "civil_procedure/answer"


@pytest.mark.slow
def test_nothing_fits_is_said_and_the_floor_is_of_the_harness() -> None:
    found = authority(DESK, "liability for dog bites in Kenya")
    assert (found["authorities"], found["windows"], found["cited"]) == ([], [], [])
    assert found["said"].startswith("Nothing fits")
    assert "no statement about the law" in found["said"]
    assert authority(DESK, "insider trading")["said"] == ""
    choice = BASE.ranking.choice.model_copy(update={"floor": 0.0, "beside": 0.0})
    low = with_rows(BASE, ranking=BASE.ranking.model_copy(update={"choice": choice}))
    lowered = authority(Desk(harness=replace(packaged(), knowledge=low)), "liability for dog bites in Kenya")
    assert lowered["authorities"]
    assert lowered["said"] == ""


def test_law_of_a_place_that_the_catalogue_lacks_is_not_that_of_another() -> None:
    states = {
        row["jurisdiction"] for row in authority(DESK, "trade secret misappropriation in Utah", k=20)["authorities"]
    }
    assert states
    assert not any(re.fullmatch("US-[A-Z]{2}", state) for state in states)
    assert authority(DESK, "copyright term of a film under the law of Nigeria")["authorities"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    ["How long to oppose a motion under Fed. R. Civ. P. 97?", "GDPR art. 104: when must the controller reply?",
     "8 Del. C. § 499: notice before a stockholder meeting"],
)  # fmt: skip
def test_a_cited_provision_that_is_not_held_is_answered_by_no_other(query: str) -> None:
    found = authority(DESK, query)
    assert (found["held"], found["authorities"], found["windows"]) == (False, [], [])


@pytest.mark.slow
def test_the_law_district_of_the_matter_counts_where_the_query_names_none() -> None:
    query = "landlord must return the security deposit of a residential tenant"
    for place, code in (("New York", "US-NY"), ("Texas", "US-TX")):
        assert authority(DESK, query, jurisdiction=place)["authorities"][0]["jurisdiction"] == code
        assert (
            authority(DESK, f"{query} in {place}", jurisdiction="California")["authorities"][0]["jurisdiction"] == code
        )
