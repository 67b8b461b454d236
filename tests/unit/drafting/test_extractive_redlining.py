"""Redlines that a brief asks for: which file, which document, which changes, and what is left to a lawyer."""

import hashlib
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))


from skills_repo.schema import default_procedure
from tasks.asks.changes import read_changes
from tasks.asks.changing.record import Change
from tasks.asks.cues import cues_of
from tasks.asks.parse import parse_asks
from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.editing.occurrences import occurrences
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.drafting import answer as instructed
from tasks.drafting.records import Cell, DraftJob
from tasks.drafting.redlines import bases_of, redlines_of
from tasks.drafting.stage import draft
from tasks.harness import packaged
from tasks.legaltext.numbers.spelling import spelled
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.extract import extract
from tasks.sources.records import MatterState, Span
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry

CUES = cues_of(packaged().knowledge)
ROOT = Path(__file__).resolve().parents[3]
CLEANING = (
    ROOT / "examples/commercial-contracts/key-terms-workplace-suppliers/documents/cleaning-services-agreement.docx"
)
COFFEE = CLEANING.with_name("coffee-equipment-rental.txt")


def matter(ask, *files, documents=()):
    refs = tuple(
        DocumentRef(name=p.name, path=p, sha256=hashlib.sha256(p.read_bytes()).hexdigest(), size=p.stat().st_size)
        for p in documents
    )
    return Matter(
        matter_id="m/one",
        title="Matter",
        area="m",
        instructions=ask,
        deliverables=tuple(Deliverable(name=f, filename=f) for f in files),
        documents=refs,
    )


@pytest.mark.parametrize(
    ("ask", "files", "marked"),
    [
        ("Mark up the lease to change the rent.", ("lease.docx",), ("lease.docx",)),
        (
            "Redline the NDA in our favour; also prepare a memo.",
            ("nda-redline.docx", "memo.docx"),
            ("nda-redline.docx",),
        ),
        (
            "Please prepare a redline of the draft and an issues list.",
            ("turn.docx", "issues-list.docx"),
            ("turn.docx",),
        ),
        ("Return the agreement with tracked changes.", ("agreement.docx",), ("agreement.docx",)),
        ("Review the counterparty redline and report deviations.", ("deviation-report.docx",), ()),
        ("Review the markup received from the seller.", ("memo.docx",), ()),
        ("Summarise the lease.", ("memo.docx",), ()),
        ("Redline the lease.", ("lease.pdf",), ()),
    ],
)
def test_which_files_are_redlines(ask, files, marked):
    assert redlines_of(matter(ask, *files)) == marked


def test_the_document_that_the_brief_names_comes_first():
    texts = {p.name: extract(p.read_bytes(), p.name) for p in (CLEANING, COFFEE)}
    assert bases_of(matter("Redline the coffee equipment rental."), texts)[0] == COFFEE.name
    assert bases_of(matter("Redline the cleaning services agreement."), texts)[0] == CLEANING.name
    assert bases_of(matter("Mark up coffee-equipment-rental.txt."), texts)[0] == COFFEE.name


