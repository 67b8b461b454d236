"""The tables of citation forms: every form, part, list and table of words acts, and a wrong row is refused by name."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tasks.legaltext.citations import scan
from tasks.legaltext.citations.forms import Form, FormTable, build_templates, form_tables, templates
from tasks.legaltext.citations.scan import scan_citations

FORMS = {form.name: form for table in form_tables() for form in table.form}
SHARED = [
    (at, kind, name)
    for at, table in enumerate(form_tables())
    for kind in ("parts", "lists", "words")
    for name in getattr(table, kind)
]
ROW: dict[str, Any] = {
    "name": "us_code",
    "kind": "statute",
    "seeds": ("USC",),
    "pattern": r"(?P<title>\d{1,2}) USC (?P<section>\d{1,5})",
    "canonical": "{title} U.S.C. § {section}",
    "example": "42 USC 1983",
    "gives": "42 U.S.C. § 1983",
}


def built(**changes: Any) -> str:
    """Scan the example of a small form with some fields changed, and return its canonical form."""
    form = Form.model_validate({**ROW, **changes})
    (template,) = build_templates([FormTable(words={"codes": {"USC": "U.S. Code"}}, form=(form,))])
    match = template.pattern.search(form.example)
    assert match
    return template.form(match, "")


@pytest.mark.parametrize("name", FORMS)
def test_the_example_of_a_form_gives_its_canonical_form_and_no_other_form_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = FORMS[name]
    found = scan_citations(form.example)

    assert tuple(m.canonical for m in found) == form.gives
    assert {m.kind for m in found} == {form.kind}

    monkeypatch.setattr(scan, "templates", lambda: tuple(t for t in templates() if t.name != name))
    assert scan_citations(form.example) != found


@pytest.mark.parametrize(("at", "kind", "name"), SHARED)
def test_a_shared_part_list_or_table_of_words_is_used(
    at: int, kind: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = list(form_tables())
    left = {key: value for key, value in getattr(tables[at], kind).items() if key != name}
    tables[at] = tables[at].model_copy(update={kind: left})

    monkeypatch.setattr(scan, "templates", cache(lambda: build_templates(tables)))
    with pytest.raises((ValueError, KeyError), match=name):
        scan_citations("\n\n".join(form.example for form in FORMS.values()))


TITLE, CODE, PART, SECTION = (
    r"(?P<title>\d{1,2}) ",
    "(?P<code>USC) ",
    r"(?:pt\. (?P<part>\d) )?",
    r"(?P<section>\d{2,5})",
)


@pytest.mark.parametrize(
    ("pattern", "canonical", "expected"),
    [
        (TITLE + CODE, "{title} {code:codes}", "42 U.S. Code"),
        (CODE + PART + SECTION, "{code}<, pt. {part}><, § {section}>", "USC, § 1983"),
        (CODE + PART + SECTION, "{code} <pt. {part}|§ {section}>", "USC § 1983"),
        (PART + SECTION, "<{part?}a part|{section?}a section|both>", "a section"),
        (CODE + PART, "{code} <{part?}a part|no part>", "USC no part"),
        (r"(?P<title>pt)?(?P<title2>\d{1,2}) " + CODE, "{code:undotted} {title}", "USC 42"),
    ],
)
def test_templates(pattern: str, canonical: str, expected: str) -> None:
    assert built(pattern=pattern, canonical=canonical) == expected


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"canonical": "{title} U.S.C. § {part}"}, r"'us_code'.*\['part'\].*\['section'\]"),
        ({"canonical": "{title} U.S.C."}, r"'us_code'.*\['section'\]"),
        ({"canonical": "{title} {section:narrow}"}, "'us_code'.*'narrow'"),
        ({"canonical": "{title} {section"}, "'us_code': stray"),
        ({"canonical": "{title} <{section}"}, "'us_code': stray"),
        ({"pattern": "{code}"}, "'us_code'.*'code'"),
        ({"pattern": r"(?P<title>\d{1,2}"}, "'us_code'"),
        ({"reader": "act_of_god"}, "'us_code'.*'act_of_god'"),
        ({"seeds": ("{code}",)}, "'us_code'.*'code'"),
        ({"kind": "novel"}, "kind"),
        ({"jurisdiction": "US"}, "Extra inputs"),  # no form is bound to a place
        ({"seed": "USC"}, "seed"),
        ({"seeds": ()}, "'us_code'.*seed"),
        ({"example": ""}, "example"),
    ],
)
def test_a_wrong_row_is_refused_by_name(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        built(**changes)


def test_two_forms_of_one_name_are_refused() -> None:
    form = Form.model_validate(ROW)
    with pytest.raises(ValueError, match="us_code"):
        build_templates([FormTable(form=(form,)), FormTable(form=(form,))])


def test_the_names_of_codes_are_read_across_a_wrapped_line() -> None:
    assert [m.canonical for m in scan_citations("under La.\nR.S. 9:2800 and later")] == ["La. Rev. Stat. § 9:2800"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UK GDPR art. 12", ["UK Regulation (EU) 2016/679 art 12"]),
        ("Articles 13 and 14 of the UK GDPR", [f"UK Regulation (EU) 2016/679 art {n}" for n in (13, 14)]),
        ("UK General Data Protection Regulation, art. 5", ["UK Regulation (EU) 2016/679 art 5"]),
        ("Art. 17 of the GDPR as it forms part of UK law", ["UK Regulation (EU) 2016/679 art 17"]),
        ("Article 6 GDPR and UK GDPR art 7", ["Regulation (EU) 2016/679 art 6", "UK Regulation (EU) 2016/679 art 7"]),
        ("Art. 6 of the EU GDPR", ["Regulation (EU) 2016/679 art 6"]),
        ("Article 5 of the retained Regulation (EC) No 593/2008", ["UK Regulation (EC) No 593/2008 art 5"]),
        ("the UK version of Regulation (EU) No 596/2014", ["UK Regulation (EU) No 596/2014"]),
        ("assimilated Regulation (EC) No 261/2004", ["UK Regulation (EC) No 261/2004"]),
        ("Regulation (EU) 2017/1129 as it forms part of domestic law", ["UK Regulation (EU) 2017/1129"]),
        ("Regulation (EU) 2017/1129 as it stands", ["Regulation (EU) 2017/1129"]),
        ("UK Directive 95/46/EC", ["UK Directive 95/46/EC"]),
        ("Swiss GDPR art. 5", []),
        ("Brazil's GDPR, art. 7", []),
        ("Irish regulators under GDPR art. 58", ["Regulation (EU) 2016/679 art 58"]),
        ("§ 84 AktG (Austria)", []),
        ("AktG § 84 (Österreich)", []),
        ("§§ 84, 85 AktG (Austria)", []),
        ("§ 84 AktG (neu)", ["§ 84 AktG"]),
        ("Delaware Bankruptcy Rule 3007-1", []),
        ("Delaware Civil Rule 5", []),
        ("German Bankruptcy Code section 5", ["German Bankruptcy Code § 5"]),
        ("American Bankruptcy Code section 541", ["11 U.S.C. § 541"]),
    ],
)
def test_a_place_or_people_beside_a_name_of_law_makes_it_another_law(text: str, expected: list[str]) -> None:
    assert [mention.canonical for mention in scan_citations(text)] == expected
