"""Classes of asks that briefs of lawyers hold: lists, asides, judgments, each of several papers, redlines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from asks_fixtures import paper, read, said
from test_parse import PAPERS


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        ("Late penalty on Lot A, on Lot B, and both together.", ["Late penalty on Lot A", "on Lot B", "both together"]),
        (
            "Alder against Birch: pay, end date, who owns the work, poaching of staff.",
            ["pay", "end date", "who owns the work", "poaching of staff"],
        ),
        ("Where and by whom are disputes decided?", ["Where and by whom are disputes decided"]),
        ("Can the other side come and inspect our premises?", ["Can the other side come and inspect our premises"]),
        (
            "What happens if someone asks for an approval and the other side just never answers?",
            ["What happens if someone asks for an approval and the other side just never answers"],
        ),
        (
            "I need to know the latest day to file the request and what has to go with it.",
            ["I need to know the latest day to file the request", "what has to go with it"],
        ),
        (
            "New counsel wants the duties set out by clause: reporting, subcontracting, changes of staff.",
            ["reporting", "subcontracting", "changes of staff"],
        ),
        (
            "Was the breach reported in time, and is what they can owe us for it capped?",
            ["Was the breach reported in time", "is what they can owe us for it capped"],
        ),
        ("We need a list of the deadlines by May.", ["We need a list of the deadlines by May"]),
        (
            "He also asked what becomes of his units. Who signs?",
            ["He also asked what becomes of his units", "Who signs"],
        ),
    ],
)
def test_what_is_one_thing_stays_whole_and_what_is_several_is_parted(brief: str, asks: list[str]) -> None:
    assert [a.words for a in read(brief).asks] == asks


@pytest.mark.parametrize(
    "aside",
    [
        "For Spok.",
        "Helen - we act for the tenant.",
        "Team, our client has a lease.",
        "Please go through it for me.",
        "Going through the old charter for a claim.",
        "Suppose the objects leave on June 2.",
        "Docket for Orland attached.",
        "The surveyor's report can be ignored.",
        "Paul needs a note for Rhea by tonight.",
        "Could I have a short memo on this by noon?",
        "The client would like an answer by Monday.",
        "Need this today.",
        "Please write her a short letter of advice covering the following.",
    ],
)
def test_an_aside_is_no_ask(aside: str) -> None:
    found = read(f"{aside} What is the rent?")
    assert [a.words for a in found.asks] == ["What is the rent"]
    assert found.uncovered == ()


@pytest.mark.parametrize(
    ("brief", "kind"),
    [
        ("How quickly must he object before it counts as approved?", "fact"),
        ("When is the first instalment really due?", "calculation"),
        ("Was the notice valid?", "yes_no"),
        ("Are they in breach?", "yes_no"),
        ("the estoppel certificate", "fact"),
        ("Does he have to renew his jury demand?", "yes_no"),
        ("Should Pellworm walk away if they do not move?", "judgment"),
        ("Tell us which to take.", "judgment"),
        ("Tell me whether it makes sense to go to arbitration.", "judgment"),
        ("Who should approach them first?", "judgment"),
        ("What fee should have been charged?", "fact"),
        ("What credits should they have given us for June?", "fact"),
        ("How good are our chances?", "judgment"),
        ("If he misses one what happens?", "fact"),
    ],
)
def test_a_judgment_weighs_something(brief: str, kind: str) -> None:
    assert [k for k, _ in said(brief)] == [kind]


@pytest.mark.parametrize(
    ("brief", "each"),
    [
        ("Please give me, one row per form in a table,\n- how long we are bound,\n- who signs.", [True, True]),
        ("Put them side by side: the fee, the term, the notice.", [True, True, True]),
        ("I want, contract by contract: (i) the law, (ii) the fee.", [True, True]),
        ("Who signed?", [False]),
    ],
)
def test_each_of_several_papers_is_asked_where_the_form_or_the_kind_says_so(brief: str, each: list[bool]) -> None:
    assert [a.each for a in read(brief, PAPERS).asks if a.kind != "constraint"] == each


@pytest.mark.parametrize(
    ("brief", "changes"),
    [
        (
            "Redline the form: the fee becomes 1.5% (from 1%), termination needs 30 days instead of 5.",
            ["the fee becomes 1.5% (from 1%)", "termination needs 30 days instead of 5"],
        ),
        (
            'Redline the form:\n- take in her point (1)\n- cut the term to six (6) months and strike "punitive" there',
            ["take in her point (1)", "cut the term to six (6) months", 'strike "punitive" there'],
        ),
    ],
)
def test_changes_of_a_redline_are_told_apart(brief: str, changes: Sequence[str]) -> None:
    asked = read(brief, files=["form-redline.docx"]).asks
    assert [a.words for a in asked if a.kind == "drafting"] == changes


def test_what_a_chronology_must_show_is_of_the_chronology() -> None:
    brief = "Make a chronology of the job. It has to show when she was hired, the storm and the visit. Who signed?"
    assert [k for k, _ in said(brief)] == ["timeline", "timeline", "timeline", "timeline", "fact"]


def test_the_paper_that_is_changed_is_meant_and_not_the_one_that_asks_for_it() -> None:
    brief = "We act for Acme. Turn the side letter into a redline of the supply agreement:\n- strike clause 9\n- cut 3"
    assert {a.documents for a in read(brief, PAPERS, files=["x-redline.docx"]).asks} == {("1-supply.txt",)}


@pytest.mark.parametrize(
    ("brief", "asks"),
    [
        ("She has until when to move the kiln, and who pays?", ["She has until when to move the kiln", "who pays"]),
        ("He pays how much for the hood?", ["He pays how much for the hood"]),
        ("It turns on what the neighbour saw. Who pays?", ["Who pays"]),
        ("They agreed on what to do. Who pays?", ["Who pays"]),
        ("It depends on how much the kiln draws. Who pays?", ["Who pays"]),
    ],
)
def test_a_question_word_that_stands_where_its_answer_would_asks(brief: str, asks: list[str]) -> None:
    assert [words for _, words in said(brief)] == asks


def test_what_one_pays_is_a_fact_and_what_one_does_is_judged() -> None:
    assert [kind for kind, _ in said("What should she pay in April? What should she argue?")] == ["fact", "judgment"]


def test_the_work_product_is_no_question_and_each_of_its_items_is() -> None:
    brief = (
        "Prepare a due diligence matrix of these contracts. For each contract state the parties, exclusivity, "
        "non-compete, cap on liability and audit rights."
    )
    assert said(brief) == [
        ("constraint", "Prepare a due diligence matrix of these contracts"),
        *(("fact", item) for item in ("the parties", "exclusivity", "non-compete", "cap on liability", "audit rights")),
    ]


def test_for_each_state_the_term_orders() -> None:
    assert [words for _, words in said("For each state the term.")] == ["For each state the term"]


@pytest.mark.parametrize(
    ("brief", "named"),
    [
        ("Does Rhea need their consent?", ()),
        ("What did Rhea write about the outages?", ("rhea.eml",)),
        ("Is Rhea's figure right?", ("rhea.eml",)),
    ],
)
def test_who_wrote_a_message_may_act_in_a_question_that_is_not_about_it(brief: str, named: tuple[str, ...]) -> None:
    message = paper("rhea.eml", "Outages", "Rhea Obermeyer", kind="email")
    assert read(brief, [message, *PAPERS]).asks[0].documents == named


@pytest.mark.parametrize(
    "tail", ["by " + "a" * 380 + "!x", "by a " * 80 + "!x", "for " + "b" * 100 + " for" * 60 + "!x", "at 'a" * 90]
)
def test_no_tail_of_an_order_makes_a_brief_slow(tail: str) -> None:
    """A pattern that may part a word in many ways takes minutes for a few hundred letters; this one milliseconds."""
    assert [a.words for a in read(f"We need a memo {tail}. What is the rent?").asks][-1] == "What is the rent"
