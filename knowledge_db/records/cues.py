"""Rows of cues: how a brief asks, and how the papers of a lawsuit say something."""

from __future__ import annotations

from typing import Final, Literal, get_args

from pydantic import Field, model_validator

from knowledge_db.records.row import Expression, KnowledgeRow

# What can be checked of the form of a draft (``tasks/drafting/extractive/ways/form.py``).
FORM_CHECKS = frozenset(
    {"table", "citations", "quotations", "length", "order", "silence", "product", "untouched", "tracked"}
)
# Uses of cues that only a search reads.
OF_A_SEARCH: Final = ("quality", "no_quality", "side", "protects")
# Uses of cues that only the researcher reads.
OF_RESEARCH: Final = ("method", "acting")
# Uses of cues that are read in a clause, not in a question: what is to be asked next, what another clause becomes.
OF_A_CLAUSE: Final = ("raises", "amends")
# Ways to look for an answer beside a search of the papers (``tasks/retrieval/research/records.py``).
ResearchMethod = Literal["graph", "exemplars", "knowledge", "external"]
# What a clause raises in its own words (``tasks/drafting/interrogator/raising.py``).
RAISED: Final = ("condition", "start")
# What an amendment says of a clause of the contract (``tasks/drafting/extractive/differing/amending_words.py``).
AMENDED: Final = ("changes", "reads", "strikes", "takes", "puts", "exchanges")


class BriefCue(KnowledgeRow):
    """Words or patterns by which a brief asks, of one use; matched without regard to case.

    Attributes:
        use: What they are for. Of the words of a question: ``opener`` (may stand before it), ``ask`` (asks),
            ``question_word`` and ``second_question_word`` (open it and its second half). Of what an ask is about:
            ``mere`` (names of provisions that are mere words of it), ``leading``, ``trailing`` and ``vague`` (words
            around a topic that do not change it); ``file`` names the files of the work product. Of a search:
            ``quality`` and ``no_quality`` (a clause that has it, or has not), ``side`` (who may be favoured) and
            ``protects`` (the instruments that protect this side).
            How a brief is read into its asks: ``wish`` and ``learn`` (a statement that asks), ``agenda`` (announces
            questions), ``told``, ``perusal`` and ``role`` (what tells), ``product`` (a paper that is asked for),
            ``pair`` (two words that are one thing), ``redline``, ``change``, ``draft`` and ``drafted`` (write or
            change something), ``manner`` (words of how the answer is given), ``several`` (an answer for each paper),
            ``paper`` (of which it is asked), ``kind`` (of answer). Of a constraint: ``form`` (which check the draft
            must pass).
            Of a question that sentences answer: ``want`` (the kind of answer), ``pose`` (what is posed where yes or no
            is asked), ``which`` (of several papers), ``filler`` (a word that says nothing of what it is about). Of a
            sentence that answers: ``stance`` (what it does to what it speaks of), ``outcome`` (it tells a
            consequence), ``reported`` (only what somebody says). Of research: ``method`` (the way to look that a
            question asks for beside a search of the papers), ``acting`` (says for whom the work is done), ``raises`` (a
            clause stands under a ``condition``, or says from when a period runs: its ``start``), ``amends`` (an
            amendment says what becomes of a clause: it ``changes`` it, it ``reads`` anew, it or a sentence of it is
            struck, words are taken out or exchanged).
        name: The kind of answer, the check of the form, the quality or the side; empty for the other uses. Of a
            ``want``, ``pose`` or ``stance``: which it is.
        says: Of a ``quality``: what a clause says that has it.
    """

    use: Literal[
        "opener", "ask", "question_word", "second_question_word", "mere", "leading", "trailing", "vague", "file",
        "paper", "wish", "learn", "agenda", "product", "pair", "told", "perusal", "role",
        "redline", "change", "draft", "drafted", "manner",
        "kind", "several", "quality", "no_quality", "side", "protects", "form",
        "want", "filler", "pose", "stance", "reported", "outcome", "which", "method", "acting", "raises", "amends",
    ]  # fmt: skip
    name: str = Field("", max_length=80)
    patterns: tuple[Expression, ...] = Field(min_length=1)
    says: Expression = ""
    provenance: str = "drafting usage"
    as_of: str = ""

    @model_validator(mode="after")
    def _of_its_use(self) -> BriefCue:
        named = ("kind", "form", "want", "pose", "stance", "method", "raises", "amends", *OF_A_SEARCH)
        if bool(self.name) != (self.use in named):
            raise ValueError(f"a cue of use {self.use} {'needs a' if not self.name else 'has no'} name")
        if self.use == "raises" and self.name not in RAISED:
            raise ValueError(f"{self.name!r} is nothing that a clause raises: {', '.join(RAISED)}")
        if self.use == "amends" and self.name not in AMENDED:
            raise ValueError(f"{self.name!r} is nothing that an amendment says of a clause: {', '.join(AMENDED)}")
        if self.use == "method" and self.name not in get_args(ResearchMethod):
            raise ValueError(f"{self.name!r} is no way to look for an answer: {', '.join(get_args(ResearchMethod))}")
        if self.use == "form" and self.name not in FORM_CHECKS:
            raise ValueError(f"{self.name!r} is no check of the form")
        if bool(self.says) != (self.use == "quality"):
            raise ValueError("says belongs to a quality, and a quality needs it")
        return self


class LitigationCue(KnowledgeRow):
    """Words by which the papers of a lawsuit say something, of one use; matched without regard to case.

    Attributes:
        use: What they tell. Of a paper: ``paper`` (what it is, by its title), ``heading`` (what a part of it is about).
            Of an entry of a docket: ``entry`` (what was done), ``motion`` (what was asked), ``outcome`` (how it was
            decided), ``ruling`` (what else was decided), ``trial``, ``appeal_outcome``, ``decree`` and
            ``decree_event``, ``settled``, ``linked`` (other cases), ``reassigned``, ``corrected``. Of a pleading:
            ``number`` (of a docket), ``class``, ``count``, ``vehicle`` (of a claim), ``basis`` (law said to be
            violated), ``relief``. Of people: ``side``, ``office``, ``judge``, ``counsel``, ``circuit``, ``monitor``. Of
            terms: ``duty``, ``lasts``, ``retains`` (jurisdiction), ``finding`` (of a monitor).
        name: Which it is, for the code that reads it.
        says: How a filled checklist says it.
    """

    use: Literal[
        "paper", "heading", "entry", "motion", "outcome", "ruling", "trial", "appeal_outcome", "decree",
        "decree_event", "settled", "linked", "reassigned", "corrected", "number", "class", "count", "vehicle", "basis",
        "relief", "side", "judge", "counsel", "circuit", "monitor", "duty", "lasts", "retains", "finding",
        "office",
    ]  # fmt: skip
    name: str = Field("", max_length=40)
    says: str = Field("", max_length=120)
    patterns: tuple[Expression, ...] = Field(min_length=1)
    provenance: str = "drafting usage"
    as_of: str = ""
