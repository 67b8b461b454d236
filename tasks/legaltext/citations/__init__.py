"""Citations of statutes, rules, cases, contracts and secondary sources: the scanner and its shapes."""
