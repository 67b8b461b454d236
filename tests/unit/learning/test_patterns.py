"""The pattern gate judges by structure: what it lets through takes linear time on the worst text, and it says why not.

Three kinds of evidence: two tables of known patterns, all patterns that are shipped, and patterns made at random that
are run on texts made to tempt them.
"""

from __future__ import annotations

import random
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from knowledge_db import PACKAGED, KnowledgeBase
from knowledge_db.provisions import load_provisions
from knowledge_db.records import ProvisionEntry
from tasks.learning.patterns.gate import pattern_problem, pattern_problems
from tasks.learning.patterns.parts import automaton
from tasks.learning.patterns.ways import LONGEST, MAX_OPEN, open_ways, work_problem

EXPONENTIAL = [
    r"(a+)+$", r"(a*)*b", r"(a|a)*b", r"(b|b)+c", r"(?:qq?)+w", r"(a|aa)+$", r"(?:\w+\s?)+$", r"([a-zA-Z]+)*\d$",
    r"(?:a|a?)+$", r"(?:.*a){2,}$", r"^(\w+\s?)*$", r"(?:x+x+)+y", r"(\d+)*[^\d]$", r"(?:\s*\w*)*;", r"(?:a?b?)*c",
    r"^(([a-z])+.)+[A-Z]([a-z])+$", r"([a-z]+)+@", r"(?:[ab]|[bc]x?)+d", r"(?:(?:ab?|b)|(?:b|c))*x", r"(?=(a+)+b)a",
    r"(?!(?:\w|\dx?)+z)\w", r"(?:ab|a|b)+c", r"(?:the |the |a )+end", r"(?:grant |convey |grant convey )+terminated$",
    r"(?:\w{1,30})+;", r"(?:a{0,9})*b", r"(?:a{2}|a{3})+b", r"(?:é+)+$", r"(?:ß|SS|ss|s)+x", r"(?i:kk|K)+x",
    r"((?:x)+)+y", r"(?:(?:(?:a)*)*)*b", r"(?:a+|b)+c", r"(?:\S+\s*)+\.", r"(?:.+,)+z", r"(?:\w+\W*)+!",
    r"(?s:.+\n?)+x", r"(?:[^,]+,?)+;", r"(?:a|b|ab)*c", r"(?:(?:aa)+|a)+b",
]  # fmt: skip
POLYNOMIAL = [
    r"(.*?,){12}P", r"\s+$", r"\s*x", r"a\w*b", r".*a.*b", r"^.*a.*b", r"\d+ days", r"\w+@\w+", r"[^,]*,", r".*foo",
    r"a*a*b", r"^a*a*a*$", r"\bx.*y", r"(?:the |a )*end", r"x+\d?x+y", r"govern\w* law", r"\w+\d+$", r"^\s*\w*\s*:",
    r"\bterminat\w+.*\bnotice", r"(?:\w+ ?){1,9}end", r"\ba\w*a\w*a!", r"[\d,]+\d{3}\b", r"\(.*\)", r"<[^>]*>",
    r"/\*.*\*/", r"(?=.*x)y", r"\ba(?!.*b)c", r"\W*if\b", r"^\W*[.\d]+ if", r"[ _-]*trust", r"(?:ab)+c",
    r"(?:[ab]|[bc])+d", r"(?:\b\w+\b\W*)+!", r"\b(?:a|b)\S*\b.{0,9}x",
]  # fmt: skip
MANY_WAYS = [
    r"(?:a|a){30}b", r"(?:a?){30}b", r"(?:a?){25}a{25}", r"(?:|){30}b", r"x.{0,90}y.{0,90}z.{0,90}w",
    r".{0,900}a.{0,900}b", r"a.{0,999}b.{0,999}c", r"(?:(?:a{100}){100}){100}", r"(?:.{0,60}x){0,5}y",
    r"(?:\b)*(?:\b)*x{0,5}(?:\b|\B|\b|\B){30}y", r"(?<=(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)"
    r"(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a))b", r"\w{0,500}\d{0,500}x", r"(?:){1000}a", r"(?:(?:){999}){999}a",
    r".{0,99999}a",
]  # fmt: skip
UNJUDGED = [
    r"(a)\1", r"(?P<n>a)(?P=n)", r"(a)?(?(1)b|c)", r"(?a)\bx\b", "x" * (LONGEST + 1),
    "[\u0100-\uffff]x",
]  # fmt: skip
BROKEN = ["(", "(?P<n>x", "[", "a{3,2}", "*x", "(?<=a{2,3})b", "\\", ")", "(?<n>x)"]
EMPTY = ["", "x*", "(?:a|)", "^", "(?=x)?", "a{0,9}"]

