-- The ten error classes (Parthenon, table 13): what fails, the control that answers it, and the surface of the harness
-- that holds that control.
CREATE OR REPLACE VIEW control_surfaces AS
SELECT * FROM (VALUES
    (1, 'numbers_dates', 'a missing amount, date, threshold, formula or deadline',
        'ledger of numbers and dates, lookup of deadline windows, reconciliation at the end', 'tools'),
    (2, 'missing_facts', 'a party, exhibit, attribute, fact of the transaction or status left out',
        'inventory of sources, ledger of entities and facts, coverage manifest', 'tools'),
    (3, 'deliverable_format', 'the wrong work product, a missing section, a malformed table or redline',
        'schema of the deliverable, writer that makes the file first, gate on form', 'knowledge'),
    (4, 'legal_rule_use', 'a rule, clause, standard or condition missing',
        'retrieval of authorities, matrix of rules and facts, specialist skill', 'skills'),
    (5, 'coverage', 'a listed source, issue, clause or subpart left untreated',
        'mandatory checklist, closure report of sources and issues', 'skills'),
    (6, 'other', 'a reason that fits no other class', 'backlog of the learner, review of the taxonomy by people', ''),
    (7, 'remedial_action', 'a risk without a cure, an owner or a next step',
        'table of issues to their end, gate on recommendations', 'skills'),
    (8, 'materiality_impact', 'severity, priority or impact absent or misjudged',
        'scale of materiality, severities on one scale', 'skills'),
    (9, 'source_grounding', 'no span, exhibit, authority or citation behind a statement',
        'audit of citations and their support', 'agent'),
    (10, 'cross_doc_synthesis', 'related documents or clauses not reconciled',
        'map across documents, checker of conflicts and repetitions', 'tools')
) AS listed (position, error_class, failure_unit, control, surface);
