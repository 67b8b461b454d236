"""Real contracts: what lawyers marked is found in the canonical text (whitespace and punctuation folded)."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tasks.sources.extract import extract


def folded(words: str) -> str:
    return re.sub(r"[\W_]+", "", words.lower())


def spans(task: Path) -> list[tuple[str, list[str]]]:
    found = []
    for criterion in json.loads(task.read_text())["criteria"]:
        anchors = criterion["anchors"]
        for anchor in anchors if isinstance(anchors, list) else [anchors]:
            if anchor["match"]["kind"] == "span":
                found.append((anchor["document"], anchor["match"]["any"]))
    return found


@pytest.mark.parametrize("part", [0, 1, 2])
def test_marked_passages_are_in_the_text(shared_data: Path, part: int) -> None:
    tasks = sorted((shared_data / "cuad_matters").glob("*/*/task.json"))[part::12]
    hits: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for task in tasks:
        read: dict[str, tuple[str, str]] = {}
        for document, choices in spans(task):
            if document not in read:
                text = extract((task.parent / "documents" / document).read_bytes(), document)
                assert text.text, document
                read[document] = (text.media, folded(text.text))
            media, words = read[document]
            total[media] += 1
            hits[media] += any(folded(choice) in words for choice in choices)
    assert total
    assert all(hits[media] / total[media] >= 0.97 for media in total), (hits, total)
