-- What may the learner see of each judged attempt? Opaque keys, ranges, counts and words of our own vocabularies.
SELECT * FROM learner_signals ORDER BY run_key, cell_key, matter_key, epoch, judge_key
