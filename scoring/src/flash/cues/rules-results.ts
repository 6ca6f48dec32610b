/** What analysts and the company say about its results. */
import { type Entry, rule } from "./phrase-rules.ts";

export const notices: readonly Entry[] = [
  rule(
    0,
    "Holding notice",
    `exceed+|decrease+|fell|falls|rose|rises|increase+|reduced|crossed|below|above ~9 voting|votes|capital
     holding|holdings|stake|ownership ~9 exceed+|crossed|reached|below|above ~3 #|one|threshold
     number of ~3 shares ~4 increase+|decrease+
     increase+ ~2 share capital
     share capital ~4 increase+|rose|decrease+
     following ~2 increase
     repurchased|acquired|bought|purchased # ?of ?its own shares
     strong|stronger|weak|weaker krona|krone|euro|dollar|rupee|yen|pound|currency|franc
     outlook|dividend|guidance|forecast ~2 unchanged
     take|takes|took|taking|taken up
     approve+ by ~2 board|members|shareholders|meeting|directors
     board|members|shareholders|meeting approve+
     capital|sales|disposal|one-off gain|gains
     gain|gains ~1 on|from ~2 sale|disposal
     bear|bears in mind
     declined|declines|decline to comment|disclose|say|give|name`,
  ),
];

export const ratings: readonly Entry[] = [
  rule(
    2,
    "Price target raised",
    `price target|targets ?is|was|has ?been @raise
     target price ?is|was @raise
     @pt ?is|was @raise
     @raise ~4 price target|targets
     @raise ~3 target price
     @raise ~3 @pt
     @raise ~1 target to|at
     pt|target raised|upped|lifted|boosted|hiked|up`,
  ),
  rule(
    -2,
    "Price target cut",
    `price target|targets ?is|was|has ?been @cut
     target price ?is|was @cut
     @pt ?is|was @cut
     @cut ~4 price target|targets
     @cut ~3 target price
     @cut ~3 @pt
     @cut ~1 target to|at
     pt|target cut|lowered|slashed|trimmed|reduced
     reels in ~1 expectations`,
  ),
  rule(
    2.5,
    "Upgrade",
    `upgraded|upgrades|upgrade
     @raise ~4 credit|debt|issuer rating|ratings
     @raise ~2 rating|recommendation
     rating|ratings ~5 ?was|is|has ?been raised|lifted
     raised to buy|overweight|outperform|add|accumulate
     moves|moved to buy|overweight|outperform`,
  ),
  rule(
    -2.5,
    "Downgrade",
    `downgraded|downgrades|downgrade
     @cut ~4 credit|debt|issuer rating|ratings
     @cut ~2 rating|recommendation
     rating|ratings ?is|was cut|lowered
     cut|cuts|lowers|lowered ~3 to underperform|underweight|junk
     cut|cuts|lowered to neutral|hold|sell|underperform|underweight|reduce|junk|negative
     cut at|by ~2 securities|bank|capital|research|suisse|stanley|sachs|jefferies|barclays|citi|ubs|nomura
     moves|moved to sell|underweight|underperform|sidelines`,
  ),
  rule(
    2,
    "Favourable rating",
    `@begin ~4 buy|overweight|outperform|accumulate
     @begin ~4 at|with|to add
     top pick|picks
     buy rating
     is|a a|strong|good buy
     strong|conviction|good|value|technical buy
     buy on dips|declines
     bullish|positive|upbeat|constructive on
     turns|turned bullish|positive
     buy ~4 target
     ^ buy
     go|goes long`,
  ),
  rule(
    -2,
    "Unfavourable rating",
    `@begin ~4 sell|underweight|underperform
     @begin ~3 at|with reduce
     sell rating
     is a sell
     bearish|negative|cautious on
     turns|turned bearish|negative|cautious
     sell ~4 target
     ^ sell
     ^ avoid
     goes|go short
     short seller|sellers|report`,
  ),
  rule(
    0,
    "Neutral rating",
    `@begin ~3 neutral|hold|equal
     started|initiated ~1 coverage`,
  ),
];

