/** Lists of interchangeable words in the phrases of cues and of events. */
export const sharedLists: Readonly<Record<string, string>> = {
  guide: "guidance|outlook|forecast|forecasts|projection|projections|targets|estimate|estimates",
  view: "estimate|estimates|expectation|expectations|expected|consensus|view|views|forecast|forecasts|street|est|ests",
  raise: "raise+|lift+|boost+|hike+|increase+|up|ups|upped|upping",
  cut: "cut|cuts|cutting|lower+|slash+|trim+|reduce+|shave+|pare+",
  pt: "pt|pts",
  begin: "start|starts|started|starting|initiate+|resume+|assume+|begin|begins|began|reiterate+|maintain+",
  win: "win|wins|won|winning|bag|bags|bagged|secure+|land|lands|landed|ink|inks|inked|clinch+|receive+|awarded|get|gets|obtain+|snare+|nab|nabs|nabbed|scoop|scoops",
  order: "contract|contracts|order|orders|deal|deals|tender|award|grant|orderbook",
  number: "one|two|three|four|five|six|seven|eight|nine|ten|hundred|hundreds|thousands|#",
  staff: "jobs|workers|employees|staff|positions|workforce|roles|personnel|headcount|people",
  officer: "ceo|cfo|coo|cto|chairman|president|chief|md|director|directors|boss|chair",
  leave: "resign+|depart+|departure|quit|quits|exit|exits|exited|fired|leave|leaves|left|ousted|retire+",
  drugbody: "fda|ema|chmp|regulator|regulators|nmpa|mhra|eu|usfda|cdsco|dcgi|agency",
  payout: "dividend|dividends|distribution|payout",
};
