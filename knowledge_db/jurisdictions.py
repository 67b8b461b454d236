"""Names, codes and signs of jurisdictions, and whose law applies where. Read API over ``data/jurisdictions``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from knowledge_db.load import KnowledgeError
from knowledge_db.records import KnowledgeRow

PACKAGED = Path(__file__).parent / "data"
FILE = "jurisdictions/jurisdictions.toml"
Name = Annotated[str, Field(min_length=2, max_length=80, pattern=r"^\S(.*\S)?$")]
_CODE = r"^[A-Z]{2,4}(-[A-Z]{2,3})?$"
Code = Annotated[str, Field(pattern=_CODE)]


class LawDistricts(KnowledgeRow):
    """The names of law districts and what they stand for: the whole of ``jurisdictions.toml``.

    Attributes:
        states, provinces, countries: Usual names, each listed once.
        aliases: Other names, each with the usual name that it stands for.
        codes: Codes of the catalogue by name, where the catalogue holds the law of the place.
        signs: Codes by what is said of the law of a place without naming it (``GmbHG``).
        members: Of each union the countries where its law applies, too: their codes, or their names where no law of
            theirs is held.
        tongues: Of each code the small words of the tongue of its country.
        small: Of each code further words that tell no subject in a question of that tongue.
    """

    states: tuple[Name, ...] = ()
    provinces: tuple[Name, ...] = ()
    countries: tuple[Name, ...] = ()
    aliases: dict[Name, Name] = Field(default_factory=dict)
    codes: dict[Name, Code] = Field(default_factory=dict)
    signs: dict[Name, Code] = Field(default_factory=dict)
    members: dict[Code, tuple[Name, ...]] = Field(default_factory=dict)
    tongues: dict[Code, tuple[Name, ...]] = Field(default_factory=dict)
    small: dict[Code, tuple[Name, ...]] = Field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Every usual name: states, provinces, countries."""
        return (*self.states, *self.provinces, *self.countries)

    @model_validator(mode="after")
    def _of_listed_names(self) -> LawDistricts:
        known = set(self.names)
        if twice := next((name for at, name in enumerate(self.names) if name in self.names[:at]), ""):
            raise ValueError(f"{twice!r} is listed twice")
        if lost := next((alias for alias, usual in self.aliases.items() if usual not in known), ""):
            raise ValueError(f"aliases, row {lost!r}: {self.aliases[lost]!r} is no listed state, province or country")
        for union, members in self.members.items():
            named = (member for member in members if not re.fullmatch(_CODE, member))
            if lost := next((name for name in named if name not in known or name in self.codes), ""):
                raise ValueError(f"members, row {union!r}: {lost!r} is no code and no listed country without one")
        return self