export const expectations: readonly Entry[] = [
  rule(
    3,
    "Guidance raised",
    `@raise ~5 @guide
     @raise ~5 fy #
     @guide ?is|was|were raised|lifted|boosted|increased
     guides|sees|guided ~2 above|higher|ahead
     upgrades|upgraded its ~3 @guide
     positive profit warning
     raises|raised|raising expectations`,
  ),
  rule(
    -3,
    "Guidance cut",
    `@cut ~5 @guide
     @guide ?is|was|were cut|lowered|slashed|trimmed|reduced
     guides|sees|guided ~2 below|lower|down
     profit warning|warnings
     earnings warning
     warns|warned of|on|about ~3 profit|earnings|sales|revenue|demand|loss|losses
     withdraw+|pull|pulls|pulled|scrap|scraps|scrapped|suspend+|withdrawn|withdrew ~4 guidance|outlook|forecast
     cut|cuts|lowers|lowered expectations
     issues ~2 warning
     soft|weak|light|downbeat|disappointing|cautious|gloomy ~1 guidance|outlook|forecast`,
  ),
  rule(
    0.8,
    "Guidance kept",
    `reaffirm+|reiterate+|maintain+|backs|backed|affirm+|confirm+|keeps|kept|repeats|repeated ~5 guidance|outlook|forecast`,
  ),
  rule(
    -1.8,
    "Inflation or joblessness above forecast",
    `inflation|cpi ~7 above|exceed+|beat|beats|top|tops|topped ~3 @view
     inflation|cpi ~7 more|higher|hotter|faster than ~2 expected|anticipated|forecast|estimated|feared
     consumer|producer prices ~7 more|higher|faster than ~2 expected|anticipated|forecast|estimated|feared
     unemployment|jobless ~7 more|higher than ~2 expected|anticipated|forecast|estimated|feared`,
  ),
  rule(
    1.8,
    "Inflation or joblessness below forecast",
    `inflation|cpi ~7 below|under|misses ~3 @view
     inflation|cpi ~7 less|lower|cooler|slower than ~2 expected|anticipated|forecast|estimated|feared
     consumer|producer prices ~7 less|lower|slower than ~2 expected|anticipated|forecast|estimated|feared
     unemployment|jobless ~7 less|lower|fewer than ~2 expected|anticipated|forecast|estimated|feared`,
  ),
  rule(
    2,
    "Less bad than feared",
    `fall|falls|fell|drop|drops|dropped|decline|declines|declined|lose|loses|lost|shrink|shrinks|shrank ~3 less|fewer ~3 than ~2 expected|feared|anticipated|forecast|estimated
     less|fewer|smaller|lower|milder|narrower|better ~2 than feared
     fewer ~3 than feared
     smaller|narrower loss|losses|decline|drop|fall than ~2 expected|anticipated|forecast|estimated`,
  ),
  rule(
    2.5,
    "Beat",
    `beat|beats|beating|top|tops|topped|topping|exceed+|surpass+|crush+|smash+|outpaced ~5 @view
     ahead|north of ~3 @view
     above|better|higher|more ~3 @view
     better than|then ~2 expected|feared|anticipated|forecast|estimated
     stronger|higher|faster than ~2 expected|anticipated|forecast|feared
     beats by
     beat|beats on ~1 rev|revs|revenue|sales|earnings|profit|eps|q1|q2|q3|q4|top|bottom
     revenue|earnings|eps|profit|sales|big|ffo beat|beats
     beats|tops|topped ~1 revenue|earnings|profit|q1|q2|q3|q4|street
     beat|beats|top|tops forecast|forecasts
     exceed+|surpass+ ~4 last|previous ?year|quarter
     well ahead|above of ?the last|previous|year`,
  ),
  rule(
    -2.5,
    "Miss",
    `miss|misses|missed|missing|trail|trails|trailed|lagged|lags ~5 @view
     below|short|shy|under of ~3 @view
     below|under ~3 @view
     falls|fell|came|comes|falling|fall short
     worse|weaker|lower|slower|less|smaller than ~2 expected|feared|anticipated|forecast|estimated|estimates
     misses by
     misses|missed|miss on ~1 rev|revs|revenue|sales|earnings|profit|eps|q1|q2|q3|q4|top|bottom
     revenue|earnings|eps|profit|sales|ffo miss|misses
     fails|failed to meet ~3 @view
     disappoint|disappoints|disappointed|disappointing`,
  ),
  rule(
    0,
    "In line",
    `in line
     inline
     meet|meets|met ~2 @view
     match|matches|matched ~2 @view
     as expected`,
  ),
];

export const results: readonly Entry[] = [
  rule(
    2.5,
    "Turned to profit",
    `swing|swings|swung|turn|turns|turned|turning|return|returns|returned|moved|moves ?back to|into ~3 profit|profits|profitability|black|profitable
     posts|posted|reports|reported ~3 profit ~4 versus|vs|against|compared ~4 loss
     profit ~9 versus|vs|against|compared ?with|to ~2 loss
     narrower|smaller ~3 loss|losses
     narrow+|shrink|shrinks|shrank|trim+|reduce+|cuts|cut|halve+|pared ~3 loss|losses
     loss|losses narrow|narrows|narrowed|narrowing|shrinks|shrank|shrunk|halved|decreased|reduced
     turned|turns|turn profitable
     back|return in|to ~1 black|profit
     first ~3 profit
     turn|turns|turned a profit
     surprise|unexpected ~2 profit`,
  ),
  rule(
    -2.5,
    "Turned to loss",
    `swing|swings|swung|turn|turns|turned|slip|slips|slipped|fall|falls|fell|sink|sinks|sank|plunged|slid|slides|dived ?back to|into ~4 loss|losses|red
     loss ~9 versus|vs|against|compared ?with|to ~2 profit
     wider|bigger|larger|deeper|mounting|heavy ~3 loss|losses
     widen+|deepen+ ~3 loss|losses
     loss|losses widen|widens|widened|widening|deepens|deepened|mount|mounts|balloons|grew|grows
     in the red
     surprise|unexpected ~2 loss`,
  ),
  rule(-1.8, "Loss expected", "expect+|forecast+|predict+|project+ ~2 loss|losses"),
  rule(
    -0.9,
    "Loss reported",
    `operating|net|pretax|quarterly loss ?of|totalled|amounted|at|was ?to #|eur|usd|rs|sek|nok|dkk|gbp
     report+|post+|made|makes|books|booked ~3 loss
     record ~2 of losses`,
  ),
];
