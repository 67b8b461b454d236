-- The families of the knowledge, as the harness in force holds them: filled anew at each landing, never by parts.
-- Every row says where it comes from (provenance) and as of when (as_of; empty where that does not matter).
CREATE SCHEMA knowledge;
CREATE TABLE knowledge.authorities (
    citation VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    jurisdiction VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    keywords VARCHAR[] NOT NULL,
    note VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.windows (
    window_id VARCHAR NOT NULL,
    domain VARCHAR NOT NULL,
    regime VARCHAR NOT NULL,
    "trigger" VARCHAR NOT NULL,
    action VARCHAR NOT NULL,
    n BIGINT NOT NULL,
    unit VARCHAR NOT NULL,
    calendar VARCHAR NOT NULL,
    direction VARCHAR NOT NULL,
    roll VARCHAR NOT NULL,
    calendar_set VARCHAR NOT NULL,
    counting VARCHAR NOT NULL,
    count VARCHAR NOT NULL,
    roll_authority VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    authority VARCHAR NOT NULL,
    jurisdiction VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    exceptions VARCHAR NOT NULL,
    tolling VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL,
    aliases VARCHAR[] NOT NULL,
    also_cited VARCHAR[] NOT NULL,
    in_force_from VARCHAR NOT NULL,
    earlier VARCHAR[] NOT NULL,
    mail_days BIGINT NOT NULL
);
-- How a law or forum counts a period, and the provision for each step ("roll: Fed. R. Civ. P. 6(a)(1)(C)").
CREATE TABLE knowledge.counting (
    counting_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    jurisdiction VARCHAR NOT NULL,
    authority VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    parts VARCHAR[] NOT NULL,
    rolls_off VARCHAR[] NOT NULL,
    short_clear BIGINT NOT NULL,
    working_days BIGINT NOT NULL,
    warning VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
-- A row a section.
CREATE TABLE knowledge.deliverables (
    type_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    areas VARCHAR[] NOT NULL,
    position BIGINT NOT NULL,
    section VARCHAR NOT NULL,
    section_aliases VARCHAR[] NOT NULL,
    required BOOLEAN NOT NULL,
    filename_cues VARCHAR[] NOT NULL,
    title_cues VARCHAR[] NOT NULL,
    instruction_cues VARCHAR[] NOT NULL,
    suffixes VARCHAR[] NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.calendars (
    calendar_id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    aliases VARCHAR[] NOT NULL,
    jurisdiction VARCHAR NOT NULL,
    authority VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    sources VARCHAR[] NOT NULL,
    open_saturday BOOLEAN NOT NULL,
    family VARCHAR NOT NULL,
    place_family VARCHAR[] NOT NULL,
    warning VARCHAR NOT NULL,
    doubts VARCHAR[] NOT NULL,
    fixed VARCHAR[] NOT NULL,
    perhaps VARCHAR[] NOT NULL,
    known BIGINT[] NOT NULL,
    doubtful DATE[] NOT NULL,
    doubt VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    place_aliases VARCHAR[] NOT NULL,
    place_spellings VARCHAR[] NOT NULL,
    place_name VARCHAR NOT NULL,
    needs_place BOOLEAN NOT NULL,
    place_authority VARCHAR NOT NULL,
    place_warning VARCHAR NOT NULL,
    place_perhaps VARCHAR[] NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
-- A row an alias.
CREATE TABLE knowledge.synonyms (
    concept VARCHAR NOT NULL,
    alias VARCHAR NOT NULL,
    position BIGINT NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.inference (
    document_type VARCHAR NOT NULL,
    pattern VARCHAR NOT NULL,
    "where" VARCHAR NOT NULL,
    area VARCHAR NOT NULL,
    fallback BOOLEAN NOT NULL,
    weight DOUBLE NOT NULL,
    retrieve VARCHAR[] NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.provisions (
    provision VARCHAR NOT NULL,
    answer VARCHAR NOT NULL,
    aliases VARCHAR[] NOT NULL,
    headings VARCHAR[] NOT NULL,
    strong VARCHAR[] NOT NULL,
    support VARCHAR[] NOT NULL,
    against VARCHAR[] NOT NULL,
    veto VARCHAR[] NOT NULL,
    asked VARCHAR[] NOT NULL,
    unasked VARCHAR[] NOT NULL,
    posed VARCHAR[] NOT NULL,
    "within" VARCHAR NOT NULL,
    effects VARCHAR[] NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.questions (
    "use" VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    patterns VARCHAR[] NOT NULL,
    says VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.jurisdictions (
    name VARCHAR NOT NULL,
    usual_name VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
CREATE TABLE knowledge.vocabulary (
    kind VARCHAR NOT NULL,
    term VARCHAR NOT NULL,
    words VARCHAR[] NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
-- What the provenance of a row may begin with, and how far it can be trusted.
CREATE TABLE knowledge.sources (source VARCHAR NOT NULL, level VARCHAR NOT NULL, what VARCHAR NOT NULL);
-- How reporters, journals, codes and courts are cited: metadata of other packages, no entries of the knowledge.
CREATE TABLE knowledge.citation_forms (
    kind VARCHAR NOT NULL,
    abbreviation VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    jurisdictions VARCHAR[] NOT NULL,
    first VARCHAR NOT NULL,
    last VARCHAR NOT NULL,
    provenance VARCHAR NOT NULL,
    as_of VARCHAR NOT NULL
);