@pytest.mark.parametrize(
    ("ask", "read"),
    [
        ('replace "A" with "B" throughout', [("replace", "A", "B", True)]),
        ('Change "thirty days" to "sixty days"', [("replace", "thirty days", "sixty days", False)]),
        ('substitute "A" for "B"', [("replace", "B", "A", False)]),
        ("rename Alpha Mills Inc. to Beta Mills LLC", [("replace", "Alpha Mills Inc.", "Beta Mills LLC", True)]),
        ("change the rent from $10 to $12", [("replace", "$10", "$12", False)]),
        ("extend the cure period to thirty (30) days", [("replace", "", "thirty (30) days", False)]),
        ("change the governing law to New York", [("replace", "", "New York", False)]),
        ('strike "as is" and delete Section 4.2', [("replace", "as is", "", False), ("delete", "", "", False)]),
        ('insert "Time matters." at the end of Section 3', [("insert", "", "Time matters.", False)]),
        ('at the end of Section 3, add: "Time matters."', [("insert", "", "Time matters.", False)]),
        ('in Section 6, replace "A" with "B"', [("replace", "A", "B", False)]),
        ("soften the indemnity", [("other", "", "", False)]),
        ("make the indemnity mutual and keep everything else", [("mutual", "", "", False)]),
    ],
)
def test_orders(ask, read):
    found = read_changes(f"Mark up the agreement to {ask}. Output: `redline.docx`.", CUES)
    assert [(c.kind, c.old, c.new, c.every) for c in found] == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("The fee in 4.2 becomes $80 (from $75).", [("4.2", "$75", "the fee becomes $80")]),
        ("Clause 6: interest at 9% rather than 7%.", [("6", "7%", "interest at 9%")]),
        ("Section 9 - Lagos in place of Accra.", [("9", "accra", "lagos")]),
        ("Section 2 - notice down to ten (10) days from twenty.", [("2", "twenty", "notice down to ten (10) days")]),
        (
            "In clause 8 the deposit goes up to $500, and the lease should run 4 years instead of 2.",
            [("8", "", "$500"), ("8", "2", "the lease should run 4 years")],
        ),
        (
            "Interest in 3.1 becomes 6% (from 5%), cure under 7(b) needs 20 days instead of 10, and delete 9.3.",
            [("3.1", "5%", "interest becomes 6%"), ("7(b)", "10", "cure needs 20 days"), ("9.3", "", "")],
        ),
    ],
)
def test_places_and_values_in_natural_words(said, read):
    found = read_changes(f"Redline for the tenant please. {said} Leave everything else as it is.", CUES)
    assert [(c.place or c.beside, c.old.lower(), c.new.lower()) for c in found] == read


def test_lists_of_orders():
    found = read_changes(
        "Redline the NDA:\n1. delete Section 2\n2. change the term to 3 years\n(c) fix the rest\n", CUES
    )
    assert [c.kind for c in found] == ["delete", "replace", "other"]


def test_every_change_stands_at_its_words_in_the_brief():
    brief = "Redline the NDA: Section 2 - 30 days, not 60; and strike 7.2, the non-compete, altogether."
    for change in read_changes(brief, CUES):
        assert brief[change.start : change.end] == change.item


@pytest.mark.parametrize(
    ("number", "words"), [(0, "zero"), (7, "seven"), (30, "thirty"), (45, "forty-five"), (120, "one hundred twenty")]
)
def test_spelled(number, words):
    assert spelled(number) == words


class Clauses:
    """A searcher that knows the clauses and finds nothing."""

    def __init__(self, texts):
        self.trees = {name: clause_tree(text) for name, text in texts.items()}

    def search(self, query, k=8, documents=None):
        return []

    def clauses(self, document):
        return self.trees[document]


def attempt(tmp_path, ask, document, asks=None, also=()):
    asked = matter(ask, "turn-redline.docx", documents=[document, *also])
    texts = {p.name: extract(p.read_bytes(), p.name) for p in (document, *also)}
    state = MatterState(matter_id=asked.matter_id, documents=(), coverage=())
    index = Clauses(texts)
    pack = KnowledgePack(
        harness_version="0" * 64,
        skill=SkillCard(skill_id="f/s", name="Redline", description="", body="", procedure=default_procedure()),
        skeletons={},
    )
    workspace = tmp_path / "attempt"
    (workspace / "output").mkdir(parents=True)
    desk = Desk(matter=asked, state=state, texts=texts, index=index, pack=pack, workspace=workspace)
    job = DraftJob(
        matter=asked,
        state=state,
        texts=texts,
        index=index,
        pack=pack,
        cell=Cell(name="extractive", runtime="extractive"),
        toolbox=ToolRegistry(desk),
        workspace=workspace,
        harness=packaged(),
        asks=asks or parse_asks(asked, state, packaged()),
    )
    product = draft(replace(job))
    output = workspace / "output"
    shown = extract((output / "turn-redline.docx").read_bytes(), "a.docx", redlines=True).text
    note = extract((output / "turn-redline-note.docx").read_bytes(), "note.docx").text
    return product, shown, note


