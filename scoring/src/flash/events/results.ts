/** What a company earned, and what it expects to earn. */
import { type EventEntry, event, within } from "./event-types.ts";

const economic = "economic data";

export const results: readonly EventEntry[] = [
  within(
    economic,
    event(
      "rate decision",
      1.5,
      `fed|fomc|ecb|boe|boj|rbi|rba|bank ~2 cuts|cut|raises|raised|hikes|hiked|lifts|lowers|lowered|holds|keeps|leaves ~2 interest rates
       fed|fomc|ecb|boe|rbi cuts|raises|hikes|lowers|holds ~1 rates
       fed|fomc|ecb|boe|rbi rate cut|hike|decision`,
    ),
  ),
  within(
    economic,
    event(
      "economic data",
      0.7,
      "gdp|cpi|inflation|payrolls ~6 above|below|beats|misses|tops|grows|shrinks|falls|rises",
    ),
  ),
  event(
    "guidance up",
    2.1,
    `@raise ~5 guidance|outlook|forecast|forecasts
     guidance|outlook|forecast raised|lifted|boosted
     sees|guides ~5 above|vs
     raises|raised ~2 fy|full`,
  ),
  event(
    "guidance down",
    1.8,
    `@cut ~5 guidance|outlook|forecast|forecasts
     withdraw+|withdraws|withdrew|suspend+|pulls|scraps ~4 guidance|outlook|forecast
     profit|earnings|sales|revenue warning
     warns ~4 profit|earnings|sales|revenue|results
     guidance|outlook|forecast cut|lowered|slashed
     sees|guides ~5 below`,
  ),
  event(
    "preannouncement",
    2.0,
    `preliminary ~4 results|revenue|sales|earnings
     preannounce+
     pre announces|announced
     prelim`,
  ),
  event(
    "guidance",
    1.9,
    `guidance|outlook|guides
     forecasts ~2 @period|revenue|sales|profit
     sees|expects|reaffirms|affirms|backs ~1 q1|q2|q3|q4|fy|full|2015|2016|2017|2018|adj|eps|revenue|sales|#`,
  ),
  event(
    "earnings beat",
    2.2,
    `beat|beats|top|tops|topped|exceeds|exceeded|surpasses ~5 @view
     beat|beats on
     earnings|eps|revenue|profit beat|beats
     better than ~1 expected`,
  ),
  event(
    "earnings miss",
    2.2,
    `miss|misses|missed ~5 @view
     misses on
     earnings|eps|revenue|profit miss|misses
     worse than ~1 expected
     falls|fell|comes short`,
  ),
  event(
    "earnings",
    2.2,
    `earnings
     results
     eps
     q1|q2|q3|q4|1q|2q|3q|4q
     first|second|third|fourth|1st|2nd|3rd|4th|1h|2h quarter|half
     quarterly|annual|interim profit|loss|revenue|sales|report|net
     net profit|loss|income|pat
     operating|pretax profit|loss|income
     full|half year
     profit|profits rise|rises|fall|falls|up|down|jumps|drops|surges|plunges|doubles
     swings to ~1 profit|loss
     profit|profits|loss|losses|net ~1 halves|halved|narrows|narrowed|widens|widened|shrinks|shrank|climbs|slumps|slides|up|down
     trim+|narrow+|widen+|shrink+ ~2 loss|losses
     margin|margins @moves|hits|expands|shrinks|narrows|widens
     reports|posts|posted ~3 profit|loss|revenue`,
  ),
  event(
    "write-down",
    1.1,
    `writedown|writedowns|writeoff|writeoffs|impairment|impairments
     write downs|offs|down|off ~2 #|third|half|fall|rise
     takes|take|books|book|records ~3 charge`,
  ),
  event(
    "sales data",
    1.1,
    `deliveries|shipments|traffic|bookings
     same|comparable|comp store|sales
     monthly|weekly|retail|vehicle|auto|total sales
     sales ~2 rise|fall|grow|grows|@moves
     orders|volumes ~1 @moves
     passenger|load numbers|factor
     delivered ~2 vehicles|aircraft|planes`,
  ),
];
