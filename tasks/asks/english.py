"""The closed classes of English, as patterns: what no harness changes."""

from __future__ import annotations

import re

DET = (
    r"(?:the|an?|any|all|each|every|both|either|neither|our|its|their|his|her|your|my|this|that|these|those|no|some)\b"
)
PRONOUN = r"(?:i|you|he|she|it|we|they|there|one|anyone|someone|somebody|anybody|nobody|everyone|nothing|anything)\b"
OBJECT = r"(?:me|us|him|her|them|it)\b"
PREPOSITION = (
    r"(?:to|on|at|by|for|in|from|under|within|of|with|after|until|till|since|upon|about|before|during|against|into|over"
    r"|between|through|without|per|as|than|except|beyond|via|like)\b"
)
MODAL = r"(?:must|has to|have to|should|shall|needs to|is to|ought to)\b"
AUXILIARY = (
    r"(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|shall|does|do|did|am|been|cannot)\b"
)
RELATIVE = r"\b(?:which|that|who|whom|whose|where|when|if|whether|what|how|why|because|since|as)\b"
CONDITION = r"(?:while|if|as|after|before|since|once|although|because|unless|until|given that|in case|whether or not)"
NUMBER_WORD = r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|several)"
JOIN = r"and|or|but|then|plus|also|so|as well as"
# What no request begins with, though a determiner follows: "yesterday the tenant …", "signed the lease".
CLOSED = (
    rf"{PREPOSITION}|{DET}|{PRONOUN}|{RELATIVE}|{CONDITION}|{JOIN}|th\w+|nor|not|yesterday|today|tomorrow|now|here|last"
    r"|next|\w+day|only|even|just|re|\w+ed|sent|said|got|background|given|note"
)
# Meets words that hang on what stands before them.
DEPENDS = re.compile(
    rf"{PREPOSITION}|(?:if|unless|because|so that|including|incl|such as|e\.?g|i\.?e|not|instead|rather|although|even"
    r"|namely|while|but|provided|especially|particularly|plus any|or (?:not|otherwise)|etc|\w{3,}ing)\b",
    re.I,
)
