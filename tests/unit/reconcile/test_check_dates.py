"""The date gate: grounded, derived and flagged claims, on small matters and on altered sentences of real contracts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from skills_repo.schema import default_procedure
from tasks.harness import packaged
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.windows.scan import scan_windows
from tasks.matter.records import Matter
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.records import Finding, GateCheck
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import CanonicalText, MatterState

CONTRACTS = Path(__file__).resolve().parents[3] / ".." / "shared" / "data" / "cuad_matters"
LEASE = (
    "LEASE dated as of March 3, 2019 between Harbour Estates and Quay Foods.\n"
    "The term is five (5) years from the Commencement Date of April 1, 2019.\n"
    "The Tenant shall give ninety (90) days' prior written notice of renewal.\n"
    "Rent is due within ten (10) Business Days after receipt of an invoice.\n"
    "The fiscal year ended December 31, 2018 is the base year. Insurance runs until December 31 of each year."
)
LICENCE = "LICENCE dated 15 January 2021. The Licensee shall cure any breach within thirty (30) days after notice."
SOURCES = {"quay-lease.txt": LEASE, "licence.txt": LICENCE}


def _text(name: str, text: str) -> CanonicalText:
    return CanonicalText(document=name, sha256="0" * 64, extractor="test/1", media="txt", text=text)


def _check(draft: str, sources: dict[str, str] | None = None, brief: str = "") -> GateCheck:
    chosen = SOURCES if sources is None else sources
    return check_dates(
        {"memo.docx": _text("memo.docx", draft)},
        {name: _text(name, text) for name, text in chosen.items()},
        Matter(matter_id="m", title="m", area="real-estate", instructions=brief),
        MatterState(matter_id="m", documents=(), coverage=()),
        KnowledgePack(
            harness_version="x",
            skill=SkillCard(skill_id="a/b", name="b", description="", body="", procedure=default_procedure()),
            skeletons={},
        ),
        packaged(),
    )


def _only(draft: str) -> Finding:
    check = _check(draft)
    assert len(check.findings) == 1, check
    return check.findings[0]


GROUNDED = [
    "The lease is dated 2019-03-03.",
    "The lease was signed on 3 March 2019.",
    "It was made in March 2019.",
    "The base year is FY2018.",
    "Insurance runs to December 31 each year.",
    "The term is for 5 years from commencement.",
    "The term runs for sixty months after commencement.",
    "Renewal needs 90 days' prior notice.",
    "Pay within 10 business days after receipt.",
    "Licensee must cure within 30 days after notice.",
]


@pytest.mark.parametrize("draft", GROUNDED)
def test_claims_in_any_notation_are_grounded_with_their_span(draft: str) -> None:
    check = _check(draft)
    assert check.findings == ()
    assert check.checked >= 1
    for grounding in check.grounded:
        assert draft[grounding.start : grounding.end] == grounding.text
        assert grounding.sources
        for span in grounding.sources:
            assert SOURCES[span.document][span.start : span.end].strip()


@pytest.mark.parametrize(
    ("draft", "kind"),
    [
        ("The lease is dated March 4, 2019.", "near_miss"),
        ("The lease is dated April 3, 2019.", "near_miss"),
        ("The lease is dated March 3, 2020.", "near_miss"),
        ("Commencement was on January 4, 2019.", "near_miss"),
        ("A meeting was held on August 22, 2005.", "unsourced"),
        ("Rent is due within 10 days after receipt of an invoice.", "unit_mismatch"),
        ("Licensee must cure within 30 business days after notice.", "unit_mismatch"),
        ("The term is for five months from commencement.", "unit_mismatch"),
        ("The tenant may object within 45 days after the audit.", "unsourced"),
        ("It was signed on February 30, 2019.", "unsourced"),
        ("It was signed on 31 April 2019.", "unsourced"),
        ("According to quay-lease.txt the date is 15 January 2021.", "wrong_entity"),
        ("## quay-lease.txt\nThe date is 15 January 2021.", "wrong_entity"),
    ],
)
def test_what_is_off_is_named(draft: str, kind: str) -> None:
    finding = _only(draft)
    assert finding.kind == kind
    assert finding.severity == "flag"
    assert finding.gate == "date"
    assert draft[finding.start : finding.end] == finding.text
    assert finding.sentence
    assert finding.checked
    assert finding.remedy
    if kind in {"near_miss", "unit_mismatch", "wrong_entity"}:
        assert finding.grounding is not None


def test_a_derived_date_shows_its_arithmetic() -> None:
    check = _check("quay-lease.txt: the term expires on March 31, 2024 (five years from April 1, 2019).")
    assert check.findings == ()
    derived = [one for one in check.grounded if one.derivation]
    assert [one.derivation for one in derived] == ["2019-04-01 + 5 years (last day) = 2024-03-31"]
    assert len(derived[0].sources) == 2


def test_figures_that_read_both_ways_ground_either_reading() -> None:
    source = {"invoice.txt": "Invoice of 03/04/2024 for goods delivered in Leeds, payable on presentation."}
    assert not _check("The invoice is dated 3 April 2024.", source).findings
    assert not _check("The invoice is dated March 4, 2024.", source).findings
    assert _check("The invoice is dated 5 April 2024.", source).findings
    assert _check("The invoice is dated 04/03/2024.", source).findings  # the figures are swapped, whatever they mean


SUPPLY = (
    "The invoice was received on June 28, 2024. Payment is due within five (5) Business Days after receipt of it.\n"
    "Notice of breach was given on July 5, 2024. The Supplier shall cure within thirty (30) days after the notice."
)


@pytest.mark.parametrize(
    ("draft", "derivation"),
    [
        # 4 July is a holiday, so five business days from 28 June end on 8 July.
        (
            "Payment was due on July 8, 2024: 5 Business Days after June 28, 2024.",
            "2024-06-28 + 5 days (business days, us_federal) = 2024-07-08",
        ),
        (
            "Payment was due on July 5, 2024: 5 Business Days after June 28, 2024.",
            "",  # a source has this date itself
        ),
        (
            "Thirty (30) days after July 5, 2024 is a Sunday, so the cure period ends on August 5, 2024.",
            "2024-07-05 + 30 days = 2024-08-04, closed: on to the next open day (us_federal) = 2024-08-05",
        ),
    ],
)
def test_business_days_and_rolled_dates_are_derived_with_their_calendar(draft: str, derivation: str) -> None:
    check = _check(draft, {"supply.txt": SUPPLY})
    assert not check.findings, check.findings
    assert derivation in {one.derivation for one in check.grounded}


DOCKET = {
    "docket.txt": "Summons returned executed. The summons and complaint were served on 1/19/2021. Entered: 02/12/2021.",
    "order.txt": "The complaint of November 2, 2020 was answered by counterclaims, mailed on March 1, 2021.",
}


def test_a_date_that_a_cited_rule_gives_is_derived_from_the_day_of_the_event() -> None:
    draft = (
        "Service was made on January 19, 2021. Under Fed. R. Civ. P. 12(a)(1)(A)(i) the answer is due February 9, 2021."
    )
    check = _check(draft, DOCKET)
    assert not check.findings, check.findings
    assert [one.derivation for one in check.grounded if one.derivation] == [
        "1/19/2021 + 21 days after (Fed. R. Civ. P. 12(a)(1)(A)(i), us_federal_courts) = 2021-02-09"
    ]
    mailed = "The counterclaim was mailed on March 1, 2021; FRCP 12(a)(1)(B) and 6(d) put the answer at March 25, 2021."
    assert not _check(mailed, DOCKET).findings


def test_a_date_that_the_cited_rule_does_not_give_is_flagged_with_the_one_it_gives() -> None:
    draft = (
        "Service was made on January 19, 2021. Under Fed. R. Civ. P. 12(a)(1)(A)(i) the answer is due February 8, 2021."
    )
    finding = _check(draft, DOCKET).findings[0]
    assert (finding.kind, finding.text) == ("near_miss", "February 8, 2021")
    assert "2021-02-09 by 21 days after" in finding.checked


@pytest.mark.parametrize(
    "draft",
    [
        "Service was made on January 19, 2021. The answer is due February 9, 2021.",  # no rule is cited
        "Under Fed. R. Civ. P. 12(a)(1)(A)(i) the answer is due February 9, 2021.",  # the event is not stated
        "Served on January 18, 2021. Under Fed. R. Civ. P. 12(a)(1)(A)(i) the answer is due February 8, 2021.",
        "Service was made on January 19, 2021. Under Rule 12(a)(1) the answer is due February 9, 2021.",
    ],
)
def test_a_rule_grounds_nothing_unless_it_is_cited_whole_with_a_day_of_the_sources(draft: str) -> None:
    assert any("February" in one.text for one in _check(draft, DOCKET).findings)


def test_dates_of_other_centuries_are_reckoned_without_holidays() -> None:
    old = {
        "deed.txt": "Deed of July 4, 1776. The grantee shall pay within thirty (30) days, or five (5) Business Days."
    }
    draft = (
        "Payment was due on August 3, 1776, thirty (30) days after July 4, 1776.\n\n"
        "It was due on July 11, 1776, five (5) Business Days after July 4, 1776.\n\n"
        "Under Fed. R. Civ. P. 12(a)(1)(A)(i) and July 4, 1776 the answer was due July 25, 1776."
    )
    assert {one.text for one in _check(draft, old).findings} == {"July 11, 1776", "July 25, 1776"}


def test_a_wrong_count_of_business_days_is_still_flagged() -> None:
    check = _check("Payment was due on July 9, 2024: 5 Business Days after June 28, 2024.", {"supply.txt": SUPPLY})
    assert [one.text for one in check.findings] == ["July 9, 2024"]


def test_periods_and_year_ends_stated_in_words_are_derived() -> None:
    sources = {"services.txt": "Made May 8, 2014, it runs to the end of the calendar year, then from year to year."}
    draft = "services.txt: it expires on 2014-12-31 and renews for 1 year terms."
    check = _check(draft, sources)
    assert check.findings == ()
    assert [one.derivation for one in check.grounded] == [
        "end of the calendar year of 2014-05-08 = 2014-12-31",
        "“from year to year” = 1 year",
    ]
    assert _check("services.txt: it renews for 2 year terms.", sources).findings[0].kind == "unsourced"


def test_a_coincidence_is_no_derivation() -> None:
    # Ten business days and 30 days lead to many dates; a date without a word of derivation must have a source.
    assert _only("The parties met on April 2, 2019.").kind == "near_miss"
    assert _only("The parties met on May 1, 2022.").kind == "unsourced"


def test_a_date_that_stands_in_another_passage_does_not_excuse_an_altered_one() -> None:
    draft = "LEASE dated as of April 1, 2019 between Harbour Estates and Quay Foods."
    finding = _only(draft)
    assert finding.kind == "near_miss"
    assert "March 3, 2019" in finding.checked


def test_the_run_date_and_file_names_are_no_claims() -> None:
    draft = "To: Partner\nDate: 21 November 2026 (date of the run)\nSee report-2020-05-05.pdf."
    sources = {"report-2020-05-05.pdf": "Nothing."}
    assert _check(draft, sources).checked == 0


def test_dates_of_the_brief_count_as_sourced() -> None:
    draft = "As asked, the position at June 30, 2023 is stated."
    assert _check(draft).findings[0].kind == "unsourced"
    assert _check(draft, brief="State the position as at 30 June 2023.").findings == ()


def test_an_empty_draft_and_empty_sources_are_harmless() -> None:
    assert _check("").checked == 0
    assert _check("Signed on March 3, 2019.", {}).findings[0].kind == "unsourced"


def test_hostile_draft_is_checked_in_reasonable_time() -> None:
    check = _check("March 3, 2019 " * 3000 + "(" * 20_000)
    assert check.checked == 3000


def _alter_date(rng: random.Random, text: str) -> str:
    number = rng.choice(list(re.finditer(r"\d+", text)))
    value = int(number[0])
    new = value + rng.choice([1, 2, 3]) if value < 3 else value + rng.choice([1, 2, -1])
    return text[: number.start()] + str(new).zfill(len(number[0])) + text[number.end() :]


def _alter_window(rng: random.Random, text: str) -> str:
    numbers = list(re.finditer(r"\d+", text))
    if numbers and rng.random() < 0.5:
        number = rng.choice(numbers)
        return text[: number.start()] + str(int(number[0]) + rng.choice([1, 5, 10, 30])) + text[number.end() :]
    other = {"hour": "day", "day": "month", "week": "day", "month": "day", "year": "month"}
    return re.sub(r"(?i)(hour|day|week|month|year)(s?)$", lambda m: other[m[1].lower()] + m[2], text)


def test_altered_dates_of_real_contracts_are_found_and_verbatim_ones_are_not() -> None:
    files = sorted(CONTRACTS.glob("**/*.txt"))
    if not files:
        pytest.skip("shared data is not beside the project")
    rng = random.Random(7)
    sources = {path.name: path.read_text(encoding="utf-8", errors="replace") for path in files}
    lines: list[tuple[str, bool]] = []
    for text in sources.values():
        for sentence in re.split(r"(?<=[.;])\s+", text):
            clean = " ".join(sentence.split())
            if not 40 < len(clean) < 700:
                continue
            dates = [(one, True) for one in scan_dates(clean) if re.search(r"\d", one.text)]
            windows = [(one, False) for one in scan_windows(clean)]
            if not dates and not windows:
                continue
            mention, is_date = rng.choice([*dates, *windows])
            new = (_alter_date if is_date else _alter_window)(rng, mention.text)
            altered = rng.random() < 0.5 and new != mention.text
            lines.append((clean[: mention.start] + new + clean[mention.end :] if altered else clean, altered))
    check = _check("\n".join(line for line, _ in lines), sources)
    at, found, false, n_altered = 0, 0, 0, sum(altered for _, altered in lines)
    for line, altered in lines:
        flagged = any(at <= one.start < at + len(line) for one in check.findings)
        found += altered and flagged
        false += (not altered) and flagged
        at += len(line) + 1
    print(f"altered {n_altered}: found {found}; verbatim {len(lines) - n_altered}: flagged {false}")
    assert found >= 0.97 * n_altered
    assert false <= 0.01 * (len(lines) - n_altered)