def test_what_is_stated_word_for_word_is_marked_up_and_the_rest_is_told(tmp_path):
    product, shown, note = attempt(
        tmp_path,
        "Mark up the agreement to: (1) change the governing law to New York; (2) shorten the notice of non-renewal "
        'from 90 to 60 days; (3) delete the assignment clause; (4) insert "Time is of the essence." at the end of '
        'Section 3; (5) replace "Larkfield Museum Trust" with "Larkfield Foundation" throughout; (6) increase the '
        "monthly fee to $19,000; (7) extend the cure period to thirty (30) Business Days; (8) change the "
        "expiration date to June 30, 2027; (9) soften the limitation of liability; (10) delete Section 44.",
        CLEANING,
    )
    assert product.outcome == "finished"
    for marked in (
        "State of [del]Vermont[/del][ins]New York[/ins], without",
        "least [del]ninety[/del][ins]sixty[/ins] ([del]90[/del][ins]60[/ins]) days",
        "[del]Neither party may assign this Agreement",
        "a month.[ins] Time is of the essence.[/ins]",
        "Larkfield [del]Museum Trust[/del][ins]Foundation[/ins]",
        "$[del]18,400[/del][ins]19,000[/ins]",
        "within [del]twenty[/del][ins]thirty[/ins] ([del]20[/del][ins]30[/ins]) Business Days",
        "expires on [del]March 31[/del][ins]June 30[/ins], [del]2026[/del][ins]2027[/ins]",
    ):
        assert marked in shown
    assert "Comment" not in shown  # the other side reads the redline, not the instructions
    assert "Soften the limitation of liability: needs drafting or judgment" in note
    assert "Delete Section 44: no one clause" in note
    assert "Vermont is named elsewhere too" in note


def test_a_text_is_set_as_a_word_document_and_comments_come_where_asked(tmp_path):
    term = "Redline the rental with margin comments: rename Tamarack Beverage Co. to Tamarack Coffee Ltd."
    product, shown, _ = attempt(tmp_path, term, COFFEE)
    assert product.outcome == "finished"
    assert "Tamarack [del]Beverage Co[/del][ins]Coffee Ltd[/ins]." in shown
    assert "[Comment 1 by Solon: Rename Tamarack Beverage Co. to Tamarack Coffee Ltd.]" in shown


def test_nothing_mechanical_leaves_an_honest_file(tmp_path):
    product, shown, note = attempt(tmp_path, "Redline the agreement to make it friendlier to the museum.", CLEANING)
    assert product.outcome == "finished"
    assert "[ins]" not in shown
    assert "No change of the instructions could be made mechanically." in shown
    assert "needs drafting or judgment" in note
    assert "needs drafting" in note  # and what the papers say is given instead


LOAN = """# Loan terms

1. **Interest.** The loan bears interest at five percent (5%) a year; overdue sums bear interest at 9% a year.

2. **Term.** The loan is repaid within sixty (60) days after demand. The lender may demand it after 2 years.

3. **Law.** These terms are governed by the laws of the State of Maine. Suits are brought in Portland, Maine; \
provided, however, that the lender may sue where the borrower lives.

4. **Language.** These terms are made in Dutch and English. If they differ, the Dutch version decides.

5. **Assignment.** The lender may assign on 10 days notice, and the borrower may object within such 10 day period.
"""


