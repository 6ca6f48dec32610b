import { type EventEntry, event } from "./event-types.ts";

/** Headlines that only look like an event, or echo one; searched first. */
export const framing: readonly EventEntry[] = [
  event(
    "trade halt",
    1.6,
    `halt code
     halted ~2 news pending
     trading halt|halted|suspended|suspension|pause|paused
     halts|suspends ~2 trading
     news pending
     regulatory halt`,
  ),
  event(
    "market wrap",
    2.0,
    `stock market today|news|update|wrap
     wall street|st ~1 @moves|ends|closes|opens|mixed|set|flat|braces|awaits|week
     on wall street
     market wrap|movers|close|update|talk|buzz|live
     markets wrap|close|update|open|live
     premarket|midday|biggest|top|hours movers|gainers|losers
     stock|stocks to watch
     stocks open|opens|close|closes|end|ends|finish|@moves
     @index closes|close|ends|end|opens|open|settles|@moves
     exchange|bourse @moves #
     exchange|bourse closes|ends|closed|ended # higher|lower
     hang seng
     s&p 500|# @moves|closes|ends
     european|asian|us|asia|european shares|stocks
     morning|midday|afternoon|mid market|morning update|movers|brief|briefing
     # stocks ~3 moving|watch|buy|@moves
     gainers|losers`,
    true,
  ),
  event(
    "option alert",
    2.8,
    `unusual options|option|volume|activity
     option|options alert|activity|traders|volume|action
     put|call buyers|buying|purchase|purchases|sweep|sweeps
     block trade`,
    true,
  ),
  event(
    "share move",
    2.6,
    `share|shares|stock|scrip|stk is|are|was|were|also ~1 @moves
     share|shares|stock|scrip @moves
     @moves ~2 # ?percent|pct|pc today|premarket|intraday|aftermarket
     share|shares|stock ~3 @moves #
     52 week|wk high|highs|low|lows
     why ~4 shares|stock
     hit|hits|hitting|at|near ~1 new|fresh|all|record|lifetime|multi time|high|low|year
     all|life time high|low|highs|lows
     premarket|midday|session highs|lows
     shares ~2 resume|resumed
     watch ~3 levels
     breakout|breakdown`,
    true,
  ),
  event(
    "law-firm notice",
    0.3,
    `investor|shareholder|deadline|investors|class alert|reminder
     lead plaintiff
     law firm|offices
     class action deadline|reminder|filed|lawsuit|alert
     on behalf of ~1 investors|shareholders
     reminds|encourages|urges ~2 investors|shareholders`,
  ),
  event(
    "earnings date",
    0.5,
    `transcript
     earnings|results ~1 call|webcast|transcript|preview
     to|will report|announce|host|release|hold|discuss|publish ~6 results|earnings|call|webcast
     results on
     earnings scheduled|preview|calendar
     schedules|sets|confirms ~5 results|earnings|call
     earnings to watch
     what to expect
     date of ~4 results|earnings`,
  ),
  event(
    "notice",
    0.4,
    `files|publishes|issues ~2 annual|quarterly|interim report
     annual report on form
     form 20|10|40|6
     correction to|of
     sustainability|esg|csr|responsibility report
     holdings in company`,
  ),
  event(
    "conference",
    0.4,
    `to|will|set present|participate|speak|attend|exhibit
     to attend|present
     investor|healthcare|technology|annual conference|day|summit
     fireside chat
     annual ~1 meeting
     extraordinary ~1 meeting`,
  ),
  event("exclusive", 0.45, "exclusive\ninterview\nq&a\nopinion\npodcast"),
];
