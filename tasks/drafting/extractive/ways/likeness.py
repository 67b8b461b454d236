"""What words are about: the notions of an ask, and how many of them a passage has."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from knowledge_db.vocabulary import Vocabulary
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.tokens import STOPWORDS, stem

# Words by which a date, a sum or an answer is asked for; they say nothing of what it is the date or the sum of.
_ASKING = frozenset(
    re.findall(
        r"[a-z]+",
        """last latest first earliest day days date dates due deadline deadlines year years month months much many how
        long soon come comes came get gets give gives need needs have happen happens tell let know work out total
        amount sum figure number exactly per if any still now then must when until till before after later time by up
        go goes went each every otherwise maximum minimum most least outlay normal us would filed file filing send
        made make take takes dated fell falls fall given either side one ones paper papers thing things""",
    )
) | frozenset(CARDINALS)
_WORD = re.compile(r"[a-z][a-z'-]+[a-z]|[a-z]{2,}")


def _cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def _bare(word: str) -> str:
    """Return a word without its endings: "substantially" and "substantial" are one."""
    short = re.sub(r"(?<=[a-z]{3})(?:ing|ed|es|e|s)$", "", word)
    return stem(stem(short))


class Likeness:
    """Reads words as notions: families of inflections, other names for one thing, else stems.

    Args:
        vocabulary: The families and synonyms of the harness.
        passages: The sentences of the data room; a notion that stands in few of them says more.
    """

    def __init__(self, vocabulary: Vocabulary, passages: Iterable[str] = ()) -> None:
        """Count in how many passages each notion stands."""
        self._vocabulary = vocabulary
        self._known: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._total = 1
        for passage in passages:
            self._counts.update(self.of(passage))
            self._total += 1

    @cached_property
    def _stems(self) -> Mapping[str, str]:
        return {w: family[0] for family in self._vocabulary.families for w in family[1:] if " " not in w}

    def of(self, text: str) -> frozenset[str]:
        """Return the notions of a text."""
        plain = straight(text).lower()
        return frozenset(self._of_word(w.removesuffix("'s")) for w in _WORD.findall(plain) if w not in STOPWORDS)

    def readings(self, text: str) -> list[frozenset[str]]:
        """Return the notions of a question, as it is asked and with each other name of what it names."""
        plain = straight(text).lower()
        head = re.split(r"\s[-–—]\s", plain)[0]  # what follows a dash comments on the question
        plain = head if len(self.asked(head)) > 1 else plain
        named = [
            (k, others) for k, others in self._vocabulary.synonyms.items() if re.search(rf"\b{re.escape(k)}\b", plain)
        ]
        others = [plain.replace(k, other) for k, names in named for other in names]
        return list(dict.fromkeys(found for t in (plain, *others) if (found := self.asked(t))))

    def asked(self, text: str) -> frozenset[str]:
        """Return the notions of a question without the words that only ask."""
        text = " ".join(_cut(text, [(d.start, d.end) for d in scan_dates(text) if d.precision == "day"]).split())
        plain = " ".join(
            w for w in straight(text).lower().replace("-", " ").split() if w.strip("?,.();:") not in _ASKING
        )
        return self.of(plain)

    def _of_word(self, word: str) -> str:
        if word not in self._known:
            whole = self._stems.get(f"{word}$")
            begins = next((f for s, f in self._stems.items() if not s.endswith("$") and word.startswith(s)), None)
            self._known[word] = whole or begins or _bare(word)
        return self._known[word]

    def weight(self, notion: str) -> float:
        """Return how much a notion says: more where fewer passages hold it."""
        return math.log(1 + self._total / (1 + self._counts[notion]))

    def shared(self, asked: frozenset[str], told: frozenset[str]) -> float:
        """Return the part of what is asked about that a passage speaks of, from 0 to 1."""
        whole = sum(map(self.weight, asked))
        return sum(self.weight(n) for n in asked & told) / whole if whole else 0.0

    def fit(self, question: str, passage: str) -> float:
        """Return how well a passage fits a question, under the name of its subject that fits best."""
        told = self.of(passage)
        return max((self.shared(asked, told) for asked in self.readings(question)), default=0.0)
