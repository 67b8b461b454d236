-- What a lawyer needs for a matter of each practice area (Parthenon, table 7): 3 h to screen, 10 h of diligence, 20 h of
-- complex work, at $349 an hour. They are estimates by complexity, no measured times; an area that is not listed has
-- none. The key is the name without spaces, signs and "and", so that a folder `corporate-ma` is Corporate M&A.
CREATE OR REPLACE VIEW practice_areas AS
SELECT
    replace(regexp_replace(lower(practice_area), '[^a-z]+', '', 'g'), 'and', '') AS area_key,
    practice_area, human_hours, human_hours * 349 AS human_usd
FROM (VALUES
    ('Antitrust & Competition', 10), ('Banking & Finance', 10), ('Bankruptcy & Restructuring', 20),
    ('Capital Markets', 20), ('Corporate Governance', 10), ('Corporate M&A', 20),
    ('Data Privacy & Cybersecurity', 3), ('Emerging Companies & Venture Capital', 20), ('Employment & Labor', 3),
    ('Energy & Natural Resources', 10), ('Environmental & ESG', 10), ('Funds & Asset Management', 20),
    ('Healthcare & Life Sciences', 10), ('Immigration', 3), ('Insurance', 10), ('Intellectual Property', 10),
    ('International Arbitration & Dispute Resolution', 20), ('International Trade & Sanctions', 3),
    ('Litigation & Dispute Resolution', 10), ('Real Estate', 20), ('Structured Finance & Securitization', 20),
    ('Tax', 10), ('Trusts, Estates & Private Client', 20), ('White Collar Defense & Investigations', 10)
) AS listed (practice_area, human_hours);
