"""How answers become a work product: names, days, quotations, the order and the honesty of a draft."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, asks_for, canonical, reading, settings

from tasks.asks.cues import cues_of
from tasks.asks.records import AskAnswer, AskKind, AskState, Entry, state_of
from tasks.asks.table import read_table
from tasks.drafting.extractive.quoting import place_in, quote, units_at
from tasks.drafting.extractive.render import gaps
from tasks.drafting.extractive.render.lines import _at_a_glance, with_lines
from tasks.drafting.extractive.render.matrix import tables
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.names import DaysWritten, names_of
from tasks.drafting.extractive.render.told import Told
from tasks.harness import packaged
from tasks.legaltext.markdown import cell, verbatim
from tasks.release.build.markdown import plain_lines
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.records import Skeleton, SkeletonSection
from tasks.sources.records import CoverageEntry, Span

KNOWLEDGE = packaged().knowledge
CATALOGUE = {p.name: p for p in catalogue_of(KNOWLEDGE)}
OTHER = SUPPLY.replace("Harbour Mills, Inc.", "Alder Mills, Inc.").replace("Ohio,", "Iowa,").replace("$", "$")
ANSWERED, NOT_FOUND, OPEN = AskState.ANSWERED, AskState.NOT_FOUND, AskState.NOT_ATTEMPTED


def at(words, document="a.txt", text=SUPPLY):
    start = text.index(words)
    return Span(document=document, start=start, end=start + len(words))


def told(brief, asked, entries, *, texts=None, kinds=(), each=True, **changes):
    """Return what is rendered of a brief: its asks, and the entries of each."""
    asks = asks_for(brief, asked, each=each)
    made = tuple(a.model_copy(update={"kind": k}) for a, k in zip(asks.asks, kinds, strict=False))
    asks = asks.model_copy(update={"asks": (*made, *asks.asks[len(made) :])})
    answers = [
        AskAnswer(ask_id=a.ask_id, state=state_of(found), entries=tuple(found))
        for a, found in zip(asks.asks, entries, strict=True)
    ]
    readings = {n: reading(t, n) for n, t in (texts or {"a.txt": SUPPLY}).items()}
    procedure = settings(**changes)
    bare = Told("Supply review", "Supply", asks, {}, readings, procedure, cues_of(KNOWLEDGE), CATALOGUE)
    bare = bare.with_answers(answers)
    return bare.with_answers(with_lines(bare))


def dated(day, span):
    return Entry(document=span.document, state=ANSWERED, answer=day, day=day, support=(span,))


LAW = Entry(
    document="a.txt",
    state=ANSWERED,
    answer="Ohio",
    topic="governing law",
    support=(at("the laws of the State of Ohio"),),
)
NO_INSURANCE = Entry(document="a.txt", state=NOT_FOUND, answer="no insurance provision was found", searched=("insur",))
HARD = Entry(state=OPEN, reason="needs judgment", nearest=(at("Buyer shall purchase at least 10,000 tonnes"),))
BRIEF = "What law governs, is there insurance, and is it a good deal?"
ASKED = ["What law governs", "is there insurance", "is it a good deal?"]


def full():
    kinds = (AskKind.FACT, AskKind.YES_NO, AskKind.JUDGMENT)
    return told(BRIEF, ASKED, [[LAW], [NO_INSURANCE], [HARD]], kinds=kinds, each=False)


def test_the_bottom_line_comes_first_and_the_asks_after_it():
    headings = [line[3:] for line in memorandum(full()).splitlines() if line.startswith("## ")]
    assert headings[:3] == ["Bottom line", "What was asked", "Findings"]
    assert headings[-1] == "Open points and limits"
    assert len(headings) == len(set(headings))


def test_the_parts_that_a_form_does_not_name_keep_their_place_before_what_follows_them():
    titles = ("Discussion", "Open points", "Recommendations")
    form = Skeleton(deliverable_type="memo", sections=tuple(SkeletonSection(title=t) for t in titles))
    consent = Entry(
        document="a.txt", state=ANSWERED, answer="Yes", topic="restriction on assignment", support=(at("may assign"),)
    )
    made = told(BRIEF, ASKED, [[consent], [NO_INSURANCE], [HARD]], each=False)
    headings = [line[3:] for line in memorandum(made, form).splitlines() if line.startswith("## ")]
    assert headings[2:] == ["Discussion", "Left open", "Not found", "Open points", "Recommendations"]


def test_every_ask_is_read_back_from_the_table_with_its_answer_and_place():
    made = full()
    back = {a.ask_id: a for a in read_table(memorandum(made), made.asks)}
    assert [back[n].state for n in "123"] == [ANSWERED, NOT_FOUND, OPEN]
    assert back["1"].answer == "Ohio"
    assert back["1"].where == "[Supply Agreement § 4.3]"
    assert back["3"].answer == "needs judgment"


def test_a_finding_quotes_the_whole_sentence_that_a_span_touches():
    made = memorandum(full())
    whole = "“This Agreement shall be governed by and construed in accordance with the laws of the "
    assert f"**Ohio**. {whole}State of Ohio, without regard to its conflict of laws rules.”" in made


def test_what_is_open_shows_the_passage_and_what_is_missing_the_search():
    made = memorandum(full())
    assert "needs judgment.\n  - Nearest: “Buyer shall purchase at least 10,000 tonnes" in made
    assert "no insurance provision was found. Searched: Supply Agreement, for: insur." in made


def test_the_bottom_line_has_ten_lines_at_most_and_contradicts_nothing():
    words = [f"point {n}" for n in range(1, 15)]
    made = told(", ".join(words), words, [[LAW]] * 12 + [[NO_INSURANCE]] + [[HARD]])
    bottom = memorandum(made).partition("## Bottom line\n\n")[2].partition("\n\n## ")[0].splitlines()
    assert len(bottom) == 10
    assert bottom[7] == "- The other 5 answers stand in the table of what was asked."
    assert bottom[8] == "- Searched for, without result: point 13."
    assert "point 14" in bottom[9]


def test_contracts_go_by_their_names_and_days_as_the_papers_write_them():
    day = dated("2015-03-01", at("March 1, 2015"))
    none = Entry(document="b.txt", state=NOT_FOUND, answer="none", searched=("date",))
    made = told("agreement date", ["agreement date"], [[day, none]], texts={"a.txt": SUPPLY, "b.txt": OTHER})
    line = next(iter(made.answers.values())).answer
    ours, theirs = "Supply Agreement (Harbour Mills, Inc.)", "Supply Agreement (Alder Mills, Inc.)"
    assert line == f"March 1, 2015 [{ours}, para. 2]; none seen in {theirs}"
    assert "No. 1" not in memorandum(made)
    assert tables(made)[0]["rows"][0][3] == "2015-03-01"


@pytest.mark.parametrize(
    ("texts", "prose"),
    [
        (["Dated March 31, 2024."], "due April 2, 2024"),
        (["Dated 31 March 2024.", "on 1 May 2023 and May 2, 2023"], "due 2 April 2024"),
        (["Dated 2024-03-31."], "due 2024-04-02"),
    ],
)
def test_days_are_written_as_the_papers_write_them(texts, prose):
    assert DaysWritten(texts).prose("due 2024-04-02") == prose


def test_a_day_that_is_none_is_left_alone():
    assert DaysWritten(["March 31, 2024"]).prose("lot 2024-99-02") == "lot 2024-99-02"


def test_the_day_in_the_name_of_a_file_stays_as_it_is() -> None:
    written = DaysWritten(["March 31, 2024"], ["letter-2026-05-11.txt", "2026-05-12 mail.eml"])
    said = "[letter-2026-05-11.txt, para. 2] and [2026-05-12 mail.eml, body] say 2026-05-11"
    assert written.prose(said) == said.replace("say 2026-05-11", "say May 11, 2026")


def test_documents_without_a_name_of_their_own_go_by_their_files():
    twins = [reading(SUPPLY, "a.txt"), reading(SUPPLY, "b.txt"), reading("Hello there.", "mail.txt")]
    assert names_of(twins) == {"a.txt": "a.txt", "b.txt": "b.txt", "mail.txt": "mail.txt"}


@pytest.mark.parametrize(
    "words", ["a fee of $*** and *more*", "__init__ [x](y) `z`", "<b>no</b> &amp; ~~gone~~", "1 * 2 * 3", r"C:\a\*"]
)
def test_nothing_of_a_source_is_lost_in_markdown(words):
    assert plain_lines(f"“{verbatim(words)}” end") == [f"“{words}” end"]
    assert plain_lines(f"- {verbatim(words)}") == [words]


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("the governing law", "Governing law"),
        ("note its governing law", "Governing law"),
        ("the law of the deal", "Law of the deal (governing law)"),
        ("On what day does it end?", "On what day does it end?"),
        ("ratios (level", "Ratios: level"),
        ("first test date)", "First test date"),
        ("fees (net)", "Fees (net)"),
    ],
)
def test_an_ask_is_headed_by_the_words_of_the_client(words, label):
    topic = "governing law" if "law" in words else ""
    made = told(words, [words], [[LAW.model_copy(update={"topic": topic})]])
    assert made.label(made.asks.asks[0]) == label


def test_a_cell_holds_no_bar_and_no_line_break():
    assert cell("a | b\nc $***") == r"a / b c $\*\*\*"


def test_an_ellipsis_never_removes_the_operative_word():
    lead = "4.1 The Supplier and every affiliate of the Supplier shall not, "
    middle = "; ".join(f"in the matter of lot {n} of the annex as amended from time to time" for n in range(12))
    text = f"{lead}{middle}; without the prior written consent of the Buyer assign this Agreement to any person."
    source = reading(text)
    made = quote(source.units[0], CATALOGUE["restriction on assignment"], source.text, 30)
    assert "shall not" in made.text
    assert "assign this Agreement" in made.text
    assert " … " in made.text
    for fragment in made.fragments:
        assert fragment in text


def test_a_span_of_a_few_words_is_quoted_as_its_sentence():
    source = reading()
    units = units_at(source, at("10,000 tonnes"))
    assert [u.text for u in units] == ["Buyer shall purchase at least 10,000 tonnes of flour in each contract year."]


def test_the_title_of_a_document_is_no_place_in_it():
    made = told("parties", ["parties"], [[LAW.model_copy(update={"support": (at("Lantern Foods LLC"),)})]])
    cited = memorandum(made).partition("## Findings")[2]
    assert "SUPPLY AGREEMENT]" not in cited
    assert "[Supply Agreement, para. " in cited


@pytest.mark.parametrize(
    ("label", "page", "place"),
    [
        ("§ 9.2(b)", "p. 14", "§ 9.2(b), p. 14"),
        ("iii", "p. 9", "p. 9"),
        ("B", "", "General"),
        ("SUPPLY AGREEMENT", "", "General"),
        ("ARTICLE IV", "", "ARTICLE IV"),
    ],
)
def test_a_place_is_one_that_a_reader_can_turn_to(label, page, place):
    source = reading()
    unit = replace(source.units[-1], label=label, page=page, heading="SUPPLY AGREEMENT / General")
    assert place_in(unit, source) == place
    mail = replace(unit, label="", page="", heading="To: Buyer", block=3)
    assert place_in(mail, source) == "para. 4"


def test_a_chronology_stands_in_the_order_of_its_days():
    late = Entry(document="a.txt", state=ANSWERED, answer="Renewal", day="2020-03-01", support=(at("five (5) years"),))
    early = Entry(document="a.txt", state=ANSWERED, answer="Signing", day="2015-03-01", support=(at("March 1, 2015"),))
    made = told("Give a timeline.", ["Give a timeline"], [[late, early]], kinds=(AskKind.TIMELINE,), each=False)
    rows = [line for line in memorandum(made).partition("## Chronology")[2].splitlines() if line.startswith("| M")]
    assert [row.split(" | ")[1] for row in rows] == ["Signing", "Renewal"]
    assert [t["name"] for t in tables(made)] == ["Matrix", "Chronology", "What was asked"]


def test_a_chronology_says_what_happened_and_not_the_day_twice():
    told_by = {"support": (at("March 1, 2015"),), "state": ANSWERED, "document": "a.txt", "day": "2015-03-01"}
    first = Entry(answer="March 1, 2015 (“signed”)", note="told by the Supplier", **told_by)
    second = Entry(answer="2015-03-01", certain=False, **told_by)
    made = told("Give a timeline.", ["Give a timeline"], [[first, second]], kinds=(AskKind.TIMELINE,), each=False)
    memo = memorandum(made)
    rows = [line.split(" | ")[1] for line in memo.partition("## Chronology")[2].splitlines() if line.startswith("| M")]
    assert rows[0] == "“signed” (told by the Supplier)"
    assert rows[1].startswith("Give a timeline: “This Supply Agreement")
    assert rows[1].endswith("(to be verified)")
    assert "## Findings" not in memo


def test_an_answer_in_part_says_where_it_is_open():
    parts = [LAW, NO_INSURANCE.model_copy(update={"document": "b.txt"}), HARD.model_copy(update={"document": "c.txt"})]
    texts = {n: SUPPLY for n in ("a.txt", "b.txt", "c.txt")}
    made = told("governing law", ["governing law"], [parts], texts=texts)
    assert made.answers["1"].answer == "Ohio [a.txt § 4.3]; none seen in b.txt; left open in c.txt"
    assert made.answers["1"].state is OPEN
    assert "**Ohio**" in memorandum(made).partition("## Findings")[2]
    assert "- **Governing law (in c.txt)**: needs judgment." in memorandum(made).partition("## Left open")[2]


def test_a_computed_answer_shows_its_arithmetic():
    due = Entry(document="a.txt", state=ANSWERED, answer="2015-05-30", day="2015-05-30", basis="2015-03-01 + 90 days")
    made = memorandum(told("deadline", ["deadline"], [[due]], each=False))
    assert "Basis: March 1, 2015 + 90 days" in made
    assert "| Deadline | May 30, 2015 | – | March 1, 2015 + 90 days |" in made


def test_what_was_not_read_or_set_aside_is_said():
    made = full()
    entry = CoverageEntry(document="scan.pdf", status="unread", characters=0)
    made = Told(**{**made.__dict__, "coverage": (entry,), "set_aside": (("other.txt", "it is another matter's"),)})
    limits = memorandum(made).partition("## Open points and limits")[2]
    assert "- scan.pdf was not read: no text" in limits
    assert "- other.txt: set aside; it is another matter's." in limits


def test_a_matrix_types_its_answers_and_leaves_nothing_out():
    table, asked = tables(full())
    assert [row[3] for row in table["rows"]] == ["Ohio", "not found", ""]
    assert [row[7] for row in table["rows"]] == ["high", "not found", "left open"]
    assert "nearest: [Supply Agreement § 1.2]" in table["rows"][2][8]
    assert len(asked["rows"]) == 3


def test_quotations_bear_their_escapes_only_in_markdown():
    text = SUPPLY.replace("10,000 tonnes", "$*** worth")
    entry = Entry(document="a.txt", state=ANSWERED, answer="$***", support=(at("$*** worth", text=text),))
    made = told("minimum", ["minimum"], [[entry]], texts={"a.txt": text})
    assert r"$\*\*\* worth of flour" in memorandum(made)
    assert "$*** worth of flour" in tables(made)[0]["rows"][0][5]
    assert canonical(text).text.count("$***") == 1


@pytest.mark.parametrize("certain", [True, False])
def test_an_answer_that_rests_on_a_doubtful_place_is_not_stated_in_its_line(certain):
    """The line of an answer out of several places says what the findings say of each."""
    other = LAW.model_copy(update={"document": "b.txt", "certain": certain})
    made = told("What law governs?", ["What law governs"], [[LAW, other]], each=False)
    answer = AskAnswer(ask_id="1", state=ANSWERED, answer="Ohio", where="see the answers", entries=(LAW, other))
    said = with_lines(made.with_answers([answer]))[0].answer
    assert said == ("Ohio" if certain else "Ohio (to be verified)")


@pytest.mark.parametrize("certain", [True, False])
def test_long_sentences_that_are_to_be_verified_stand_whole_in_the_findings_alone(certain):
    long = "“" + " ".join(f"word{n}" for n in range(1, 41)) + ".”"
    doubtful = LAW.model_copy(update={"answer": long, "topic": "", "certain": certain})
    page = memorandum(told("What law governs?", ["What law governs"], [[doubtful]], each=False))
    bottom = page.partition("## Bottom line\n\n")[2].partition("\n\n## ")[0]
    table = page.partition("## What was asked\n\n")[2].partition("\n\n## ")[0]

    assert ("word40" in bottom) is certain
    assert ("**To be verified**, see the findings: what law governs." in bottom) is not certain
    assert ("word40" in table) is certain
    assert ("word10 …” (to be verified)" in table) is not certain
    assert "State of Ohio" in page.partition("## Findings\n\n")[2]


def test_a_doubtful_sentence_of_the_bottom_line_is_only_begun_in_the_table():
    words = "“" + " ".join(f"word{n}" for n in range(1, 21)) + ".”"
    doubtful = LAW.model_copy(update={"answer": words, "topic": "", "certain": False})
    page = memorandum(told("What law governs?", ["What law governs"], [[doubtful]], each=False))
    parts = {part.partition("\n")[0]: part for part in page.split("\n## ")}
    assert "word20" in parts["Bottom line"]
    assert "word10 …” (to be verified)" in parts["What was asked"]
    assert parts["Open points and limits"].count("law") == 0
    assert "Verify the answer that is marked “to be verified”" in parts["Open points and limits"]


def test_a_cell_that_tells_several_papers_is_never_cut_within_a_citation():
    entry = Entry(document="a.txt", state=AskState.ANSWERED, answer="x", certain=False)
    got = AskAnswer(ask_id="1", state=AskState.ANSWERED, entries=(entry, entry))
    papers = [
        f"May {n}, 2020 (to be verified) [Distribution and Services Agreement of Paper {n} § {n}]" for n in range(1, 5)
    ]

    said = _at_a_glance(got, "; ".join(papers))

    assert said == f"{papers[0]}; {papers[1]}; … (to be verified)"


def test_a_question_that_was_not_found_is_quoted_and_is_no_topic() -> None:
    """ "A provision on who owns the tooling" is no sentence."""
    missing = Entry(document="a.txt", state=NOT_FOUND, answer="none", certain=False)
    law = Entry(document="a.txt", state=NOT_FOUND, answer="none")
    brief = "In each agreement: who owns the tooling? Insurance?"
    text = gaps.missing(told(brief, ["who owns the tooling", "Insurance"], [[missing], [law]]))
    assert "has a provision on the question “Who owns the tooling” is to be verified." in text
    assert "No provision was found in a.txt on insurance." in text
