import assert from "node:assert/strict";
import { test } from "node:test";
import { proByRules } from "../../src/pro/pro.ts";
import type { NumberFact } from "../../src/pro/types.ts";
import { artifact } from "../fixtures.ts";

const factsIn = (body: string): readonly NumberFact[] =>
  proByRules(artifact("Halvorn reports", body), []).facts;

type Wanted = Partial<Omit<NumberFact, "evidence">>;

const stated: readonly (readonly [sentence: string, ...facts: Wanted[]])[] = [
  [
    "Revenue rose 12% to $5.2 billion from $4.64 billion a year earlier.",
    {
      metric: "revenue",
      value: 5.2e9,
      yearAgo: 4.64e9,
      changePct: 12,
      unit: "currency",
      currency: "USD",
      kind: "reported",
    },
  ],
  [
    "Revenue was $5.2 billion, above analysts' estimates of $4.9 billion.",
    { metric: "revenue", value: 5.2e9, consensus: 4.9e9, outcome: "beat" },
  ],
  [
    "Adjusted EPS of $1.20 beat the consensus of $1.10.",
    { metric: "eps", value: 1.2, consensus: 1.1, outcome: "beat", adjusted: true, unit: "per_share" },
  ],
  ["EPS $1.20 vs. $1.25 expected.", { metric: "eps", value: 1.2, consensus: 1.25, outcome: "miss" }],
  [
    "Net income of $310 million, or $2.10 per diluted share, compared with $250 million, or $1.70 per diluted share, a year ago.",
    { metric: "net_income", value: 3.1e8, yearAgo: 2.5e8, changePct: 24 },
    { metric: "eps", value: 2.1, yearAgo: 1.7 },
  ],
  [
    "Net loss narrowed to $12 million, or 8 cents a share, from $30 million, or 21 cents a share.",
    { metric: "net_income", value: -12e6, yearAgo: -30e6 },
    { metric: "eps", value: -0.08, yearAgo: -0.21 },
  ],
  [
    "The company expects second-quarter revenue of $1.3 billion to $1.4 billion.",
    { metric: "revenue", kind: "guidance", value: 1.35e9, range: [1.3e9, 1.4e9], period: "Q2" },
  ],
  [
    "It now sees full-year EPS between $4.10 and $4.30, up from its previous forecast of $3.90.",
    { metric: "eps", kind: "guidance", value: 4.2, range: [4.1, 4.3], previous: 3.9, period: "FY" },
  ],
  [
    "Gross margin expanded to 45.2% from 43.1%.",
    { metric: "gross_margin", value: 45.2, yearAgo: 43.1, unit: "percent", currency: null },
  ],
  [
    "Q1 revenue of $1.2B missed the $1.25B analysts expected.",
    { metric: "revenue", value: 1.2e9, consensus: 1.25e9, outcome: "miss", period: "Q1" },
  ],
  [
    "Halvorn agreed to acquire Brackwell for $3.2 billion in cash.",
    { metric: "deal_value", kind: "deal", value: 3.2e9, currency: "USD" },
  ],
  [
    "The transaction, a merger valued at about €900 million, is expected to close in June.",
    { metric: "deal_value", value: 9e8, currency: "EUR" },
  ],
  [
    "Sales fell 3 percent to EUR 410 million.",
    { metric: "revenue", value: 4.1e8, currency: "EUR", changePct: -3 },
  ],
  [
    "Fourth quarter 2025 revenue was $88.4 million compared to $101.2 million in the prior year period.",
    { metric: "revenue", value: 88.4e6, yearAgo: 101.2e6, period: "Q4 2025" },
  ],
  [
    "Revenue totaled £2.1bn, in line with the £2.1bn consensus.",
    { metric: "revenue", value: 2.1e9, currency: "GBP", consensus: 2.1e9, outcome: "in_line" },
  ],
  [
    "Diluted EPS was $0.42 versus $0.37 in the same quarter last year.",
    { metric: "eps", value: 0.42, yearAgo: 0.37 },
  ],
  [
    "Operating income increased 18% to $120 million.",
    { metric: "operating_income", value: 1.2e8, changePct: 18 },
  ],
  [
    "Adjusted EBITDA came in at $75.5 million, below estimates of $80 million.",
    { metric: "ebitda", value: 75.5e6, consensus: 8e7, outcome: "miss", adjusted: true },
  ],
  [
    "Free cash flow was $210 million, compared with $190 million a year earlier.",
    { metric: "free_cash_flow", value: 2.1e8, yearAgo: 1.9e8 },
  ],
  [
    "For fiscal 2026, Halvorn expects adjusted earnings of $3.10 to $3.30 per share.",
    { metric: "eps", kind: "guidance", range: [3.1, 3.3], period: "FY 2026" },
  ],
  ["The company posted a net loss of $45.2 million.", { metric: "net_income", value: -45.2e6 }],
  [
    "Net loss per share was $(0.15) compared to $(0.22) in the first quarter of 2025.",
    { metric: "eps", value: -0.15, yearAgo: -0.22 },
  ],
  [
    "Revenue for the three months ended March 31, 2026 was $12,400,000.",
    { metric: "revenue", value: 12.4e6, period: "3M 2026" },
  ],
  [
    "Net profit jumped 40% to Rs 1,250 crore from Rs 893 crore.",
    { metric: "net_income", value: 12.5e9, yearAgo: 8.93e9, currency: "INR", changePct: 40 },
  ],
  [
    "Net sales decreased 8.5% to C$640 million.",
    { metric: "revenue", value: 6.4e8, currency: "CAD", changePct: -8.5 },
  ],
  [
    "Total revenues of $1.05 billion exceeded the consensus estimate of $1.01 billion.",
    { metric: "revenue", value: 1.05e9, consensus: 1.01e9, outcome: "beat" },
  ],
  [
    "Earnings of $1.35 per share topped Wall Street expectations of $1.28 per share.",
    { metric: "eps", value: 1.35, consensus: 1.28, outcome: "beat" },
  ],
  [
    "The company reported $640 million in revenue, up 7% from a year ago.",
    { metric: "revenue", value: 6.4e8, changePct: 7 },
  ],
  [
    "Halvorn raised its full-year revenue guidance to $2.4 billion from $2.2 billion.",
    { metric: "revenue", kind: "guidance", value: 2.4e9, previous: 2.2e9 },
  ],
  [
    "It cut its 2026 revenue forecast to between $900 million and $950 million, from $1.1 billion previously.",
    { metric: "revenue", kind: "guidance", range: [9e8, 9.5e8], previous: 1.1e9 },
  ],
  [
    "Operating margin fell to 11.5% from 13.0% a year earlier.",
    { metric: "operating_margin", value: 11.5, yearAgo: 13 },
  ],
  ["Order backlog stood at $1.9 billion, up 15%.", { metric: "backlog", value: 1.9e9, changePct: 15 }],
  ["Bookings grew to $310 million from $275 million.", { metric: "bookings", value: 3.1e8, yearAgo: 2.75e8 }],
  ["EPS of $0.55 beat estimates by $0.05.", { metric: "eps", value: 0.55, consensus: 0.5, outcome: "beat" }],
  [
    "Revenue is expected to be $500 million, plus or minus 2%.",
    { metric: "revenue", kind: "guidance", range: [4.9e8, 5.1e8] },
  ],
  [
    "Profit of 85 cents a share missed the 90 cents expected by analysts.",
    { metric: "eps", value: 0.85, consensus: 0.9, outcome: "miss" },
  ],
  [
    "Second-half revenue rose to ¥410 billion, against ¥395 billion a year earlier.",
    { metric: "revenue", value: 4.1e11, currency: "JPY", yearAgo: 3.95e11 },
  ],
  [
    "Brackwell shareholders will receive $45.00 per share in cash in the acquisition, valuing the company at $1.8 billion.",
    { metric: "deal_value", unit: "currency", value: 1.8e9 },
  ],
  [
    "Nine months ended September 30, 2025 revenue of $310.4 million, up from $290.1 million.",
    { metric: "revenue", value: 310.4e6, yearAgo: 290.1e6, period: "9M 2025" },
  ],
  ["Q3 FY26 net profit stood at $4.2 million.", { metric: "net_income", value: 4.2e6 }],
  ["The $2.5 billion takeover bid was announced on Monday.", { metric: "deal_value", value: 2.5e9 }],
  [
    "Revenue was $1.2 billion. Analysts polled by LSEG had expected revenue of $1.1 billion.",
    { metric: "revenue", value: 1.2e9, consensus: 1.1e9, outcome: "beat" },
  ],
  [
    "Profit was $1.02 per share on revenue of $3.3 billion. Analysts had forecast a profit of $1.10 per share on revenue of $3.4 billion.",
    { metric: "eps", value: 1.02, consensus: 1.1, outcome: "miss" },
    { metric: "revenue", value: 3.3e9, consensus: 3.4e9, outcome: "miss" },
  ],
  [
    "The first quarter brought revenue of $90 million. Net income was $9 million.",
    { metric: "revenue", period: "Q1" },
    { metric: "net_income", value: 9e6, period: "Q1" },
  ],
  [
    "Revenue came in at $75 million, ahead of consensus.",
    { metric: "revenue", value: 75e6, consensus: null, outcome: "beat" },
  ],
  [
    "Net sales increased $415 million or 27% to $1.945 billion.",
    { metric: "revenue", value: 1.945e9, changePct: 27 },
  ],
  [
    "Net sales for the 39-week fiscal period ended November 2, 2024 decreased 4.6 percent to $838.5 million from net sales of $878.7 million.",
    { metric: "revenue", value: 838.5e6, yearAgo: 878.7e6, changePct: -4.6, period: "9M 2024" },
  ],
  [
    "Net loss per share was $0.12, compared with net income per share of $0.05 a year earlier.",
    { metric: "eps", value: -0.12 },
  ],
  [
    "Revenue decreased 1%, or $1.2 million, to $110.8 million.",
    { metric: "revenue", value: 110.8e6, changePct: -1 },
  ],
  [
    "Revenue of US$1.4 billion and gross margin of 38.5% were reported for Q2 2026.",
    { metric: "revenue", value: 1.4e9, currency: "USD", period: "Q2 2026" },
    { metric: "gross_margin", value: 38.5 },
  ],
  [
    "Quarterly sales of $4.10 billion missed the analyst consensus estimate of $4.20 billion by 2.4 percent.",
    { metric: "revenue", value: 4.1e9, consensus: 4.2e9, outcome: "miss", changePct: null },
  ],
  [
    "Q4 Adjusted EPS $0.85 Beats $0.80 Estimate, Sales $1.12B Miss $1.15B Estimate",
    { metric: "eps", value: 0.85, consensus: 0.8, outcome: "beat", adjusted: true, period: "Q4" },
    { metric: "revenue", value: 1.12e9, consensus: 1.15e9, outcome: "miss" },
  ],
  [
    "Sees FY26 EPS $3.40-$3.60 vs $3.55 Est.; Sees FY26 Revenue $12.1B-$12.5B vs $12.0B Est.",
    { metric: "eps", kind: "guidance", range: [3.4, 3.6], consensus: 3.55, outcome: "miss" },
    {
      metric: "revenue",
      kind: "guidance",
      range: [12.1e9, 12.5e9],
      consensus: 12e9,
      outcome: "beat",
      period: "FY 2026",
    },
  ],
  [
    "Group revenue increased by 6% to €1.84 billion (2024: €1.73 billion).",
    { metric: "revenue", value: 1.84e9, yearAgo: 1.73e9, currency: "EUR" },
  ],
  [
    "Net loss for the quarter was $(14.2) million, or $(0.11) per share, compared to net loss of $(18.9) million, or $(0.16) per share, for the same period in 2024.",
    { metric: "net_income", value: -14.2e6, yearAgo: -18.9e6 },
    { metric: "eps", value: -0.11, yearAgo: -0.16 },
  ],
  [
    "Excluding items, the company earned $1.29 per share, compared with expectations of $1.33.",
    { metric: "eps", value: 1.29, consensus: 1.33, outcome: "miss" },
  ],
  [
    "Guidance for Q2 2026: Revenue of $820 to $840 million and non-GAAP EPS of $0.56 to $0.58.",
    { metric: "revenue", kind: "guidance", range: [8.2e8, 8.4e8], period: "Q2 2026" },
    { metric: "eps", kind: "guidance", range: [0.56, 0.58], adjusted: true },
  ],
  [
    "It narrowed its profit forecast for the year to $3.00 to $3.10 per share from $2.90 to $3.20 per share.",
    { metric: "eps", kind: "guidance", range: [3, 3.1], value: 3.05, previous: 3.05 },
  ],
  [
    "Net revenue rose 3.4% to 12.3 billion yuan.",
    { metric: "revenue", value: 12.3e9, currency: "CNY", changePct: 3.4 },
  ],
];

