"""The Interrogator on small papers: what it asks, when it stops, and that no gap is filled by a guess."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_extractive_runtime import job
from ways_room import room

from tasks.asks.records import AskState
from tasks.drafting.extractive.render.plan import told_in
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.interrogator.interview import Interview
from tasks.drafting.interrogator.papers import OpenPapers
from tasks.drafting.interrogator.records import Origin
from tasks.drafting.records import Cell
from tasks.drafting.runtimes.interrogator import asker_of, interview_of
from tasks.drafting.stage import asks_model, draft
from tasks.matter.failures import FailureCause
from tasks.matter.usage import Usage
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.models.records import RetryableError, failed
from tasks.models.transports.scripted import ScriptedModel
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.research.records import Answer, Method, Search, Statement
from tasks.sources.records import Span
from tasks.tracing.flow import SIDES

LEASE = """LEASE AGREEMENT

This Lease Agreement is made on March 1, 2021 between Alder Estates LLC ("Landlord") and Birch Bakery Inc. ("Tenant").

1. Definitions

1.1 "Affiliate" means any entity under common control with Tenant.

1.2 "Yard" has the meaning given in Section 4.2.

2. Rent

2.1 Tenant shall pay base rent of $4,000 per month for the premises described in Schedule 2.

3. Transfers

3.1 Restriction on Assignment. Tenant shall not assign this Lease to anyone without the written consent of Landlord, \
except as provided in Section 3.2.

3.2 Permitted Transfers. Tenant may transfer its interest to an Affiliate on ten days' written notice to Landlord.

4. Insurance

4.1 Tenant shall keep fire insurance of $500,000 for a period of five years.

4.2 The yard is the paved area behind the premises, which Tenant shall keep clear.
"""
PAPERS = {"lease.txt": LEASE}


class Silent:
    """A researcher that finds nothing, and remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def answer(self, question):
        self.asked.append(question)
        look = Search(method=Method.HYBRID, query=question.text)
        return Answer(question=question, state="not_found", searches=(look,), note="nothing found answers it")


class Quoting(Silent):
    """A researcher that answers everything with some words of a paper."""

    def __init__(self, words, paper=LEASE, name="lease.txt"):
        super().__init__()
        start = paper.index(words)
        self.said = Statement(text=words, spans=(Span(document=name, start=start, end=start + len(words)),))

    def answer(self, question):
        return super().answer(question).model_copy(update={"state": "answered", "statements": (self.said,), "note": ""})


def held(*asked, researcher=None, papers=None, **settings):
    """Interrogate a lease about asks ``(words, kind)``; return the interview, the answers and the room."""
    brief = " ".join(words for words, _ in asked)
    made = room(papers or PAPERS, brief, *asked)
    interview = Interview(researcher=researcher or Silent())
    settled = made.settings.model_copy(update=settings)
    made = replace(made, settings=settled, second=interview.craft.second)
    return interview, interview.answer(made), made


def origins(interview):
    return [turn.need.origin for turn in interview.dialogue.turns]


def reported(interview, answers, made):
    return interview.write(told_in(made, answers, interview.craft), None)


ASSIGN, RENT, YARD = ("restriction on assignment", "fact"), ("base rent", "fact"), ("What is the yard?", "fact")


def test_the_asks_come_first_then_what_their_answers_raise():
    interview, answers, _ = held(ASSIGN, RENT)
    assert origins(interview)[:2] == [Origin.ASK, Origin.ASK]
    assert Origin.CONDITION in origins(interview)
    assert Origin.ATTACHMENT in origins(interview)
    assert interview.dialogue.stopped == "sufficient"
    assert interview.dialogue.open == ()
    assert all(a.state is AskState.ANSWERED for a in answers)


def test_what_a_clause_stands_under_is_followed_to_its_words():
    interview, _, _ = held(ASSIGN)
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.CONDITION)
    assert turn.need.about == "§ 3.2"
    said = turn.answer.statements[0]
    assert "Tenant may transfer its interest to an Affiliate" in said.text
    assert said.text.strip("“”") in " ".join(LEASE[said.spans[0].start : said.spans[0].end].split())


def test_nothing_is_asked_twice_and_every_ask_before_any_follow_up():
    interview, _, _ = held(ASSIGN, RENT, YARD, ("insurance", "fact"))
    keys = [turn.need.key for turn in interview.dialogue.turns]
    assert len(set(keys)) == len(keys)
    asked = [n for n, origin in enumerate(origins(interview)) if origin is Origin.ASK]
    assert asked == [0, 1, 2, 3]