ALLIANCE = """# Alliance Agreement

This Agreement is made as of February 1, 2019 (the "Effective Date") between Bravo Inc., Austin, Texas, and Fargo LLC.

1. **Term.** The term of this Agreement is twelve (12) months, and will be renewed for one (1) additional \
twelve-month period unless either party notifies the other of its intention not to renew. Such notice must be given \
ninety (90) days prior to expiration of the term. Either party may end this Agreement upon ninety (90) days written \
notice.

2. **Indemnity.** Fargo shall indemnify Bravo. Bravo shall indemnify Fargo.

3. **Law.** This Agreement is entered into in the State of Texas and is interpreted under the laws of the State \
of Texas.

4. **Entire agreement.** This Agreement is complete.

IN WITNESS WHEREOF the parties have signed. By: A. Name: A. Title: CEO
"""


def edited(tmp_path, ask, *words, paper=LOAN):
    """Mark up the loan terms; the claims on the asks that stand at the given words."""
    document = tmp_path / "loan-terms.md"
    document.write_text(paper, "utf-8")
    brief = f"Redline the loan terms. {ask}"
    places = [(brief.index(w), brief.index(w) + len(w)) for w in words]
    asks = [
        Ask(ask_id=str(n), words=brief[a:b], start=a, end=b, kind=AskKind.DRAFTING, subject=brief[a:b])
        for n, (a, b) in enumerate(places, 1)
    ]
    product, shown, note = attempt(tmp_path, brief, document, Asks(brief=brief, asks=tuple(asks)))
    return product.answers, shown, note


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        (
            "In clause 1 default interest on overdue sums to be 8%, not 9%.",
            "bear interest at [del]9[/del][ins]8[/ins]% a year",
        ),
        (
            "Clause 1: interest at 4% instead of 5%.",
            "at [del]five[/del][ins]four[/ins] percent ([del]5[/del][ins]4[/ins]%)",
        ),
        (
            "Section 2 - repayment down to thirty (30) days from sixty.",
            "[del]sixty[/del][ins]thirty[/ins] ([del]60[/del][ins]30[/ins]) days",
        ),
        (
            "Choice of law in 3 to Vermont, leave the Portland courts alone.",
            "laws of the State of [del]Maine[/del][ins]Vermont[/ins]. Suits are brought in Portland, Maine",
        ),
        (
            "In clause 3 delete the proviso about the borrower's home.",
            "Maine[del]; provided, however, that the lender may sue where the borrower lives[/del].",
        ),
        (
            "In clause 4, where the Dutch and English differ, the English version should prevail.",
            "the [del]Dutch[/del][ins]English[/ins] version decides",
        ),
        (
            "In clause 5 we need 20 days notice rather than 10.",
            "[del]10[/del][ins]20[/ins] days notice, and the borrower may object within such "
            "[del]10[/del][ins]20[/ins] day",
        ),
    ],
)
def test_the_occurrence_that_is_meant_is_changed_and_no_other(tmp_path, ask, shown):
    _, text, _ = edited(tmp_path, ask)
    assert shown in text
    assert text.count("[del]") == shown.count("[del]")


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        (
            "The notice of non-renewal goes down from ninety to sixty days (leave the ninety days for termination).",
            "must be given [del]ninety[/del][ins]sixty[/ins] ([del]90[/del][ins]60[/ins]) days prior",
        ),
        (
            "The term should be two years, not twelve months.",
            "is [del]twelve[/del][ins]two[/ins] ([del]12[/del][ins]2[/ins]) [del]months[/del][ins]years[/ins], and",
        ),
        (
            "In clause 1, the second ninety days becomes thirty days.",
            "upon [del]ninety[/del][ins]thirty[/ins] ([del]90[/del][ins]30[/ins]) days written",
        ),
        (
            "The governing law should be Nevada rather than Texas.",
            "laws of the State of [del]Texas[/del][ins]Nevada[/ins].",
        ),
        (
            "Change the Effective Date from February 1, 2019 to March 1, 2019.",
            "as of [del]February[/del][ins]March[/ins] 1, 2019",
        ),
    ],
)
def test_units_dates_exceptions_and_laws_are_read_as_they_are_meant(tmp_path, ask, shown):
    _, text, _ = edited(tmp_path, ask, paper=ALLIANCE)
    assert shown in text
    assert text.count("[del]") == shown.count("[del]")


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        ("Strike the indemnity given by Fargo in clause 2 but keep that of Bravo.", "a part of it is to stay"),
        ("Remove automatic renewal.", "no one clause is 'automatic renewal'"),
    ],
)
def test_no_more_is_struck_than_was_said(tmp_path, ask, reason):
    (claim,), text, note = edited(tmp_path, ask, ask.rstrip("."), paper=ALLIANCE)
    assert "[del]" not in text
    assert reason in note
    assert claim.state.value == "not attempted"


