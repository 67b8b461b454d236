-- What may the learner see of each judged attempt? Opaque keys, ranges, counts and words of our own vocabularies.
SELECT * FROM learner_signals ORDER BY ALL