for (const [sentence, ...wanted] of stated)
  test(`the figures are read from: ${sentence}`, () => {
    const found = factsIn(sentence);
    for (const want of wanted) {
      const candidates = found.filter(
        ({ metric, unit }) => metric === want.metric && (want.unit ?? unit) === unit,
      );
      const picked = candidates.map((fact) =>
        Object.fromEntries(Object.keys(want).map((key) => [key, Reflect.get(fact, key)])),
      );
      assert.ok(candidates.length > 0, `no ${want.metric} in ${JSON.stringify(found)}`);
      assert.deepEqual(picked[0], want);
    }
  });

const silent: readonly string[] = [
  "The company employs 5,200 people in 14 countries.",
  "Cost of revenue was $3.1 billion.",
  "Cloud revenue rose 30% to $900 million.",
  "Research expenses were 12% of revenue.",
  "Halvorn was founded in 1998.",
  "The impairment loss of $40 million was booked in May.",
  "Sales representatives met 400 customers.",
  "Deferred revenue was $220 million.",
  "Profit before tax was £48.2m.",
  "Net sales include $3.3 billion that had been paid before.",
  "Revenue per unit shipped was $1,820.",
  "Average net sales of $1,820 were comparable to the $1,813 of a year ago.",
  "The aggregate sales price may not exceed $4,000,000,000.",
  "Net sales $ 1,945 $ 1,530 $ 4,288 $ 3,240",
  "Earnings per share for the periods ended July 1, 2023 are in Note 9.",
  "Revenue recognized that was included in deferred revenue was $3.1 billion.",
];
for (const sentence of silent)
  test(`no figure of results is read from: ${sentence}`, () => {
    assert.deepEqual(factsIn(sentence), []);
  });
