"""The named calendars as data: whose holidays they count, under what authority, and what about them is doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Source(NamedTuple):
    """A set of holidays of the library."""

    code: str
    subdivision: str | None = None
    categories: tuple[str, ...] = ("public",)
    financial: bool = False


class Spec(NamedTuple):
    """A named calendar.

    Attributes:
        both: Holidays that count in either direction.
        forward: Holidays that count only in periods measured after an event (Fed. R. Civ. P. 6(a)(6)(C)).
        family: The time rules that go with it: ``frcp``, ``frbp``, ``irs``, ``cpr``, ``eu``, ``bgb``, …
        warning: What is told with every deadline.
        doubts: Words in a holiday's name, and what is told where such a day decides a deadline.
        fixed: Further closed days by ``MM-DD``.
        perhaps: Open days by ``MM-DD`` that are closed in some places, and what is told where a deadline ends there.
        known: First and last year whose holidays are settled; others rest on a forecast or were never compared.
    """

    label: str
    authority: str
    both: tuple[Source, ...]
    forward: tuple[Source, ...] = ()
    family: str = ""
    warning: str = ""
    doubts: Mapping[str, str] = _NOTHING
    fixed: Mapping[str, str] = _NOTHING
    perhaps: Mapping[str, str] = _NOTHING
    known: tuple[int, int] = (1900, 2200)


FEDERAL: Final = Source("US")
STATE_FAMILIES: Final = ("us_federal_courts", "us_appeals_courts", "us_criminal", "bankruptcy", "state", "irs")
PLACED_FAMILIES: Final = ("canada", "australia", "germany", "india", "switzerland", "spain", "italy", "new_zealand")
# Names that people use for calendars that have one already.
ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{"us_federal_court": "us_federal_courts", "us": "us_federal_courts", "federal_courts": "us_federal_courts"},
        **{"frcp": "us_federal_courts", "frap": "us_appeals_courts", "us_court_of_appeals": "us_appeals_courts"},
        **{"us_bankruptcy_court": "bankruptcy", "us_bankruptcy_courts": "bankruptcy", "bankruptcy_court": "bankruptcy"},
        **{"uk": "england_wales", "england": "england_wales", "england_and_wales": "england_wales"},
        **{
            "wales": "england_wales",
            "london": "england_wales",
            "gb": "england_wales",
            "great_britain": "england_wales",
        },
        **{"target2": "target", "t2": "target", "ecb": "target", "federal_reserve": "fed", "frb": "fed"},
        **{"fedwire": "fed", "us_banks": "fed", "new_york_stock_exchange": "nyse", "us_nyse": "nyse", "nasdaq": "nyse"},
        **{"us_sifma": "sifma", "us_government_securities": "sifma", "us_irs": "irs", "hk": "hong_kong"},
        **{"sg": "singapore", "jp": "japan", "tokyo": "japan", "de": "germany", "ca": "canada", "au": "australia"},
        **{"in": "india", "fr": "france", "ch": "switzerland", "ie": "ireland", "nl": "netherlands", "be": "belgium"},
        **{"lu": "luxembourg", "it": "italy", "es": "spain", "at": "austria", "pt": "portugal", "nz": "new_zealand"},
        **{"european_union": "eu", "weekends_only": "weekends", "scots": "scotland", "ni": "northern_ireland"},
        **{"gb_eng": "england_wales", "gb_wls": "england_wales", "gb_sct": "scotland", "gb_nir": "northern_ireland"},
        **{"us_bankruptcy": "bankruptcy", "federal_reserve_banks": "fed"},
    }
)
# The same for families that take a place behind them, and for places whose own language names them otherwise.
FAMILIES_ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{"us_federal_court": "us_federal_courts", "federal_courts": "us_federal_courts", "frcp": "us_federal_courts"},
        **{"us_bankruptcy_courts": "bankruptcy", "us_bankruptcy_court": "bankruptcy", "us_bankruptcy": "bankruptcy"},
        **{"us_state": "state", "us": "state", "de": "germany", "ca": "canada", "au": "australia", "in": "india"},
        **{"ch": "switzerland", "es": "spain", "it": "italy", "nz": "new_zealand"},
    }
)
PLACES_ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{"bavaria": "by", "hesse": "he", "saxony": "sn", "lower_saxony": "ni", "saxony_anhalt": "st"},
        **{"thuringia": "th", "north_rhine_westphalia": "nw", "rhineland_palatinate": "rp", "baden_wurttemberg": "bw"},
        **{"mecklenburg_western_pomerania": "mv", "geneva": "ge", "lucerne": "lu", "quebec": "qc"},
    }
)
_SATURDAY: Final = "Saturday is taken as closed; {} does not make it a day on which nothing can be done."
_SUBSTITUTE: Final = "a day in place of one on a weekend is custom or labour law here, and may be no legal holiday"
_OWN_DAYS: Final = "Holidays of the {} count too: name one."
_MUSLIM: Final = "the day follows the moon and is proclaimed"

FIXED: Final[Mapping[str, Spec]] = MappingProxyType(
    {
        "us_federal_courts": Spec(
            "United States federal courts",
            "Fed. R. Civ. P. 6(a)(6)",
            (FEDERAL,),
            family="frcp",
            warning="State holidays of the district (Fed. R. Civ. P. 6(a)(6)(C)) are not counted: name the state.",
        ),
        "us_appeals_courts": Spec(
            "United States courts of appeals",
            "Fed. R. App. P. 26(a)(6)",
            (FEDERAL,),
            family="frap",
            warning="State holidays (of the district court, or of the circuit clerk's principal office: "
            "Fed. R. App. P. 26(a)(6)(C)) are not counted: name the state.",
        ),
        "us_criminal": Spec(
            "United States district courts (criminal)",
            "Fed. R. Crim. P. 45(a)(6)",
            (FEDERAL,),
            family="frcrp",
            warning="State holidays of the district (Fed. R. Crim. P. 45(a)(6)(C)) are not counted: name the state.",
        ),
        "us_supreme_court": Spec(
            "Supreme Court of the United States",
            "Sup. Ct. R. 30.1",
            (FEDERAL,),
            family="scotus",
            warning="A day on which the Court building is closed by order (Sup. Ct. R. 30.1) is not known here.",
        ),
        "bankruptcy": Spec(
            "United States bankruptcy courts",
            "Fed. R. Bankr. P. 9006(a)(6)",
            (FEDERAL,),
            family="frbp",
            warning="State holidays (Fed. R. Bankr. P. 9006(a)(6)(C)) are not counted: name the state.",
        ),
        "us_federal": Spec("United States (federal holidays)", "5 U.S.C. § 6103(a)", (FEDERAL,)),
        "irs": Spec(
            "Internal Revenue Service",
            "26 U.S.C. § 7503",
            (Source("US", "DC"),),
            family="irs",
            # D.C. Code § 28-2701 and 5 U.S.C. § 6103(c) may be read differently where 20 January is a Saturday.
            perhaps={
                "01-19": "the eve of a Saturday Inauguration Day may be a legal holiday in the District of Columbia"
            },
            known=(2005, 2200),
        ),
        "nyse": Spec("New York Stock Exchange", "NYSE Rule 7.2", (Source("NYSE", financial=True),)),
        "sifma": Spec(
            "SIFMA recommended US bond market schedule",
            "SIFMA holiday schedule (a recommendation)",
            (Source("XSIF", financial=True),),
            warning="The SIFMA schedule is set year by year: compare with the published one.",
        ),
        "fed": Spec("Federal Reserve Banks", "Federal Reserve Bank holiday schedule", (Source("FED", financial=True),)),
        "target": Spec("TARGET (T2)", "ECB TARGET calendar", (Source("XECB", financial=True),)),
        "eu": Spec(
            "European Union",
            "Regulation (EEC, Euratom) No 1182/71",
            (),
            family="eu",
            warning="Holidays of the Member State or institution (art. 2 of Regulation 1182/71) are not counted: "
            "compare with its published list.",
        ),
        "england_wales": Spec(
            "England and Wales",
            "CPR 2.8; Banking and Financial Dealings Act 1971",
            (Source("GB", "ENG"),),
            family="cpr",
            known=(1979, 2027),
        ),
        "scotland": Spec(
            "Scotland",
            "Banking and Financial Dealings Act 1971, Sch 1 para 2",
            (Source("GB", "SCT"),),
            warning="Court holidays in Scotland differ from bank holidays: check the court's own list.",
            known=(1979, 2027),
        ),
        "northern_ireland": Spec(
            "Northern Ireland",
            "Banking and Financial Dealings Act 1971, Sch 1 para 3",
            (Source("GB", "NIR"),),
            known=(1979, 2027),
        ),
        "ireland": Spec(
            "Ireland",
            "Organisation of Working Time Act 1997, Sch 2",
            (Source("IE"),),
            warning="Good Friday is no public holiday, but court offices and banks close.",
            doubts={"(observed)": _SUBSTITUTE},
        ),
        "hong_kong": Spec(
            "Hong Kong",
            "General Holidays Ordinance (Cap. 149)",
            (Source("HK", categories=("public", "optional")),),
            warning="Gale and black rainstorm warning days are excluded too (Cap. 1 s. 71) and not known here. "
            + _SATURDAY.format("Cap. 1 s. 71"),
            known=(2000, 2026),
        ),
        "singapore": Spec(
            "Singapore",
            "Holidays Act 1998",
            (Source("SG"),),
            doubts={"Diwali": "the day of Deepavali is gazetted", "Eid": _MUSLIM},
            known=(2010, 2026),
        ),
        "canada": Spec(
            "Canada (federal)",
            "Interpretation Act, R.S.C. 1985, c. I-21, s. 35",
            (Source("CA", categories=("public", "government")),),
            doubts={
                "(observed)": "s. 35 of the Interpretation Act gives no day in its place",
                "Boxing Day": "a holiday of the Canada Labour Code, not of s. 35 of the Interpretation Act",
            },
            warning=_SATURDAY.format("the Interpretation Act"),
        ),
        "australia": Spec(
            "Australia (national)",
            "national public holidays",
            (Source("AU"),),
            warning="Public holidays are set by the states and territories: name one.",
            doubts={
                "Show": "a holiday of Brisbane alone",
                "Bank Holiday": "a holiday of banks alone",
                "Easter Tuesday": "a holiday of the public service alone",
            },
            known=(2011, 2026),
        ),
        "new_zealand": Spec("New Zealand", "Holidays Act 2003", (Source("NZ"),), warning=_OWN_DAYS.format("province")),
        "japan": Spec(
            "Japan", "Act on National Holidays; bank holidays", (Source("JP", categories=("public", "bank")),)
        ),
        "japan_courts": Spec(
            "Japan (courts)",
            "Code of Civil Procedure art. 95(3)",
            (Source("JP", categories=("public", "bank")),),
            fixed={"12-29": "year-end recess", "12-30": "year-end recess"},
        ),
        "germany": Spec(
            "Germany (federal)",
            "§ 193 BGB",
            (Source("DE"),),
            family="bgb",
            warning="Holidays of the Land at the place of performance count (§ 193 BGB): name the Land.",
        ),
        "austria": Spec("Austria", "Feiertagsruhegesetz 1957", (Source("AT"),)),
        "switzerland": Spec(
            "Switzerland (federal)",
            "Code of Obligations art. 78; Federal Act of 21 June 1963",
            (Source("CH"),),
            warning=_OWN_DAYS.format("canton"),
        ),
        "france": Spec("France", "Code du travail art. L3133-1; CPC art. 642", (Source("FR"),)),
        "netherlands": Spec(
            "Netherlands", "Algemene termijnenwet art. 3", (Source("NL", categories=("public", "optional")),)
        ),
        "belgium": Spec("Belgium", "Royal Decree of 18 April 1974", (Source("BE"),)),
        "luxembourg": Spec("Luxembourg", "Code du travail art. L.232-2", (Source("LU"),)),
        "italy": Spec(
            "Italy", "Law 260/1949", (Source("IT"),), warning="The patron saint's day of the place counts too."
        ),
        "spain": Spec(
            "Spain (national)",
            "Workers' Statute art. 37",
            (Source("ES"),),
            warning=_OWN_DAYS.format("region"),
            known=(2008, 2026),
        ),
        "portugal": Spec(
            "Portugal", "Labour Code art. 234", (Source("PT"),), warning="The municipal holiday counts too."
        ),
        "india": Spec(
            "India (national)",
            "Negotiable Instruments Act 1881 s 25; General Clauses Act 1897 s 10",
            (Source("IN"),),
            warning="Holidays are notified by each state, bank or court; the second and fourth Saturdays apart, "
            "Saturdays may be working days.",
            known=(2001, 2026),
        ),
        "weekends": Spec("weekends only", "no holidays are counted", ()),
    }
)
# What is told with every deadline of a place, instead of what is told of its country.
PLACE_WARNINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CA": "Holidays of the country and of the place are counted together. " + _SATURDAY.format("s. 35"),
        "CH": "Holidays of communes, and half holidays such as 2 January, may count too.",
        "IN": FIXED["india"].warning,
        "IT": FIXED["italy"].warning,
    }
)
# What a place adds to the doubts of its country.
PLACE_DOUBTS: Final[Mapping[tuple[str, str], Mapping[str, str]]] = MappingProxyType(
    {
        ("DE", "BY"): {
            "08-15": "Assumption is a holiday in the Bavarian communes with more Catholics than Protestants"
        },
        ("CA", "QC"): {"01-02": "2 January is a non-juridical day (Code of Civil Procedure art. 82)"},
    }
)
