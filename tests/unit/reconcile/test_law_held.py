"""Drafts against the law that the knowledge holds: quotations, periods, rules that do not exist.

Held-out figures (22 Nov 2026). Periods: the subdivisions that state one, split in halves by hash, in phrasings written
after the patterns and measured once: of 576 altered periods (48 subdivisions, 12 phrasings) 480 are found (10 of the
phrasings; two are passed over in silence), of 576 right ones none is flagged, of 480 that are no claim (10 phrasings of
a fact) none is flagged. Quotations: of the time windows of the shared data the half by hash (47): 46 verified (one is
a form with a blank to fill), of 94 altered ones none verified (74 not found, 20 unresolved because the subdivision was
amended since), 46 of 47 found in their own rule when cited to another.
"""

from __future__ import annotations

import hashlib
import random
import re

import pytest
from reconcile_fixtures import run

from knowledge_db.law_texts import load_law_texts
from tasks.legaltext.citations.scan import scan_citations
from tasks.reconcile.citations import check_citations
from tasks.reconcile.law.figures import _durations, check_periods
from tasks.reconcile.law.quotes import LawLibrary

CLAIMS = (
    "Pursuant to {c}, the plaintiff shall have {n} {u} in which to respond.",
    "Counsel should calendar the response for {n} {u} from service; see {c}.",
    "You have only {n} {u} to move. {c}.",
    "The rule is strict: {c} affords a party {n} {u}, no more.",
    "Absent leave, {c} caps the time at {n} {u}.",
    "The response deadline is {n} {u} (see {c}).",
    "The applicable period, {n} {u}, is set by {c}.",
    "It must be served not later than {n} {u} after the order is entered, {c}, or it is waived.",
    "In accordance with {c}, objections are due no later than {n} {u} after service.",
    "Per {c}, the period is {n} {u}.",
    "The {n}-{s} window under {c} closes on Friday.",
    "Under {c} the recipient may respond within {n} {u} of service.",
)
FACTS = (
    "The defendant waited {n} {u} before it moved under {c}.",
    "Plaintiff moved under {c} on the {n}th day, after {n} {u} of silence.",
    "The magistrate judge gave the parties {n} {u} to confer before any {c} motion.",
    "The lease requires {n} {u} of notice, unlike {c}.",
    "Service came {n} {u} late, and {c} was not invoked.",
    "The stipulation extends the time under {c} to {n} {u}.",
    "A {c} motion was filed {n} {u} after the answer.",
    "By order of the court, {n} {u} were added to the period of {c}.",
    "The contract, which allows {n} {u} to cure, was attached to the {c} disclosures.",
    "The company was formed {n} {u} before the complaint under {c} was drafted.",
)


@pytest.fixture(scope="module")
def library() -> LawLibrary:
    return LawLibrary({}, load_law_texts())


def _verdicts(library: LawLibrary, text: str) -> list[str]:
    return [found.verdict for found in check_periods(library.shelf, text, scan_citations(text))]


def _held_out(library: LawLibrary):
    for p in library.provisions:
        found = _durations(library.texts[p.document].text[p.start : p.end])
        odd = int(hashlib.sha256(p.citation.encode()).hexdigest(), 16) % 2
        if odd and len(found) == 1 and found[0][1] in {"day", "hour"} and "(" in p.citation:
            rule = {int(n) for n, *_ in _durations(library.texts[p.document].text)}
            yield p.citation, int(found[0][0]), found[0][1], rule


