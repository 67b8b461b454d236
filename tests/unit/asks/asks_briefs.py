"""Briefs in many voices, and what each asks: read by eye, kept as they should be read."""

BRIEFS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Hi Tom,\n\nquick one on the Harbour Street lease - can we sublet part of the ground floor without "
        "consent, and what's the service charge cap? Also need the break date. Landlord's solicitors are "
        "chasing so by 5 if you can.\n\nMany thanks\nPriya",
        (
            ("yes_no", "can we sublet part of the ground floor without consent"),
            ("fact", "what's the service charge cap"),
            ("fact", "Also need the break date"),
        ),
    ),
    (
        "Facts:\n1. Lessor and Lessee entered into a lease on 3 March 2019.\n2. Rent fell into arrears in "
        "June 2022.\n3. A notice of default was served on 1 July 2022.\n\nQuestions:\n1. Was the notice valid "
        "in form?\n2. When did the cure period expire?\n3. May the Lessor re-enter?\n\nPlease cite the clause "
        "for each answer.",
        (
            ("yes_no", "Was the notice valid in form"),
            ("calculation", "When did the cure period expire"),
            ("yes_no", "May the Lessor re-enter"),
            ("constraint", "Please cite the clause for each answer"),
        ),
    ),
    (
        "Please be so kind and tell me what is the duration of contract, and also who is paying for the "
        "transport, and if the seller is allowed to make the delivery in parts. It is very important for "
        "us to know the penalty for the delay.",
        (
            ("fact", "tell me what is the duration of contract"),
            ("fact", "who is paying for the transport"),
            ("yes_no", "if the seller is allowed to make the delivery in parts"),
            ("fact", "It is very important for us to know the penalty for the delay"),
        ),
    ),
    (
        "governing law\nterm\nrenewal\nassignment - consent needed?\nliability cap",
        (
            ("fact", "governing law"),
            ("fact", "term"),
            ("fact", "renewal"),
            ("yes_no", "consent needed"),
            ("fact", "liability cap"),
        ),
    ),
    (
        "Pursuant to our engagement, kindly furnish a memorandum setting forth (i) the conditions "
        "precedent to closing, (ii) the survival period of the general representations, (iii) the "
        "indemnity cap and basket, and (iv) whether the purchaser may assign its rights to an affiliate.",
        (
            ("fact", "the conditions precedent to closing"),
            ("fact", "the survival period of the general representations"),
            ("fact", "the indemnity cap"),
            ("fact", "basket"),
            ("yes_no", "whether the purchaser may assign its rights to an affiliate"),
        ),
    ),
    (
        "Timeline of the Marlow dispute please: the contract date, each delivery, the first complaint, the "
        "rejection letter, and the date proceedings were issued. Sources for each entry.",
        (
            ("timeline", "the contract date"),
            ("timeline", "each delivery"),
            ("timeline", "the first complaint"),
            ("timeline", "the rejection letter"),
            ("timeline", "the date proceedings were issued"),
            ("constraint", "Sources for each entry"),
        ),
    ),
    (
        "Redline the NDA for the recipient: term 2 years not 5, delete clause 7, governing law England "
        "instead of New York, and the definition of Confidential Information should exclude information in "
        "the public domain.",
        (
            ("drafting", "term 2 years not 5"),
            ("drafting", "delete clause 7"),
            ("drafting", "governing law England instead of New York"),
            ("drafting", "the definition of Confidential Information should exclude information in the public domain"),
        ),
    ),
    (
        "We're acting for the purchaser of Fenwick Tooling. The data room has three customer contracts. "
        "For each contract say whether the share purchase needs the counterparty's consent, what notice "
        "has to be given and by when.",
        (
            ("yes_no", "For each contract say whether the share purchase needs the counterparty's consent"),
            ("fact", "what notice has to be given and by when"),
        ),
    ),
    (
        "Which of the two NDAs is stricter on residuals? Does either have a non-solicit? I'd sign the "
        "Veltra one tomorrow if I could - should I?",
        (
            ("comparison", "Which of the two NDAs is stricter on residuals"),
            ("yes_no", "Does either have a non-solicit"),
            ("judgment", "should I"),
        ),
    ),
    (
        "Can you pull together a table of all the leases with the rent, the review dates, the break "
        "options and the guarantor? One row per lease.",
        (
            (
                "list",
                "Can you pull together a table of all the leases with the rent, the review dates, the break "
                "options and the guarantor",
            ),
            ("constraint", "One row per lease"),
        ),
    ),
    (
        "Could you have a look at the shareholders' agreement and let me know: who appoints the chair; "
        "what needs unanimous consent; whether there is a drag and at what threshold; and what happens to "
        "a bad leaver's shares.",
        (
            ("fact", "who appoints the chair"),
            ("fact", "what needs unanimous consent"),
            ("yes_no", "whether there is a drag and at what threshold"),
            ("fact", "what happens to a bad leaver's shares"),
        ),
    ),
    (
        "Summarise the indemnities in both MSAs and flag anything unusual.",
        (
            ("fact", "Summarise the indemnities in both MSAs"),
            ("judgment", "flag anything unusual"),
        ),
    ),
    (
        "I represent the buyer. The seller told us yesterday that the licence might lapse. Is that right? "
        "If so when, and who has to renew it?",
        (
            ("yes_no", "The seller told us yesterday that the licence might lapse. Is that right"),
            ("fact", "If so when"),
            ("fact", "who has to renew it"),
        ),
    ),
    (
        "Review the attached draft NDA against our playbook and client instructions, and prepare a "
        "prioritized issues memo. Output: `nda-issues-memorandum.docx`.",
        (("judgment", "prepare a prioritized issues memo"),),
    ),
    (
        "My client, Mr. Osei, was dismissed on 4 May. He had worked there for eleven years. He got no "
        "notice. How much notice was he due under the contract, how much holiday pay, and what is the last "
        "day to bring the claim?",
        (
            ("calculation", "How much notice was he due under the contract"),
            ("fact", "how much holiday pay"),
            ("calculation", "what is the last day to bring the claim"),
        ),
    ),
    (
        "Amendments needed to the consultancy agreement: 1. fee up from £600 to £650 a day; 2. notice "
        "period to be one month; 3. remove the non-compete. Everything else stays. Also a short covering "
        "email to the client.",
        (
            ("drafting", "fee up from £600 to £650 a day"),
            ("drafting", "notice period to be one month"),
            ("drafting", "remove the non-compete"),
            ("constraint", "Everything else stays"),
            ("drafting", "Also a short covering email to the client"),
        ),
    ),
    (
        "What does the side letter say about fees? And the LPA?",
        (
            ("fact", "What does the side letter say about fees"),
            ("fact", "And the LPA"),
        ),
    ),
    (
        "Rent? Deposit? Who repairs the roof? Can they keep a dog?",
        (
            ("fact", "Rent"),
            ("fact", "Deposit"),
            ("fact", "Who repairs the roof"),
            ("yes_no", "Can they keep a dog"),
        ),
    ),
    (
        "I would be grateful if you could confirm the limitation period, the date on which it expires and "
        "whether service by email is permitted.",
        (
            ("fact", "the limitation period"),
            ("fact", "the date on which it expires"),
            ("yes_no", "whether service by email is permitted"),
        ),
    ),
    (
        "For the avoidance of doubt we do not need advice on tax. We do need: the purchase price and how "
        "it is adjusted; any earn-out; the escrow, how much, how long; and the long-stop date.",
        (
            ("fact", "the purchase price"),
            ("fact", "how it is adjusted"),
            ("fact", "any earn-out"),
            ("fact", "the escrow, how much, how long"),
            ("fact", "the long-stop date"),
        ),
    ),
    (
        "The tenant, Bright Foods Ltd, has stopped paying. The guarantor is Mrs Lin. What can the landlord "
        "do about it under the lease, can he go after Mrs Lin straight away and for how much?",
        (
            ("fact", "What can the landlord do about it under the lease"),
            ("yes_no", "can he go after Mrs Lin straight away and for how much"),
        ),
    ),
    (
        "Compare the two loan agreements on: interest, default interest, prepayment, financial covenants, "
        "events of default.",
        (
            ("comparison", "interest"),
            ("comparison", "default interest"),
            ("comparison", "prepayment"),
            ("comparison", "financial covenants"),
            ("comparison", "events of default"),
        ),
    ),
    (
        "Please advise.",
        (("judgment", "Please advise"),),
    ),
    (
        "Draft a reply to the landlord refusing consent, and tell me what grounds the lease allows.",
        (
            ("drafting", "Draft a reply to the landlord refusing consent"),
            ("fact", "tell me what grounds the lease allows"),
        ),
    ),
    (
        "Under the distribution agreement, what is the territory, is it exclusive, what are the minimum "
        "purchase quantities for years 1 to 3, and does the distributor get anything on termination?",
        (
            ("fact", "Under the distribution agreement, what is the territory"),
            ("yes_no", "is it exclusive"),
            ("list", "what are the minimum purchase quantities for years 1 to 3"),
            ("yes_no", "does the distributor get anything on termination"),
        ),
    ),
    (
        "We need a chronology (date, event, source) from the first meeting in 2018 to the issue of the "
        "claim form. It must include the board meetings, each e-mail from Mr Petrov and both site visits.",
        (
            ("timeline", "the board meetings"),
            ("timeline", "each e-mail from Mr Petrov"),
            ("timeline", "both site visits"),
        ),
    ),
    (
        "Kindly revert with: a) effective date b) parties c) consideration d) termination triggers",
        (
            ("fact", "effective date"),
            ("fact", "parties"),
            ("fact", "consideration"),
            ("fact", "termination triggers"),
        ),
    ),
    (
        "Whether or not the assignment clause is enforceable, I want to know what it says. Nothing more than that.",
        (
            ("judgment", "Whether or not the assignment clause is enforceable, I want to know what it says"),
            ("constraint", "Nothing more than that"),
        ),
    ),
    (
        "Mark up clause 14 so that liability is capped at 150% of the annual fees (currently 100%) and "
        "clause 15.2 so the carve-out for data breaches goes. Clause 20: 60 days, not 30.",
        (
            ("drafting", "Mark up clause 14 so that liability is capped at 150% of the annual fees (currently 100%)"),
            ("drafting", "clause 15.2 so the carve-out for data breaches goes"),
            ("drafting", "60 days, not 30"),
        ),
    ),
    (
        "The buyer wants to close on 30 June. The bank's consent is outstanding. List every condition to "
        "closing with who must satisfy it, and say which of them are still open.",
        (
            ("list", "List every condition to closing with who must satisfy it"),
            ("fact", "say which of them are still open"),
        ),
    ),
    (
        "Who are the parties to each agreement, when was each signed and which of them have expired? "
        "Please put the answer in a spreadsheet with one tab per counterparty.",
        (
            ("fact", "Who are the parties to each agreement"),
            ("fact", "when was each signed"),
            ("fact", "which of them have expired"),
            ("constraint", "Please put the answer in a spreadsheet with one tab per counterparty"),
        ),
    ),
    (
        "A few things from the board: (1) can we pay a dividend this year; (2) what majority do we need to "
        "change the articles; and (3) does the side letter with Oakes survive. On (1) assume profits of "
        "£2m.",
        (
            ("yes_no", "can we pay a dividend this year"),
            ("fact", "what majority do we need to change the articles"),
            ("yes_no", "does the side letter with Oakes survive"),
            ("constraint", "On (1) assume profits of £2m"),
        ),
    ),
    (
        "We need to understand our exposure if the plant stays shut in August. What are the take-or-pay "
        "volumes, is there force majeure relief, and what notice do we have to give? I doubt that we can "
        "rely on it but would like your view.",
        (
            ("judgment", "We need to understand our exposure if the plant stays shut in August"),
            ("list", "What are the take-or-pay volumes"),
            ("yes_no", "is there force majeure relief"),
            ("fact", "what notice do we have to give"),
            ("judgment", "I doubt that we can rely on it but would like your view"),
        ),
    ),
    (
        "Re: Caldwell v. Trent Shipping, our ref 22/118. Attached are the bill of lading, the survey and "
        "the charterparty. Work out the demurrage due, showing the arithmetic, and the last date for suit. "
        "Who is the carrier? Is the Himalaya clause any use to us?",
        (
            ("calculation", "Work out the demurrage due"),
            ("constraint", "showing the arithmetic"),
            ("calculation", "the last date for suit"),
            ("fact", "Who is the carrier"),
            ("yes_no", "Is the Himalaya clause any use to us"),
        ),
    ),
    (
        "Team, our client Larkspur Dairy has a cold chain contract with Nordfrost. Larkspur's plant burned "
        "down on 2 February. I'm told the insurer is reserving its position. What I want to find out is "
        "whether Larkspur can suspend its volume commitment, when it has to tell Nordfrost, and in what "
        "form. Also what Nordfrost may charge for idle trucks. Could the bank call a default? Not our "
        "question, leave it out.",
        (
            ("yes_no", "What I want to find out is whether Larkspur can suspend its volume commitment"),
            ("fact", "when it has to tell Nordfrost, and in what form"),
            ("fact", "Also what Nordfrost may charge for idle trucks"),
            ("yes_no", "Could the bank call a default"),
            ("constraint", "leave it out"),
        ),
    ),
    (
        "I need the following by Thursday: a summary of the change of control provisions in the three "
        "leases; whether the earn-out survives; an email to the client explaining both; and your thoughts "
        "on sequencing.",
        (
            ("fact", "a summary of the change of control provisions in the three leases"),
            ("yes_no", "whether the earn-out survives"),
            ("drafting", "an email to the client explaining both"),
            ("judgment", "your thoughts on sequencing"),
        ),
    ),
    (
        "Sarah asked me to ask you: does the licence let them sublicense to affiliates, is there an audit "
        "right (how often? who pays?), what happens to prepaid fees on termination.",
        (
            ("yes_no", "does the licence let them sublicense to affiliates"),
            ("yes_no", "is there an audit right (how often? who pays?)"),
            ("fact", "what happens to prepaid fees on termination"),
        ),
    ),
    (
        "Please find attached the employment contract and the handbook. The employee resigned on 1 May "
        "with immediate effect. Is she in breach? How long is her notice period, can we put her on garden "
        "leave, and are the post-termination restrictions likely to hold up? NB the contract was varied in "
        "2021.",
        (
            ("yes_no", "Is she in breach"),
            ("fact", "How long is her notice period"),
            ("yes_no", "can we put her on garden leave"),
            ("judgment", "are the post-termination restrictions likely to hold up"),
        ),
    ),
    (
        "Have they ever waived the default? Where does it say so? Quote it.",
        (
            ("yes_no", "Have they ever waived the default"),
            ("fact", "Where does it say so"),
            ("constraint", "Quote it"),
        ),
    ),
    (
        "For the lease: rent, term, break. For the sublease: rent, alienation. For both: who insures.",
        (
            ("fact", "rent"),
            ("fact", "term"),
            ("fact", "break"),
            ("fact", "rent"),
            ("fact", "alienation"),
            ("fact", "who insures"),
        ),
    ),
    (
        "we r looking at 2 ndas. how long do they last. can we show our lawyers. which is better 4 us",
        (
            ("fact", "how long do they last"),
            ("yes_no", "can we show our lawyers"),
            ("judgment", "which is better 4 us"),
        ),
    ),
    (
        "As discussed this morning, the tenant wants to assign. Under what conditions can it, what must it "
        "give us first, how long do we have to answer, and what if we stay silent? I assume silence is "
        "consent but please check. The surveyor's report can be ignored.",
        (
            ("fact", "Under what conditions can it"),
            ("fact", "what must it give us first"),
            ("fact", "how long do we have to answer, and what if we stay silent"),
            ("fact", "I assume silence is consent but please check"),
        ),
    ),
    (
        "1. Parties and date.\n2. What is being sold and for how much?\n3. Conditions (list them with the "
        "responsible party).\n4. Warranties: time limits and caps.\n5. Anything odd.",
        (
            ("fact", "Parties"),
            ("fact", "date"),
            ("fact", "What is being sold and for how much"),
            ("list", "Conditions (list them with the responsible party)"),
            ("fact", "time limits"),
            ("fact", "caps"),
            ("fact", "Anything odd"),
        ),
    ),
    (
        "Kindly note that the arbitration seat is disputed. Counsel for respondent contends it is Geneva. "
        "Advise which seat the contract names, the rules that apply, number of arbitrators and language. "
        "If the clause is pathological, say why.",
        (
            ("fact", "Advise which seat the contract names, the rules that apply, number of arbitrators and language"),
            ("fact", "If the clause is pathological, say why"),
        ),
    ),
    (
        "Which contracts have a most-favoured-nation clause? None, I hope. If there is one, what does it "
        "cover and until when?",
        (
            ("list", "Which contracts have a most-favoured-nation clause"),
            ("fact", "If there is one, what does it cover and until when"),
        ),
    ),
    (
        "Dear Counsel,\n\nI refer to our telephone conference of yesterday. As agreed, you will please "
        "review the Framework Agreement (Anlage 1) and inform us about:\n- the possibility of an ordinary "
        "termination by us\n- the consequences for the already ordered quantities\n- which law is applicable "
        "and where we can be sued.\nFurthermore we kindly ask for a draft of the termination letter.\n\nWith "
        "best regards\nDr. Weber",
        (
            ("fact", "the possibility of an ordinary termination by us"),
            ("fact", "the consequences for the already ordered quantities"),
            ("fact", "which law is applicable"),
            ("fact", "where we can be sued"),
            ("drafting", "Furthermore we kindly ask for a draft of the termination letter"),
        ),
    ),
    (
        "Mark this up for the lender please. Section 6.1(c): cure period from 10 to 5 business days. 7.2: "
        'delete "material". Add a negative pledge. Interest: SOFR + 4.25% (now 3.75%). Don\'t touch the '
        "reps.",
        (
            ("drafting", "Mark this up for the lender please"),
            ("drafting", "cure period from 10 to 5 business days"),
            ("drafting", 'delete "material"'),
            ("drafting", "Add a negative pledge"),
            ("drafting", "SOFR + 4.25% (now 3.75%)"),
            ("constraint", "Don't touch the reps"),
        ),
    ),
    (
        "Amend the shareholders agreement so that Board decisions need 4 of 5 directors, the tag threshold "
        "drops to 25%, and clause 12 (exclusivity) is gone.",
        (
            ("drafting", "Amend the shareholders agreement so that Board decisions need 4 of 5 directors"),
            ("drafting", "the tag threshold drops to 25%"),
            ("drafting", "clause 12 (exclusivity) is gone"),
        ),
    ),
    (
        "Timeline for the hearing bundle: when the machine was ordered; when it arrived; the first "
        "breakdown; every repair; the letter before action. Note any gaps.",
        (
            ("timeline", "when the machine was ordered"),
            ("timeline", "when it arrived"),
            ("timeline", "the first breakdown"),
            ("timeline", "every repair"),
            ("timeline", "the letter before action"),
            ("fact", "Note any gaps"),
        ),
    ),
    (
        "What are the top three risks in this contract for a small supplier, and what would you change?",
        (
            ("judgment", "What are the top three risks in this contract for a small supplier"),
            ("judgment", "what would you change"),
        ),
    ),
    (
        "Deposit: how much, who holds it, when is it returned and with interest or without?",
        (
            ("fact", "how much"),
            ("fact", "who holds it"),
            ("fact", "when is it returned and with interest or without"),
        ),
    ),
    (
        "Has rent been paid to date, what is in arrears, and what default interest has accrued to 30 June "
        "2024 at the contract rate? Show workings.",
        (
            ("yes_no", "Has rent been paid to date"),
            ("fact", "what is in arrears"),
            ("calculation", "what default interest has accrued to 30 June 2024 at the contract rate"),
            ("constraint", "Show workings"),
        ),
    ),
    (
        "Under FRCP 12, when is the answer due if service was on 5 March 2024 by waiver? What if it was "
        "personal service? And can a motion to dismiss extend it?",
        (
            ("calculation", "Under FRCP 12, when is the answer due if service was on 5 March 2024 by waiver"),
            ("fact", "What if it was personal service"),
            ("yes_no", "And can a motion to dismiss extend it"),
        ),
    ),
    (
        "Tell me about the guarantee.",
        (("fact", "Tell me about the guarantee"),),
    ),
)
