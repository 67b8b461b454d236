"""How authorities are ranked for a question, and when none fits. Read API over ``data/ranking/authorities.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from knowledge_db.load import KnowledgeError
from knowledge_db.records import KnowledgeRow

Share = Annotated[float, Field(ge=0, le=1)]


Weight = Annotated[float, Field(ge=-50, le=50)]


class ChoiceWeights(KnowledgeRow):
    """What speaks for an authority among the likeliest, one of which answers, or none: a conditional logit.

    Attributes:
        candidates: So many of the likeliest are read together with the question.
        floor: Chance of the first below which none of them is an answer.
        beside: Chance from which another is listed behind the first.
        nothing: What speaks for it that none answers a question of six words.
        length: What e times as many words add to it: of a long story a row speaks less, even of the one it answers.
        points, windows: The points of the authority, and the most of a window that it sets.
        asking: The points of it by the words of the part of the question that asks, without the story before it.
        lead: The lead of its points before the next best, as a part of them.
        read: The logit of a cross-encoder that reads it together with the question.
        read_lead: Its lead before the next best, of at most four.
        phrases: The logarithm of one and the number of questions by which it is known to be asked for, above the mean
            of the candidates: law that many ways of asking are known for is asked for more.
    """

    candidates: Annotated[int, Field(ge=1, le=50)]
    floor: Share
    beside: Share
    nothing: Weight
    length: Weight
    points: Weight
    asking: Weight
    windows: Weight
    lead: Weight
    read: Weight
    read_lead: Weight
    phrases: Weight


class Ranking(KnowledgeRow):
    """Words of questions, weights from 0 to 1, and what makes an answer likely.

    Attributes:
        of_time: Words that ask for a deadline: every window answers them, and none by having them.
        of_cases: Words that ask for a decided case.
        of_statutes: Words that ask for a statute, not for a regulation.
        frame: Other words in which questions are put; they tell nothing of a subject.
        citation, keyword, title, note: What a word of the question counts in each field of an entry.
        asked: What a word counts in the questions that are known to ask for an entry.
        name: What the meaning of an abbreviation or popular name counts against the name itself.
        other_name: What another name of a concept counts.
        phrase: What a keyword or title adds that stands in the question.
        window: What the words of a deadline count for the authority that sets it.
        authority: What the words of an authority count for a deadline that it sets.
        another_kind: What law counts that sets no time where a deadline is asked for, is no case where a case is, or is
            a case where none is.
        set_apart: What a row loses that speaks of what the question sets apart as not meant.
        another_state: What the law of a state counts where no place is named.
        country_of_state: What the law of the country counts where one of its states is named.
        treaty: What a treaty counts.
        elsewhere: What law of another country counts where no place is named; where one is, it does not answer.
        instrument: How much of the name of an instrument that is cited by its year an entry must speak of.
        floor: Likelihood below which an entry is no answer.
        base, of_points, of_lead, of_words: The likelihood's logit: its start, and what the points of an entry, its lead
            before the next best and the words that it shares (four are all) add.
        choice: The same where a model reads the likeliest together with the question.
    """

    of_time: tuple[str, ...]
    of_cases: tuple[str, ...]
    of_statutes: tuple[str, ...]
    frame: tuple[str, ...]
    citation: Share
    keyword: Share
    title: Share
    note: Share
    asked: Share
    name: Share
    other_name: Share
    phrase: Share
    window: Share
    authority: Share
    another_kind: Share
    set_apart: Share
    another_state: Share
    country_of_state: Share
    treaty: Share
    elsewhere: Share
    instrument: Share
    floor: Share
    base: Annotated[float, Field(ge=-20, le=20)]
    of_points: Annotated[float, Field(ge=-20, le=20)]
    of_lead: Annotated[float, Field(ge=-20, le=20)]
    of_words: Annotated[float, Field(ge=-20, le=20)]
    choice: ChoiceWeights


def load_ranking(folder: Path) -> Ranking:
    """Return the ranking below ``folder``.

    Raises:
        KnowledgeError: It is not there, or has not these weights.
    """
    path = folder / "ranking" / "authorities.toml"
    try:
        return Ranking.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"ranking/authorities.toml: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise KnowledgeError(f"ranking/authorities.toml: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
