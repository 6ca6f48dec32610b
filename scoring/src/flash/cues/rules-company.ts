/** What a company does: deals, payouts and offerings, orders and staff. */
import { type Entry, rule } from "./phrase-rules.ts";

/** Words of motion that are none: "advanced talks", "advanced packaging". */
export const states: readonly Entry[] = [
  rule(
    0,
    "Talks",
    `advanced|advancing|advance ?stage|stages ~1 talks|discussions|negotiations
     advance+ ~1 discussions|negotiations|talks
     talks|discussions|negotiations ~1 advance+`,
  ),
  rule(
    0,
    "Technology",
    `!and|has|have|shares|stock|prices|sales|revenue|profit advanced ~1 packaging|technology|technologies|materials|micro|manufacturing|chips|chip|chipmaking|nodes|node|semiconductor|semiconductors|therapy|therapies|computing|battery|batteries|reactor|reactors|nuclear|driver|stage|cancer|disease|melanoma|models|model|ai|air|weapons|drones|placement`,
  ),
];

export const deals: readonly Entry[] = [
  rule(
    3.5,
    "Takeover target",
    `agrees|agreed|agree to be acquired|bought|taken|purchased
     to be acquired|bought|purchased ~1 by|for
     to be taken private
     is|being|gets|get|was|been acquired|bought ?out by
     receive+|gets|confirms|confirmed|attracts|draws ~4 takeover|buyout|acquisition bid|offer|proposal|approach|interest
     takeover target|bid|offer|interest|approach|talk
     buyout bid|offer|talks
     agrees|agreed to ~2 buyout|takeover
     bid|offer for ~3 shares
     go|going|goes|taking private`,
  ),
  rule(
    -2.5,
    "Deal ended",
    `terminate+|abandon+|scrap|scraps|scrapped|blocks|blocked|cancel|cancels|cancelled|canceled|rejects|rejected|ditches|drops ~5 merger|deal|acquisition|takeover|buyout|bid|offer ?agreement|pact|plan ?with|between
     exit|exits|exited ~4 deal|agreement to buy|acquire
     back|backs|backed|backing out of ~5 merger|deal|acquisition|takeover|buyout|bid
     blocked|barred|prohibited|stopped from buying|acquiring|purchasing
     merger|takeover|acquisition agreement terminated|cancelled|canceled
     blocks|blocked ~2 purchase of
     drop|drops|dropped|abandon+|scrap|scraps|scrapped plan|plans|bid|offer to acquire|merge
     drop|drops|dropped|abandon+|scrap|scraps|scrapped plan|plans|bid|offer to buy ~3 from|for
     call|calls|called off ~5 merger|deal|acquisition|takeover|buyout|talks
     walks|walked away from
     end|ends|ended ~2 merger|takeover
     deal|merger|takeover|talks|acquisition ~1 collapse|collapses|collapsed|terminated|blocked|fails|failed|cancelled`,
  ),
  rule(
    0.4,
    "Acquisition",
    `to acquire|buy
     acquires|acquired|acquiring
     buys
     completes|completed|closes ~3 acquisition`,
    false,
  ),
  rule(
    0.3,
    "Divestment",
    `to sell|divest ~6 unit|business|division|stake|subsidiary|operations|assets
     sells|sold|divests|divested ~6 unit|business|division|stake|subsidiary|operations|assets`,
  ),
];

export const capital: readonly Entry[] = [
  rule(
    2,
    "Dividend raised",
    `@raise ~4 @payout
     dividend|distribution increase|hike|raised|increased|lifted|boost
     higher ~2 dividend|payout
     initiate+ ~3 dividend
     special|extra|bonus|maiden dividend
     reinstate+|resume+ ~3 @payout`,
  ),
  rule(
    -3,
    "Dividend cut",
    `@cut ~5 @payout
     suspend+|omit|omits|omitted|eliminate+|scrap|scraps|scrapped|halt|halts|halted|cancel|cancels|cancelled|skip|skips|skipped|passes ~5 @payout
     dividend|distribution cut|suspension|suspended|halted|cancelled|omission|slashed
     no dividend ~4 paid
     lower ~1 dividend`,
  ),
  rule(
    0,
    "Dividend declared",
    `declare+|declares|announces|announced|pays|pay|sets ~5 @payout
     quarterly|monthly|annual|interim|final|cash dividend|distribution`,
  ),
  rule(
    1.8,
    "Buyback",
    `buyback|buybacks
     buy back ~6 shares|stock
     share|stock|unit|securities repurchase|repurchases
     repurchase program|programme|plan|authorization|authorisation
     to repurchase ~6 shares|stock
     repurchase+ ~5 shares|stock
     open market purchase`,
  ),
  rule(
    -2.2,
    "Share offering",
    `price|prices|priced|announce|announces|announced|launch|launches|close|closes|plans|files|proposes|proposed ~7 offering of ~4 stock|shares|units|depositary|ads
     price|prices|priced|announce|announces|announced|launch|launches|close|closes|plans|proposes|upsized|prices ~7 public|secondary|direct|underwritten|stock|share|equity|upsized|on offering
     at the market offering|program
     dilutive|dilution
     registered direct
     rights|qip issue
     stock|equity offering|raise|sale
     to|will raise ~5 via|through ~4 equity|shares|qip|rights
     private placement of ~4 shares|stock|units
     need|needs|needed|needing ~6 fresh|new capital`,
  ),
  rule(
    0,
    "Debt issue",
    `offering of ~5 notes|bonds|debentures
     price|prices|priced ~5 notes|bonds
     senior notes
     notes offering`,
  ),
  rule(
    0,
    "Initial offering",
    `ipo
     initial public offering`,
    false,
  ),
];