def test_what_is_added_at_the_end_of_the_last_clause_stands_before_the_signatures(tmp_path):
    ask = 'At the end of clause 4 add: "Each party bears its own costs."'
    _, text, _ = edited(tmp_path, ask, paper=ALLIANCE)
    assert "is complete.[ins] Each party bears its own costs.[/ins]" in text


def test_what_is_no_question_is_not_answered_by_a_quotation_in_a_redline(tmp_path):
    asks = ("was paid at the closing", "who indemnifies Bravo")
    (told, question), _, note = edited(tmp_path, f"The fee {asks[0]}. And {asks[1]}?", *asks, paper=ALLIANCE)
    assert told.state.value == "not attempted"
    assert "not read as a change of wording" in told.answer
    assert "not read as a change of wording" in note
    assert "not read as a change" not in question.answer


def test_a_change_that_could_mean_two_places_is_not_made_and_is_told(tmp_path):
    ask = "Change the rate in clause 1 to 7%."
    (claim,), text, note = edited(tmp_path, ask, ask)
    assert "[del]" not in text
    assert "values of this kind stand more than once; it is not said which is meant" in note
    assert claim.state.value == "not attempted"


def test_each_instruction_is_an_ask_with_its_state(tmp_path):
    words = ("change the demand period in Section 2 from 60 to 90 days", "delete Section 9")
    (made, left), _, note = edited(tmp_path, f"(1) {words[0]}; (2) {words[1]}.", *words)
    assert (made.state.value, left.state.value) == ("answered", "not attempted")
    entry = made.entries[0]
    assert "“ninety (90)” instead of “sixty (60)”" in entry.answer
    assert LOAN[entry.support[0].start : entry.support[0].end].startswith("sixty (60")
    assert made.answer in note
    assert left.answer in note


PAY = "Clause 2: rate to $365 an hour, and payment within 30 days"


def became(brief, new, *words):
    """What is said of the asks that stand at the given words, where one change wrote $365 for $310."""
    asks = [
        Ask(ask_id=str(n), words=w, start=brief.index(w), end=brief.index(w) + len(w), kind=AskKind.DRAFTING, subject=w)
        for n, w in enumerate(words, 1)
    ]
    change = Change(item=brief, start=0, end=len(brief), kind="replace", old="$310", new=new)
    made = Marking(change, [{}], "§ 2", (Span(document="a", start=0, end=4),), (("$310", "$365"),))
    room = SimpleNamespace(
        markings=(made,), log=Transcript(), job=SimpleNamespace(asks=Asks(brief=brief, asks=tuple(asks)))
    )
    return [instructed(ask, room).entries[0] for ask in asks]


def test_an_instruction_that_was_carried_out_in_part_is_not_done():
    (whole,) = became(PAY, "$365 an hour, and payment within 30 days", PAY)
    assert whole.state.value == "not attempted"
    assert "done only in part: marked up, § 2: “$365” instead of “$310”" in whole.reason


def test_a_change_is_told_under_the_words_that_want_it():
    rate, days, label = became(PAY, "$365 an hour", "rate to $365 an hour", "payment within 30 days", "Clause 2")
    assert rate.answer == label.answer == "marked up, § 2: “$365” instead of “$310”"
    assert (days.state.value, days.answer) == ("not attempted", "")


