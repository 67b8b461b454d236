"""Three short agreements of our own and what a memorandum says of their figures, rightly and wrongly.

``STATEMENTS`` were written in natural words before the gate was run on them: ``(statement, wrong figure)``, where the
second is empty for a true statement. Every wrong figure stands in the same documents, of something else, unless
``ABSENT`` holds the statement: there the figure stands nowhere.
"""

from __future__ import annotations

CREDIT = """CREDIT AGREEMENT

dated as of 14 March 2023 among Northwind Fabrication LLC (the "Borrower"), the Lenders and Calder Trust Company, as
administrative agent (the "Agent").

1.1 Commitments. The Lenders severally agree to make term loans to the Borrower in an aggregate principal amount of
$85,000,000 (the "Term Loan") and revolving loans of up to $20,000,000 at any time outstanding (the "Revolver"). The
letter of credit sublimit is $5,000,000 and the swingline sublimit is $2,500,000.

2.1 Interest. Term Loans bear interest at Term SOFR plus 4.25% per annum and Revolving Loans at Term SOFR plus 3.75%
per annum. Term SOFR shall not be less than 0.75%. Overdue amounts bear interest at 2.00% above the rate otherwise
applicable.

2.2 Fees. The Borrower shall pay an upfront fee of 1.50% of the Term Loan on the Closing Date, a commitment fee of
0.50% per annum on the undrawn portion of the Revolver, and to the Agent an annual administration fee of $75,000.

2.3 Amortization. The Borrower shall repay the Term Loan in quarterly instalments of $1,062,500, with the balance due
on the fifth anniversary of the Closing Date. Voluntary prepayments require three (3) Business Days' notice and must
be at least $500,000. A prepayment in the first 12 months carries a premium of 2.0%, and in the following 12 months a
premium of 1.0%.

6.1 Leverage. The Borrower shall not permit the Total Net Leverage Ratio as of the last day of any fiscal quarter to
exceed 4.50 to 1.00, stepping down to 4.00 to 1.00 after eight fiscal quarters.

6.2 Coverage. The Fixed Charge Coverage Ratio shall not be less than 1.15 to 1.00.

6.3 Capital Expenditures. Capital expenditures shall not exceed $9,000,000 in any fiscal year.

7.1 Reporting. Audited annual statements are due within 120 days after year end and quarterly statements within 45
days after quarter end. A compliance certificate follows within five (5) days.

8.1 Events of Default. Non-payment of principal when due; non-payment of interest that continues for five (5) days;
breach of any other covenant that is not cured within thirty (30) days after notice; a cross-default on debt above
$3,000,000; an unsatisfied judgment in excess of $4,000,000 that remains unstayed for sixty (60) days.

10.4 Indemnity. The Agent's liability is limited to $1,000,000 absent gross negligence.
"""

LEASE = """LEASE

between Harbor Point Holdings LP ("Landlord") and Northwind Fabrication LLC ("Tenant") for 48,500 square feet at
Pier 9.

2. Term. The initial term is ten (10) years. Tenant may extend it twice, each time for five (5) years, by notice given
not less than 270 days before the term ends.

3. Rent. Base rent is $67,900 per month and rises by 3% on each anniversary of the Commencement Date. Additional rent
is Tenant's proportionate share of 18.4% of operating expenses.

4. Deposit. Tenant shall deliver a security deposit of $203,700 in the form of a letter of credit. Landlord shall
return it within 60 days after the term ends.

5. Allowance. Landlord shall contribute $1,455,000 toward Tenant's improvements, of which up to 15% may be spent on
design. Tenant shall complete them within nine (9) months.

6. Late Charge. A payment more than ten (10) days late bears a charge of 5% of the overdue amount.

7. Insurance. Tenant shall carry liability insurance of $2,000,000 per occurrence and $6,000,000 in the aggregate.

8. Holdover. Rent during a holdover is 150% of the rent last payable.

9. Termination. Tenant may terminate after year seven (7) on 12 months' notice and payment of $725,000.
"""

EMPLOYMENT = """EMPLOYMENT AGREEMENT

between Northwind Fabrication LLC (the "Company") and Dr. Ada Kessler (the "Executive").

1. Term. Employment runs for three (3) years and renews for successive one (1) year terms unless either party gives
90 days' notice.

2. Salary. The Company shall pay a base salary of $410,000 per year and a signing bonus of $60,000, to be repaid if the
Executive resigns within 18 months.

3. Bonus. The target annual bonus is 50% of base salary and the maximum is 100% of base salary.

4. Equity. The Executive receives an option to purchase 250,000 common shares at $4.20 per share, vesting over four (4)
years with a one (1) year cliff, and 40,000 restricted shares.

5. Severance. On a termination without cause the Executive receives 1.5 times base salary and continued health cover
for 18 months; after a change in control 2.5 times base salary.

6. Covenants. The Executive shall not compete for 24 months and shall not solicit employees for 12 months after the
employment ends.

7. Vacation. The Executive is entitled to 25 days of paid vacation a year; the Company's 340 employees receive 20 days.
"""

ROOM = {"01-credit-agreement.docx": CREDIT, "02-harbor-lease.docx": LEASE, "03-kessler-employment.docx": EMPLOYMENT}