HARMLESS = [
    r"\blease\b", r"\bterm of (?:this|the) agreement\b", r"(?:shall|will) not assign", r"\bnon-?disclosure\b",
    r"royalt", r"royalt\w*", r"\broyalt(?:y|ies)\b", r"\bterminat\w*\b", r"\bterminat\w+ (?:of )?the agreement",
    r"\bnot\b.{0,60}\bassign", r"\b(?:no|not|neither)\b.{0,120}\bassign\w*\b", r"\bchange (?:of|in) control\b",
    r"\bmay\b.{0,80}\bterminat\w*\b.{0,120}\bnotice\b", r"\bthis (?:\w+ )?agreement\b", r"\ball (?:\w+ ){0,3}rights\b",
    r"\bright of (?:\w+ ){0,4}refusal\b", r"power[ _-]+of[ _-]+attorney", r"\b(?:tax|fiscal)[ _-]+return\b",
    r"\b\d+ days\b", r"\b\d{1,3} days\b", r"\$\s?\d", r"\bform[ _-]+10-?k\b",
    r"^(?=.*\binspect\w*)(?=.*\bpremises\b)", r"^(?!.*\bretain)(?=.*\breturn\w*\b)", r"(?<!non)compet(?:e|ition)\b",
    r"(?<=\bno )liability", r"[^.]{0,40}\bpermit\b", r"\bwho (?:owns|holds)\b", r"\bwarrant(?:y|ies)\b$",
    r"^recitals?$",
    r"\A\s{0,4}agreement", r"\bagreement\Z", r"(?i:msa)\b", r"(?s:a.b)", r"(?m)^exhibit [a-z]$", r"\bone|two|three\b",
    r"a{2,4}b", r"(?:ab){3}c", r"\b(?:ab|cd)+e\b", r"(?:-{1,3}|_{1,3})x", r"\bé\w{0,20}\b", r"§ ?\d",
    r"\b[A-Z]{2}-\d{4}\b", r"[\"“]term[\"”]", r"\battorneys?['’]? fees\b", r"\b(?:a|an|the) (?:lease|licen[cs]e)\b",
    r"\bper cent|percent|%", r"\bnet (?:\w+ \()?\d{2}\b", r"\bexcus\w+\b.{0,40}\bdelay", r"\bwithin\b.{0,200}\bdays\b",
    r"\bindemnif(?:y|ies|ied|ication)\b", r"\b(?:best|reasonable)(?: commercial)? (?:efforts|endeavou?rs)\b",
    r"\bforce[ -]majeure\b|\bacts? of god\b", r"\bcap(?:ped|s)?\b.{0,60}\bliabilit", r"(?>ab|a)c", r"\ba++b", r"a{3}",
    r"\bmonth-to-month\b", r"\bper (?:day|week|month|year|annum)\b", r"\bgovern(?:ing|ed by the) laws?\b", r"x?y",
    r"\b(?:(?:sub)?licen[cs]e|assign)s?\b", r"\bsection \d{1,3}(?:\.\d{1,3}){0,4}\b", r"[a-z]+", r"\w+", r".+x?",
]  # fmt: skip
# Harmless, and refused: the engine does not in fact try the ways that its loops would leave.
KNOWN_FALSE_ALARMS = [r"\b\d{1,3}(?:,\d{3})*\b", r"\b(?:auto|automatic)\w+ly\b", r"\bindemnit\w+(?:[ _-]+agreement)?$"]


def test_the_tables_are_long_enough():
    assert len({*EXPONENTIAL, *POLYNOMIAL, *MANY_WAYS}) >= 80
    assert len(set(HARMLESS)) >= 60


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_exponential_patterns_are_refused(pattern):
    assert "more ways than can be tried" in work_problem(pattern)