def test_a_schedule_that_is_not_there_is_asked_for_and_never_made_up():
    interview, answers, made = held(RENT, researcher=Quoting("Tenant shall keep fire insurance of $500,000"))
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.ATTACHMENT)
    assert turn.answer.state == "not_found"
    assert turn.answer.statements == ()
    text = reported(interview, answers, made)
    assert "Please bring Schedule 2" in text.partition("Follow-up questions")[2]
    assert "complete only with Schedule 2" in text
    assert "fire insurance" not in text


def test_a_period_without_its_beginning_is_asked_about_and_left_open():
    interview, _, _ = held(("insurance", "fact"), researcher=Quoting("on ten days' written notice to Landlord"))
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.START)
    assert "five years" in turn.need.question.text
    assert turn.answer.state == "not_found"
    assert "The clause does not say" in turn.answer.missing


def test_the_beginning_of_a_period_is_taken_from_a_clause_on_that_very_period():
    more = f"{LEASE}\n5. Cover\n\n5.1 The period of five years begins on May 1, 2021.\n"
    told = Quoting("The period of five years begins on May 1, 2021.", more)
    interview, _, _ = held(("insurance", "fact"), researcher=told, papers={"lease.txt": more})
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.START)
    assert [s.text for s in turn.answer.statements] == ["The period of five years begins on May 1, 2021."]


def test_a_weak_answer_is_looked_for_once_more_and_shown_to_be_verified():
    words = "Tenant shall keep fire insurance of $500,000 for a period of five years."
    silent, _, _ = held(("What colour is the awning?", "fact"))
    assert origins(silent) == [Origin.ASK, Origin.DOUBT]
    _, answers, _ = held(("What colour is the awning?", "fact"), researcher=Quoting(words))
    entry = answers[0].entries[0]
    assert (entry.state, entry.certain) == (AskState.ANSWERED, False)
    assert entry.answer == f"“{words}”"


def test_words_of_a_model_are_not_quoted_as_the_papers():
    told = Quoting("Tenant shall keep fire insurance of $500,000 for a period of five years.")
    told.said = told.said.model_copy(update={"text": "The tenant insures against fire."})
    _, answers, _ = held(("What colour is the awning?", "fact"), researcher=told)
    assert answers[0].entries[0].answer == "The tenant insures against fire."


def test_a_gap_stays_a_gap_where_nobody_finds_anything():
    interview, answers, made = held(("What colour is the awning?", "fact"))
    assert answers[0].state is not AskState.ANSWERED
    text = reported(interview, answers, made)
    assert "No place of the papers carries an answer." in text
    assert "Tenant" not in text.partition("3. Preliminary answer")[2].partition("4. Gaps")[0]


def test_an_order_to_write_something_is_answered_by_no_sentence():
    researcher = Quoting("Tenant shall keep fire insurance of $500,000 for a period of five years.")
    interview, answers, _ = held(("prepare a short note on awnings", "fact"), researcher=researcher)
    assert Origin.DOUBT not in origins(interview)
    assert answers[0].state is not AskState.ANSWERED


def test_what_needs_judgment_stays_open_with_what_bears_on_it():
    interview, answers, made = held(("Is the restriction on assignment reasonable?", "judgment"))
    assert answers[0].state is AskState.NOT_ATTEMPTED
    near = answers[0].entries[0].nearest
    assert any("Tenant shall not assign" in LEASE[s.start : s.end] for s in near)
    assert "For the lawyer to decide" in reported(interview, answers, made)


def test_an_answer_out_of_a_definition_raises_the_clause_that_uses_its_term():
    interview, _, _ = held(("Who is under common control with the Tenant?", "fact"))
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.USE)
    assert turn.need.about == "Affiliate"
    assert "Tenant may transfer its interest to an Affiliate" in turn.answer.statements[0].text


def test_a_definition_that_points_elsewhere_is_followed():
    uses = LEASE.replace("which Tenant shall keep clear", "which Tenant shall keep clear as Yard")
    papers = {"lease.txt": f"{uses}\n5. Cleaning\n\n5.1 Tenant shall sweep the Yard weekly with a broom.\n"}
    interview, _, _ = held(("Who sweeps with a broom?", "fact"), papers=papers)
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.TERM)
    assert "paved area behind the premises" in turn.answer.statements[0].text


def test_a_short_line_of_an_attachment_is_shown_with_what_follows_it():
    more = (
        f"{LEASE}\nSCHEDULE 2\n\nThe premises are as follows today.\n\nThey are the ground floor of 12 Quay Street.\n"
    )
    interview, _, _ = held(RENT, papers={"lease.txt": more})
    turn = next(t for t in interview.dialogue.turns if t.need.origin is Origin.ATTACHMENT)
    said = turn.answer.statements[0]
    assert "ground floor of 12 Quay Street" in said.text
    assert "ground floor of 12 Quay Street" in more[said.spans[0].start : said.spans[0].end]


