"""How authorities are ranked for a question, and when none fits. Read API over ``data/ranking/authorities.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from knowledge_db.load import KnowledgeError
from knowledge_db.records import KnowledgeRow

Share = Annotated[float, Field(ge=0, le=1)]


class Ranking(KnowledgeRow):
    """Weights from 0 to 1, and words.

    Attributes:
        of_time: Words that ask for a deadline: every window answers them, and none by having them.
        floor: Score below which an entry does not fit the question.
        words: How many words of its own a question must share with an entry that it does not name by a whole keyword.
        citation, keyword, title, note: What a word of the question counts in each field of an entry.
        other_name: What a word counts that stands for a concept of the question under another name.
        phrase: What a keyword or title adds that stands whole in the question.
        window: What an authority gains from a deadline that it sets and that the question asks about.
        another_state: What the law of a state counts where no place is named.
        country_of_state: What the law of the country counts where one of its states is named.
        treaty: What a treaty counts.
        elsewhere: What law counts that does not apply in the places concerned.
    """

    of_time: tuple[str, ...]
    floor: Share
    words: Annotated[int, Field(ge=1, le=9)]
    citation: Share
    keyword: Share
    title: Share
    note: Share
    other_name: Share
    phrase: Share
    window: Share
    another_state: Share
    country_of_state: Share
    treaty: Share
    elsewhere: Share


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