@pytest.mark.parametrize("pattern", POLYNOMIAL)
def test_patterns_that_try_a_run_again_and_again_are_refused(pattern):
    assert "again from each" in work_problem(pattern)


@pytest.mark.parametrize("pattern", MANY_WAYS)
def test_bounded_patterns_of_too_many_ways_are_refused(pattern):
    assert work_problem(pattern)


@pytest.mark.parametrize("pattern", UNJUDGED, ids=range(len(UNJUDGED)))
def test_what_cannot_be_judged_is_refused(pattern):
    re.compile(pattern)
    assert work_problem(pattern)


@pytest.mark.parametrize("pattern", BROKEN)
def test_broken_patterns_are_refused(pattern):
    assert pattern_problem(pattern).startswith("is no regular expression")


@pytest.mark.parametrize("pattern", EMPTY)
def test_patterns_that_ask_for_nothing_are_refused(pattern):
    assert "asks for nothing" in pattern_problem(pattern)


@pytest.mark.parametrize("pattern", HARMLESS)
def test_harmless_patterns_pass(pattern):
    assert pattern_problem(pattern) == ""


@pytest.mark.parametrize("pattern", KNOWN_FALSE_ALARMS)
def test_the_price_of_caution_is_known(pattern):
    assert work_problem(pattern)


def test_each_pattern_has_its_own_answer():
    assert pattern_problems([r"\bok\b", "(a+)+$", "("]) == ["", work_problem("(a+)+$"), work_problem("(")]
    assert pattern_problems([]) == []


@pytest.mark.slow
def test_judging_hostile_patterns_takes_bounded_time(no_hang):
    nested = "(?:" * 60 + "a|b" + "){0,3}" * 60
    wide = "(?:" + "|".join(f"{a}.{{0,9}}{b}" for a in "abcdefgh" for b in "abcdefgh") + "){0,9}x"
    copies = r"(?:\w+ ?\d*[^a]){0,300}b"
    for pattern in (nested, wide, copies, "(?:(?:a|b)?c){0,700}d", "a?" * 490, "[é-ƿ]" * 190, "(?:x{0,9}y{0,9}){9}z"):
        work_problem(pattern)


# -- the shipped patterns ----------------------------------------------------------------------------------------------


def shipped() -> list[str]:
    provisions = [p for row in load_provisions(PACKAGED) for p in ProvisionEntry.model_validate(row).patterns]
    cues = [p for cue in KnowledgeBase().questions for p in (*cue.patterns, cue.says) if p]
    return sorted({*provisions, *cues, *(rule.pattern for rule in KnowledgeBase().inference)})


@pytest.mark.slow
def test_every_shipped_pattern_passes_the_gate():
    patterns = shipped()
    assert len(patterns) > 2_000
    assert [(p, problem) for p in patterns if (problem := pattern_problem(p))] == []


def test_the_rewritten_patterns_still_mean_what_they_meant():
    """Chains of gaps became look-aheads that share their middle words: the clause matches, its parts alone do not."""
    of = {row.name: row for row in load_provisions(PACKAGED)}

    def met(name: str, text: str) -> bool:
        return any(re.search(p, text, re.IGNORECASE) for p in of[name].strong)

    said = [
        ("audit rights", "Licensor shall have the right, on notice, to audit the books and records of Licensee."),
        ("warranty duration", "Any defect notified within twelve (12) months of delivery shall be made good."),
        ("no-solicit of employees", "Supplier shall not, during the Term, solicit for hire any employee of Buyer."),
        (
            "termination for convenience",
            "Buyer may at any time terminate this Agreement upon thirty days written notice",
        ),
        ("renewal term", "The term auto-renews for one year. It shall automatically be renewed."),
        ("renewal term", "and for successive one-year terms thereafter"),
    ]
    assert [(name, text) for name, text in said if not met(name, text)] == []
    assert not met("audit rights", "Licensor has the right to be paid. Licensee keeps books and records.")
    assert not met("warranty duration", "The goods may be defective. Invoices are paid within ten days of their date.")


# -- patterns at random ------------------------------------------------------------------------------------------------

