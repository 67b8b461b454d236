"""The scorer of answers, fitted on questions whose answers are marked in the papers."""
