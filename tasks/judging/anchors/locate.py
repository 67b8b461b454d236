"""Finds which part of a deliverable is about which contract and topic."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tasks.judging.anchors.names import ContractNames, RubricTopics
from tasks.judging.anchors.outline import OutlineBlock
from tasks.judging.anchors.roles import Role, role_of_label, role_of_text
from tasks.legaltext.names import name_words
from tasks.legaltext.sentences import DRAFT, sentences

_LABEL = re.compile(r"^[\s>*_•·\-–—]*(.{2,120}?)[*_]*\s*(?::|\s[–—-]\s|\.\s(?=[A-Z“\"]))[*_]*\s*")
_ALL = re.compile(
    r"\b(none of the|neither of the|no|each of the|all(?: of)?(?: the)?|every)\s+"
    r"(?:\w+\s+)?(?:agreements?|contracts?|documents?)\b",
    re.IGNORECASE,
)
_LABEL_WORDS = 12  # words of a label or lead; chosen by eye on development drafts
_CELL_WORDS = 30  # words of a cell that may name a contract; chosen by eye on development drafts
_TOPIC_CELL_WORDS = 14  # words of a cell that may name a topic; chosen by eye on development drafts


@dataclass(frozen=True)
class AttributedPart:
    """A stretch of a deliverable attributed to contracts and topics.

    Attributes:
        topics: Empty where the text is about the contracts and about no topic of the rubric.
        strong: The topic is the part's own heading, label, row or column, not a passing mention.
        group: Parts of one group stand together under one context.
        heading: The headings, or the label, above the text.
    """

    text: str
    documents: frozenset[str]
    topics: frozenset[str]
    strong: bool
    group: int
    heading: str = ""
    role: Role = "own"


@dataclass
class _Frame:
    level: int
    text: str
    documents: frozenset[str]
    topics: frozenset[str]
    bounds: bool  # a heading of its own subject: names a contract or a topic, or is none of ours
    title: bool = False  # the first heading of the deliverable


@dataclass
class _Locator:
    names: ContractNames
    topics: RubricTopics
    default: frozenset[str]
    parts: list[AttributedPart] = field(default_factory=list)
    path: list[_Frame] = field(default_factory=list)
    lead: frozenset[str] = frozenset()
    label: frozenset[str] = frozenset()
    label_text: str = ""
    group: int = 0
    carried: tuple[int, frozenset[str]] = (-1, frozenset())
    topic_first: bool = False

    def context(self) -> tuple[frozenset[str], frozenset[str], str]:
        """Return the contracts, topics and headings in force."""
        documents = next((f.documents for f in reversed(self.path) if f.documents), frozenset())
        topics = next((f.topics for f in reversed(self.path) if f.topics), frozenset())
        # All headings in force: "Not found" may stand above the contract's own heading.
        return documents, topics, "\n".join(f.text for f in self.path)

    def is_own(self) -> bool:
        """Tell whether the topics in force are those of the part's own label or heading, or of one over its contract.

        What stands in a memorandum called "Breach notification duties" under "Not found" is about many topics.
        """
        of = next((n for n, f in reversed([*enumerate(self.path)]) if f.topics), -1)
        titled = of == 0 and self.path[0].title and not self.label
        return not titled or all(f.documents for f in self.path[1:])

    def heading(self, block: OutlineBlock) -> None:
        first = not self.group
        self.group += 1
        documents = self.names.documents(block.text)
        topics = self.topics.labelled(self.names.without(block.text))
        if not any(f.documents or f.topics for f in self.path) and topics and not documents:
            self.topic_first = True
        level = block.level or self._guess(bool(documents), bool(topics))
        while self.path and self.path[-1].level >= level:
            self.path.pop()
        self.path.append(_Frame(level, block.text, documents, topics, True, first))
        self.lead, self.label, self.label_text = frozenset(), frozenset(), ""

    def _guess(self, documents: bool, topics: bool) -> int:
        """Guess a level where the format gives none: contract above topic, or the reverse."""
        if documents:
            return 12 if self.topic_first else 11
        if topics:
            return 11 if self.topic_first else 12
        return 10

    def row(self, block: OutlineBlock) -> None:
        scope, topics, heading = self.context()
        self.group += 1
        documents, named_in = self._row_documents(block)
        cell_topics = frozenset().union(
            *(
                self.topics.labelled(self.names.without(c))
                for i, c in enumerate(block.cells)
                if i != named_in and 0 < len(name_words(c)) <= _TOPIC_CELL_WORDS and not _quoted(c)
            )
        )
        self._columns(block, documents or scope, cell_topics or topics)
        rest = [(i, c) for i, c in enumerate(block.cells) if i != named_in]
        for i, cell in rest:
            role = role_of_text(cell, role_of_label(block.columns[i] if i < len(block.columns) else ""))
            if cell_topics or topics:
                strong = bool(cell_topics) or self.is_own()
                self._add(cell, documents or scope, cell_topics or topics, strong, heading, role)
        if not (cell_topics or topics) and (documents or scope):
            self._sentences(" | ".join(c for _, c in rest), documents or scope, frozenset(), heading)

    def _row_documents(self, block: OutlineBlock) -> tuple[frozenset[str], int]:
        for i, cell in enumerate(block.cells):
            if cell and len(name_words(cell)) <= _CELL_WORDS and not _quoted(cell):
                documents = self.names.documents(cell)
                if documents:
                    self.carried = (block.table, documents)
                    return documents, i
        if block.cells and not block.cells[0].strip() and self.carried[0] == block.table:
            return self.carried[1], -1
        return frozenset(), -1

    def _columns(self, block: OutlineBlock, documents: frozenset[str], topics: frozenset[str]) -> None:
        """Attribute single cells by their column, when the columns are topics or contracts."""
        for column, cell in zip(block.columns, block.cells, strict=False):
            if not cell.strip():
                continue
            column_documents = self.names.documents(column)
            column_topics = self.topics.labelled(self.names.without(column))
            if column_topics or column_documents:
                self.group += 1
                role = role_of_text(cell, "quoted" if role_of_label(column) == "quoted" else "own")
                self._add(cell, column_documents or documents, column_topics or topics, True, column, role)
        self.group += 1

    def paragraph(self, block: OutlineBlock) -> None:
        scope, topics, heading = self.context()
        text = block.text
        label, body = _label(text)
        if label:
            documents = self.names.documents(label) if not scope or len(scope) > 1 else frozenset()
            named = self.topics.labelled(self.names.without(label))
            if documents:
                self.lead, self.label = documents, frozenset()
                self.group += 1
            if named:
                self.label, self.label_text = named, label
                self.group += 1
            if named or (documents and body):
                text = body or text
            if (named or documents) and not body:
                return
        documents = self._paragraph_documents(f"{label}\n{text}" if label else text, scope)
        role = role_of_text(text, self._labelled_role(label))
        owners = documents or self.default
        if len(owners) == 1 and not (self.label or topics):
            self.parts.append(AttributedPart(text, owners, frozenset(), False, self.group, heading))
        self._sentences(text, documents, self.label or topics, self.label_text or heading, role)

    def _labelled_role(self, label: str) -> Role:
        """Return the role that a paragraph's own label gives it, else whether the heading above holds quotations."""
        role = role_of_label(label)
        below = self.path[-1].text if self.path and role == "own" else ""
        return "quoted" if role_of_label(below) == "quoted" else role

    def _paragraph_documents(self, text: str, scope: frozenset[str]) -> frozenset[str]:
        if len(scope) == 1:
            foreign = self.names.files_in(text)
            return frozenset() if foreign and not foreign & scope else scope
        return self.lead or scope

    def _sentences(
        self, text: str, documents: frozenset[str], topics: frozenset[str], heading: str, role: Role = "own"
    ) -> None:
        """Split where the text speaks of several contracts; add topics that a sentence itself names."""
        spread = len(documents) != 1
        if not spread and topics:
            self._add(text, documents, topics, self.is_own(), heading, role)
        running, inline = documents, frozenset[str]()
        for start, end in sentences(text, DRAFT):
            for piece, named in self._by_document(text[start:end], spread):
                running = named or running
                owners = running if running or not spread else self.default
                inline = self.topics.inline(piece) or inline
                if spread and topics:
                    self._add(piece, owners, topics, self.is_own(), heading, role)
                if inline - topics:
                    self._add(piece, owners, inline - topics, False, heading, role)

    def _by_document(self, sentence: str, spread: bool) -> list[tuple[str, frozenset[str]]]:
        if not spread:
            return [(sentence, frozenset())]
        if _ALL.search(sentence):
            return [(sentence, frozenset(d for owners in self.names.files.values() for d in owners))]
        named = self.names.documents(sentence)
        if len(named) <= 1:
            return [(sentence, named)]
        pieces, last = [], frozenset[str]()
        for piece in re.split(r"(?<=[,;])\s|\s(?=and\s|while\s|whereas\s|but\s)", sentence):
            last = self.names.documents(piece) or last
            pieces.append((piece, last))
        return pieces

    def _add(
        self,
        text: str,
        documents: frozenset[str],
        topics: frozenset[str],
        strong: bool,
        heading: str,
        role: Role = "own",
    ) -> None:
        owners = documents or self.default
        if text.strip() and owners and topics:
            self.parts.append(AttributedPart(text.strip(), owners, topics, strong, self.group, heading, role))