ATOMS = ["a", "b", "ab", "[ab]", "[^a]", r"\w", ".", r"\d", r"\s", " ", r"\b", "aa", r"\W", ",", "^", "$", r"\B"]
REPEATS = ["*", "+", "?", "{0,5}", "{2,}", "{1,30}", "{2}", "*?", "{0,60}", "+?"]
LETTERS = "ab 1,x"


def expression(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if depth == 0 or kind < 0.35:
        made = rng.choice(ATOMS)
    elif kind < 0.6:
        made = "".join(expression(rng, depth - 1) for _ in range(rng.randint(2, 4)))
    elif kind < 0.85:
        made = "(?:" + "|".join(expression(rng, depth - 1) for _ in range(rng.randint(1, 3))) + ")"
    else:
        made = rng.choice(["(?=", "(?!"]) + expression(rng, depth - 1) + ")"
    whole = made.startswith("(?:") or (len(made) < 5 and made not in ("ab", "aa", "^", "$", r"\b", r"\B"))
    return made + rng.choice(REPEATS) if whole and rng.random() < 0.4 else made


def tempting(pattern: str, rng: random.Random, size: int) -> Iterator[str]:
    """Yield long texts: pieces at random, and pieces of what the expression itself asks for, said again and again."""
    for _ in range(3):
        head, said, tail = ("".join(rng.choices(LETTERS, k=rng.randint(1, 4))) for _ in range(3))
        yield head + said * (size // len(said)) + tail
    built = automaton(pattern)
    for _ in range(5 if built.whole.first else 0):
        told, at = "", rng.choice(sorted(built.whole.first))
        for _ in range(rng.randint(2, 16)):
            known = [c for n, c in enumerate(built.sample) if built.chars[at] >> n & 1]
            told += rng.choice([c for c in known if c in LETTERS] or known)
            following = sorted({*built.ways[at], *built.inner[at]})
            if not following:
                break
            at = rng.choice(following)
        start = rng.randrange(len(told))
        said = told[start : rng.randint(start + 1, len(told))]
        yield told[:start] + said * (size // len(said)) + rng.choice(["", "!", "a", "\n!"])


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # processor time of this process: other work does not count
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.slow
@pytest.mark.parametrize("patterns", [50, pytest.param(250, marks=pytest.mark.thorough)])
def test_what_passes_ends_in_time_linear_in_the_text(patterns):
    """A step of the engine takes some 20 ns; a pattern may take one for each open way at each character."""
    rng, size = random.Random(8), 12_000
    passed = refused = 0
    while passed < patterns:
        pattern = expression(rng, 3)
        try:
            compiled = re.compile(pattern, re.IGNORECASE)
        except re.error:
            continue
        if pattern_problem(pattern) or not any(c in pattern for c in "*+{"):
            refused += bool(pattern_problem(pattern))
            continue
        passed += 1
        for text in tempting(pattern, rng, size):
            with at_most(0.5 + open_ways(pattern) * len(text) * 1e-7):
                try:
                    compiled.search(text)
                except TimeoutError:
                    pytest.fail(f"{pattern!r} on {text[:40]!r}: more than its {open_ways(pattern)} open ways allow")
    assert refused > 0.4 * patterns  # the generator makes what must be refused, too


@pytest.mark.slow
def test_what_is_refused_for_its_work_can_be_made_to_take_long():
    """The gate is no blanket refusal: of the table, the worst do blow up on texts made from their own language."""
    slow = 0
    for number, pattern in enumerate(EXPONENTIAL):
        rng, compiled = random.Random(number), re.compile(pattern, re.IGNORECASE)
        try:
            with at_most(0.05):
                for size in (30, 60):
                    for text in [t for _ in range(6) for t in tempting(pattern, rng, size)]:
                        compiled.search(text)
        except TimeoutError:
            slow += 1
    assert slow > len(EXPONENTIAL) // 2


def test_the_count_of_open_ways_follows_the_gaps():
    assert open_ways(r"\bnot\b.{0,60}\bassign") < open_ways(r"\bnot\b.{0,600}\bassign") < MAX_OPEN
    one, two = (r"\bnot\b.{0,300}\bbe\b", r"\bnot\b.{0,300}\bbe\b.{0,300}\bor\b")
    assert open_ways(two) > 10 * open_ways(one)