@pytest.mark.parametrize(
    ("old", "new", "was", "becomes"),
    [
        ("French Law", "Dutch law", "subject to French Law only", "subject to Dutch Law only"),
        ("the Courts of Paris, France", "the courts of Amsterdam, the Netherlands",
         "the Courts of Paris, France decide", "the Courts of Amsterdam, the Netherlands decide"),
        ("Colorado", "the laws of Delaware", "the laws of the State of Colorado", "the laws of the State of Delaware"),
    ],
)  # fmt: skip
def test_what_both_sides_of_a_change_say_stays(old, new, was, becomes):
    (found,) = occurrences(old, new, was, (0, len(was)), {})
    for start, end, words in reversed(found.swaps):
        was = was[:start] + words + was[end:]
    assert was == becomes


CARRIAGE = """# Carriage Agreement

This Carriage Agreement of May 2, 2022 is between Alder Freight Inc. ("Carrier") and Birch Mills LLC ("Shipper").

1. **Duties.** The Carrier shall: a. load the goods at the mill; b. use best efforts to deliver them in three days; \
c. provide a driver for the return trip.

2. **Payment.** A) Shipper pays each invoice NET 30 after receipt. B) Late sums bear interest at 6 per cent.

3. **Liability.** The Carrier shall not be liable to the Shipper for delay caused by weather.

4. **Ending.** Either party may end this Agreement on forty-five (45) days written notice. Alder Freight Inc. returns \
the pallets.
"""


@pytest.mark.parametrize(
    ("ask", "shown"),
    [
        ("Strike limb c. of clause 1.", "[del]c. provide a driver for the return trip.[/del]"),
        ("Delete 2 B.", "[del]B) Late sums bear interest at 6 per cent.[/del]"),
        ("Payment NET 45 instead of NET 30.", "NET [del]30[/del][ins]45[/ins] after receipt"),
        ("The late interest should be 4 per cent.", "interest at [del]6[/del][ins]4[/ins] per cent"),
        (
            "Make the ending on notice 90 days.",
            "on [del]forty-five[/del][ins]ninety[/ins] ([del]45[/del][ins]90[/ins]) days written notice",
        ),
        (
            'Wherever it says "best efforts" say "fair efforts".',
            "use [del]best[/del][ins]fair[/ins] efforts",
        ),
        (
            "In clause 4 change forty-five days to sixty.",
            "on [del]forty-five[/del][ins]sixty[/ins] ([del]45[/del][ins]60[/ins]) days written notice",
        ),
        (
            "Change the notice from forty-five (45) to ninety (90) days.",
            "on [del]forty-five[/del][ins]ninety[/ins] ([del]45[/del][ins]90[/ins]) days written notice",
        ),
        ("Take out 1(c), the client has no driver.", "[del]c. provide a driver for the return trip.[/del]"),
        (
            "Make the liability clause mutual.",
            "[ins] The Shipper shall not be liable to the Carrier for delay caused by weather.[/ins]",
        ),
        (
            "Alder Freight, Inc. has been renamed Alder Logistics Inc.",
            "between Alder [del]Freight[/del][ins]Logistics[/ins] Inc.",
        ),
    ],
)
def test_what_a_partner_writes_to_an_associate_is_carried_out(tmp_path, ask, shown):
    _, text, _ = edited(tmp_path, ask, paper=CARRIAGE)
    assert shown in text
    struck = shown.count("[del]") * (2 if "renamed" in ask else 1)
    assert text.count("[del]") == struck


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        ("Strike limb d. of clause 1.", "no one clause is '1(d)'"),
        ("Make the ending mutual.", "does not bind one party alone"),
        ("Extend the notice to 60 days and have the pallets stay.", "gives no wording"),
        ("Late interest: minimum 2 per cent, maximum 4 per cent.", "Late interest: minimum 2"),
        ('Add at the end of clause 4: "Pallets stay clean." Soften clause 3.', "Soften clause 3: needs drafting"),
    ],
)
def test_what_is_not_carried_out_is_told(tmp_path, ask, reason):
    _, _, note = edited(tmp_path, ask, paper=CARRIAGE)
    assert reason in note