export const business: readonly Entry[] = [
  rule(
    1.8,
    "Contract won",
    `@win ~7 @order
     been|was|were awarded|selected|chosen|granted
     awarded|selected|chosen ~3 @order
     selected|chosen as|by|to
     placed|places ~4 order
     order|contract|deal|agreement ~3 worth|valued
     signed|signs ~7 @order
     agreed ~5 on ~2 deliveries|delivery|supply
     has ordered
     won ~3 bid
     preferred bidder|supplier|partner|contractor
     biggest|largest ~3 @order ~6 ever|history
     to supply|deliver ~6 to
     will supply|deliver ~8 to|for`,
  ),
  rule(
    0.9,
    "Agreement",
    `signed|signs|sign|enters|entered|concluded|inks ?into ~7 agreement|mou|memorandum|pact|intent|partnership|alliance
     agreement|pact|mou|partnership|alliance|tie with|between
     tie up with
     partner|partners|partnered|collaborate+|collaboration|cooperation|teams|team|joins with|up|forces
     strategic partnership|alliance|collaboration|cooperation
     renew+|extend+ ~4 contract|contracts|agreement
     form|forms|formed|forming|set|establish+ ~3 joint venture`,
  ),
  rule(
    0.5,
    "Launch or opening",
    `launch|launches|launched|launching
     unveil|unveils|unveiled
     introduce+
     roll|rolls|rolled|rolling out
     open|opens|opened|opening ~4 store|stores|plant|factory|office|hotel|facility|centre|center|outlet|branches`,
  ),
  rule(
    1.4,
    "Expansion",
    `invest|invests|invested|investing ~6 in ~6 plant|factory|capacity|production|facility|expansion
     expand+ ~5 capacity|production|operations|business|presence|network|plant|market|markets
     add|adds|adding ~4 capacity|jobs
     new plant|factory|mill|production|line
     add|adds|added|adding ~1 # ~2 customers|subscribers|users|members|clients
     hire|hires|hiring|recruit|recruits|create|creates ~4 jobs|workers|people|employees|staff
     increase|increases|raise|raises ~2 stake|holding
     enable|enables|enabled|allow|allows ~3 to ~6 better|faster|more|improve|increase|grow|serve|offer|expand|strengthen|reduce|cut
     to|will strengthen|improve|enhance|enable|accelerate ~8 position|efficiency|productivity|profitability|competitiveness|competitive|growth|offering|presence|sales|service|services|quality|business|capacity`,
  ),
  rule(
    -2,
    "Contract lost",
    `loses|lost|lose|losing ~4 contract|customer|client|license|licence|bid|appeal|case|order|share
     contract|order|deal terminated|cancelled|canceled|lost
     cancel|cancels|cancelled|canceled|cancellation ~4 order|orders|contract|contracts`,
  ),
  rule(
    -1.8,
    "Job cuts",
    `@cut|eliminate+|shed|sheds|shedding|axe|axes|axing|dismiss+|reduction ~5 @staff
     lay|lays|laying off
     laid off
     lay|laid offs|off
     layoff|layoffs
     job|jobs|staff|personnel|workforce cut|cuts|reduction|reductions|losses
     redundant|redundancies|redundancy
     temporary|temporarily lay|laid|layoffs
     personnel negotiations
     negotiations|negotiation ~4 personnel|employees|staff|lay
     made redundant`,
  ),
  rule(
    -1.8,
    "Plant or service stopped",
    `halt+|suspend+|stop|stops|stopped|shut|shuts|shutting|close|closes|closing|closure|idle|idles|idled|shutter+ ?down ?of ~4 production|operations|output|plant|plants|stores|branches|factory|factories|flights|deliveries|service|services|mill|mine|refinery|sites|restaurants|shops|unit|machine|field|furnace|smelter|pipeline
     fire|explosion|flood|blast at|in ~4 plant|factory|warehouse|mill|mine|refinery|depot
     fire|explosion|flood|storm ~6 destroyed|damaged
     on ice|hold
     data|security breach
     cyber attack|attacks|incident
     cyberattack|cyberattacks|ransomware|outage|outages
     hacked|hack|hackers|breach
     production|plant|factory|mill|mine halt|shutdown|closure|stoppage
     grounded|grounding|grounds ~4 max|fleet|planes|jets|aircraft`,
  ),
  rule(
    -1.5,
    "Departure",
    `@officer ~5 resigns|resigned|departs|departed|departure|ousted|quits|quit|exits|exit|fired|leaves|leave|leaving
     @officer ~3 steps|step|stepping|stepped down
     ousts|fires|ousted|removes|sacks ~4 @officer
     resignation of
     @leave with immediate effect`,
  ),
  rule(
    0,
    "Appointment",
    `appoint|appoints|appointed|appointment|names|named|hires|elects|elected|nominates|promotes ~6 @officer|board|head|member|vice
     has been appointed|elected|named
     was appointed|elected|named
     takes|took over as`,
  ),
  rule(
    1.3,
    "Costs down",
    `@cut|save+|saving ~4 cost|costs|debt|expenses|spending|opex|emissions|consumption|waste|dependence
     cost|annual savings
     savings ~5 amount|total
     savings of
     save|saves|saved|saving ?the ?company eur|usd|gbp|sek|nok|dkk|rs|inr|about|some|#
     @cut ~4 bill|bills
     pays|pay|paid|paying down|off ~3 debt|loan|loans
     repay|repays|repaid|repayment
     debt free`,
  ),
];
