-- Words as they are compared: in small letters, with single spaces.
CREATE OR REPLACE MACRO plain_words(said) AS
    lower(trim(CASE WHEN regexp_matches(said, '\s\s|[^\S ]') THEN regexp_replace(said, '\s+', ' ', 'g') ELSE said END));
