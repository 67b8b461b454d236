"""Write what the law reader learns from: questions, the row that governs each, and the rows that look like it.

Run in Solon's own environment: ``python deploy/models/law_reader/prepare.py --to pairs.jsonl [--part 0/2] [--most N]``.
Each line is a list of texts: a question by which a row is known to be asked for, that row as it is read without this
question, and the likeliest other rows by words alone. All ways of asking of the knowledge are taken: to
measure what comes of it by a set of questions, run it on a tree that stood before the set was read.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from knowledge_db.answering import Answers
from tasks.harness import packaged

_OTHERS = 12  # rows beside the right one, the likeliest first
_KEPT = 0.85  # of the ways of asking of a row, by lot: rows that are known by few are to be read, too


def questions(answers: Answers) -> list[tuple[int, str]]:
    """Return each question by which an authority, or a period that it sets, is known to be asked for."""
    return [(number, one) for number, ways in enumerate(answers.texts.ways) for one in ways]


def groups(answers: Answers, asked: list[tuple[int, str]], lot: random.Random) -> Iterator[list[str]]:
    """Yield a question with the text of its row and those of the likeliest other rows."""
    texts = answers.texts
    for number, question in asked:
        place = texts.authorities[number].jurisdiction
        others = [n for n in answers.likeliest(question, _OTHERS + 1, place) if n != number]
        ways = {
            n: [way for way in texts.ways[n] if way != question and lot.random() < _KEPT] for n in (number, *others)
        }
        told = replace(texts, ways=[ways.get(n, ()) for n in range(len(texts.ways))])
        yield [question, *(told.text(n, question) for n in (number, *others[:_OTHERS]))]


def main() -> None:
    """Write the groups of a part of the questions, drawn by lot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--part", default="0/1", help="of the questions, e.g. 0/2: the first half")
    parser.add_argument("--most", type=int, default=0)
    given = parser.parse_args()
    answers, lot = Answers(packaged().knowledge), random.Random(5)
    asked = questions(answers)
    lot.shuffle(asked)
    part, of = map(int, given.part.split("/"))
    chosen = asked[part::of][: given.most or None]
    with given.to.open("w", encoding="utf-8") as out:
        for group in groups(answers, chosen, lot):
            out.write(json.dumps(group, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