def test_the_turns_are_bounded_and_what_was_not_asked_is_told():
    interview, answers, made = held(ASSIGN, RENT, YARD, interrogator_turns=2)
    assert len(interview.dialogue.turns) == 2
    assert interview.dialogue.stopped == "turns"
    assert answers[2].state is AskState.NOT_ATTEMPTED
    assert "Not asked for want of turns" in reported(interview, answers, made)


def test_few_questions_are_asked_on_one_answer():
    none, _, _ = held(ASSIGN, interrogator_raised=0)
    assert origins(none) == [Origin.ASK]
    assert len(held(ASSIGN, interrogator_raised=1)[0].dialogue.turns) == 2


def test_the_report_has_its_five_parts_in_order():
    text = reported(*held(ASSIGN, RENT, ("What colour is the awning?", "fact")))
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == [
        "## 1. Topic and bottom line",
        "## 2. Reasoning and findings",
        "## 3. Preliminary answer and directions",
        "## 4. Gaps and follow-up questions",
        "## 5. Sources",
    ]
    assert "It holds only within § 3.2" in text
    assert "interrogator runtime (no model; " in text
    sources = text.partition("## 5. Sources")[2]
    assert "file lease.txt: § 3.1 – restriction on assignment" in sources


def test_the_runtime_writes_the_report_and_traces_its_turns(tmp_path):
    made = job(tmp_path)
    made = replace(made, cell=Cell(name="interrogator", runtime="interrogator"))
    work = draft(made)
    assert [f.filename for f in work.files] == ["matrix.xlsx", "memo.docx"]
    assert "## 5. Sources" in (tmp_path / "attempt" / "output" / "memo.docx").read_text()
    rows = [json.loads(line) for line in (tmp_path / "attempt" / "transcript.jsonl").read_text().splitlines()]
    calls = [c for r in rows for c in r.get("tool_calls", ()) if c["name"] == "research"]
    assert [json.loads(c["arguments"])["why"] for c in calls][:5] == ["the client asks it"] * 5
    assert [a.state for a in work.answers] == [*[AskState.ANSWERED] * 4, AskState.NOT_FOUND]


# With a model.


def advised(tmp_path, script):
    made = job(
        tmp_path, texts=PAPERS, points=["restriction on assignment"], brief="Give the restriction on assignment."
    )
    model = ScriptedModel(script)
    models = ModelAccess({"m": {"model": "scripted", "retries": 0}}, Ledger("x"), transport=model)
    cell = Cell(name="interrogator:m", runtime="interrogator", profile="m")
    return replace(made, cell=cell, models=models), model


def turns(made):
    rows = [json.loads(x) for x in (made.workspace / "transcript.jsonl").read_text().splitlines()]
    calls = [c for r in rows for c in r.get("tool_calls", ()) if c["name"] == "research"]
    return [json.loads(c["arguments"])["question"] for c in calls]


def test_a_runtime_may_do_without_a_model_and_is_told_where_it_has_one():
    assert not asks_model(Cell(name="interrogator", runtime="interrogator"))
    assert asks_model(Cell(name="interrogator:m", runtime="interrogator", profile="m"))
    assert not asks_model(Cell(name="extractive:m", runtime="extractive", profile="m"))


def test_a_model_may_end_the_asking_after_the_asks(tmp_path):
    made, _ = advised(tmp_path, lambda _: '{"next": "enough", "number": 0, "question": ""}')
    draft(made)
    assert turns(made) == ["restriction on assignment"]
    assert "sufficient in the model's judgment" in (made.workspace / "output" / "memo.docx").read_text()


def test_a_question_of_a_model_is_answered_out_of_the_papers_or_not_at_all(tmp_path):
    own = "Which insurance must the tenant keep?"
    replies = iter([f'{{"next": "own", "number": 0, "question": "{own}"}}'])

    def script(messages):
        done = '{"next": "enough", "number": 0, "question": ""}'
        return next(replies, done) if "Open questions" in messages[-1]["content"] else "{}"

    made, model = advised(tmp_path, script)
    work = draft(made)
    assert turns(made) == ["restriction on assignment", own]
    roles = made.models.ledger.by_role
    assert set(roles) <= set(SIDES)
    assert roles["interrogator"].calls == sum("Open questions" in r[-1]["content"] for r in model.requests) >= 2
    assert {"interrogator", "researcher"} <= set(roles)
    assert sum((r for r in roles.values()), Usage()) == work.usage, "the roles add up to the attempt"
    assert all("Ignore" not in r[0]["content"] for r in model.requests)


