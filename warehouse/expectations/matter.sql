SELECT part, matter_digest, n_documents,
    regexp_full_match(document_formats || ' ' || deliverable_formats, '[a-z0-9 ]*') AS formats_are_ours
FROM matter
