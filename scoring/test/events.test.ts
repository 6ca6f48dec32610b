import assert from "node:assert/strict";
import test from "node:test";
import { eventOf, eventTypes } from "../src/flash/events/events.ts";

/** Kind of event, three headlines of it, two that only look like it. */
const cases: readonly (readonly [string, readonly [string, string, string], readonly [string, string]])[] = [
  [
    "trade halt",
    [
      "Orbitex shares halted, news pending",
      "Trading in Novelara suspended on DEMO: trading halt",
      "Exchange halts trading in Halvorn",
    ],
    ["Orbitex halts production at Lyon", "Bus service suspended in the capital"],
  ],
  [
    "market wrap",
    ["Stock market today: banks lead", "Wall Street ends mixed", "European shares slip as yields climb"],
    ["Orbitex opens shop on Market Street", "Brightwick signs lease in Dow building"],
  ],
  [
    "option alert",
    [
      "Unusual options activity in Orbitex",
      "Option alert: Veritarn March calls sweep",
      "Halvorn put buyers pile in",
    ],
    ["Veritarn adds option to pay monthly", "Brightwick puts ovens in stores"],
  ],
  [
    "share move",
    ["Orbitex shares jump 12%", "Why Halvorn stock is moving", "Veritarn hits all-time high"],
    ["Orbitex to share factory with Norvik", "Brightwick restocks shelves"],
  ],
  [
    "law-firm notice",
    [
      "Investor alert: Orbitex holders asked to call",
      "Oakham Law Firm reminds Veritarn investors of deadline",
      "Lead plaintiff deadline in Halvorn case",
    ],
    ["Orbitex alerts customers to a fault", "Veritarn hires investor relations head"],
  ],
  [
    "earnings date",
    [
      "Orbitex to report third-quarter results on May 4",
      "Veritarn schedules first-quarter earnings call",
      "Halvorn Q2 earnings call transcript",
    ],
    ["Orbitex calls staff back to the office", "Brightwick hosts cooking class"],
  ],
  [
    "notice",
    [
      "Orbitex files annual report on Form 20-F",
      "Veritarn issues correction to table in interim report",
      "Halvorn publishes sustainability report",
    ],
    ["Orbitex reports annual profit", "Brightwick corrects course of its ferry"],
  ],
  [
    "conference",
    [
      "Orbitex to present at robotics meeting",
      "Halvorn sets annual meeting for June",
      "Veritarn holds investor day",
    ],
    ["Orbitex meets demand with third shift", "Brightwick presents flowers to mayor"],
  ],
  [
    "exclusive",
    ["Exclusive: Orbitex weighs new logo", "Interview: Orbitex founder looks back", "Opinion: robots and us"],
    ["Orbitex excludes two markets", "Veritarn views unchanged"],
  ],
  [
    "guidance up",
    [
      "Orbitex raises full-year outlook",
      "Veritarn lifts 2026 revenue guidance",
      "Brightwick boosts profit forecast",
    ],
    ["Orbitex raises roof of plant", "Veritarn repeats outlook"],
  ],
  [
    "guidance down",
    ["Orbitex cuts full-year outlook", "Veritarn withdraws guidance", "Brightwick issues profit warning"],
    ["Orbitex cuts ribbon at plant", "Weather warning closes Halvorn office"],
  ],
  [
    "preannouncement",
    [
      "Orbitex announces preliminary results",
      "Veritarn preannounces weak spring",
      "Brightwick gives preliminary revenue",
    ],
    ["Orbitex preliminary design wins prize", "Veritarn announces winners"],
  ],
  [
    "guidance",
    [
      "Orbitex gives outlook for autumn",
      "Veritarn sees FY revenue near $2B",
      "Brightwick guides for flat sales",
    ],
    ["Orbitex sees friends", "Museum guide praises Halvorn"],
  ],
  [
    "earnings beat",
    ["Orbitex beats estimates", "Veritarn tops Wall Street expectations", "Brightwick revenue beats"],
    ["Orbitex drummer beats loudly", "Veritarn tops list of employers"],
  ],
  [
    "earnings miss",
    ["Orbitex misses estimates", "Veritarn revenue miss", "Brightwick falls short"],
    ["Orbitex staff miss the bus", "Veritarn founder misses the sea"],
  ],
  [
    "earnings",
    ["Orbitex Q2 EPS $0.41 vs $0.33", "Veritarn swings to profit", "Brightwick posts quarterly loss"],
    ["Orbitex quarter-mile race held", "Non-profit group thanks Halvorn"],
  ],
  [
    "write-down",
    [
      "Veritarn to close furnace, take $30 mln writedown",
      "Write-offs fall by a third at Marrowdale",
      "Orbitex books $12 mln charge",
    ],
    ["Orbitex writes a new chapter", "Norvik to charge cars for free"],
  ],
  [
    "sales data",
    [
      "Dravenport monthly sales up",
      "Same-store sales rise at Brightwick",
      "Kestrelle delivered 41 aircraft in May",
    ],
    ["Orbitex hires head of sales", "Sale of flat closes"],
  ],
  [
    "rating change",
    ["Orbitex upgraded at Oakham", "Veritarn downgraded to sell", "Marrowdale debt cut to junk"],
    ["Orbitex grades its suppliers", "Veritarn clears junk from site"],
  ],
  [
    "buyback",
    [
      "Orbitex announces $1 billion buyback",
      "Veritarn to buy back up to 5 million shares",
      "Brightwick share repurchase plan",
    ],
    ["Orbitex buys a bakery", "Veritarn goes back to school"],
  ],
  [
    "dividend cut",
    ["Brightwick suspends dividend", "Orbitex cuts quarterly dividend", "Graydelve dividend suspension"],
    ["Brightwick suspends bridge model from roof", "Orbitex keeps dividend"],
  ],
  [
    "dividend",
    ["Brightwick declares quarterly dividend", "Orbitex lifts dividend", "Graydelve sets payout"],
    ["Training pays off at Orbitex", "Orbitex distributes leaflets"],
  ],
  [
    "stock split",
    [
      "Orbitex announces 3-for-1 stock split",
      "Veritarn plans reverse split",
      "Halvorn bonus shares approved by board",
    ],
    ["Orbitex splits in two teams", "Bonus track by Novelara"],
  ],
  [
    "deal target",
    [
      "Novelara to be acquired for $30 a share",
      "Halvorn gets takeover bid",
      "Veritarn explores possible sale",
    ],
    ["Orbitex acquired taste for tea, says founder jokingly", "Brightwick makes offer of free bread"],
  ],
  [
    "deal ended",
    [
      "Orbitex terminates merger with Norvik",
      "Novelara deal collapses",
      "Regulator blocks Brightwick takeover",
    ],
    ["Orbitex and Norvik merger agreed", "Deal of the day at Brightwick"],
  ],
  [
    "divestment",
    ["Orbitex to sell its welding unit", "Veritarn spin-off planned", "Brightwick sells dairy business"],
    ["Orbitex sells robots", "Halvorn spins a yarn"],
  ],
  [
    "deal",
    ["Orbitex acquires Teknoform", "Brightwick and Norvik agree merger", "Veritarn forms joint venture"],
    ["Orbitex emerges stronger", "Emerging artists paint Halvorn hall"],
  ],
  [
    "offering",
    ["Halvorn prices public offering", "Marrowdale rights issue", "Veritarn plans private placement"],
    ["Brightwick offers new bread", "Orbitex places robots in schools"],
  ],
  [
    "listing",
    ["Teknoform files for IPO", "Norvik to list in June", "Sturla debuts on DEMO"],
    ["Orbitex lists its values", "Halvorn on a shortlist"],
  ],
  [
    "approval",
    [
      "FDA clears Halvorn device",
      "Halvorn receives approval for heart drug",
      "Halvorn gets complete response letter",
    ],
    ["Orbitex staff approve of canteen", "Mayor thanks Halvorn"],
  ],
  [
    "clinical",
    ["Halvorn phase 3 study meets goal", "Halvorn trial fails", "Halvorn topline readout"],
    ["Orbitex in new phase of growth", "Brightwick studies bread"],
  ],
  [
    "insolvency",
    [
      "Novelara files for bankruptcy",
      "Novelara warns of going concern doubt",
      "Norvik enters administration",
    ],
    ["Orbitex chapter of engineers meets", "Administration building sold to city"],
  ],
  [
    "default",
    ["Norvik defaults on bonds", "Novelara misses interest payment", "Graydelve in covenant breach"],
    ["Orbitex changes password rule", "Payment app by Veritarn"],
  ],
  [
    "delisting",
    ["Novelara gets delisting notice", "Tidewyn regains compliance", "Norvik receives noncompliance letter"],
    ["Halvorn listed among best employers", "Orbitex puts up a notice"],
  ],
  [
    "accounts in doubt",
    ["Marrowdale to restate 2025 accounts", "Novelara finds material weakness", "Norvik auditor resigns"],
    ["Orbitex states its aims", "Orbitex picks material for robot arm"],
  ],
  [
    "cyber incident",
    ["Veritarn hit by ransomware", "Marrowdale data breach", "Sturla outage cuts off towns"],
    ["Orbitex data centre cooled", "Brightwick wins bake-off"],
  ],
  [
    "layoffs",
    ["Orbitex to cut 2,000 jobs", "Veritarn layoffs begin", "Brightwick lays off staff"],
    ["Orbitex creates jobs", "Norvik lays cable"],
  ],
  [
    "short report",
    [
      "Short seller targets Veritarn",
      "Short report on Orbitex is out",
      "Hindenburg Research bets against Norvik",
    ],
    ["Orbitex shorts circuit", "Halvorn in short film"],
  ],
  [
    "analyst view",
    [
      "Oakham raises Orbitex price target",
      "Veritarn initiated at overweight",
      "Analysts split over Brightwick",
    ],
    ["Orbitex on target for June start", "Veritarn trains data scientists"],
  ],
  [
    "insider trade",
    ["Orbitex CEO buys 20,000 shares", "Insider buying at Veritarn", "Director sells stock at Norvik"],
    ["Orbitex film director visits", "Veritarn sells software"],
  ],
  [
    "stake",
    ["Activist takes aim at Orbitex", "Oakham discloses 6% stake in Veritarn", "Proxy fight at Norvik"],
    ["Orbitex meets its stakeholders", "Brightwick grills steak"],
  ],
  [
    "recall",
    ["Dravenport recalls 40,000 cars", "Brightwick recall of cheese", "Halvorn recalling pumps"],
    ["Founder remembers early days", "Dravenport calls customers"],
  ],
  [
    "fine",
    ["Marrowdale fined over controls", "Veritarn to pay $3 million fine", "Norvik settlement with city"],
    ["Orbitex refines its arm", "Weather is nice at Halvorn"],
  ],
  [
    "legal",
    ["Veritarn sued over patents", "Judge rules on Orbitex", "Antitrust probe into Norvik"],
    ["Halvorn issues calendar", "Orbitex courts young engineers"],
  ],
  [
    "contract",
    ["Kestrelle wins order for 12 jets", "Orbitex awarded navy contract", "Norvik bags tower orders"],
    ["Kestrelle in good order", "Orbitex winners named"],
  ],
  [
    "partnership",
    [
      "Orbitex partners with Norvik",
      "Veritarn and Sturla sign agreement",
      "Halvorn in collaboration with university",
    ],
    ["Orbitex parts washed", "Veritarn agrees to disagree"],
  ],
  [
    "management",
    ["Orbitex names Jane Roe CEO", "Norvik chairman steps down", "Veritarn appoints finance head"],
    ["Brightwick gives bread a new look", "Orbitex robot climbs stairs in test"],
  ],
  [
    "debt",
    ["Marrowdale gets term loan", "Norvik refinances", "Graydelve notes due 2031"],
    ["Orbitex bonding glue", "Brightwick notebook sold out"],
  ],
  [
    "plant",
    ["Orbitex builds plant in Lyon", "Refinery strike at Graydelve", "Ferrowyn output steady"],
    ["Halvorn plants trees", "Striking colours by Novelara"],
  ],
  [
    "index change",
    ["Orbitex to join DEMO 50 index", "Veritarn added to index", "Norvik to replace Sturla in index"],
    ["Orbitex joins charity run", "Index finger robot by Orbitex in tests"],
  ],
  [
    "rate decision",
    ["Fed cuts interest rates", "ECB holds rates", "Bank of Velmark raises interest rates"],
    ["Orbitex cuts rates for robots", "Marrowdale rates its branches"],
  ],
  [
    "economic data",
    ["Fed keeps policy", "GDP grew 2% in spring", "Payrolls beat hopes"],
    ["Federal holiday closes Orbitex office", "Inflating balloons with Halvorn"],
  ],
  [
    "product",
    ["Orbitex launches new arm", "Veritarn unveils ledger", "Brightwick new product line tastes of rye"],
    ["Lunch at Orbitex", "Veiled portrait hangs at Novelara"],
  ],
];

for (const [kind, positives, nearMisses] of cases)
  test(`${kind}: three headlines of the kind, two that only look like it`, () => {
    for (const title of positives) assert.equal(eventOf(title).name, kind, title);
    for (const title of nearMisses) assert.notEqual(eventOf(title).name, kind, title);
  });

test("every kind is tried, and there are more than thirty", () => {
  assert.deepEqual(new Set(cases.map(([kind]) => kind)), new Set(eventTypes.map(({ name }) => name)));
  assert.ok(eventTypes.length >= 31);
});