@lru_cache(maxsize=8)
def law_districts(folder: Path = PACKAGED) -> LawDistricts:
    """Return the law districts below a folder of knowledge data.

    Raises:
        KnowledgeError: The file cannot be parsed, or a row breaks its schema; the message names the file and the row.
        OSError: There is no such file.
    """
    try:
        return LawDistricts.model_validate(tomllib.loads((folder / FILE).read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        raise KnowledgeError(": ".join(filter(None, (f"{FILE}{_row(first['loc'])}", first["msg"])))) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{FILE}: {error}") from error


def _row(loc: tuple[Any, ...]) -> str:
    """Return where an error is, as a reader of the file counts: ", codes, row 'Delaware'", ", states, row 3"."""
    table, *rest = loc or ("",)
    row = "".join(f", row {key + 1 if isinstance(key, int) else repr(key)}" for key in rest if key != "[key]")
    return f", {table}{row}" if table else ""


@lru_cache(maxsize=8)
def held_districts(folder: Path) -> LawDistricts:
    """Return the law districts below a folder; none where the folder holds no such file."""
    return law_districts(folder) if (folder / FILE).is_file() else LawDistricts()


@lru_cache(maxsize=8)
def load_jurisdictions(folder: Path = PACKAGED) -> dict[str, str]:
    """Return the usual name of each jurisdiction by each name a contract may use for it.

    Raises:
        KnowledgeError: As :func:`law_districts`.
        OSError: There is no such file.
    """
    known = law_districts(folder)
    return {**{name: name for name in known.names}, **known.aliases}


@lru_cache(maxsize=8)
def us_states(folder: Path = PACKAGED) -> frozenset[str]:
    """Return the states and territories of the United States."""
    return frozenset(law_districts(folder).states)


HOME = frozenset({"US"})  # whose law is meant where none is named
_EVERYWHERE = frozenset({"INTL"})
_ORIGIN = re.compile(
    r"\b(?:visa|arrived|came|comes|come|travelled|immigrated|moved|fled|fleeing|citizen|national)\s(?:here\s)?(?:from|of)\s$"
)
_TELLING = 2  # small words of the tongue of a place that tell it; one ("die", "son") may be of another


def codes_in(text: str, folder: Path = PACKAGED) -> frozenset[str]:
    """Return the catalogue's codes of the law districts that a text names; empty where it names none."""
    pattern, codes = _codes(folder)
    return frozenset(codes[match.group()] for match in pattern.finditer(text)) if codes else frozenset()


def spoken_in(text: str, folder: Path = PACKAGED) -> frozenset[str]:
    """Return the codes of the countries in whose tongue a text is put, as far as its small words tell."""
    said = frozenset(re.findall(r"[^\W\d_]+", text))
    return frozenset(code for code, small in held_districts(folder).tongues.items() if said & {*small})


def small_words(text: str, folder: Path = PACKAGED, places: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the words that tell no subject in the tongue in which a text is put; none where its words tell none.

    A text that is put in the tongue of one of some places, its own or that of its matter, has two small words of it.
    """
    small = held_districts(folder).small
    said = frozenset(re.findall(r"[^\W\d_]+", text))
    told = frozenset(code for code in places & small.keys() if len(said & {*small[code]}) >= _TELLING)
    return tuple(word for code in sorted(spoken_in(text, folder) | told) for word in small.get(code, ()))


def applies(jurisdiction: str, places: frozenset[str], folder: Path = PACKAGED) -> bool:
    """Tell whether law of a jurisdiction may apply in one of some places.

    That is the law of a place, of its country (federal law in a state) or, where the country is named, of its parts,
    of a union that it belongs to, and of treaties.
    """
    if jurisdiction in places or jurisdiction in _EVERYWHERE:
        return True
    members = held_districts(folder).members.get(jurisdiction, ())
    country = jurisdiction.partition("-")[0]
    uniform = of_every_state(jurisdiction)
    return any(
        place.partition("-")[0] == jurisdiction
        or place == country
        or place in members
        or (uniform and place[:2] == "US")
        for place in places
    )


def within_union(places: frozenset[str], given: frozenset[str], folder: Path = PACKAGED) -> frozenset[str]:
    """Return those of some places of a matter that are unions of which a place named is a member."""
    members = held_districts(folder).members
    return frozenset(union for union in given if places & {*members.get(union, ())})


def of_a_state(jurisdiction: str) -> bool:
    """Tell whether law is that of one state of the United States."""
    return re.fullmatch(r"US-[A-Z]{2}", jurisdiction) is not None


def of_every_state(jurisdiction: str) -> bool:
    """Tell whether law is uniform law of the states: a model act, the Uniform Commercial Code."""
    return jurisdiction.startswith("US-") and not of_a_state(jurisdiction)


def split_places(text: str, names: str, folder: Path = PACKAGED) -> tuple[frozenset[str], frozenset[str], str]:
    """Part the law districts that a text names from its subject.

    Args:
        text: A question.
        names: The names of instruments, casefolded: the New York Convention is none of New York.
        folder: Of the data.

    Returns:
        The codes of the places that it names, or the name of a place whose law the catalogue does not hold (for a state
        ``US-Utah``: federal law applies there); the codes that its signs imply (``GmbHG``); and the text without the
        names, but with the signs, which are words of a subject, too.
    """
    pattern, codes = _places(folder)
    signs = held_districts(folder).signs
    places: set[str] = set()
    implied: set[str] = set()

    def left(match: re.Match[str]) -> str:
        following = re.match(r"\W+\w+", text[match.end() :])
        if following is not None and f"{match[0]}{following[0]}".casefold() in names:
            return match[0]
        if _ORIGIN.search(text, 0, match.start()) and match[0] not in signs:
            return " "
        (implied if match[0] in signs else places).add(codes.get(match[0]) or codes[match[0].casefold()])
        return match[0] if match[0] in signs else " "

    topic = pattern.sub(left, text)
    return frozenset(places), frozenset(implied), topic


@lru_cache(maxsize=8)
def _places(folder: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    codes = _codes(folder)[1]
    names = load_jurisdictions(folder) if codes else {}
    places = {name: f"US-{usual}" if usual in us_states(folder) else usual for name, usual in names.items()} | codes
    signs = held_districts(folder).signs
    typed = {name.casefold(): code for name, code in places.items() if _spoken(name) and name not in signs}
    return _pattern({*places, *typed}, frozenset(typed)), places | typed


_SPOKEN = 4  # letters


def _spoken(name: str) -> bool:
    """Whether a name is one that people type in small letters, too: no abbreviation and no short word."""
    return len(name) >= _SPOKEN and not name.isupper() and "." not in name


@lru_cache(maxsize=8)
def _codes(folder: Path) -> tuple[re.Pattern[str], dict[str, str]]:
    known = held_districts(folder)
    usual = {**{name: name for name in known.names}, **known.aliases}
    codes = {name: known.codes[place] for name, place in usual.items() if place in known.codes}
    codes |= {**known.codes, **known.signs}
    return _pattern(codes), codes


def _pattern(names: Iterable[str], any_case: frozenset[str] = frozenset()) -> re.Pattern[str]:
    parts = (f"(?i:{re.escape(name)})" if name in any_case else re.escape(name)
             for name in sorted(names, key=len, reverse=True))  # fmt: skip
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts) or '(?!)'})(?!\w)")
