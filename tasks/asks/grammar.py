"""How a brief asks: the grammar of ``moods`` with the few words of a harness (``knowledge_db/data/questions``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from knowledge_db import KnowledgeBase
from tasks.asks.moods import ASKING, WH, Mood, Words, low, mood_of, opening, statement_verb
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.parts_of_speech import tagged

HEAD = 400  # characters; what a clause is, its first words tell, and no brief can make that slow
_WORDS = 60  # the same in words
# Words; chosen by eye on briefs, not measured.
_WISH = 12  # from the verb of a statement in which its wish is said
_FORMAL = 14  # of a clause that says the form of an answer alone
_MANNER = 9  # below which a statement of manner ("briefly is fine") says nothing else
_USES = (
    "wish", "learn", "agenda", "product", "told", "perusal", "paper", "role", "redline", "change", "pair", "file",
    "several", "manner", "draft", "drafted",
)  # fmt: skip
_NEVER = "(?!)"
_ENCLOSED = re.compile(r"^(?:\S+ ){1,12}(?:attached|enclosed|below|herewith)\W*$", re.I)
_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(CARDINALS)}|several)"
_WANTS = r"(?:needs?|wants?|wanted|like|likes|asked for|asks for|have|get|send|expects?)"
_ON_WHAT_FOLLOWS = (
    r"(?:covering|cover|on|about|addressing|answering|with|(?:that|which) (?:covers|answers|addresses)) "
    r"(?:(?:answers to )?the following|these)(?: (?:questions?|points?|topics?|issues?))?"
)
_NO_TIME = r"(?!(?:by|before|until|no|ahead|in|at|for|please)\b)"
_FILED = (  # says where the answer goes, and asks nothing
    r"(?:(?:please|and|then) )*+"
    r"(?:write|draft|prepare|produce|create|deliver|save|submit|return|put|send|provide|build)"
    r"(?: (?:it|them|this|these|all|everything|up|out|down|(?:the|your) (?:answers?|results?|work|output)"
    r"|an?|the|files?|called|named|as|to|in|into|under)\b)*+"
)
# Each repetition takes what it can and gives nothing back, so that no brief makes it slow.
_WHEN = r"(?:please|asap|today|tonight|tomorrow|now|urgently|quickly)"
_BY_WHEN = r"(?:by|before|until|no later than|ahead of|in time for|at) \w++(?:[ ']\w++){0,4}+"
_TO_WHOM_AND_WHEN = (
    rf"(?:,? (?:{_WHEN}|on (?:this|it|that|these)(?: {_NO_TIME}\w++)?+"
    rf"|for (?!each|every|all)(?:the |our |her |his |my )?+\w++(?: {_NO_TIME}\w++)?+|{_BY_WHEN}))*+"
)
# … and on which paper: told of the order, and no question, where the brief goes on to ask.
_ON_A_PAPER = (
    r"(?:,? (?:(?:on|about|regarding|concerning|under) (?:(?:the|our|this|these|their|her|his|its|my) )?+"
    rf"(?:(?!(?:in|of|under|from|and|or) )[\w&.'-]++ ){{0,4}}?PAPER"
    rf"|(?:to|for) (?!each|every|all)(?:the |our |her |his |my )?(?!that\b|which\b)\w++"
    r"|\([^()]{0,80}\)"
    rf"|in plain (?:words|english|language)|{_ON_WHAT_FOLLOWS}|{_WHEN}|{_BY_WHEN}))*+"
)
_OF_THE = r"(?: of)?(?: (?:the|these|those|our|its|them))?"


@dataclass(frozen=True)
class Grammar:
    """The grammar of briefs with the words of a harness; the uses are explained in ``knowledge_db.records.BriefCue``.

    Attributes:
        each: Meets words that want an answer for each of several papers.
        scope: Meets what ends a list of things: the papers of which they are asked.
        kinds: What asks for each kind of answer, met anywhere in a clause; a constraint where the clause begins.
        words: The words of each use, met anywhere.
    """

    each: re.Pattern[str]
    scope: re.Pattern[str]
    kinds: Mapping[str, re.Pattern[str]]
    words: Mapping[str, re.Pattern[str]]

    def asks(self, clause: str) -> bool:
        """Tell whether a clause asks: by a question, a request or a wish."""
        return clause.rstrip(" )\"'").endswith("?") or self.mood(tagged(clause[:HEAD])) in ASKING

    def mood(self, words: Words) -> Mood:
        """Return the mood of a clause; a statement that something is wanted or not known is a wish."""
        words = words[:_WORDS]
        mood = mood_of(words)
        return Mood.WISH if mood is Mood.STATEMENT and self._wishes(words) else mood

    def _wishes(self, words: Words) -> bool:
        """Tell whether a statement wants something: "we need …", "it is not clear who …", "good to know if …"."""
        verb = statement_verb(words) or 0
        for at in range(verb, min(len(words), verb + _WISH)):
            word, after = low(words[at]), words[at + 1 : at + 4]
            ours = any(low(w) in ("i", "we", "us", "me") for w in words[:at])
            if words[at].tag == "VVG" and any(w.tag.startswith(("NN", "NP")) for w in words[verb + 1 : at]):
                continue  # "we are counsel to a buyer looking at a plant": it tells of the noun before it
            if self.words["wish"].fullmatch(word) and self._wants(after, words[verb + 1 : at], ours=ours):
                return True
            if self.words["learn"].fullmatch(word) and at and self._is_unknown(words, verb, at):
                return True
        asked = words[verb].tag.startswith("VB") and verb + 1 < len(words) and low(words[verb + 1]) in WH
        if asked and words[max(0, verb - 1)].tag.startswith("N"):
            return True  # "the question is how long"
        ours = any(low(w) in ("i", "we", "us", "me") for w in words[: verb + 1])
        past = words[verb].tag in ("VHZ", "VHD", "VVD", "VBD")
        return (ours or not past) and any(low(w) == "whether" for w in words[verb:])

    def _wants(self, after: Words, between: Words, *, ours: bool) -> bool:
        if not after:
            return ours and all(w.tag[0] != "V" or w.tag[:2] == "VB" for w in between)
        if after[0].tag == "PNP" and low(after[0]) not in ("you", "your"):
            return False
        if after[0].tag == "TO0":
            return len(after) > 1 and bool(self.words["learn"].fullmatch(low(after[1])))
        thing = " ".join(low(w) for w in after)
        return ours or bool(self.words["product"].search(thing)) or any(low(w) in WH for w in after)

    def _is_unknown(self, words: Words, verb: int, at: int) -> bool:
        negated = any(w.tag == "XX0" for w in words[max(0, verb - 1) : at])
        learning = "TO0" in (words[at - 1].tag, words[max(0, at - 2)].tag) and (
            words[verb].tag.startswith("VM") or at > verb
        )
        asked = any(low(w) in WH | {"if"} or w.tag in ("AT0", "PNP", "DPS") for w in words[at + 1 : at + 12])
        return (negated and asked) or learning

    def refuses(self, words: Words) -> bool:
        """Tell whether a clause says what is not wanted: "do not …", "no …", "I don't need cases", "only …"."""
        at = opening(words)
        head = [low(w) for w in words[at : at + 4]]
        if not head:
            return False
        if low(words[0]) in ("only", "just") or head[0] in ("no", "nothing", "not", "never", "only"):
            return statement_verb(words[at:]) is None
        if head[0] in ("do", "don't") and len(head) > 1 and head[1] in ("not", "n't", "n’t"):
            return True
        verb = statement_verb(words)
        near = [low(w) for w in words[verb : verb + 4]] if verb is not None else []
        return any(w in ("not", "n't", "n’t") for w in near) and any(self.words["wish"].fullmatch(w) for w in near)

    def is_form(self, text: str, words: Words, mood: Mood, *, redline: bool = False, plain: bool = True) -> bool:
        """Tell whether a clause says how the answer is to be given, and not what it is to be about.

        In a redline what is refused or is "to be" so is a change, and what has a figure in it too; what is the
        last of several things (not ``plain``) is one of them.
        """
        if redline and (
            any(w.tag == "CRD" for w in words) or (mood is not Mood.REQUEST and self.refuses(words[:_WORDS]))
        ):
            return False
        words = words[:_WORDS]
        if not words:
            return False
        if self.refuses(words):
            return True
        at = opening(words)
        head = text[words[at].start : words[-1].end][:HEAD]
        if not redline and any(a.tag == "TO0" and b.tag == "VBI" for a, b in pairwise(words)) and mood is Mood.NAME:
            return True
        if self.kinds["constraint"].match(head) and mood not in (Mood.STATEMENT, Mood.QUESTION, Mood.INQUIRY):
            return True
        if mood not in (Mood.NAME, Mood.HANGING, Mood.STATEMENT) or len(words) > _FORMAL:
            return False
        things = [w.text for w in words if w.tag.startswith(("NN", "ZZ")) or self.words["manner"].fullmatch(w.text)]
        if mood is Mood.NAME and not plain:
            return False  # "the seat, the rules and language"
        formal = [t for t in things if self.words["manner"].fullmatch(t)]
        if any(w.tag == "NP0" and not self.words["manner"].fullmatch(w.text) for w in words):
            return False
        if mood is Mood.STATEMENT:
            verb = statement_verb(words) or 0
            return any(self.words["manner"].fullmatch(w.text) for w in words[:verb]) and len(words) < _MANNER
        return bool(formal) and len(formal) == len(things)

    def tells(self, text: str) -> bool:
        """Tell whether a clause is a courtesy, or words that only tell."""
        return bool(self.words["told"].match(text[:HEAD]))

    def orders_product(self, text: str) -> bool:
        """Return whether a clause only orders a work product and does not name its subject: "we need a memo"."""
        return bool(self.words["order"].fullmatch(text[:HEAD].strip(" .?!")))

    def orders_on_a_paper(self, text: str) -> bool:
        """Tell whether a clause orders a work product on a paper, as a whole: "a short note on the Corvane lease"."""
        return bool(self.words["order_on"].fullmatch(text[:HEAD].strip(" .?!:")))

    def encloses(self, text: str) -> bool:
        """Tell whether a clause only says what is sent with the brief: "NDA from Corvid attached"."""
        return bool(_ENCLOSED.search(text))

    def names(self, words: Words) -> bool:
        """Tell whether a clause without a verb only names papers, people or the matter."""
        words = words[:_WORDS]
        text = " ".join(w.text for w in words)
        if re.search(r"\b[vV]s?\b\.?", text) or not words:
            return True
        if low(words[opening(words)]) in WH | {"an", "a", "any", "all", "every", "each"}:
            return False
        cut = next((n for n, w in enumerate(words) if n and w.tag in ("PRP", "PRF", "PUN")), len(words))
        last = next((w for w in reversed(words[:cut]) if w.tag.startswith("N")), None)
        if last is not None and self.words["paper"].fullmatch(last.text):
            return True
        things = [w for w in words if w.tag.startswith(("NN", "AJ", "NP", "UNC"))]
        strange = [w for w in things if w.tag.startswith(("NN", "AJ")) and w.text[0].islower()]
        capital = [w for w in things if w.text[0].isupper()]
        if any(not self.words["role"].fullmatch(w.text) and not self.words["paper"].fullmatch(w.text) for w in strange):
            return False
        return (len(things) > 1 and (len(capital) > 1 or bool(strange))) or bool(things and not capital)


@lru_cache(maxsize=4)
def grammar_of(knowledge: KnowledgeBase) -> Grammar:
    """Return the grammar of a harness, compiled once in a process."""
    rows = knowledge.questions
    words = {use: _any(p for row in rows if row.use == use for p in row.patterns) for use in _USES}
    kinds = {row.name: _any(row.patterns) for row in rows if row.use == "kind"}
    paper = words["paper"]
    plain = {use: _pattern(rf"\b{one}\b") for use, one in words.items()}
    return Grammar(
        each=_pattern(
            rf"\b{words['several']}{_OF_THE}(?: {_NUMBER})?(?: [\w'&-]+){{0,2}}? {paper}\b"
            rf"|\b(?:for|of|in|under|from) (?:each|both|all){_OF_THE}(?: {_NUMBER})?\s*(?:[,:(?]|$)|\bper {paper}\b"
            rf"|\b({paper})(?: by |-by-){paper}\b"
        ),
        scope=_pattern(
            rf"\s+(?:of|in|under|from|for|by) (?:each|every|all|both|the|these|those|this|that|our)\b"
            rf"(?: [\w'-]+){{0,4}}? ?\b{paper}\b.*"
            rf"|\s+(?:of|in|under|from|for) (?:each|all|both)(?: (?:of them|{_NUMBER}))?$|\s+provisions?$"
        ),
        kinds={name: _pattern(rf"\b{one}(?!\w)") for name, one in kinds.items()} | _none(kinds),
        words=plain | {
            "told": _pattern(rf"\W*{words['told']}(?![\w-])"),
            "perusal": _pattern(rf"\W*(?:\w+,? ){{0,2}}?{words['perusal']}\b"),
            "order": _pattern(
                rf"(?:please )?(?:write|draft|prepare|send|give|do)(?: \w++){{0,2}}? (?:an?|the)(?: [\w-]++){{0,3}}?"
                rf" {words['product']}(?: of advice)? {_ON_WHAT_FOLLOWS}"
                rf"|(?:[\w.'-]++ ){{0,5}}?{_WANTS}"
                rf" (?:(?:an?|the|your|my|us|me|one|short|brief|quick|\w++-page) ){{0,4}}"
                rf"(?:{words['product']}|this|it|these|something){_TO_WHOM_AND_WHEN}"
            ),
            "order_on": _pattern(
                rf"(?:(?:(?:can|could|would|will) you )?+(?:please )?+(?:write|draft|prepare|send|give|do|make)"
                rf"(?: (?:me|us|her|him|them))?+ |(?:[\w.'-]++ ){{0,5}}?{_WANTS} )"
                rf"(?:(?:an?|the|your|my|us|me|one|short|brief|quick|concise|client|\w++-page) ){{1,4}}"
                rf"{words['product']}(?: of advice)?"
                + _ON_A_PAPER.replace("PAPER", paper)
            ),
            "pair": _pattern(words["pair"]),
            "change": _pattern(rf"\b{words['change']}"),
            "file": _pattern(rf"(?:^|\n|(?<=[.?!:] ))[#*> ]{{0,6}}{words['file']}\b[\s:*]{{0,9}}"),
            "filed": _pattern(rf"(?:^|\n|(?<=[.?!:;] ))[#*> ]{{0,6}}{_FILED} (?=[`\"'*(]|\S+\.\w)"),
        },
    )  # fmt: skip


def _none(kinds: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {} if "constraint" in kinds else {"constraint": _pattern(_NEVER)}


def _any(patterns: Iterable[str]) -> str:
    """Return one pattern that meets what any of them does; none meets nothing."""
    return f"(?:{'|'.join(patterns) or _NEVER})"


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
