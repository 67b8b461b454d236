"""What a skill file may say, with the bounds that a learner's edit must keep.

A skill is ``skills/<family>/<skill>/SKILL.md``: TOML front matter between two lines ``+++``, then a Markdown
body of seven parts. Nothing here runs a skill: runtimes take settings from ``procedure``, models read the body.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

FAMILIES = (
    "drafting-production",
    "issue-identification",
    "comparison-synthesis",
    "extraction-reconstruction",
    "scenario-application",
    "analysis-research",
    "other",
    "matter-classes",
)
CLASS_FAMILY = "matter-classes"
PARTS = (
    "Triage",
    "Failure modes corrected",
    "Legal frameworks",
    "Analytical scaffold",
    "Relationships",
    "Output structure",
    "Anti-leakage checklist",
)
MAX_BODY = 12_000  # characters: some 3,000 tokens, so that papers still fit in a window of 8,192
LEAST_LAW = 3  # authorities of a class skill: fewer say no more than the procedure does without it
LEAST_FAILURES = 2  # failure modes that are special to the class
PACKAGED = Path(__file__).parent
PROCEDURE = "procedure.toml"
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class SkillError(ValueError):
    """A skill file that breaks the schema; the message names the file and the rule."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Procedure(_Strict):
    """Settings for runtimes, bounded so that no edit can make a draft quote whole documents.

    Every setting has a value: the skill's own, else that of ``procedure.toml``.
    """

    passages_per_topic: int = Field(
        ge=1, le=12, description="Maximum number of passages quoted for each topic and document."
    )
    quote_words: int = Field(ge=10, le=400, description="Longest quotation, in words.")
    min_score: float = Field(
        ge=0.0, le=1.0, description="Share of the best cue score below which a passage is left out."
    )
    sure_chance: float = Field(
        ge=0.0, le=1.0, description="Chance of being right from which an answer is stated without verifying."
    )
    near_chance: float = Field(
        ge=0.0, le=1.0, description="Chance from which a sentence is shown to be verified; below it the ask stays open."
    )
    rival_chance: float = Field(
        ge=0.0,
        le=1.0,
        description="Chance from which another sentence may be the answer in the place of the likeliest.",
    )
    beside_chance: float = Field(
        ge=0.0, le=1.0, description="Chance from which another sentence is shown beside an answer to be verified."
    )
    unlike: float = Field(
        ge=0.0,
        le=1.0,
        description="Likeness in meaning below which no word of the papers is one for the thing that is asked for.",
    )
    valueless: float = Field(
        ge=0.0, le=1.0, description="Share of what speaks of a thing below which sentences with a value are of another."
    )
    posed_near: float = Field(
        ge=0.0,
        le=1.5,
        description="Likeness to the example questions of a kind of clause from which a question may be after it.",
    )
    posed_margin: float = Field(
        ge=0.0, le=1.5, description="By how much it must be more like it than like any other kind of clause."
    )
    posed_alike: float = Field(
        ge=0.0,
        le=1.5,
        description="How like it must be to one example question of that kind, whatever other kinds there are.",
    )
    posed_named: float = Field(
        ge=0.0,
        le=1.5,
        description="How like it must be to one example where it is a name with a word that the kind does not know.",
    )
    posed_sure: float = Field(
        ge=0.0, le=1.5, description="Likeness from which what is found, or not found, is stated without verifying."
    )
    denied_chance: float = Field(
        ge=0.0,
        le=1.0,
        description="Chance that some sentence answers from which a kind of clause that was not found is not denied as"
        " a fact: the sentence stands beside it.",
    )
    include_definitions: bool = Field(description="Quote the definitions of defined terms that a finding uses.")
    include_exceptions: bool = Field(description="Report provisos and exceptions found near a finding.")
    include_cross_references: bool = Field(description="Follow references to other sections of the document.")
    not_found_statements: bool = Field(description="Say plainly, topic by topic, what was not found and where.")
    answer_first: bool = Field(description="The answer precedes its support.")
    compare_documents: bool = Field(description="Set the documents' answers to one topic side by side.")
    severity_ratings: bool = Field(description="Rate the recommended actions and list the most serious first.")
    recommend_actions: bool = Field(description="Each finding ends with an action and its owner.")
    ledger: bool = Field(description="Close with the ledger of figures and dates and their sources.")
    memo_words: int = Field(
        ge=100, le=4000, description="Maximum number of words quoted from one document in a memorandum."
    )
    matrix_words: int = Field(
        ge=50, le=2000, description="Maximum number of words quoted from one document in a matrix."
    )
    guided_sure: bool = Field(description="A model is asked about answers that the rules are sure of, too.")
    guided_near: float = Field(
        ge=0.0,
        le=1.5,
        description="Share of the threshold of a provision that a sentence must reach for a model to be asked whether "
        "what the rules did not find is there.",
    )
    guided_questions: int = Field(
        ge=1, le=500, description="Questions that a model is asked about one ask, over all its documents."
    )
    guided_sentences: int = Field(ge=1, le=12, description="Sentences that a model is shown with a question.")
    guided_words: int = Field(ge=40, le=1200, description="Words of them together.")
    guided_yes: float = Field(ge=0.5, le=1.0, description="Probability from which the yes of a model counts.")
    guided_no: float = Field(ge=0.0, le=0.5, description="Probability of its yes up to which a model's no counts.")
    guided_choices: int = Field(
        ge=0,
        le=9,
        description="Sentences among which a model chooses the one that answers a question in prose; 0: it is asked "
        "nothing about these.",
    )
    guided_choice_words: int = Field(ge=80, le=1200, description="Words of them together.")
    guided_plain: bool = Field(
        description="A model is asked to choose without the question, too; what it says whatever is asked is taken out."
    )
    guided_weight: float = Field(
        ge=0.0,
        le=1.0,
        description="What the model's choice counts in the order; that of the rules counts the rest.",
    )
    guided_none: float = Field(
        ge=0.0, le=1.0, description="Probability that none answers from which the model's choice changes nothing."
    )
    guided_shown: float = Field(
        ge=0.0,
        le=1.1,
        description="Probability from which a sentence in which a model reads an answer is shown as one where the "
        "rules left the ask open; below, it comes first among the nearest passages. Above 1: never.",
    )
    guided_follows: float = Field(
        ge=0.34,
        le=1.1,
        description="Probability from which a model's yes or no to whether it follows from the sentences is told, to "
        "be verified; above 1 it is not asked.",
    )
    guided_works: bool = Field(
        description="A model is asked by which operation and from which figures a sum or day is worked out; the "
        "figures are verified, and the harness calculates."
    )
    guided_views: bool = Field(
        description="A model that is trusted for it may conclude in one sentence what needs judgment, to be verified."
    )
    interrogator_turns: int = Field(ge=1, le=200, description="Questions that the interrogator asks, at most.")
    interrogator_raised: int = Field(
        ge=0, le=12, description="Questions that the interrogator asks on what the answer to one ask raises."
    )


