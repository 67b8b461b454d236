"""Every code stands under one name: two spellings would part its sections, and a search would find one of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest

from knowledge_db.answering import Answers
from tasks.harness import packaged

BASE = packaged().knowledge
# What follows the name: the mark of a section, or the number of a rule with its subdivisions.
_SECTION = re.compile(r"\s*(?:§+|\b(?:ss?|arts?|rr?|regs?|sch|para|pt)\.)\s.*$|\s(?:rule\s)?\d[\w.:/-]*(?:\(\w+\))*$")
_BEFORE = re.compile(r"^(?:§+|Arts?\.)\s*\S+\s(?:(?:Abs|Nr|S|Satz)\.?\s\S+\s)*(?=[A-Z])")
_PLACE = re.compile(r"\((?:Ireland|India|Singapore|Japan|Brazil|CH|Cth)\)")
_SMALL = frozenset({"the", "of", "and", "to", "in", "for", "de", "du", "des", "la", "le"})
_NUMERAL = re.compile(r"\d.*|[ivxl]+")


def words(citation: str) -> tuple[str, ...]:
    """Return the words of the name of an instrument, without its section and its place."""
    name = _PLACE.sub("", _SECTION.sub("", _BEFORE.sub("", citation)))
    said = re.findall(r"[^\W_]+", re.sub(r"['’](?:s\b)?", "", name.casefold()))
    return tuple(word for word in said if word not in _SMALL)


def alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Say whether two names may be one: word for word the same or shortened, their numbers the same."""

    def same(a: str, b: str) -> bool:
        shortened = a.startswith(b) or b.startswith(a)
        return a == b or (shortened and not (_NUMERAL.fullmatch(a) or _NUMERAL.fullmatch(b)))

    return len(one) == len(other) and all(map(same, one, other))


def under_two_names(cited: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield two citations, of law districts and citations, for each instrument that stands under two names."""
    names: dict[str, dict[str, str]] = defaultdict(dict)
    for place, citation in cited:
        name = _SECTION.sub("", _BEFORE.sub("", citation)).strip()
        names[place].setdefault(name, citation)
    for held in names.values():
        for one, other in combinations(held.values(), 2):
            if words(one) and alike(words(one), words(other)):
                yield one, other


def test_a_code_stands_under_one_name():
    law = [(row.jurisdiction, row.citation) for row in BASE.authorities if row.kind != "case"]
    periods = [(row.jurisdiction, row.authority) for row in BASE.windows if not re.search(r"\bvs?\.? ", row.authority)]
    assert len(law) > 7000
    assert list(under_two_names([*law, *periods])) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("N.Y. Work. Comp. Law § 18", "N.Y. Workers' Comp. Law § 28"),
        ("Pa. R.A.P. 903", "Pa. R. App. P. 1113(a)"),
        ("Companies Act 2014 s. 38", "Companies Act 2014 (Ireland) s. 409"),
        ("Limitation Act 1963 (India) art. 137", "Limitation Act 1963 s. 5"),
    ],
)
def test_two_names_of_a_code_are_seen(one, other):
    assert list(under_two_names([("X", one), ("X", other)])) == [(one, other)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("N.Y. Real Prop. Law § 291", "N.Y. Real Prop. Tax Law § 702"),
        ("17 C.F.R. § 240.10b-5", "7 C.F.R. § 46.46"),
        ("Companies Act 1985 s. 14", "Companies Act 2006 s. 33"),
        ("Fed. R. Civ. P. 12(a)", "Fed. R. Crim. P. 12"),
        ("§ 1 StGB", "§ 1 StPO"),
    ],
)
def test_names_of_two_codes_are_told_apart(one, other):
    assert list(under_two_names([("X", one), ("X", other)])) == []


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers(BASE)


@pytest.mark.parametrize(
    ("said", "citation"),
    [
        ("N.Y. Work. Comp. Law § 18", "N.Y. Workers' Comp. Law § 18"),
        ("WCL § 28 New York", "N.Y. Workers' Comp. Law § 28"),
        ("Pa. R.A.P. 903", "Pa. R. App. P. 903"),
        ("Pa.R.C.P. 1026", "Pa. R. Civ. P. 1026"),
        ("Companies Act 2014 s. 409", "Companies Act 2014 (Ireland) s. 409"),
        ("Limitation Act 1963 art. 137", "Limitation Act 1963 (India) Sch. art. 137"),
    ],
)
def test_another_spelling_of_a_code_finds_its_row(answers, said, citation):
    found, windows = answers.find(said, 1)
    assert [row["citation"] for row in found.rows] == [citation]
    assert windows.rows
