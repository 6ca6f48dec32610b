/** What happens to a company: insolvency, courts, regulators, markets. */
import { type Entry, rule } from "./phrase-rules.ts";

export const distress: readonly Entry[] = [
  rule(
    -5,
    "Insolvency",
    `file+ for ~3 bankruptcy|insolvency|administration|creditor|liquidation
     file+ chapter #
     chapter 11|7|15
     goes|go|went bankrupt|bust
     enters|entered|into ~1 administration|receivership|liquidation|insolvency
     going concern
     liquidation|bankruptcy|insolvency proceedings|petition|filing|protection
     debt|corporate restructuring ~3 creditors|lenders`,
  ),
  rule(
    -4,
    "Default or delisting",
    `default|defaults|defaulted on
     missed|misses|miss ~3 interest|coupon|bond|debt|loan payment|payments
     delisting|deficiency|noncompliance notice|notification|letter
     receive+ ~5 delisting
     be|face|faces|facing delisted|delisting
     notice of delisting|noncompliance|non|default|deficiency
     breach+ ~3 covenant|covenants`,
  ),
  rule(
    -4,
    "Accounts in doubt",
    `non reliance
     no longer be relied
     to restate
     restate|restates|restatement|restating
     accounting irregularities|fraud|probe|scandal|errors|error
     material weakness|weaknesses
     auditor|auditors resign|resigns|resigned|quits
     delay|delays|delayed|late ~3 filing|filings|10|annual`,
  ),
  rule(-1.8, "Fine raised", `fine ~2 doubled|tripled|raised|increased`),
  rule(1.5, "Listing rule met", `regains|regained ?nasdaq|nyse ?listing compliance`),
  rule(
    1.2,
    "Write-downs fewer",
    `write downs|offs ~1 fall|falls|fell|fallen|drop|drops|dropped|halve+|decrease+|decline+
     writedowns|writeoffs|impairments ~1 fall|falls|fell|fallen|drop|drops|dropped|halve+|decrease+|decline+`,
  ),
  rule(
    -2,
    "Impairment",
    `impairment charge|charges|loss|losses
     write down|off|downs|offs
     writedown|writedowns|writeoff|writeoffs
     takes|records|books|recorded|took|booked ~5 impairment|writedown
     takes|records|books|recorded|took|booked ~2 #|million|billion|big|hefty|huge charge`,
  ),
];

export const courts: readonly Entry[] = [
  rule(
    1.8,
    "Case won",
    `win|wins|won ~4 lawsuit|case|appeal|ruling|verdict|dispute|suit|trial
     lawsuit|case|charges|suit|complaint|probe ?is|was|against ~2 dismissed|dropped|closed|thrown
     dismisses|dismissed|dismiss ~4 lawsuit|case|suit|charges|complaint
     cleared|acquitted of
     clears|cleared ~3 of ~2 liability|wrongdoing|charges|fraud|negligence
     freed|released from ~4 cap|consent|ban|curbs|restrictions|sanctions|order
     drops ~3 probe|investigation|charges|lawsuit
     clean chit`,
  ),
  rule(
    -2,
    "Legal trouble",
    `sued
     sues
     file+ ~2 lawsuit|suit against
     class action
     charged with|over
     indicted|indictment
     subpoena|subpoenaed|subpoenas
     antitrust probe|suit|case|lawsuit|investigation
     under investigation|scrutiny|probe
     investigates|investigating|investigation|investigated
     probing|probes|probe|probed
     raids|raided
     whistleblower|whistleblowers
     show cause notice
     found|held guilty|liable
     tax demand|notice|evasion`,
  ),
  rule(
    -1.8,
    "Fined",
    `fined
     fines
     penalty|penalties of|on
     fine|fines of|on|for
     pay ~4 fine|penalty|penalties|settlement|settle
     settlement of
     ordered|order ~2 to pay
     pay|pays|paid ~4 damages|compensation
     agrees|agreed to settle
     imposes|slaps ~3 fine|penalty`,
  ),
  rule(1, "Workers called back", "recall|recalls|recalled|recalling ~3 workers|employees|staff|crews"),
  rule(
    -2.2,
    "Recall",
    `recall|recalls|recalled|recalling
     product recall
     safety defect|recall|problem|concern|concerns`,
  ),
];