@pytest.mark.slow
def test_periods_of_the_held_out_half(library: LawLibrary) -> None:
    draw = random.Random(3)
    flagged = detected = false = facts = n = 0
    for citation, length, unit, rule in list(_held_out(library))[::8]:
        other = draw.choice([x for x in (length + 7, length * 2, length + 1, length * 10) if x not in rule])
        for form in CLAIMS:
            n += 1
            words = {"c": citation, "u": f"{unit}s", "s": unit}
            right = _verdicts(library, form.format(n=length, **words))
            altered = _verdicts(library, form.format(n=other, **words))
            flagged += bool(right) and right != ["supported"]
            detected += altered == ["contradicted"]
        for form in FACTS:
            facts += 1
            false += bool(_verdicts(library, form.format(n=other, c=citation, u=f"{unit}s")))
    assert n >= 60
    assert detected >= 0.83 * n
    assert (flagged, false) == (0, 0)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("An answer is due within 21 days under Fed. R. Civ. P. 12(a)(1)(A)(i).", ["supported"]),
        ("An answer is due within 60 days under Fed. R. Civ. P. 12(a)(1)(A)(i).", ["elsewhere"]),
        ("An answer is due within 20 days under Fed. R. Civ. P. 12(a)(1)(A)(i).", ["contradicted"]),
        (
            "Fed. R. Civ. P. 33(b)(2) allows 30 days; Fed. R. Civ. P. 36(a)(3) allows 45 days.",
            ["supported", "contradicted"],
        ),
        ("It must be filed no later than 28 days after judgment. Fed. R. Civ. P. 59(b).", ["supported"]),
        ("Objections are due in two weeks under Fed. R. Civ. P. 72(b)(2).", ["supported"]),
        ("Under the Federal Rules of Civil Procedure, Rule 12(a) gives twenty-one (21) days.", ["supported"]),
        ("Answer within 21 days, computed under Fed. R. Civ. P. 6(a).", []),
        ("The court extended the time to 45 days under Fed. R. Civ. P. 6(b).", []),
        ("Defendant filed its answer 35 days after service, in breach of Fed. R. Civ. P. 12(a).", []),
        ("Notice is due within 99 days under Fed. R. Civ. P. 99.", []),
        ("Notice is due within 99 days under Fed. R. App. P. 4.", []),
    ],
)
def test_periods_said_to_come_from_a_rule(library: LawLibrary, text: str, verdicts: list[str]) -> None:
    assert _verdicts(library, text) == verdicts


@pytest.mark.parametrize(
    ("citation", "quote", "outcome", "found_in"),
    [
        ("Rule 12(b)(6)", "failure to state a claim upon which relief can be granted", "verified", "12(b)(6)"),
        ("FRCP 12(b)", "failure to state a claim upon which relief can be granted", "verified", "12(b)"),
        ("Fed. R. Civ. P. 12", "failure to state a claim upon which relief can be granted", "verified", "12"),
        ("Fed. R. Civ. P. 12(b)(1)", "failure to state a claim upon which relief can", "misattributed", "12(b)(6)"),
        ("Fed. R. Civ. P. 56(a)", "failure to state a claim upon which relief can", "misattributed", "12(b)(6)"),
        ("Fed. R. Civ. P. 4(m)", "If a defendant is not served within 90 days", "verified", "4(m)"),
        ("Fed. R. Civ. P. 4(m)", "If a defendant is not served within 120 days", "not_found", ""),
        # words that begin above the subdivision and end in it are quoted so by every brief
        ("Fed. R. Civ. P. 12(b)(6)", "(5) insufficient service of process; (6) failure", "verified", "12(b)(6)"),
        # amended after the day of the text: nothing is proved against the quotation
        ("Fed. R. Civ. P. 15(a)(1)", "as a matter of course no later than: 21 days after serving it", "unresolved", ""),
        ("Fed. R. Civ. P. 12(z)", "failure to state a claim upon which relief can", "unresolved", "12(b)(6)"),
        ("Fed. R. Civ. P. 99", "a rule that does not exist at all", "unresolved", ""),
        # the bankruptcy rules copy this one: what is not held is not judged
        ("Fed. R. Bankr. P. 9006(a)", "count every day, including intermediate Saturdays", "unresolved", "6(a)(1)(B)"),
        ("Fed. R. Evid. 702", "a witness who is qualified as an expert", "unresolved", ""),
    ],
)  # fmt: skip
def test_quotations_of_held_law(library: LawLibrary, citation: str, quote: str, outcome: str, found_in: str) -> None:
    found = library.check(citation, quote)
    assert (found.outcome, found.found_in) == (outcome, f"Fed. R. Civ. P. {found_in}" if found_in else "")
    assert found.checked


