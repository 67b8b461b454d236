"""How likely a sentence answers a question: the weights of a fitted scorer, ``data/ranking/answers.toml``.

Each weight is bounded by what its signal can mean: a sentence that speaks of more of the question is never the less
likely for it, whatever few questions seem to say. The fit keeps within these bounds.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from knowledge_db.load import KnowledgeError
from knowledge_db.records import KnowledgeRow

NAME = "answers.toml"
Either = Annotated[float, Field(ge=-50, le=50)]
For = Annotated[float, Field(ge=0, le=50)]
Against = Annotated[float, Field(ge=-50, le=0)]


class SentenceWeights(KnowledgeRow):
    """What each signal adds to what speaks for a sentence (``tasks/drafting/extractive/ways/signals.py``).

    Attributes:
        nothing: What speaks for it that none of the sentences answers.
        cover, headed, context, paper: Shares of the question, as ``Weighed`` explains them.
        meant, alike: Likeness of the word vectors, of the whole and word by word.
        met: Notions of the question that stand in it.
        figure, no_figure, no_value: A figure is wanted and there, or wanted and not; another value is wanted and not.
        scrap, short: It tells nothing; it is a heading or label.
        agreement: It stands in an agreement.
        another_paper: It stands in a paper other than those that the ask speaks of.
        found: How high the search puts its passage.
        thing: Share of the thing that is asked for.
        kind, another_kind: It carries the kind of clause that the question is put like, or does not.
        uncarried: A provision of the catalogue is asked for by name, and it does not carry it.
        rule: It is asked what happened, and it says what shall be.
        another_acts: The one who is asked about is named only behind what another shall do.
        no_stance: Yes or no is asked, and what it does answers neither.
        paired: The logit of a cross-encoder that reads it together with the question.
    """

    nothing: Either
    cover: For
    headed: For
    context: For
    paper: Either
    meant: For
    alike: For
    met: For
    figure: For
    no_figure: Against
    no_value: Against
    scrap: Against
    short: Against
    agreement: Either
    another_paper: Against
    found: For
    thing: For
    kind: For
    another_kind: Against
    uncarried: Against
    rule: Against
    another_acts: Against
    no_stance: Against
    paired: For


class SureWeights(KnowledgeRow):
    """What each signal adds to the odds that the likeliest sentence answers rightly.

    Attributes:
        base: The odds before anything is known.
        chance: The logit of the chance of all sentences that say the same.
        alike, found, kind, rule, agreement, no_stance: As for a sentence.
        unseen: Share of the question of which no paper speaks.
        leaning: The question leans on the words around it.
        papers: Several papers are asked.
        long: Words of the sentence, in hundreds.
    """

    base: Either
    chance: For
    alike: For
    found: For
    kind: For
    rule: Against
    agreement: For
    unseen: Against
    leaning: Against
    no_stance: Against
    papers: Against
    long: Against


class AnswerWeights(KnowledgeRow):
    """The two parts of the scorer: which sentence answers, and how sure that is."""

    sentence: SentenceWeights
    sure: SureWeights


def load_answers(folder: Path) -> AnswerWeights:
    """Return the weights below ``folder``.

    Raises:
        KnowledgeError: They are not there, or are not these.
    """
    path = folder / "ranking" / NAME
    try:
        return AnswerWeights.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"ranking/{NAME}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise KnowledgeError(f"ranking/{NAME}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
