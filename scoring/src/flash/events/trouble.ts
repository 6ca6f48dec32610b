/** Approvals and trials, distress, holders that press, courts. */
import { type EventEntry, event } from "./event-types.ts";

export const trouble: readonly EventEntry[] = [
  event(
    "approval",
    1.06,
    `fda|ema|chmp|usfda
     approval|approved|approves ~4 drug|treatment|therapy|vaccine|device|marketing
     wins|receives|gets|granted ~4 approval|clearance
     complete response
     breakthrough|fast|orphan therapy|track|drug|designation
     advisory committee|panel
     warning letter|letters`,
  ),
  event(
    "clinical",
    1.06,
    `phase 1|2|3|i|ii|iii|1a|1b|2a|2b|3a|3b
     clinical trial|trials|hold|data|study|results
     trial|study results|data|meets|met|fails|failed
     primary endpoint
     endpoint|endpoints|topline
     late|mid|early stage
     trial|trials`,
  ),
  event(
    "insolvency",
    0.9,
    `bankruptcy|bankrupt|insolvency|insolvent|receivership
     chapter 11|7
     going concern
     enters|into administration|liquidation`,
  ),
  event(
    "default",
    0.9,
    `default|defaults|defaulted
     miss|misses|missed ~3 payment|payments
     covenant ~1 breach
     debt restructuring`,
  ),
  event(
    "delisting",
    0.9,
    "delist|delisted|delisting|delists\ndeficiency|noncompliance|compliance notice|letter\nregains compliance\nregain|regains ~2 compliance",
  ),
  event(
    "accounts in doubt",
    0.9,
    `restate+|restatement|restated
     non reliance
     be relied
     accounting ~2 irregularities|fraud|probe|scandal|error|errors
     auditor resigns|resignation|quits
     material weakness
     delays|delay ~3 filing|10`,
  ),
  event(
    "cyber incident",
    0.9,
    "data|security breach\ncyber attack|incident|security\ncyberattack|ransomware|hacked|hackers|hack\noutage|outages",
  ),
  event(
    "layoffs",
    1.1,
    `layoff|layoffs|redundancies
     job|jobs|staff|workforce cut|cuts|reduction|reductions
     @cut|eliminate+|shed|sheds|axes ~4 jobs|workers|employees|staff|workforce|positions
     lay|lays|laying off`,
  ),
  event("short report", 1.0, "short seller|report\nhindenburg|citron|spruce|muddy research|point|waters"),
  event(
    "analyst view",
    0.6,
    `price target|targets
     target price
     pt
     initiate+|starts|resumes ~4 at|with|coverage
     overweight|underweight|outperform|underperform|equal
     analyst|analysts
     buy|sell|hold|neutral rating
     reiterate+|reiterates|maintains ~3 buy|sell|hold|neutral|outperform`,
  ),
  event(
    "insider trade",
    0.6,
    "insider ~1 buying|selling|buys|sells|purchase|sale|trading\nceo|director|cfo|chairman buys|sells|bought|sold ~3 shares|stock\nceo|director|cfo|chairman of ~3 buys|sells|bought|sold ~3 shares|stock",
  ),
  event(
    "stake",
    0.67,
    `activist|activists
     stake|stakes
     13d|13g|13f
     hedge fund|funds
     proxy fight|contest|battle
     discloses ~3 holding|position`,
  ),
  event("recall", 0.5, "recall|recalls|recalled|recalling"),
  event(
    "fine",
    0.5,
    `fined|fines|penalty|penalties
     fine of
     settle+|settlement
     to pay ~5 fine|settle|settlement|damages`,
  ),
  event(
    "legal",
    0.5,
    `lawsuit|lawsuits|sue|sues|sued|suing|court|judge|antitrust|probe|probes|probing|subpoena|subpoenaed|patent|patents|jury|verdict|trial|indicted|whistleblower
     investigate+|investigation|investigations
     class action
     charged with`,
  ),
];
