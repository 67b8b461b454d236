SELECT concat_ws(': ', type_id, section) AS entry, type_id, lower(section) AS section_folded, position,
    bool_or(required) OVER (PARTITION BY type_id) AS asks_for_something,
    regexp_full_match(type_id, '[a-z][a-z0-9_]*') AS id_is_plain,
    trim(section) <> '' AS section_has_title,
    len(list_filter(section_aliases, lambda a: trim(a) = '')) = 0 AS aliases_say_something,
    len(list_filter(list_concat(filename_cues, list_concat(title_cues, instruction_cues)),
        lambda c: trim(c) = '' OR c <> lower(c))) = 0 AS cues_are_lower_case,
    len(list_concat(filename_cues, list_concat(title_cues, instruction_cues))) > 0 AS can_be_recognised,
    len(list_filter(suffixes, lambda s: NOT regexp_full_match(s, '\.[a-z0-9]+'))) = 0 AS suffixes_are_suffixes,
    len(list_filter(areas, lambda a: NOT regexp_full_match(a, '[a-z]+(-[a-z]+)*'))) = 0 AS areas_are_plain
FROM knowledge.deliverables
