"""What made-up lawsuits are about: claims, facts, relief and terms, by theme. Words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tasks.legaltext.numbers.spelling import UNITS


@dataclass(frozen=True)
class Claim:
    """A count: its vehicle and the law that is violated, as a checklist says them, and how its heading names both."""

    vehicle: str
    basis: str
    heading: str


EIGHTH: Final = Claim(
    "42 U.S.C. § 1983",
    "Eighth Amendment",
    "Deliberate Indifference in Violation of the Eighth Amendment, 42 U.S.C. § 1983",
)
DUE_PROCESS: Final = Claim(
    "42 U.S.C. § 1983",
    "Fourteenth Amendment – Due Process Clause",
    "Violation of the Fourteenth Amendment, Due Process Clause (42 U.S.C. § 1983)",
)
EQUAL: Final = Claim(
    "42 U.S.C. § 1983",
    "Fourteenth Amendment – Equal Protection Clause",
    "Denial of Equal Protection under the Fourteenth Amendment, 42 U.S.C. § 1983",
)
FOURTH: Final = Claim(
    "42 U.S.C. § 1983", "Fourth Amendment", "Unreasonable Seizure, Fourth Amendment (42 U.S.C. § 1983)"
)
FIRST: Final = Claim(
    "42 U.S.C. § 1983", "First Amendment", "Retaliation in Violation of the First Amendment, 42 U.S.C. § 1983"
)
ADA: Final = Claim(
    "Title II of the Americans with Disabilities Act",
    "Title II of the Americans with Disabilities Act",
    "Violation of Title II of the Americans with Disabilities Act, 42 U.S.C. § 12132",
)
REHAB: Final = Claim(
    "Section 504 of the Rehabilitation Act",
    "Section 504 of the Rehabilitation Act",
    "Violation of Section 504 of the Rehabilitation Act, 29 U.S.C. § 794",
)
HOUSING: Final = Claim(
    "Fair Housing Act", "Fair Housing Act", "Discrimination in Housing, Fair Housing Act, 42 U.S.C. § 3604"
)
TITLE_VII: Final = Claim(
    "Title VII of the Civil Rights Act of 1964",
    "Title VII of the Civil Rights Act of 1964",
    "Discrimination in Employment, Title VII, 42 U.S.C. § 2000e-2",
)


@dataclass(frozen=True)
class Theme:
    """What a lawsuit is about.

    Attributes:
        offices: Who is sued beside the body, with the office: ``{place}`` is where it is.
        facts: Sentences with ``{place}``, ``{n}``, ``{day}``, ``{person}``: what happened.
        terms: Duties of a decree or a settlement, with ``{body}`` and ``{n}``.
        words: Nouns of the subject, for testimony and letters.
    """

    name: str
    body: str
    offices: Sequence[str]
    claims: Sequence[Claim]
    facts: Sequence[str]
    terms: Sequence[str]
    words: Sequence[str]


THEMES: Final[tuple[Theme, ...]] = (
    Theme(
        "jail",
        "{place} County",
        ("Sheriff of {place} County", "Director of the {place} County Detention Center"),
        (EIGHTH, DUE_PROCESS, ADA, REHAB, FIRST),
        (
            "On {day}, {person} asked for insulin four times and was not seen by a nurse for {n} hours.",
            "The detention center was built for {n} people and held twice that number on {day}.",
            "{person} was kept in a restraint chair for {n} hours on {day} although no physician had examined him.",
            "An inspection of {day} found {n} cells without working toilets.",
            "The county knew by {day} that {n} detainees had tried to take their lives within a year.",
            "On {day} the medical contractor left {n} sick-call slips unanswered.",
            "{person}, who is deaf, was booked on {day} without an "
            "interpreter and was not told the charge for {n} days.",
        ),
        (
            "{body} shall employ at least {n} registered nurses on every shift.",
            "{body} shall provide a qualified sign language interpreter within {n} hours of a request.",
            "{body} shall screen each person admitted to the jail for risk of suicide within {n} hours of booking.",
            "{body} shall reduce the population of the jail to no more than {n} persons.",
            "{body} shall not confine any person with a serious mental "
            "illness in isolation for more than {n} consecutive days.",
            "{body} shall train all custody staff in the lawful use of restraints for at least {n} hours each year.",
            "{body} shall answer every written medical request within {n} hours.",
        ),
        ("cell", "nurse", "sick-call slip", "intake form", "deputy", "medication cart", "housing unit", "grievance"),
    ),
    Theme(
        "police",
        "City of {place}",
        ("Chief of Police of {place}", "Mayor of {place}"),
        (FOURTH, FIRST, EQUAL, DUE_PROCESS),
        (
            "On {day}, officers fired {n} rubber bullets into a crowd that stood on the steps of the library.",
            "{person} was stopped {n} times between January and {day} within a block of her home.",
            "An audit published on {day} counted {n} complaints of force that nobody had investigated.",
            "On {day} an officer struck {person} with a baton while he was lying on the ground.",
            "The department's own figures show that {n} percent of "
            "pedestrian stops made before {day} ended without a citation.",
            "{person} was arrested on {day} for filming the police and held for {n} hours.",
            "The city has paid {n} claims for the same unit since {day}.",
        ),
        (
            "{body} shall equip every patrol officer with a body-worn camera within {n} days.",
            "{body} shall complete each investigation of a complaint of force within {n} days.",
            "{body} shall not use rubber bullets or tear gas to "
            "disperse a peaceful assembly of fewer than {n} persons.",
            "{body} shall publish data on all pedestrian stops every {n} days.",
            "{body} shall give each officer {n} hours of training in de-escalation each year.",
            "{body} shall establish a civilian review board of {n} members.",
            "{body} shall pay ${n},000 into a fund for the members of the class.",
        ),
        (
            "patrol log",
            "dispatch recording",
            "baton",
            "crowd-control plan",
            "arrest report",
            "supervisor",
            "radio call",
            "incident file",
        ),
    ),
    Theme(
        "housing",
        "{place} Housing Authority",
        ("Executive Director of the {place} Housing Authority",),
        (HOUSING, REHAB, ADA, EQUAL),
        (
            "On {day} the authority refused {person} a ground-floor unit although {n} of them stood empty.",
            "Of {n} applications that named a disability, none was granted before {day}.",
            "{person} waited {n} months for a ramp that was promised on {day}.",
            "A tester who called on {day} was told that {n} apartments were "
            "available, and a tester who used a wheelchair was told there were none.",
            "On {day} the elevator at Linden Court failed for the {n}th time in a year.",
            "The waiting list was closed on {day} to families with more than {n} children.",
            "{person} was given {n} days to leave on {day}, after she had asked for a transfer.",
        ),
        (
            "{body} shall make {n} units accessible to persons who use wheelchairs.",
            "{body} shall decide every request for a reasonable accommodation within {n} days.",
            "{body} shall retain an architect to survey all buildings within {n} days.",
            "{body} shall keep at least one elevator in service in each building of more than {n} floors.",
            "{body} shall train its leasing staff in fair housing law for at least {n} hours each year.",
            "{body} shall reopen the waiting list within {n} days.",
            "{body} shall pay ${n},000 to the named plaintiffs.",
        ),
        (
            "lease file",
            "work order",
            "elevator log",
            "unit",
            "waiting list",
            "ramp",
            "inspection sheet",
            "transfer request",
        ),
    ),
    Theme(
        "fire",
        "City of {place}",
        ("Fire Chief of {place}", "Personnel Director of {place}"),
        (TITLE_VII, EQUAL),
        (
            "The written examination of {day} was passed by {n} percent of white and far fewer Black applicants.",
            "{person} ranked among the first {n} on the physical test of {day} and was not hired.",
            "On {day} the personnel board voted to keep a cut-off score of {n} that no study supported.",
            "Between {day} and the filing of this action the department hired {n} firefighters, none of them a woman.",
            "{person} was told on {day} that the list would expire in {n} days.",
            "A consultant warned the city on {day} that {n} of the questions had nothing to do with the work.",
            "On {day} the department destroyed the answer sheets of {n} applicants.",
        ),
        (
            "{body} shall not use the written examination to hire any firefighter for {n} months.",
            "{body} shall retain a test developer within {n} days.",
            "{body} shall offer priority appointment to {n} applicants who were not hired.",
            "{body} shall report the results of each examination within {n} days.",
            "{body} shall pay ${n},000 as back pay to eligible claimants.",
            "{body} shall keep all answer sheets for at least {n} years.",
            "{body} shall recruit at least {n} women to each academy class.",
        ),
        (
            "answer sheet",
            "eligibility list",
            "academy class",
            "turnout gear",
            "station house",
            "test booklet",
            "score report",
            "hiring board",
        ),
    ),
)

FIRST_NAMES: Final = [
    "Rosa",
    "Walter",
    "Imani",
    "Caleb",
    "Noor",
    "Evelyn",
    "Marcus",
    "Tobias",
    "Leila",
    "Grant",
    "Yolanda",
    "Hector",
    "Simone",
    "Arthur",
    "Priya",
    "Daniel",
    "Ruth",
    "Owen",
    "Beatriz",
    "Franklin",
    "Gloria",
    "Samuel",
    "Ingrid",
    "Terrence",
    "Maya",
    "Victor",
    "Helen",
    "Joaquin",
    "Denise",
    "Ravi",
    "Clara",
    "Edmund",
    "Nadia",
    "Curtis",
    "Amelia",
]
LAST_NAMES: Final = [
    "Alvarez",
    "Whitcomb",
    "Okafor",
    "Brandt",
    "Lindqvist",
    "Castellano",
    "Pruitt",
    "Nakamura",
    "Delacroix",
    "Hargrove",
    "Abernathy",
    "Sorensen",
    "Mbeki",
    "Valdez",
    "Kowalski",
    "Trujillo",
    "Farrow",
    "Ostrow",
    "Beaumont",
    "Iverson",
    "Haddad",
    "Quintero",
    "Marsh",
    "Ellison",
    "Rutherford",
    "Chaudhry",
    "Tamblyn",
    "Vance",
    "Oyelaran",
    "Stavros",
    "Killian",
    "Navarro",
    "Prescott",
    "Lowell",
    "Ashby",
]
PLACES: Final = [
    "Larkmoor",
    "Dunhaven",
    "Westerly",
    "Calder",
    "Pinecrest",
    "Ridgemont",
    "Harlow",
    "Ashford",
    "Brookline",
    "Tamarack",
    "Fallon",
    "Greywater",
]
COURTS: Final = (
    ("Northern District of California", "N.D. Cal.", "3", "Ninth Circuit", "9th Circuit"),
    ("Eastern District of Michigan", "E.D. Mich.", "2", "Sixth Circuit", "6th Circuit"),
    ("Middle District of Georgia", "M.D. Ga.", "4", "Eleventh Circuit", "11th Circuit"),
    ("District of New Mexico", "D.N.M.", "1", "Tenth Circuit", "10th Circuit"),
    ("Eastern District of Virginia", "E.D. Va.", "1", "Fourth Circuit", "4th Circuit"),
)
NONPROFITS: Final = (
    "Civil Liberties Legal Action Center",
    "Tenants Legal Aid Society",
    "Disability Rights Advocates of the Valley",
    "Equal Justice Project",
)
FIRMS: Final = ("Harmon Tate LLP", "Oakes & Delgado PLLC", "Law Offices of Peter Crane", "Birch Kessler LLP")
NUMBERS: Final = UNITS[1:11]