@pytest.mark.parametrize("reply", ["", "no idea", "[]", '{"next": "offered", "number": 99}', '{"next": 7}', "{" * 99])
def test_a_silly_reply_leaves_the_choice_to_the_policy(tmp_path, reply):
    made, _ = advised(tmp_path / "a", lambda _: reply)
    draft(made)
    plain, _ = advised(tmp_path / "b", lambda _: "")
    draft(replace(plain, cell=Cell(name="interrogator", runtime="interrogator")))
    assert turns(made) == turns(plain)
    assert len(turns(made)) > 1


def test_a_provider_that_is_down_leaves_the_report_and_says_why(tmp_path):
    down = RetryableError(failed(ModelProfile(name="m", model="scripted"), FailureCause.PROVIDER, "is down"))
    made, _ = advised(tmp_path, [down] * 20)
    work = draft(made)
    assert work.outcome == "failed"
    assert {f.cause for f in work.failures} == {FailureCause.PROVIDER}
    assert "## 5. Sources" in (made.workspace / "output" / "memo.docx").read_text()


_SILENT = ("Which insurance must the tenant keep?", "Who repairs the roof?", "Who pays for the parking?")


@pytest.mark.parametrize(("own", "each"), [((), 0), (_SILENT[:1], 1), (_SILENT[:2], 1), (_SILENT, 1)])
def test_the_calls_of_a_model_follow_the_cost_model_of_the_paper(tmp_path, own, each):
    """PAKTON, appendix E: a round costs a question, a search (one call where it finds no words) and a report.

    Here the rules decompose the request and write the report: no call is spent on either, and one says "enough".
    """
    asked = iter([f'{{"next": "own", "number": 0, "question": "{question}"}}' for question in own])

    def script(messages):
        done = '{"next": "enough", "number": 0, "question": ""}'
        return next(asked, done) if "Open questions" in messages[-1]["content"] else "{}"

    made, _ = advised(tmp_path, script)
    draft(made)
    roles = {role: usage.calls for role, usage in made.models.ledger.by_role.items()}
    assert len(turns(made)) == 1 + len(own)
    assert roles.pop("interrogator") == len(own) + 1
    assert roles.pop("researcher", 0) == each * len(own)
    assert not roles


_TOLD = ("What base rent shall Tenant pay per month?", "To whom may Tenant transfer its interest on written notice?")


def counted(made):
    return {role: usage.calls for role, usage in made.models.ledger.by_role.items()}


def indexed(made, tmp_path):
    index = MatterIndex(made.texts, tmp_path / "index", IndexProfile(embedder="none"), made.harness.knowledge)
    return replace(made, index=index)


@pytest.mark.parametrize("own", [_TOLD[:1], _TOLD])
def test_an_answer_in_words_costs_one_call_more(tmp_path, own):
    """PAKTON, appendix E: D × (question + search + [answer in words]), here one reply that it is enough: 3 D + 1."""
    asked = iter([f'{{"next": "own", "number": 0, "question": "{question}"}}' for question in own])

    def script(messages):
        if "Open questions" in messages[-1]["content"]:
            return next(asked, '{"next": "enough", "number": 0, "question": ""}')
        return "{}"

    made, model = advised(tmp_path, script)
    draft(indexed(made, tmp_path))
    assert counted(made) == {"interrogator": len(own) + 1, "researcher": 2 * len(own)}
    in_words = ["The papers, and what was found" in request[-1]["content"] for request in model.requests]
    assert sum(in_words) == len(own)


@pytest.mark.parametrize("turns_of_user", [1, 2, 3])
def test_a_dialogue_with_the_user_costs_the_archivist_no_call(tmp_path, turns_of_user):
    """PAKTON, equation 1, reckons N + 1 for N turns, and one to parse: here the rules read papers and questions."""
    made, model = advised(tmp_path, lambda _: '{"next": "enough", "number": 0, "question": ""}')
    made = indexed(made, tmp_path)
    papers = OpenPapers(made, lambda log: interview_of(made, asker_of(made, log)))
    for number in range(1, turns_of_user + 1):
        exchange, _ = papers.ask("Give the restriction on assignment.", number, Transcript(), "", "", lambda turn: None)
        assert exchange.answers[0].state is AskState.ANSWERED
    assert counted(made) == {"interrogator": turns_of_user}
    assert len(model.requests) == turns_of_user
