"""Tables of the units that legal figures carry: currencies, scales, times, nouns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from types import MappingProxyType


def word_table(text: str) -> tuple[str, ...]:
    """Split a table of words that is written as running text."""
    return tuple(text.split())


SCALES = MappingProxyType(
    {
        "hundred": Decimal(100),
        "thousand": Decimal(1000),
        "k": Decimal(1000),
        "million": Decimal(10**6),
        "millions": Decimal(10**6),
        "mio": Decimal(10**6),
        "mm": Decimal(10**6),
        "mn": Decimal(10**6),
        "m": Decimal(10**6),
        "mil": Decimal(10**6),
        "billion": Decimal(10**9),
        "billions": Decimal(10**9),
        "mrd": Decimal(10**9),
        "tausend": Decimal(1000),
        "millionen": Decimal(10**6),
        "milliarden": Decimal(10**9),
        "milliards": Decimal(10**9),
        "bn": Decimal(10**9),
        "b": Decimal(10**9),
        "trillion": Decimal(10**12),
        "tn": Decimal(10**12),
        "lakh": Decimal(10**5),
        "lakhs": Decimal(10**5),
        "lac": Decimal(10**5),
        "lacs": Decimal(10**5),
        "crore": Decimal(10**7),
        "crores": Decimal(10**7),
        "cr": Decimal(10**7),
        "tsd": Decimal(1000),
        "万": Decimal(10**4),
        "萬": Decimal(10**4),
        "億": Decimal(10**8),
        "亿": Decimal(10**8),
        "兆": Decimal(10**12),
    }
)

ISO_CODES = word_table(
    "usd eur gbp jpy hkd cad aud sgd chf inr cny nzd sek nok dkk krw brl mxn zar ils aed sar thb twd php "
    "idr myr vnd pln czk huf try rub clp cop ars pen egp ngn kes qar kwd bhd bmd kyd"
)

# Longer spellings come first: the alternation takes the first that fits.
CURRENCY_MARKS: MappingProxyType[str, str] = MappingProxyType(
    {
        "us$": "USD",
        "u.s.$": "USD",
        "u.s. $": "USD",
        "us $": "USD",
        "usd$": "USD",
        "usd $": "USD",
        "hk$": "HKD",
        "hkd$": "HKD",
        "nz$": "NZD",
        "nt$": "TWD",
        "sg$": "SGD",
        "s$": "SGD",
        "ca$": "CAD",
        "cad$": "CAD",
        "cdn$": "CAD",
        "cdn. $": "CAD",
        "cdn.$": "CAD",
        "cdn $": "CAD",
        "can$": "CAD",
        "c$": "CAD",
        "aus$": "AUD",
        "aus $": "AUD",
        "au$": "AUD",
        "aud$": "AUD",
        "a$": "AUD",
        "mxn$": "MXN",
        "mx$": "MXN",
        "r$": "BRL",
        "$": "USD",
        "€": "EUR",
        "£": "GBP",
        "cn¥": "CNY",
        "¥": "JPY",
        "￥": "JPY",
        "₹": "INR",
        "₩": "KRW",
        "₪": "ILS",
        "₽": "RUB",
        "฿": "THB",
        "₱": "PHP",
        "₦": "NGN",
        "₺": "TRY",
        "₫": "VND",
        "zł": "PLN",
        "kč": "CZK",
        "rmb": "CNY",
        "sfr.": "CHF",
        "sfr": "CHF",
        "fr.": "CHF",
        "rs.": "INR",
        "rs": "INR",
        "nis": "ILS",
        "stg": "GBP",
    }
    | {code: code.upper() for code in ISO_CODES}
)

CURRENCY_NAMES: MappingProxyType[str, str] = MappingProxyType(
    {
        "canadian dollar": "CAD",
        "australian dollar": "AUD",
        "singapore dollar": "SGD",
        "hong kong dollar": "HKD",
        "new zealand dollar": "NZD",
        "mexican peso": "MXN",
        "danish krone": "DKK",
        "swedish krona": "SEK",
        "norwegian krone": "NOK",
        "dollar": "USD",
        "euro": "EUR",
        "pounds sterling": "GBP",
        "pound sterling": "GBP",
        "british pound": "GBP",
        "sterling": "GBP",
        "japanese yen": "JPY",
        "yen": "JPY",
        "indian rupee": "INR",
        "rupee": "INR",
        "swiss franc": "CHF",
        "franc": "CHF",
        "yuan": "CNY",
        "renminbi": "CNY",
        "pound": "GBP",
    }
)

# Marks that carry their scale: "TEUR 5.400" is five million four hundred thousand euros.
SCALED_MARKS: MappingProxyType[str, tuple[str, Decimal]] = MappingProxyType(
    {
        f"{mark}{sep}{scale}": (code, Decimal(size))
        for mark, code in (("eur", "EUR"), ("€", "EUR"), ("chf", "CHF"), ("usd", "USD"), ("$", "USD"), ("£", "GBP"))
        for scale, size in (("k", 1000), ("m", 10**6), ("mm", 10**6), ("mio", 10**6), ("mio.", 10**6), ("bn", 10**9))
        for sep in ("", " ")
    }
    | {
        f"{scale}{mark}": (code, Decimal(size))
        for mark, code in (("eur", "EUR"), ("€", "EUR"), ("chf", "CHF"), ("usd", "USD"))
        for scale, size in (("t", 1000), ("k", 1000), ("m", 10**6), ("mio. ", 10**6), ("mrd. ", 10**9), ("tsd. ", 1000))
    }
)

# Last characters after which a currency mark may stand directly before the digits.
MARK_ENDINGS = frozenset({mark[-1] for mark in (*CURRENCY_MARKS, *SCALED_MARKS)})

# Spelled or abbreviated, in English, German and French.
TIME_UNITS = (
    "hours?|hrs?\\.?|minutes?|mins?\\b\\.?|seconds?(?!\\s+(?:ave|street|lien|amend|floor|tier|stage|half|quarter|year|party|anniv|clos|st\\b))|secs?\\b\\.?|days?|nights?|weeks?|wks?\\b\\.?|months?|mos?\\.|mths?\\b\\.?"
    "|quarters?|years?|yrs?\\.?"
    "|(?:werk|arbeits|kalender|bankarbeits|geschäfts)?tage?n?|wochen?|monate?n?s?|jahre?n?s?|stunden?|minuten|quartale?n?"
    "|jours?|semaines?|mois|années?|ans|heures?|trimestres?"
)
TIME_NAMES: MappingProxyType[str, str] = MappingProxyType(
    {
        "hr": "hour", "yr": "year", "night": "day", "min": "minute", "sec": "second", "wk": "week", "mo": "month",
        "mth": "month", "jour": "day", "semaine": "week", "moi": "month", "année": "year", "an": "year",
        "heure": "hour", "trimestre": "quarter", "minuten": "minute", "stunde": "hour", "stunden": "hour",
    }
    | {f"{stem}{end}": unit for stem, unit in (("woche", "week"), ("monat", "month"), ("jahr", "year"),
       ("quartal", "quarter"), ("tag", "day")) for end in ("", "e", "n", "en")}
)  # fmt: skip
TIME_ADJECTIVES = (
    "business|calendar|trading|working|banking|court|consecutive|successive|full|complete|clear|fiscal|financial|"
    "additional|further|contract|successive|whole|continuous|continuing|lunar|bank|juridical|judicial|semester|"
    "more|renewal|tax|policy|service|scheduled|other|such|academic|operating|lease|license|accounting|"
    "vacation|sick|leave|holiday|paid|unpaid|notice|grace|measurement|rental|payroll"
)

SHARE_NOUNS = "shares?|adss?|ordinary shares?|stock units?"

COUNT_NOUNS = frozenset(
    word_table(
        "employees persons people holders directors members copies originals units copy original counterparts "
        "tranches installments instalments vessels aircraft sites stores locations hours-worked users "
        "licenses seats subscribers customers vehicles barrels gallons tons tonnes miles kilometers acres "
        "square-feet feet meters pounds-weight arbitrators witnesses executives managers officers trustees "
        "partners notices meetings renewals votes warrants options rsus bonds notes certificates patents "
        "trademarks products parts pieces items titles episodes songs appearances events games impressions "
        "creditors claimants debtors claims students workers contractors consultants patients trading-days subjects "
        "mg mcg µg ml kg km mw mwh kw kwh gwh gb tb mb kb hectares hectare ha acre sqft sqm litres liters bbl bpd psi "
        "mhz ghz pixels dpi mmbtu rpm milligrams kilograms grams kilowatts megawatts gigabytes terabytes inches mile "
        "clicks pages-viewed facilities wells rooms buildings lots parcels terms periods extensions occasions "
        "audits inspections samples kits patients doses"
    )
)

# Words that end in s without being plural nouns that can be counted.
NOT_NOUNS = frozenset(
    word_table(
        "is was has this its as does thus plus minus less besides always perhaps towards regards unless "
        "across various us his hers theirs ours yours yes gas business address basis process access access "
        "pass loss gross class applies shall requires provides means includes states sets constitutes "
        "contains describes governs survives becomes refers under hereof thereof otherwise whereas per cross "
        "express series status previous numerous continues notwithstanding follows supersedes remains "
        "prohibits permits limits applies says begins ends expires was terms-of times"
    )
)

DENOMINATORS = MappingProxyType(
    {
        "half": 2,
        "halves": 2,
        "third": 3,
        "quarter": 4,
        "fourth": 4,
        "fifth": 5,
        "sixth": 6,
        "seventh": 7,
        "eighth": 8,
        "ninth": 9,
        "tenth": 10,
        "twelfth": 12,
        "sixteenth": 16,
        "twentieth": 20,
        "twenty-fourth": 24,
        "hundredth": 100,
        "thousandth": 1000,
        "ten-thousandth": 10_000,
        "thirty-sixth": 36,
        "forty-eighth": 48,
    }
)
GLYPHS = MappingProxyType(
    {
        "½": Decimal("0.5"),
        "¼": Decimal("0.25"),
        "¾": Decimal("0.75"),
        "⅓": Decimal(1) / 3,
        "⅔": Decimal(2) / 3,
        "⅛": Decimal("0.125"),
        "⅜": Decimal("0.375"),
        "⅝": Decimal("0.625"),
        "⅞": Decimal("0.875"),
        "⅕": Decimal("0.2"),
    }
)
# Powers of ten between which a value can be rounded: a Decimal has 28 digits, and rounding one that needs more fails.
_DIGITS = (-20, 15)
_MOST_DIGITS = 27


def alternation(words: Iterable[str]) -> str:
    """Join literal words into a regex alternation, longest first."""
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


def tidy(value: Decimal) -> Decimal:
    """Drop trailing zeros and exponents, at ten decimals at most."""
    value = value.quantize(Decimal("1e-10")) if _DIGITS[0] < value.adjusted() < _DIGITS[1] else value
    if value == value.to_integral_value():
        return value.quantize(Decimal(1)) if value.adjusted() < _MOST_DIGITS else value
    return value.normalize()
