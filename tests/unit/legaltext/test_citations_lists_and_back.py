"""Lists, ranges and backward references: what each section and each Id. stands for."""

from __future__ import annotations

import pytest

from tasks.legaltext.citations.scan import scan_citations

LISTS = {
    "35 U.S.C. §§ 101–103": ["35 U.S.C. § 101", "35 U.S.C. § 103"],
    "41 USC 51-58": ["41 U.S.C. § 51", "41 U.S.C. § 58"],
    "18 U.S.C. §§ 1961-68": ["18 U.S.C. § 1961", "18 U.S.C. § 1968"],
    "15 U.S.C. §§ 80a-1 to 80a-64": ["15 U.S.C. § 80a-1", "15 U.S.C. § 80a-64"],
    "15 U.S.C. §§ 80a-1–80a-64": ["15 U.S.C. § 80a-1", "15 U.S.C. § 80a-64"],
    "42 U.S.C. §§ 2000e–2000e-17": ["42 U.S.C. § 2000e", "42 U.S.C. § 2000e-17"],
    "15 U.S.C. § 78u-4(b)": ["15 U.S.C. § 78u-4(b)"],
    "42 U.S.C. § 1396r–8": ["42 U.S.C. § 1396r-8"],
    "42 U.S.C. § 1320a-7b": ["42 U.S.C. § 1320a-7b"],
    "42 U.S.C. §1320a - 7(a)": ["42 U.S.C. § 1320a-7(a)"],
    "U.C.C. §§ 2-207, 2-314": ["U.C.C. § 2-207", "U.C.C. § 2-314"],
    "U.C.C. § 2-207": ["U.C.C. § 2-207"],
    "Tenn. Code Ann. § 47-18-104": ["Tenn. Code § 47-18-104"],
    "N.Y. Gen. Oblig. Law §§ 5-1401, 5-1402": ["N.Y. Gen. Oblig. Law § 5-1401", "N.Y. Gen. Oblig. Law § 5-1402"],
    "Fed. R. Civ. P. 26-37": ["Fed. R. Civ. P. 26", "Fed. R. Civ. P. 37"],
    "Fed. R. Civ. P. 12(b)(1), (2), and (6)": [f"Fed. R. Civ. P. 12(b)({n})" for n in (1, 2, 6)],
    "28 U.S.C. § 1332(a)(1) and (c)": ["28 U.S.C. § 1332(a)(1)", "28 U.S.C. § 1332(c)"],
    "29 U.S.C. § 1002(14)(i) and (ii)": ["29 U.S.C. § 1002(14)(i)", "29 U.S.C. § 1002(14)(ii)"],
    "15 U.S.C. § 1692 (FDCPA)": ["15 U.S.C. § 1692"],
    "45 CFR § 164.308(a)(3); § 164.312(a)(1)": ["45 C.F.R. § 164.308(a)(3)", "45 C.F.R. § 164.312(a)(1)"],
    "35 U.S.C. § 102(b) and § 103": ["35 U.S.C. § 102(b)", "35 U.S.C. § 103"],
    "45 CFR § 164.308; § 8.2 of this Agreement": ["45 C.F.R. § 164.308"],
    "45 CFR § 164.308; § 8.2 applies": ["45 C.F.R. § 164.308"],
    "15 U.S.C. § 78j(b), § 4 of the Lease": ["15 U.S.C. § 78j(b)"],
    "Rule 12b-1 under the 1940 Act, Rule 14d-10": ["17 C.F.R. § 270.12b-1", "17 C.F.R. § 240.14d-10"],
    # an enumeration of the contract is no list of sections
    "comply with 15 U.S.C. § 78j(b) and (b) pay": ["15 U.S.C. § 78j(b)"],
    "comply with 15 U.S.C. § 78j(c), (a) notify": ["15 U.S.C. § 78j(c)"],
}

