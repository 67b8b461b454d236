"""The bottom line in sentences: the answers to a point across the documents, and where they differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tasks.drafting.extractive.answers import Answer

MOST_VALUES = 4  # different answers that a line still tells apart
MOST_WORDS = 12


def bottom_line(words: str, answers: Sequence[tuple[int, Answer]]) -> str:
    """Return the conclusion on a point: each answer with the numbers of its documents.

    Args:
        words: The point as the brief calls it.
        answers: The answers with the numbers of their documents, in their order.
    """
    groups: dict[str, list[int]] = {}
    for number, answer in answers:
        if answer.found:
            groups.setdefault(_short(answer.value), []).append(number)
    if not groups:
        return f"- {words}: in none of them"
    if len(groups) > MOST_VALUES or set(groups) == {""}:
        return f"- {words}: {document_numbers(sorted(n for found in groups.values() for n in found))}"
    said = [
        f"{value} ({document_numbers(found)})" if value else document_numbers(found) for value, found in groups.items()
    ]
    return f"- {words}: {'; '.join(said)}"


def papers_differ(answers: Sequence[tuple[int, Answer]], quiet: Collection[str]) -> bool:
    """Tell whether documents of one transaction answer differently: an agreement and its amendment, or a message."""
    if answers and answers[0][1].topic.provision.answer in {"agreement_date", "effective_date", "parties", "title"}:
        return False  # each paper has its own
    values = {_short(a.value) for _, a in answers if a.found}
    telling = [a for _, a in answers if a.found and a.document in quiet]
    return len(values) > 1 and bool(telling) and all(_typed(a) for _, a in answers if a.found)


def document_numbers(found: Sequence[int]) -> str:
    """Return numbers of documents as a reader cites them."""
    return f"No{'s' if len(found) > 1 else ''}. {', '.join(map(str, found))}"


def _typed(answer: Answer) -> bool:
    return answer.day is not None or any(c.isdigit() for c in answer.value[:24])


def _short(value: str) -> str:
    """Return an answer without its "Yes", cut to a few words."""
    words = value.removeprefix("Yes").lstrip(":; ").split()
    return " ".join(words[:MOST_WORDS]) + (" …" if len(words) > MOST_WORDS else "")