def test_every_sentence_of_the_rules_is_found_where_it_stands(library: LawLibrary) -> None:
    draw = random.Random(5)
    right = elsewhere = altered = n = 0
    for p in draw.sample([p for p in library.provisions if p.citation.count("(") == 1], 24):
        sentences = re.findall(r"[A-Z][^.;:]{60,300}[.;]", library.texts[p.document].text[p.start : p.end])
        if not sentences:
            continue
        n, sentence = n + 1, draw.choice(sentences)
        words = sentence.split(" ")
        words[len(words) // 2] = "heliotrope"
        sibling = next(o for o in library.provisions if o.document != p.document and o.citation.count("(") == 1)
        right += library.check(p.citation, sentence).outcome == "verified"
        elsewhere += library.check(sibling.citation, sentence).outcome == "misattributed"
        altered += library.check(p.citation, " ".join(words)).outcome in {"not_found", "unresolved"}
    assert n >= 12
    assert (right, elsewhere, altered) == (n, n, n)


def test_the_gate_reads_quotations_and_periods_of_held_law() -> None:
    draft = (
        "It fails for “failure to state a claim upon which relief can be granted.” Fed. R. Civ. P. 12(b)(6). "
        "An answer is due within 21 days under Fed. R. Civ. P. 12(a)(1)(A)(i)."
    )
    check = run(check_citations, draft)
    assert check.findings == ()
    assert {g.sources[0].document for g in check.grounded} == {"Fed. R. Civ. P. 12"}


@pytest.mark.parametrize(
    ("draft", "kinds"),
    [
        ("The “failure to state a claim upon which relief can be granted.” Fed. R. Civ. P. 56(a).", ["misattributed"]),
        ("It must be “served within 120 days after the complaint is filed.” Fed. R. Civ. P. 4(m).", ["fabricated"]),
        ("It is due within 30 days under Fed. R. Civ. P. 12(a)(1)(A)(i).", ["misquoted"]),
        ("It is due within 60 days under Fed. R. Civ. P. 12(a)(1)(A)(i).", ["misattributed"]),
        ("See Fed. R. Civ. P. 99.", ["unresolved_citation"]),
        ("See Fed. R. Civ. P. 12(z).", ["unresolved_citation"]),
        ("See Fed. R. Civ. P. 12(b)(6).", []),
    ],
)  # fmt: skip
def test_the_gate_flags_what_held_law_does_not_say(draft: str, kinds: list[str]) -> None:
    assert [f.kind for f in run(check_citations, draft).findings] == kinds


@pytest.mark.examples(11)
@pytest.mark.parametrize(
    "citation", sorted({row.citation for row in load_law_texts() if row.subdivision in ("", "(a)")})
)
def test_the_text_of_a_rule_is_found_when_it_is_quoted_with_its_heading(citation: str, library: LawLibrary) -> None:
    first = next(row for row in load_law_texts() if row.citation == citation and row.subdivision in ("", "(a)"))
    words = " ".join(first.text.split()[:30])
    heading = next(row.heading for row in load_law_texts() if row.citation == citation and row.heading)
    number = citation.rpartition(" ")[2]
    for said in (f"{heading}. {words}", f"Rule {number}. {heading}\n\n{words}", f"{citation} — {words}"):
        assert library.check(citation, said).outcome == "verified", said
    assert library.check(citation, f"Rule 99. {heading}. {words}").outcome != "verified"
    assert (
        library.check(citation, f"{heading}. In every case the court shall favour cats over {words}").outcome
        != "verified"
    )


@pytest.mark.parametrize(
    ("citation", "quote", "outcome"),
    [
        ("Fed. R. Civ. P. 56", "Rule 56. Summary Judgment", "verified"),
        ("Fed. R. Civ. P. 56", "Rule 56", "unresolved"),
        ("FRCP 12(b)", "Rule 12(b). Every defense to a claim for relief", "verified"),
        ("Fed. R. Civ. P. 12(b)", "Rule 12(c). Every defense to a claim for relief", "not_found"),
        ("Fed. R. Civ. P. 12(b)(6)", "Rule 12(b). Every defense to a claim for relief", "misattributed"),
        ("Fed. R. Civ. P. 3", "3 A civil action is commenced by filing a complaint", "not_found"),
        ("Fed. R. Civ. P. 59(e)", "Rule 59(e). A motion to alter or amend a judgment must be filed within 30 days",
         "not_found"),
    ],
)  # fmt: skip
def test_a_head_is_left_out_only_where_it_is_that_of_the_cited_rule(
    citation: str, quote: str, outcome: str, library: LawLibrary
) -> None:
    assert library.check(citation, quote).outcome == outcome