_FULL = "Smith v. Jones, 550 U.S. 1, 5 (2007)"
BACK = {
    f"{_FULL}. Id. at 6.": ["550 U.S. 1"],
    f"{_FULL} (quoting Doe v. Roe, 410 U.S. 2, 3 (1973)). Id. at 6.": ["550 U.S. 1"],
    f"{_FULL} (citing A v. B, 1 F.3d 2 (2d Cir. 1993), and C v. D, 3 F.3d 4 (2d Cir. 1993)). Id.": ["550 U.S. 1"],
    f"{_FULL}, rev'g Jones v. Smith, 9 F.3d 10 (2d Cir. 2006). Id.": ["550 U.S. 1"],
    "Smith v. Jones, 550 U.S. 1, 5, 127 S. Ct. 100 (2007). Id.": ["550 U.S. 1"],
    f"{_FULL}. Section 4.2 of the Agreement differs. Id. § 4.3.": [""],
    f"{_FULL}. See Compl. ¶ 12. Id. ¶ 14.": [""],
    f"{_FULL}. Ex. A at 3. Id. at 4. Id. at 5.": ["", ""],
    "15 U.S.C. § 1. Agreement § 4.2. Id. § 4.3.": [""],
    "15 U.S.C. § 1; id. § 2; id.": ["15 U.S.C. § 2", "15 U.S.C. § 2"],
    "45 C.F.R. pt. 164. Id. § 164.502.": ["45 C.F.R. § 164.502"],
    "Strickland v. Washington, 466 U.S. 668 (1984). Hill v. Lockhart, 474 U.S. 52 (1985). Strickland, supra, at 687. "
    "Id. at 690.": ["466 U.S. 668", "466 U.S. 668"],
    "Omnicare, Inc. v. Laborers Dist. Council, 575 U.S. 175 (2015). *Omnicare*, *supra* note 4, at 9.": [
        "575 U.S. 175"
    ],
    "Section 8.2(a) applies. Id. § 8.3.": [""],
    "Employer Id. No. 12; patient id. 5; guest Id. card; see supra Part II; Part III, supra.": [],
}

_TWO = "Alpha Corp. v. Beta, 550 U.S. 100 (2007). Gamma v. Delta, 550 U.S. 400 (2007). "
SHORT = {
    _TWO + "Alpha Corp., 550 U.S. at 105.": "550 U.S. 100",
    _TWO + "Gamma, 550 U.S. at 405.": "550 U.S. 400",
    _TWO + "As held, 550 U.S. at 120.": "550 U.S. 100",
    _TWO + "As held, 550 U.S. at 20.": "550 U.S. at 20",
}


@pytest.mark.parametrize("text", LISTS)
def test_each_section_of_a_list_is_a_citation(text: str) -> None:
    assert [m.canonical for m in scan_citations(f"See {text}.")] == LISTS[text]


@pytest.mark.parametrize("text", BACK)
def test_a_backward_reference_means_what_a_reader_takes_it_for(text: str) -> None:
    assert [m.canonical for m in scan_citations(text) if m.kind in {"id", "supra"}] == BACK[text]


@pytest.mark.parametrize("text", SHORT)
def test_a_short_form_is_the_case_it_names_or_the_one_whose_pages_hold_it(text: str) -> None:
    assert scan_citations(text)[-1].canonical == SHORT[text]


def test_bare_rules_are_read_by_the_body_that_the_text_names() -> None:
    text = "Rule 56 and Rule 12(a)(1)(A) apply. The House Rules: Rule 5."
    assert [m.canonical for m in scan_citations(text)] == ["Fed. R. Civ. P. 12(a)(1)(A)"]
    named = "Under the Federal Rules of Civil Procedure, Rule 56 and Rules 26 and 37 apply, not Rule 702."
    assert [m.canonical for m in scan_citations(named)] == [f"Fed. R. Civ. P. {n}" for n in (56, 26, 37)]


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    "text",
    [
        "1 U.S.C. § 1(a)" + ", (b)" * 40_000,
        "1 U.S.C. § 1 (quoting " * 9_000 + "Id. ",
        "Id. " * 50_000,
        "Cal. " * 40_000 + "Code § 1",
        "Restatement (Second) of " * 9_000,
        "Local Rule 1" * 18_000,
        "A Act § 1 " * 20_000,
        "Rule 1-" * 30_000,
    ],
)
def test_no_list_and_no_reference_makes_the_scanner_slow(text: str, no_hang: None) -> None:
    scan_citations(text)
