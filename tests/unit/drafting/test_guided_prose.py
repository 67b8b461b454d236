"""Questions in prose to a scripted model: it chooses among sentences, says what follows, names figures, concludes."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from extractive_samples import SUPPLY, reading
from test_guided_runtime import OPEN, SILLY, UNSURE, alone, drafting, memo, number_of, without_head

from tasks.asks.records import AskKind, AskState
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.guided.records import Conclusion
from tasks.drafting.guided.views import carried
from tasks.drafting.guided.weights import weights
from tasks.drafting.guided.working import operand, worked_out
from tasks.drafting.runtimes.extractive import drafted
from tasks.drafting.stage import draft
from tasks.models.records import Reply, Token

WAYS_OUT = """5. Ways out

5.1 Leaving. Whoever walks off from this paper shall give warning of it at six weeks.

5.2 Warning. A warning of three days is enough for whoever walks off in a flood.
"""
PAPER = f"{SUPPLY}\n{WAYS_OUT}"
OTHER = "at six weeks"


def asked(tmp_path, script, *, points=(UNSURE,), paper=PAPER, **more):
    procedure = {"guided_choices": 9, "guided_shown": 1.1, **more.pop("procedure", {})}
    return drafting(tmp_path, script, points=points, paper=paper, procedure=procedure, **more)


def choosing(words):
    return lambda messages: json.dumps({"sentence": number_of(messages, words)})


def by_rules(tmp_path, made):
    return drafted(replace(made, workspace=tmp_path / "rules"), Transcript()).answers[0].entries[0]


def test_the_sentence_that_the_model_chooses_comes_first_and_is_to_be_verified(tmp_path):
    made, model = asked(tmp_path, choosing(OTHER), procedure={"guided_weight": 1.0})
    before = by_rules(tmp_path, made)
    assert (before.state, before.certain) == (AskState.ANSWERED, False)
    entry = draft(made).answers[0].entries[0]
    text = made.texts[entry.document].text
    assert OTHER in text[entry.support[0].start : entry.support[0].end]
    assert OTHER not in text[before.support[0].start : before.support[0].end]
    assert (entry.certain, entry.vouched) == (False, "model")
    assert len(entry.support) == len(before.support)
    assert "Chosen by the model among the nearest sentences" in memo(made)
    assert len(model.requests) == 1


def test_at_no_weight_the_order_is_that_of_the_rules(tmp_path):
    made, _ = asked(tmp_path, choosing(OTHER), procedure={"guided_weight": 0.0})
    entry = draft(made).answers[0].entries[0]
    assert entry.support == by_rules(tmp_path, made).support
    assert entry.vouched == "both"


@pytest.mark.parametrize("question", [UNSURE, OPEN])
def test_where_the_model_chooses_none_the_draft_is_that_of_the_rules(tmp_path, question):
    made, _ = asked(tmp_path, lambda _: '{"sentence": 0}', points=(question,))
    entry = draft(made).answers[0].entries[0]
    assert entry == by_rules(tmp_path, made).model_copy(update={"vouched": "rules"})


def test_what_the_rules_left_open_stays_open_behind_the_sentence_that_was_chosen(tmp_path):
    procedure = {"guided_weight": 1.0, "near_chance": 0.9}
    made, _ = asked(tmp_path, choosing("walks off from"), points=(OPEN,), procedure=procedure)
    before, entry = by_rules(tmp_path, made), draft(made).answers[0].entries[0]
    assert (entry.state, entry.reason, entry.vouched) == (AskState.NOT_ATTEMPTED, before.reason, "model")
    text = made.texts["01-harbour-supply.txt"].text
    assert "walks off from" in text[entry.nearest[0].start : entry.nearest[0].end]
    assert len(entry.nearest) >= len(before.nearest)


def test_what_the_rules_left_open_is_shown_with_their_reason_where_a_model_is_trusted(tmp_path):
    procedure = {"guided_weight": 1.0, "guided_shown": 0.5, "near_chance": 0.9}
    made, _ = asked(tmp_path, choosing("walks off from"), points=(OPEN,), procedure=procedure)
    before = by_rules(tmp_path, made)
    assert before.state is AskState.NOT_ATTEMPTED
    entry = draft(made).answers[0].entries[0]
    assert (entry.state, entry.certain, entry.vouched) == (AskState.ANSWERED, False, "model")
    assert "walks off" in entry.answer
    assert before.reason in entry.note


# One of each way to be silly; all of them are tried on a question of each kind of the other module.
QUICK = ("{" * 500, '{"answer": "yes", "sentences": [0, 99, -1]}', "\ud800", "null", '{"sentence": 99}')
REPLIES = (*SILLY[:-1], '{"sentence": 99}', '{"sentence": true}', '{"sentence": "1"}', '{"sentence": -1}')


@pytest.mark.parametrize(
    "reply", [reply if reply in QUICK else pytest.param(reply, marks=pytest.mark.thorough) for reply in REPLIES]
)
def test_a_silly_reply_leaves_what_the_rules_found(tmp_path, reply):
    made, _ = asked(
        tmp_path,
        lambda _: reply,
        points=(UNSURE, OPEN, "Is the warning long enough?", "How much is it in all?"),
        procedure={"guided_follows": 0.5, "guided_works": True, "guided_views": True},
    )
    work = draft(made)
    assert work.failures == ()
    assert without_head(memo(made)) == without_head(alone(tmp_path, made))


def test_a_sentence_is_shown_with_its_heading(tmp_path):
    made, model = asked(tmp_path, choosing(OTHER))
    draft(made)
    sent = model.requests[0][-1]["content"]
    line = next(x for x in sent.splitlines() if OTHER in x)
    assert re.match(r"\[\d\] \[", line)
    assert "Leaving" in line


@pytest.mark.parametrize(
    ("likely", "named", "expected"),
    [
        ({"1": -0.2, "2": -1.9, " 0": -4.0}, "1", (0.018, 0.829, 0.152)),
        ({"1": -0.2}, "1", (0.0, 1.0, 0.0)),
        ({"x": -0.2}, "2", (0.05, 0.05, 0.9)),
    ],
)
def test_what_the_log_probabilities_give_to_each_number(likely, named, expected):
    reply = Reply(tokens=(Token(text='{"'), Token(text=next(iter(likely)), likely=likely)))
    assert weights(reply, ["0", "1", "2"], named) == pytest.approx(expected, abs=0.01)


def test_what_the_model_says_whatever_is_asked_is_taken_out(tmp_path):
    """The model names the first sentence always, and the other one more often where there is a question."""

    def model(messages):
        asks = UNSURE in messages[-1]["content"]
        other, first = str(number_of(messages, OTHER)), str(number_of(messages, "three days"))
        likely = {first: -0.4, other: -1.3 if asks else -3.0, "0": -3.0}
        return Reply(text=json.dumps({"sentence": int(first)}), tokens=(Token(text=first, likely=likely),))

    for plain, words in ((False, "three days"), (True, OTHER)):
        procedure = {"guided_weight": 1.0, "guided_plain": plain}
        made, sent = asked(tmp_path, model, profile={"logprobs": 5}, procedure=procedure)
        entry = draft(made).answers[0].entries[0]
        assert words in made.texts[entry.document].text[entry.support[0].start : entry.support[0].end]
        assert len(sent.requests) == 1 + plain


@pytest.mark.parametrize(
    ("answer", "least", "said"),
    [("yes", 0.5, "Yes: "), ("no", 0.5, "No: "), ("unclear", 0.5, ""), ("yes", 0.95, ""), ("yes", 1.1, "")],
)
def test_a_yes_or_no_that_follows_is_told_with_its_sentences_to_be_verified(tmp_path, answer, least, said):
    def model(messages):
        if "follow" in messages[-1]["content"].rpartition("---")[2]:
            return json.dumps({"answer": answer, "sentences": [number_of(messages, "walks off from")]})
        return '{"sentence": 0}'

    made, _ = asked(tmp_path, model, points=(OPEN,), kind=AskKind.YES_NO, procedure={"guided_follows": least})
    entry = draft(made).answers[0].entries[0]
    if said:
        assert entry.answer.startswith(f"{said}“")
        assert "walks off from this paper" in entry.answer
        assert (entry.certain, entry.vouched) == (False, "model")
    else:
        assert entry == by_rules(tmp_path, made).model_copy(update={"vouched": "rules"})


FEES = """6. Fees