def locate(
    blocks: list[OutlineBlock], names: ContractNames, topics: RubricTopics, default: frozenset[str]
) -> list[AttributedPart]:
    """Attribute every block to contracts and topics.

    Args:
        blocks: Outline of one deliverable.
        names: Names of every contract of the rubric and the data room.
        topics: Topics of the rubric.
        default: The contract assumed where none is named (the only one of a matter), else empty.
    """
    locator = _Locator(names, topics, default)
    for block in blocks:
        if block.kind == "heading":
            locator.heading(block)
        elif block.kind == "row":
            locator.row(block)
        elif _is_lead(block.text, names, topics):
            locator.heading(
                OutlineBlock("heading", block.text.strip("*_ :"), level=20 if names.documents(block.text) else 21)
            )
        else:
            locator.paragraph(block)
    return locator.parts


def _is_lead(text: str, names: ContractNames, topics: RubricTopics) -> bool:
    """Tell whether a paragraph is a heading in disguise: short, no sentence, naming a contract or topic."""
    bare = text.strip("*_ ")
    if (
        len(name_words(bare)) > _LABEL_WORDS
        or bare.endswith((".", ";", ","))
        or _quoted(bare)
        or bare.startswith(("-", "•"))
    ):
        return False
    inner = bare.rstrip(": ")
    if ":" in inner:
        return False
    left = names.without(inner)
    named = names.documents(inner)
    # What remains beside the names must be next to nothing, or a topic and little else.
    return (bool(named) and len(left) <= 4) or (bool(topics.labelled(left)) and len(left) <= 6)


def _label(text: str) -> tuple[str, str]:
    match = _LABEL.match(text)
    if not match or len(name_words(match.group(1))) > _LABEL_WORDS or _quoted(match.group(1)):
        return "", text
    return match.group(1), text[match.end() :].strip()


def _quoted(text: str) -> bool:
    return bool(re.search(r"[“\"][^”\"]{15,}", text))