class Routes(_Strict):
    """Cues by which the router knows a class of matters. Lower-case words or phrases; ``*`` ends a prefix."""

    work_types: tuple[Literal["analyze", "draft", "review", "research"], ...] = ()
    areas: tuple[str, ...] = Field((), max_length=30)
    tags: tuple[str, ...] = Field((), max_length=40)
    title: tuple[str, ...] = Field((), max_length=40)
    deliverables: tuple[str, ...] = Field((), max_length=40)
    instructions: tuple[str, ...] = Field((), max_length=40)
    priority: float = Field(0.0, ge=-3.0, le=3.0, description="Breaks ties between skills that fit equally well.")


ToolName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,63}$")]
ClassName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+(?:/(?:analyze|draft|review|research))?$")]
Regime = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")]
Said = Annotated[str, StringConstraints(min_length=30, max_length=300)]


class Skill(_Strict):
    """A validated skill: how to do a kind of work, or the law and the pitfalls of a class of matters.

    A class skill (of the family ``matter-classes``) has no procedure and no routes: it is read together with the
    skill for the work, which has them.

    Attributes:
        classes: The matter classes whose law this is: ``<area>/<work type>``, or ``<area>`` where the index of matters
            knows no work type of it.
        law: What each authority decides in matters of the class, by its citation in the knowledge.
        windows: Deadline regimes of the knowledge that matters of the class turn on.
        mandatory_tools: Tools of the toolbox that whoever follows the skill must have used before the work is done.
            Their names are held against the toolbox where a run opens its harness: no tool is known here.
    """

    skill_id: str
    name: str = Field(max_length=80)
    description: str = Field(max_length=400)
    family: str
    mandatory_tools: tuple[ToolName, ...] = Field((), max_length=8)
    classes: tuple[ClassName, ...] = Field((), max_length=6)
    law: dict[str, Said] = Field({}, max_length=14)
    windows: tuple[Regime, ...] = Field((), max_length=8)
    routes: Routes = Routes()
    procedure: Procedure
    body: str

    @field_validator("mandatory_tools")
    @classmethod
    def _named_once(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(names)) < len(names):
            raise ValueError("names a tool twice")
        return names

    @model_validator(mode="after")
    def _of_one_kind(self) -> Skill:
        if self.family == CLASS_FAMILY:
            if not self.classes or len(self.law) < LEAST_LAW:
                raise ValueError(f"names its classes and at least {LEAST_LAW} authorities")
            if self.model_fields_set & {"routes"}:
                raise ValueError("a class skill has no routes: classes.toml knows its titles")
        elif self.classes or self.law or self.windows:
            raise ValueError(f"classes, law and windows are for skills of the family {CLASS_FAMILY}")
        return self


