"""The language of canonical forms, and the filters that a form may name."""

from __future__ import annotations

import re

import pytest

from tasks.legaltext.citations.canonical import parse_canonical
from tasks.legaltext.citations.filters import FILTERS, act_name
from tasks.legaltext.citations.readers import CitationRead

PATTERN = re.compile(
    r"(?P<title>\d+) (?:USC|(?P<code>[A-Z]+)) (?P<section>\d+)(?: \((?P<part>\w)\))?(?: or (?P<title2>\d+))?"
)
WORDS = {"codes": {"cfr": "C.F.R."}}


def written(template: str, text: str, section: str = "") -> str:
    match = PATTERN.search(text)
    assert match
    return parse_canonical(template, PATTERN, lambda found: {}, WORDS)(match, section)  # a reader needs not all groups


@pytest.mark.parametrize(
    ("template", "text", "canonical"),
    [
        ("{title} U.S.C. § {section}", "42 USC 1983", "42 U.S.C. § 1983"),
        ("{title} {code:codes} {section}", "17 CFR 240", "17 C.F.R. 240"),
        ("{title} {code:codes} {section}", "17 XYZ 240", "17 XYZ 240"),  # what no table holds stands as it is
        ("{section}<, part {part}>", "42 USC 1983 (a)", "1983, part a"),
        ("{section}<, part {part}>", "42 USC 1983", "1983"),
        ("<the {code}|title {title}>", "17 CFR 240", "the CFR"),
        ("<the {code}|title {title}>", "42 USC 1983", "title 42"),
        ("<{code?}a code>!", "17 CFR 240", "a code!"),
        ("<{code?}a code>!", "42 USC 1983", "!"),
        ("{part}", "42 USC 1983", ""),
    ],
)
def test_slots_choices_and_questions(template: str, text: str, canonical: str) -> None:
    assert written(template, text) == canonical


def test_a_section_that_is_given_goes_before_the_one_that_matched() -> None:
    assert written("{title} § {section}", "42 USC 1983", "1985") == "42 § 1985"


def test_a_slot_takes_the_first_group_of_its_name_that_matched() -> None:
    pattern = re.compile(r"(?:art (?P<n>\d+)|(?P<n2>\d+) art)")
    form = parse_canonical("art. {n}", pattern, None, {})
    assert [form(pattern.fullmatch(said), "") for said in ("art 7", "9 art")] == ["art. 7", "art. 9"]  # type: ignore[arg-type]


def test_a_reader_fills_slots_and_may_refuse() -> None:
    pattern = re.compile(r"rule (?P<n>\d+)")

    def reader(found: CitationRead) -> dict[str, str] | None:
        return None if found.match["n"] == "0" else {"act": f"Act {found.section}"}

    form = parse_canonical("{act} r {n}", pattern, reader, {})
    assert [form(m, "x") for m in pattern.finditer("rule 1 rule 0")] == ["Act x r 1", ""]


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{title} {code} {section} {part} {title2} {nobody}", "nobody"),
        ("{title}", "code"),  # a group of the pattern that fills nothing
        ("{title:nothing}", "no filter and no table of words is called 'nothing'"),
        ("{title", "stray '{'"),
        ("title}", "stray '}'"),
        ("<{title}", "stray '<'"),
        ("{Title}", "stray '{'"),
    ],
)
def test_a_template_that_is_wrong_in_itself_is_refused(template: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        parse_canonical(template, PATTERN, None, WORDS)


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("squeeze", " a \u2011  b ,.;", "a - b"),
        ("tight", "78j (b)\u2013(c)", "78j(b)-(c)"),
        ("part_or_section", "240.10b-5", "§ 240.10b-5"),
        ("part_or_section", "240", "pt. 240"),
        ("article_or_section", "2-207", "§ 2-207"),
        ("article_or_section", "9", "art. 9"),
        ("lowered", "12(B)(6)", "12(b)(6)"),
        ("lowered", "12(b)(A)", "12(b)(A)"),
        ("lowered", "4(AB)", "4(AB)"),
        ("unshouted", "LAW OF PROPERTY ACT", "Law of Property Act"),
        ("unshouted", "Law OF Property", "Law OF Property"),
        ("stopped", "Ch", "Ch."),
        ("stopped", "Ch.", "Ch."),
        ("stopped", "SDNY", "SDNY"),
        ("stopped", "", ""),
        ("abbreviated", "W.L.R.", "WLR"),
        ("abbreviated", "Lloyd's Rep.", "Lloyd's Rep."),
        ("abbreviated", "Cr. App. R.", "Cr. App. R."),
        ("bracketed", "6 Abs. 1", "6(1)"),
        ("digits", "34,123", "34123"),
        ("hyphen", "1\u20132", "1-2"),
        ("spaced", " a \n b ", "a b"),
        ("straight", "Lloyd’s", "Lloyd's"),
        ("undashed", "a-b-c", "abc"),
        ("undotted", "U.S.", "US"),
    ],
)
def test_what_a_filter_does(name: str, said: str, told: str) -> None:
    assert FILTERS[name](said) == told


def test_every_filter_has_a_case_above() -> None:
    (mark,) = (m for m in test_what_a_filter_does.pytestmark if m.name == "parametrize")  # type: ignore[attr-defined]
    assert {name for name, *_ in mark.args[1]} == set(FILTERS) - {"act_name"}


@pytest.mark.parametrize(
    ("said", "act"),
    [
        ("Under The Bribery Act", "Bribery Act"),
        ("See Of The Companies  Act,", "Companies Act"),
        ("Singapore's Companies Act", "Companies Act"),
        ("In Australia’s Corporations Act", "Corporations Act"),
        ("Theft Act", "Theft Act"),
        ("Both Acts of Settlement", "Acts of Settlement"),
    ],
)
def test_the_sentence_before_an_act_is_no_part_of_its_name(said: str, act: str) -> None:
    assert act_name(said) == act
