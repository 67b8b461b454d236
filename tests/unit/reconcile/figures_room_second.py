"""A second room, written after the gate had been worked on with the first; measured once before anything else."""

from __future__ import annotations

PURCHASE = """ASSET PURCHASE AGREEMENT

This Agreement is made on 2 May 2022 between Lindqvist Tools AB ("Seller") and Marlow Industrial plc ("Buyer").

2.1 The purchase price for the Assets is £14,200,000, of which £12,000,000 is payable at Completion and £2,200,000 is
to be held in escrow for eighteen (18) months.

2.2 If the revenue of the Business in the first full financial year exceeds £31,000,000, Buyer shall pay an earn-out of
£1,750,000 within 45 days after the accounts are settled.

2.3 The target working capital is £3,400,000. A shortfall or excess is made good pound for pound where it is more than
£150,000.

5.1 Seller is not liable for a warranty claim of less than £25,000, nor until claims together exceed £140,000, and its
total liability for warranty claims is capped at 20% of the purchase price.

5.2 Warranty claims must be notified within twenty-four (24) months after Completion, tax claims within seven (7) years.

6.1 Seller and its affiliates shall not compete with the Business in Sweden or the United Kingdom for five (5) years,
nor hire any of the 112 transferring employees for thirty (30) months.

7.2 Buyer may terminate if Completion has not occurred within 120 days. A break fee of £600,000 is then payable by the
party in default.
"""

LICENCE = """PATENT LICENCE

between Institute Varga ("Licensor") and Marlow Industrial plc ("Licensee").

3.1 Licensee pays an upfront fee of EUR 400,000 and a running royalty of 4.5% of Net Sales, reduced to 3% where a
third-party licence is needed.

3.2 The minimum annual royalty is EUR 90,000 from the third contract year.

3.3 Sublicence income is shared: 35% goes to Licensor.

3.4 Milestones: EUR 250,000 on first regulatory approval and EUR 700,000 when cumulative Net Sales reach EUR 20,000,000.

4.1 Royalty reports are due within 30 days after each calendar quarter. Licensor may audit once a year on 15 Business
Days' notice; an understatement above 5% shifts the audit costs to Licensee.

8.1 The licence lasts fifteen (15) years. Either party may terminate for a material breach that is not cured within
sixty (60) days; Licensee may terminate for convenience on 180 days' notice.

9.1 Licensee keeps product liability cover of EUR 8,000,000.
"""

NOTE = """PROMISSORY NOTE

Marlow Industrial plc ("Maker") promises to pay Brightwater Bank ("Holder") the principal sum of £6,500,000 with
interest at 5.85% per annum, computed on a 360-day year.

1. Monthly payments of £71,500 fall due on the first day of each month; the balance is due after 84 months.

2. A late charge of 4% applies to a payment not made within ten (10) days. After default the rate is 9.85%.

3. Maker may prepay on 20 days' notice with a premium of 1.25% in the first three (3) years.

4. Maker keeps a minimum liquidity of £1,100,000 and a debt yield of at least 11%.
"""

ROOM = {"01-asset-purchase.docx": PURCHASE, "02-patent-licence.docx": LICENCE, "03-promissory-note.docx": NOTE}

STATEMENTS: tuple[tuple[str, str], ...] = (
    ("Marlow pays £14.2 million for the assets, £12 million of it on completion.", ""),
    ("The amount kept in escrow is £2.2 million, for a year and a half.", ""),
    ("The escrow holds £1,750,000.", "£1,750,000"),
    ("An earn-out of £1.75 million depends on first-year revenue above £31 million.", ""),
    ("The earn-out amounts to £2,200,000.", "£2,200,000"),
    ("Working capital was targeted at £3.4 million with a collar of £150,000.", ""),
    ("The working capital target was agreed at £1,100,000.", "£1,100,000"),
    ("Individual warranty claims below £25,000 are disregarded.", ""),
    ("The basket for warranty claims is £140,000.", ""),
    ("The seller's warranty liability is capped at one fifth of the price.", ""),
    ("Warranty claims are capped at 35% of the purchase price.", "35%"),
    ("Warranty claims have to be made in two years; tax claims in seven years.", ""),
    ("Tax claims must be notified within 24 months after Completion.", "24 months"),
    ("The seller may not compete for five years.", ""),
    ("The seller is barred from competing with the business for 30 months.", "30 months"),
    ("The no-hire covenant protects 112 employees and lasts two and a half years.", ""),
    ("The long-stop is 120 days, and the break fee £600,000.", ""),
    ("A break fee of £150,000 falls on the defaulting party.", "£150,000"),
    ("Buyer may terminate if completion has not happened within 180 days.", "180 days"),
    ("For the patents the licensee paid EUR 400,000 up front.", ""),
    ("The upfront licence fee is EUR 700,000.", "EUR 700,000"),
    ("Net sales bear a royalty of 4.5%, or 3% if another licence must be taken.", ""),
    ("The running royalty on net sales is 5%.", "5%"),
    ("From year three at least EUR 90,000 in royalties is payable each year.", ""),
    ("The minimum annual royalty is EUR 250,000.", "EUR 250,000"),
    ("Varga takes 35% of sublicence income.", ""),
    ("Licensor's share of sublicence income is 20%.", "20%"),
    ("Regulatory approval triggers EUR 250,000.", ""),
    ("A milestone of EUR 400,000 is due on the first regulatory approval.", "EUR 400,000"),
    ("A sales milestone of EUR 700,000 is earned at EUR 20 million of cumulative sales.", ""),
    ("Royalty reports follow 30 days after quarter end.", ""),
    ("Royalty reports must be sent within 60 days after each calendar quarter.", "60 days"),
    ("Audits need 15 business days' notice.", ""),
    ("Audit costs shift when the understatement is over 5%.", ""),
    ("The audit costs fall on the licensee if the understatement is above 3%.", "3%"),
    ("The patent licence runs for 15 years.", ""),
    ("A material breach can be cured within 60 days.", ""),
    ("The licensee may end the licence for convenience on 60 days' notice.", "60 days"),
    ("The licensee may end the licence for convenience on six months' notice of 180 days.", ""),
    ("Product liability insurance of EUR 8 million is to be maintained.", ""),
    ("The note is for £6.5 million at 5.85%.", ""),
    ("Interest on the note accrues at 9.85% before default.", "9.85%"),
    ("The default rate under the note is 9.85%.", ""),
    ("The borrower pays £71,500 a month for 84 months.", ""),
    ("Late payments on the note cost a 4% charge.", ""),
    ("The late charge under the note is 1.25%.", "1.25%"),
    ("Prepayment requires 20 days' notice.", ""),
    ("Prepayment of the note requires ten days' notice.", "ten days"),
    ("The prepayment premium is 1.25% in the first three years.", ""),
    ("The prepayment premium is 4% in the first three years.", "4%"),
    ("Marlow must keep £1.1 million of liquidity and a debt yield of 11%.", ""),
    ("Minimum liquidity is £600,000.", "£600,000"),
    ("The debt yield must be at least 20%.", "20%"),
    ("Of the £14,200,000 price, 84.5% (£12,000,000) was paid at completion.", ""),
    ("The royalty is 6.5% of net sales.", "6.5%"),
    ("The principal of the note is £5,600,000.", "£5,600,000"),
)
ABSENT = frozenset({"The royalty is 6.5% of net sales.", "The principal of the note is £5,600,000."})