def default_procedure(folder: Path = PACKAGED) -> Procedure:
    """Return the procedure of ``folder/procedure.toml``: the values for settings that a skill leaves open.

    Raises:
        SkillError: The file is missing, is no TOML, or a setting is missing, unknown or out of bounds.
    """
    path = folder / PROCEDURE
    try:
        return Procedure.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError as error:
        raise SkillError(f"{PROCEDURE}: is missing") from error
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{PROCEDURE}: is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{PROCEDURE}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def parse_skill(text: str, skill_id: str, default: Procedure | None = None) -> Skill:
    """Validate the text of a skill file.

    Args:
        text: Content of ``SKILL.md``.
        skill_id: ``<family>/<skill>``, from where the file lies.
        default: The procedure where the skill does not say otherwise; the packaged one when None.

    Raises:
        SkillError: Front matter missing or malformed, a setting out of bounds, a part of the body missing.
    """
    front, body = _front_matter(text, skill_id)
    family, _, slug = skill_id.partition("/")
    if family not in FAMILIES or not _SLUG.fullmatch(slug):
        raise SkillError(f"{skill_id}: a skill lies in skills/<family>/<skill>; families are {', '.join(FAMILIES)}")
    if front.get("family") != family:
        raise SkillError(f"{skill_id}: family in the front matter is {front.get('family')!r}")
    own = front.get("procedure", {})
    if family == CLASS_FAMILY and "procedure" in front:
        raise SkillError(f"{skill_id}: a class skill has no procedure: the skill for the work has it")
    procedure = {**(default or default_procedure()).model_dump(), **own} if isinstance(own, dict) else own
    try:
        skill = Skill.model_validate({**front, "procedure": procedure, "skill_id": skill_id, "body": body})
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{skill_id}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    _check_body(skill)
    return skill


def _front_matter(text: str, skill_id: str) -> tuple[dict[str, Any], str]:
    match = re.match(r"\+\+\+\n(.*?)\n\+\+\+\n(.*)", text, re.DOTALL)
    if match is None:
        raise SkillError(f"{skill_id}: no TOML front matter between two lines '+++'")
    try:
        return tomllib.loads(match[1]), match[2].strip()
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{skill_id}: front matter: {error}") from error


def _check_body(skill: Skill) -> None:
    if len(skill.body) > MAX_BODY:
        raise SkillError(f"{skill.skill_id}: the body has {len(skill.body)} characters, more than {MAX_BODY}")
    found = re.findall(r"^## (?:\d\. )?(.+?)\s*$", skill.body, re.MULTILINE)
    if tuple(found) != PARTS:
        raise SkillError(f"{skill.skill_id}: the body needs these parts in order: {', '.join(PARTS)}; found {found}")
    failures = parts_of(skill.body)["Failure modes corrected"].count("\n- ") + 1
    if skill.classes and failures < LEAST_FAILURES:
        raise SkillError(f"{skill.skill_id}: names at least {LEAST_FAILURES} failure modes of its class")


def parts_of(body: str) -> dict[str, str]:
    """Return the parts of a skill's body by name, in their order."""
    pieces = re.split(r"^## (?:\d\. )?(.+?)\s*$", body, flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def load_skills(folder: Path) -> tuple[Skill, ...]:
    """Return the skills below ``folder/skills``, ordered by id.

    Raises:
        SkillError: One of them breaks the schema.
    """
    skills, default = [], default_procedure(folder)
    for path in sorted((folder / "skills").glob("*/*/SKILL.md")):
        skill_id = f"{path.parent.parent.name}/{path.parent.name}"
        skills.append(parse_skill(path.read_text(encoding="utf-8"), skill_id, default))
    return tuple(skills)
