"""The closed classes of English, as patterns: what no harness changes."""

from __future__ import annotations

import re

DET = (
    r"(?:the|an?|any|all|each|every|both|either|neither|our|its|their|his|her|your|my|this|that|these|those|no|some)\b"
)
PRONOUN = r"(?:i|you|he|she|it|we|they|there|one|anyone|someone|somebody|anybody|nobody|everyone|nothing|anything)\b"
PREPOSITION = (
    r"(?:to|on|at|by|for|in|from|under|within|of|with|after|until|till|since|upon|about|before|during|against|into|over"
    r"|between|through|without|per|as|than|except|beyond|via|like)\b"
)
DEPENDENT = (
    rf"(?:{PREPOSITION}|if\b|unless\b|because\b|so that\b|including\b|incl\b|such as\b|e\.?g|i\.?e|not\b|instead\b|rather\b"
    r"|although\b|even\b|namely\b|while\b|but\b|provided\b|especially\b|particularly\b|plus any\b|or (?:not|otherwise)\b|etc\b)"
)
RELATIVE = r"\b(?:which|that|who|whom|whose|where|when|if|whether|what|how|why|because|since|as)\b"
NUMBER_WORD = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|several)"
CLOSED = (
    r"to|on|at|by|for|in|from|under|within|of|with|after|until|till|since|upon|about|before|during|against|into|over|between|through|without|per|as"
    r"|than|except|via|like|if|unless|because|although|while|once|and|or|but|nor|so|not|the|an?|any|all|each|every|both|either|neither|our|its|their"
    r"|his|her|your|my|th\w+|no|some|i|you|he|she|it|we|they|one|who\w*|what|which|when|where|why|how|yesterday|today|tomorrow|now|here|last|next"
    r"|\w+day|only|even|also|just|re|plus|\w+ed|sent|said|got|attached|background|given|note"
)
JOIN = r"and|or|but|then|plus|also|so|as well as"
DEPENDS = re.compile(rf"{DEPENDENT}|\w{{3,}}ing\b", re.I)  # meets words that hang on what stands before them