export const medicine: readonly Entry[] = [
  rule(
    -4,
    "Trial failed",
    `fail|fails|failed ~6 endpoint|endpoints|goal|goals|trial|study|phase
     did|does not ~5 endpoint|endpoints|goal|goals|significance
     didn't|doesn't ~5 endpoint|endpoints|goal|goals
     miss|misses|missed ~4 endpoint|endpoints|goal|goals
     trial|study|drug ~1 fails|failed|failure|flop|flops|halted|stopped|disappoints
     clinical hold
     discontinue+|halt|halts|halted|stop|stops|stopped|ends|pauses|paused ~5 trial|trials|study|dosing|enrollment
     discontinue+|stop|stops|stopped|stopping|ends|ending|halting ~5 development|program|programme|drug
     serious adverse`,
  ),
  rule(
    3.5,
    "Trial met its goal",
    `met|meets|meet|achieve+|reach+|hit|hits ~6 primary|main|secondary endpoint|endpoints|goal|goals
     met|meets|meet|achieve+|reach+ ~3 endpoint|endpoints
     positive ~5 data|topline|readout|trial|study|phase
     positive ~2 results ~3 trial|study|phase
     successful|promising ~3 trial|study|data
     statistically significant ~2 improvement|improvements|reduction|benefit
     shows|showed|shown|demonstrates|demonstrated ~5 efficacy|survival|benefit
     trial|study|drug succeeds|succeeded|works`,
  ),
  rule(
    3.5,
    "Approval",
    `@drugbody ?has approval|approves|approved|nod|clears|cleared|clearance|grants|granted|accepts|backs|recommends|endorses|ok|oks
     @win|received|granted|gain|gains|gained|has ~5 approval|approvals|permission|permit|clearance|nod|green|authorization|authorisation
     breakthrough|fast|orphan|priority|rmat ?track|drug|therapy designation|status|review
     approved|cleared by ~2 @drugbody
     european commission approves|approved|clears|approval
     recommended for approval
     @drugbody|committee|panel ~2 recommend+ ~1 approval
     cleared|permitted|authorised|authorized to ~1 sell|build|buy|market|start|resume|operate
     panel|committee|advisers backs|votes|recommends ~2 for|favor|approval`,
  ),
  rule(
    -4,
    "Approval refused",
    `complete response letter
     reject|rejects|rejected|refuses|refuse|declines|declined ~5 application|drug|approval|nda|bla|approve|filing
     @drugbody reject|rejects|rejected|rejection|refuses|delays|warning|warns
     refusal to file
     panel|committee|advisers votes|voted|vote against
     warning letter
     import alert`,
  ),
];

export const pressure: readonly Entry[] = [
  rule(
    -1.8,
    "Under pressure",
    `under pressure
     take|takes|took|taking ~1 hit
     jobs|stores|plants|sites|sales|earnings|revenue|contract|contracts ~2 at risk
     profit booking|taking
     stop loss
     weigh|weighs|weighed|weighing on|down
     hurt|hit|hurts|hits|battered|dented|dogged|dragged|burdened|affected|impacted|squeezed|offset by
     negative impact|effect|contribution
     adversely affect+|impacted
     squeeze+|erode+|hurt|hurts|damage+|hamper+ ~3 margins|margin|profit|profits|exports|sales|earnings|result|results|demand|profitability|growth
     burden|burdens|burdened|dents|dented ~3 result|results|profit|profitability|earnings|margin|margins
     headwind|headwinds
     52 week|wk low|lows
     # week|month|year|yr low|lows
     multi year|month low|lows
     record|all|lifetime|new ?time low|lows
     lose|loses|lost|losing confidence|ground|steam|sheen|momentum|money|market
     sell off|pressure
     price war
     trade war
     in|into correction|bear
     snaps ~4 gains|streak
     extend+ ~2 losses|loss|decline|fall|slide|slump
     rally|momentum|gains|hopes fade|fades|fizzle|fizzles|falter|falters|ends|stalls
     gives|give|gave up ~2 gains
     wipes|wiped|erases|erase|pares|pare ~3 gains
     off|from ~2 highs
     at|near|hits|to ~4 low|lows
     slowing|slower growth|demand|sales
     tax|margin|cost|inflationary|competitive pressure|pressures|worries`,
  ),
  rule(
    1.8,
    "High mark",
    `52 week|wk high|highs
     # week|month|year|yr high|highs
     multi year|month high|highs
     record ~1 output|profit|profits|sales|revenue|earnings|orders|results
     strongest|best ~3 in ~2 years|decade|decades
     sold out
     oil|gas|gold ~1 discovery|find
     find|finds|found|strike|strikes|struck|discover+ ~4 oil|gas|gold|vein|ore|deposit|deposits
     record high|highs|profit|profits|sales|revenue|revenues|earnings|results|quarter|orders|demand|level|levels|year|production|volume|volumes|peak
     all|life ?time high|highs
     lifetime|fresh|new high|highs|peak
     at|near|hits|to ~4 high|highs
     tailwind|tailwinds
     snaps ~4 losing|losses|losers|fall|decline|slide
     extend+ ~2 gains|gain|rally|advance|rise|winning
     recoups|erases|pares|trims|recovers ~3 losses
     best ~3 since|ever|week|month|quarter|year|day
     strong|robust|solid|healthy ~2 demand|growth|sales|results|quarter|earnings|performance|position|order
     short covering
     see|sees|saw|expect+|show+|post+|report+ ~3 growth|improvement|recovery|upturn
     growth|improvement|recovery ~2 continued|continues|continue|accelerated
     positive impact|effect|contribution|development|outlook|momentum
     contribute+|contributing ~1 positively
     value|bargain buying
     positive territory|trend|breakout|close|bias
     in the green`,
  ),
  rule(
    -0.5,
    "Law-firm notice",
    `investor|shareholder|deadline|investors alert|reminder
     lead plaintiff
     securities class action
     securities fraud
     law firm
     on behalf of ~1 investors|shareholders
     investigation|investigates on ~1 behalf`,
  ),
];
