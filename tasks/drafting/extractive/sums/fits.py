"""How well words must fit a passage for what it says of a sum to be taken."""

from __future__ import annotations

ENOUGH = 0.3  # part of what is asked about that a rule must speak of
NAMED = 0.45  # part of a name that the words of a figure must have
CLEAR = 0.9  # another value whose words fit so nearly as well leaves the result to be verified
CLEAR_RESULT = 0.85  # another result whose rule fits so nearly as well leaves the answer to be verified