6.1 Entry. The entry fee for the yard is USD 1,200.50, payable on June 3, 2024 by whoever uses it.

6.2 Gate. The gate fee for the yard is USD 300, and its keeper hands out a receipt within thirty (30) days.
"""
TOTAL = "What do entry and gate at the yard set one back altogether?"


@pytest.mark.parametrize(
    ("operation", "figures", "answer", "working"),
    [
        ("sum", ["USD 1,200.50", "$300"], "$1,500.50", "$1,200.50 + $300 = $1,500.50"),
        ("difference", ["USD 1,200.50", "USD 300"], "$900.50", "$1,200.50 − $300 = $900.50"),
        ("sum", ["USD 1,200.50", "USD 301"], None, ""),  # it does not stand there
        ("sum", ["USD 1,200.50", "30 days"], None, ""),  # of two kinds
        ("sum", ["USD 1,200.50"], None, ""),
        ("none", [], None, ""),
        ("root", ["USD 1,200.50", "USD 300"], None, ""),
    ],
)
def test_a_sum_is_worked_out_of_figures_that_stand_where_the_model_says(tmp_path, operation, figures, answer, working):
    def model(messages):
        if '"operation"' not in messages[-1]["content"]:
            return '{"sentence": 0}'
        places = [number_of(messages, "entry fee for"), number_of(messages, "gate fee for")]
        operands = [{"sentence": n, "figure": f} for n, f in zip(places, figures, strict=False)]
        return json.dumps({"operation": operation, "operands": operands})

    made, model = asked(
        tmp_path,
        model,
        paper=f"{SUPPLY}\n{FEES}",
        points=(TOTAL,),
        kind=AskKind.CALCULATION,
        procedure={"guided_works": True},
    )
    before = by_rules(tmp_path, made)
    entry = draft(made).answers[0].entries[0]
    assert any('"operation"' in r[-1]["content"] for r in model.requests)
    if answer is None:
        assert entry == before.model_copy(update={"vouched": "rules"})
    else:
        assert (entry.answer, entry.basis) == (answer, working)
        assert (entry.certain, entry.vouched, len(entry.support)) == (False, "model", 2)
        assert working.replace("−", "-") in memo(made).replace("−", "-")


def test_a_figure_of_the_request_counts_as_such(tmp_path):
    def model(messages):
        if '"operation"' not in messages[-1]["content"]:
            return '{"sentence": 0}'
        place = number_of(messages, "entry fee for")
        operands = [{"sentence": place, "figure": "June 3, 2024"}, {"sentence": 0, "figure": "two weeks"}]
        return json.dumps({"operation": "day_after", "operands": operands})

    made, _ = asked(
        tmp_path,
        model,
        paper=f"{SUPPLY}\n{FEES}",
        points=("By when, two weeks on, must the yard entry fee be settled?",),
        kind=AskKind.CALCULATION,
        procedure={"guided_works": True},
    )
    entry = draft(made).answers[0].entries[0]
    assert (entry.answer, entry.day) == ("June 17, 2024", "2024-06-17")
    assert len(entry.support) == 1


SAID = (
    "Of $900 and $1,800, 12 units, 5 %, 30 days, 10 business days, one month, January 31, 2024, March 1, 2024 and "
    "03/04/2024."
)


@pytest.mark.parametrize(
    ("operation", "figures", "value"),
    [
        ("sum", ["$900", "$1,800"], "$2,700"),
        ("difference", ["$900", "$1,800"], None),
        ("product", ["$900", "12 units"], "$10,800"),
        ("product", ["$900", "$1,800"], None),
        ("quotient", ["$900", "12 units"], "$75"),
        ("quotient", ["12 units", "$900"], None),
        ("percentage", ["5 %", "$900"], "$45"),
        ("percentage", ["5 %", "30 days"], None),
        ("share", ["$900", "$1,800"], "50.00 %"),
        ("least", ["$900", "$1,800"], "$900"),
        ("greatest", ["January 31, 2024", "March 1, 2024"], "March 1, 2024"),
        ("greatest", ["January 31, 2024", "$900"], None),
        ("day_after", ["January 31, 2024", "one month"], "February 29, 2024"),
        ("day_before", ["March 1, 2024", "30 days"], "January 31, 2024"),
        ("days_between", ["March 1, 2024", "January 31, 2024"], "30 days"),
        ("days_between", ["March 1, 2024", "30 days"], None),
    ],
)
def test_the_operations(operation, figures, value):
    operands = [operand(f, SAID, None) for f in figures]
    assert None not in operands
    made = worked_out(operation, operands)
    assert (made and made.value) == value
    assert made is None or made.working.endswith(value)


@pytest.mark.parametrize("words", ["10 business days", "03/04/2024", "$901", "", "$900 and $1,800"])
def test_what_is_ambiguous_or_absent_is_no_operand(words):
    assert operand(words, SAID, None) is None


def test_a_bare_number_is_the_one_figure_that_holds_it():
    assert operand("1,800", SAID, None).shown == "$1,800"
    assert operand("1,800", "It is $1,800, and CHF 1,800 of it in francs.", None) is None
    assert operand("800", SAID, None) is None


def test_a_day_that_no_calendar_has_is_no_result():
    day, years = operand("January 31, 2024", SAID, None), operand("9,999 years", "in 9,999 years", None)
    assert worked_out("day_after", [day, years]) is None


FAIR = "Is the warning fair to the buyer"
VIEW = "Six weeks of warning seems short where a flood needs but three days."


@pytest.mark.parametrize(
    ("conclusion", "views", "told"),
    [
        (VIEW, True, True),
        (VIEW, False, False),
        ("", True, False),
        ("The warning of nine weeks is long.", True, False),
        ("It is short. The buyer should not sign.", True, False),
    ],
)
def test_a_view_is_told_only_where_it_is_trusted_and_rests_on_its_sentences(tmp_path, conclusion, views, told):
    def model(messages):
        numbers = [number_of(messages, OTHER), number_of(messages, "three days")]
        if '"conclusion"' in messages[-1]["content"]:
            return json.dumps({"conclusion": conclusion, "sentences": numbers})
        return json.dumps({"answer": "yes", "sentences": numbers})

    made, model = asked(tmp_path, model, points=(FAIR,), kind=AskKind.JUDGMENT, procedure={"guided_views": views})
    work = draft(made)
    assert work.answers[0].state is AskState.NOT_ATTEMPTED  # judged by nobody but the lawyer
    assert any('"conclusion"' in r[-1]["content"] for r in model.requests) is views
    assert ("The model's view, to be verified: " in memo(made)) is told
    assert not conclusion or (conclusion.rstrip(".") in memo(made)) is told


@pytest.mark.parametrize(
    ("said", "so"),
    [
        ("Supplier must sell flour to Buyer alone.", True),
        ("The supplier alone sells “flour to Buyer”.", True),
        ("The supplier alone sells “rye to Buyer”.", False),
        ("It lasts 5 years.", False),
        ("It ends on June 1, 2025.", False),
        ("The seat of Zanzibar decides.", False),
        ("See https://example.org for it.", False),
        ("It is <b>fair</b>.", False),
    ],
)
def test_what_a_view_names_must_stand_in_its_sentences(said, so):
    units = [u for u in reading().units if "exclusive supplier" in u.text]
    assert carried(Conclusion(said, tuple(units)), "Is the exclusivity fair?") is so
