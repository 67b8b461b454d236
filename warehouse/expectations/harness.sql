SELECT part, harness_version, surface, files, regexp_full_match(digest, '[0-9a-f]{64}') AS are_hashes FROM harness
