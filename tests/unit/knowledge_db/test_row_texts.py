"""What a model reads of a row of law together with a question."""

from __future__ import annotations

import re

from knowledge_db.answering import Answers
from knowledge_db.records import Authority, WindowRule
from knowledge_db.row_texts import RowTexts
from tests.unit.knowledge_db.test_questions_of_law import SAID, base_of, row

WAYS = ("barge sank off the pier", "pilot was drunk", "tug broke the lock gate", "ice on the hull", "cook fell ill")


def of_window(name: str, regime: str, n: int) -> WindowRule:
    said = {"domain": "x", "action": "file", "unit": "day", "calendar_set": "us_federal", "jurisdiction": "US"}
    return WindowRule(window_id=f"x/{name}", regime=regime, trigger="the wreck", n=n, authority="1 U.S.C. § 1",
                      **said, **SAID)  # fmt: skip


def texts_of(held: Authority, windows: tuple[WindowRule, ...] = (), ways: tuple[str, ...] = ()) -> RowTexts:
    return RowTexts(
        authorities=(held,),
        periods={0: windows} if windows else {},
        ways=(ways,),
        words=lambda text: re.findall(r"\w+", text.casefold()),
        rarity=lambda word: 0.1 if word in {"the", "of", "was"} else 1.0,
    )


def test_the_nearest_period_and_ways_of_asking_are_read() -> None:
    windows = (of_window("a", "Salvage claim", 30), of_window("b", "Pilot claim", 60))
    text = texts_of(row("1 U.S.C. § 1", "US", "Wrecks", "wreck"), windows, WAYS).text(
        0, "the pilot was drunk at the gate"
    )
    assert "[Pilot claim: 60 days from the wreck]" in text
    assert "Salvage claim" not in text
    assert text.endswith("Asked: pilot was drunk; tug broke the lock gate")


def test_a_row_without_periods_and_ways_is_read_as_it_stands() -> None:
    assert texts_of(row("1 U.S.C. § 1", "US", "Wrecks", "wreck")).text(0, "pilot").startswith("Wrecks; wreck.")
    assert "Asked" not in texts_of(row("1 U.S.C. § 1", "US", "Wrecks", "wreck")).text(0, "pilot")


def test_a_long_row_is_cut() -> None:
    held = row("1 U.S.C. § 1", "US", "Wrecks " * 90, "wreck")
    text = texts_of(held, (of_window("a", "Salvage " * 60, 30),), ("barge " * 60,)).text(0, "barge")
    assert len(text) <= 200 + 1 + 100 + 1 + 177


def test_the_likeliest_rows_by_words_are_those_of_the_place_that_is_named() -> None:
    answers = Answers(base_of(row("1 U.S.C. § 1", "US", "Barge wreck", "barge wreck"),
                              row("Tex. Code § 1", "US-TX", "Barge wreck", "barge wreck"),
                              row("Ohio Code § 1", "US-OH", "Barge wreck", "barge wreck")))  # fmt: skip
    held = answers.texts.authorities
    assert [held[n].citation for n in answers.likeliest("barge wreck", 2, "US-TX")] == ["Tex. Code § 1", "1 U.S.C. § 1"]