STATEMENTS: tuple[tuple[str, str], ...] = (
    ("The lenders committed to an $85 million term facility alongside a $20 million revolver.", ""),
    ("Within the revolver, letters of credit are capped at $5 million and swingline borrowings at $2.5 million.", ""),
    ("The swingline sublimit is $5,000,000.", "$5,000,000"),
    ("Letters of credit may not exceed $2,500,000.", "$2,500,000"),
    ("The margin on the term loans is 425 basis points over SOFR; revolver borrowings are priced at 3.75%.", ""),
    ("The SOFR floor is 75 basis points.", ""),
    ("Term SOFR is floored at 0.50%.", "0.50%"),
    ("Default interest accrues at an additional 2%.", ""),
    ("Default interest is 1.5% above the ordinary rate.", "1.5%"),
    ("An upfront fee of 1.5% of the term loan was due at closing.", ""),
    ("Undrawn revolver commitments attract a commitment fee of 0.75% a year.", "0.75%"),
    ("Undrawn revolver commitments attract a commitment fee of half a percent a year.", ""),
    ("The agent receives an administration fee of $75,000 every year.", ""),
    ("The agent's yearly administration fee is $500,000.", "$500,000"),
    ("Scheduled amortization is $1,062,500 a quarter.", ""),
    ("Prepayments must be made in amounts of no less than $500,000.", ""),
    ("Prepayments must be made in amounts of no less than $75,000.", "$75,000"),
    ("Prepaying during the first year costs a 2% premium, and 1% in the second.", ""),
    ("The leverage covenant is set at 4.5x, falling to 4.0x after eight quarters.", ""),
    ("The fixed charge coverage ratio must stay at or above 4.00 to 1.00.", "4.00 to 1.00"),
    ("The fixed charge coverage ratio must stay at or above 1.15x.", ""),
    ("Capex is limited to $9 million per fiscal year.", ""),
    ("Capital expenditures are limited to $4,000,000 in a fiscal year.", "$4,000,000"),
    ("Annual audited accounts must be delivered in 120 days and quarterly accounts in 45 days.", ""),
    ("Audited annual statements have to be delivered within 45 days of year end.", "45 days"),
    ("The cross-default threshold is $3 million.", ""),
    ("The cross-default threshold is $4,000,000.", "$4,000,000"),
    ("Judgments above $4 million become a default if they stay unstayed for 60 days.", ""),
    ("A judgment default requires a judgment of more than $3,000,000.", "$3,000,000"),
    ("Other covenant breaches can be cured for 30 days after notice.", ""),
    ("Interest may go unpaid for five days before there is an event of default.", ""),
    ("The agent cannot be liable for more than $1,000,000 unless grossly negligent.", ""),
    ("The premises measure 48,500 square feet and are let for ten years.", ""),
    ("There are two options to renew for five years each.", ""),
    ("Northwind must exercise its extension option at least 270 days ahead.", ""),
    ("Monthly base rent is $67,900, with annual increases of 3%.", ""),
    ("Monthly base rent starts at $203,700.", "$203,700"),
    ("Northwind bears 18.4% of operating expenses.", ""),
    ("Northwind's share of operating expenses is 15%.", "15%"),
    ("A letter of credit for $203,700 secures the lease.", ""),
    ("The security deposit amounts to $725,000.", "$725,000"),
    ("The landlord contributes $1,455,000 to the tenant's build-out.", ""),
    ("The landlord's improvement contribution is $725,000.", "$725,000"),
    ("Design costs can use up no more than 15% of the allowance.", ""),
    ("Rent that is over ten days late triggers a 5% late charge.", ""),
    ("The late charge is 3% of the overdue amount.", "3%"),
    ("Liability cover of $2 million per occurrence and $6 million in aggregate is required.", ""),
    ("Liability insurance must be at least $6,000,000 per occurrence.", "$6,000,000"),
    ("Holding over doubles nothing: the rent becomes 150% of the last rent.", ""),
    ("After the seventh year the tenant can leave on twelve months' notice for a fee of $725,000.", ""),
    ("The early termination payment under the lease is $1,455,000.", "$1,455,000"),
    ("Dr. Kessler is employed for an initial three years.", ""),
    ("Her base salary is $410,000, and she got $60,000 for signing.", ""),
    ("Dr. Kessler's signing bonus was $410,000.", "$410,000"),
    ("The signing bonus is forfeited if she resigns in the first 18 months.", ""),
    ("Her bonus target is 50% of salary, capped at 100%.", ""),
    ("The maximum annual bonus is 50% of base salary.", "50%"),
    ("She was granted options over 250,000 shares with a strike price of $4.20.", ""),
    ("She holds 40,000 restricted shares.", ""),
    ("The option grant covers 40,000 common shares.", "40,000 common shares"),
    ("Severance equals one and a half times base salary, or 2.5x after a change in control.", ""),
    ("Without a change in control severance is 2.5 times base salary.", "2.5 times"),
    ("The non-compete lasts two years and the non-solicit one year.", ""),
    ("The non-compete runs for 12 months after employment ends.", "12 months"),
    ("The executive has 25 vacation days; other staff (340 employees) have 20.", ""),
    ("Vacation of 20 days a year is granted to the Executive.", "20 days"),
    ("Total commitments under the credit agreement are $105,000,000 ($85,000,000 plus $20,000,000).", ""),
    ("The deposit equals three months of base rent ($67,900 x 3 = $203,700).", ""),
    ("The upfront fee of 1.50% on $85,000,000 comes to $1,275,000.", ""),
    ("The upfront fee of 1.50% on $85,000,000 comes to $1,725,000.", "$1,725,000"),
    ("Annual base rent is about $815,000.", ""),
    ("The landlord's contribution is roughly $1.5 million.", ""),
    ("The revolver is $25 million.", "$25 million"),
    ("Base salary is $401,000.", "$401,000"),
    ("Quarterly amortization is $1,026,500.", "$1,026,500"),
)
ABSENT = frozenset(
    {
        "The upfront fee of 1.50% on $85,000,000 comes to $1,725,000.",
        "The revolver is $25 million.",
        "Base salary is $401,000.",
        "Quarterly amortization is $1,026,500.",
    }
)
