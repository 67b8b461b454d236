"""Whether a question is about these papers: what they do not speak of, they do not answer "to be verified" either."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.legaltext.fold import straight
from tasks.legaltext.parts_of_speech import tagged
from tasks.legaltext.tokens import terms

_NEAREST = 2  # passages shown beside what is not here
_NAMED = 4  # words that are told to stand in no paper
_ANYBODY = frozenset({"people", "person", "persons"})
_WORD = re.compile(r"[\w'-]+")


def related(
    ask: Ask,
    got: AskAnswer,
    papers: Collection[str],
    synonyms: Mapping[str, Sequence[str]],
    known: float,
    understood: Collection[str] = (),
) -> AskAnswer:
    """Return a claim without what is to be verified of it, where the papers do not speak of what is asked.

    A sentence that shares a word with a question about something else ("the speed limit on the premises") misleads
    more than no answer does. What is certain stays, and so does a clause of the very kind that is asked for.

    Args:
        ask: What is asked.
        got: What is claimed.
        papers: The terms of all papers.
        synonyms: Words that lawyers use for one another, by each.
        known: Share of the things asked about that some paper must name.
        understood: Terms of the question that need stand in no paper: who a party is ("the buyer"), and how the
            catalogue knows that a clause is asked for ("how long does the agreement run").
    """
    doubtful = [e for e in got.entries if e.state is AskState.ANSWERED and not (e.certain or e.basis or e.topic)]
    absent, share = foreign(ask.subject, {*papers, *understood}, synonyms)
    if not doubtful or share >= known:
        return got
    said = f"nothing was found: no paper here speaks of {', '.join(f'“{word}”' for word in absent[:_NAMED])}"
    near = tuple(span for entry in doubtful for span in entry.support)[:_NEAREST]
    denied = Entry(state=AskState.NOT_FOUND, answer=said, searched=(ask.subject,), nearest=near)
    kept = tuple(e for e in got.entries if e not in doubtful and e.state is AskState.ANSWERED) or (denied,)
    return AskAnswer(ask_id=got.ask_id, state=state_of(kept), entries=kept)


def foreign(asked: str, papers: Collection[str], synonyms: Mapping[str, Sequence[str]]) -> tuple[list[str], float]:
    """Return the things of a question that no paper names, nor a synonym of theirs, and the share of the others.

    Its nouns say what it is about; where it has none, all its words.
    """
    plain = straight(asked)
    told = {
        term
        for phrase, others in synonyms.items()
        if re.search(rf"\b{re.escape(phrase)}\b", plain, re.IGNORECASE)
        and any(set(terms(other)) <= set(papers) for other in others)
        for term in terms(phrase)
    }
    things = [w.text for w in tagged(plain) if w.tag.startswith("N") and w.text.lower() not in _ANYBODY]
    words = {found[0]: word for word in things or _WORD.findall(plain) if (found := terms(word))}
    absent = [word for term, word in words.items() if term not in papers and term not in told]
    return absent, 1 - len(absent) / len(words) if words else 1.0
