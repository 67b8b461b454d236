SELECT concat_ws(' | ', kind, abbreviation, name, array_to_string(jurisdictions, '+'), first, last) AS entry, kind,
    provenance, trim(abbreviation) <> '' AND trim(name) <> '' AS says_something,
    first = '' OR last = '' OR first <= last AS ends_after_it_began,
    abbreviation IN (SELECT citation FROM knowledge.authorities) AS poses_as_law
FROM knowledge.citation_forms
