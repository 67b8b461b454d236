"""The fit of the scorer of answers, on questions made up so that it is known what tells."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from flows.cli import main
from flows.studies.answers.fitting import bounds_of, fit_choice, fold_of
from flows.studies.answers.measuring import fitted, held_back, told
from flows.studies.answers.records import SENTENCE, STANDING, SURE, Labelled
from flows.studies.answers.study import as_toml
from knowledge_db.answers import AnswerWeights, SentenceWeights, SureWeights


def made(tells: str, *, sign: float = 1.0, count: int = 60) -> list[Labelled]:
    """Return questions in which the sentence that answers is the one with most, or least, of one signal."""
    drawn = np.random.default_rng(7)
    found = []
    for number in range(count):
        rows = drawn.normal(size=(6, len(SENTENCE)))
        answers = np.zeros(6, bool)
        answers[int(np.argmax(sign * rows[:, SENTENCE.index(tells)]))] = True
        standing = drawn.normal(size=(6, len(STANDING)))
        standing[:, STANDING.index("kind")] = 2.0 * answers
        found.append(
            Labelled(f"request {number}", rows, standing, tuple(range(6)), answers, answers, True, number % 3 > 0, 1.0)
        )
    return found


def test_the_signal_that_tells_gets_the_weight() -> None:
    choice = fit_choice(made("alike"))
    assert SENTENCE[int(np.argmax(np.abs(choice.weights)))] == "alike"
    assert choice.weights[SENTENCE.index("alike")] > 0


def test_a_weight_stays_within_what_its_signal_can_mean() -> None:
    """Questions in which less of the question answers are an accident, whatever they seem to say."""
    choice = fit_choice(made("alike", sign=-1.0))
    low, high = bounds_of(SentenceWeights, SENTENCE)
    assert choice.weights[SENTENCE.index("alike")] == 0.0
    assert np.all((low <= choice.weights) & (choice.weights <= high))


def test_what_the_fit_is_worth_is_told_of_questions_held_back() -> None:
    found = made("meant")
    held = list(held_back(found, 4))
    assert {h.of.group for h in held} == {f.group for f in found if f.natural}
    assert sum(h.right for h in held) > 0.7 * len(held)
    assert f"{len(held)} questions" in told(held)[0]
    assert any(h.surety > 0.8 for h in held)


def test_no_question_of_a_request_is_on_both_sides_of_a_fold() -> None:
    assert len({fold_of("one request", 5) for _ in range(9)}) == 1


def test_the_weights_are_written_as_the_harness_holds_them() -> None:
    scorer = fitted(made("meant"), 4)
    held = AnswerWeights.model_validate(tomllib.loads(as_toml(scorer)))
    assert held.sentence.meant == pytest.approx(scorer.choice.weights[SENTENCE.index("meant")], abs=1e-3)
    assert held.sure.kind == pytest.approx(scorer.sure[SURE.index("kind")], abs=1e-3)
    assert set(SURE) == set(SureWeights.model_fields) - {"base"}


def test_without_a_folder_and_a_file_the_study_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "answers"]) == 2
    assert "--to FILE" in capsys.readouterr().err
