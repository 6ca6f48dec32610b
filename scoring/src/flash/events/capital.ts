/** Ratings, payouts, deals and offerings: who owns a company and what it owes. */
import { type EventEntry, event } from "./event-types.ts";

export const capital: readonly EventEntry[] = [
  event(
    "rating change",
    0.6,
    `upgrade+|upgraded|upgrades
     downgrade+|downgraded|downgrades
     credit rating|ratings
     cut|lowered to junk`,
  ),
  event("buyback", 1.7, "buyback|buybacks|repurchase|repurchases|repurchased\nbuy back\ntender offer ~3 own"),
  event(
    "dividend cut",
    1.2,
    `suspend+|omit|omits|eliminates|scraps|halts|cancels|skips|@cut ~5 dividend|dividends|distribution|payout
     dividend|distribution cut|suspension|suspended|omission`,
  ),
  event("dividend", 0.67, "dividend|dividends|payout\ncash|quarterly distribution"),
  event("stock split", 0.67, "stock|share|reverse split\nbonus issue|shares\nsplit ~2 stock|shares"),
  event(
    "deal target",
    0.9,
    `to be acquired|bought
     be taken private
     agrees ~1 to be
     takeover|buyout|acquisition bid|offer|proposal|approach|target|interest
     tender offer
     goes|going|go private
     unsolicited
     explores|exploring ~2 sale
     strategic alternatives|review`,
  ),
  event(
    "deal ended",
    1.0,
    `terminate+|abandon+|scraps|calls|walks|blocks|rejects ~5 merger|deal|acquisition|takeover|bid
     blocks|blocked ~2 purchase of
     call|called off ~5 merger|deal|acquisition|takeover|bid|talks
     drop|drops|dropped|abandon+ plan|plans|bid|offer to buy|acquire|merge ~3 from|for
     end|ends|ended ~3 merger|takeover
     merger|deal|takeover|talks collapse|collapses|collapsed|terminated|blocked|off|end`,
  ),
  event(
    "divestment",
    0.9,
    `divest+|divestment|divestiture
     spin off|offs
     spinoff
     carve out
     to sell ~5 unit|business|division|stake|operations|assets
     sells|sold ~5 unit|business|division|stake|operations|assets
     stake|asset|unit sale`,
  ),
  event(
    "deal",
    1.0,
    `acquire+|acquisition|acquisitions
     merger|merge|merges|merging
     to buy
     takeover|buyout
     buys ~6 for #
     buys ~6 stake|unit|maker|firm|company|business
     joint venture`,
  ),
  event(
    "offering",
    1.1,
    `offering|placement
     rights issue
     share|stock|equity sale
     registered direct
     fresh|new capital
     capital increase|raise|raising
     at the market
     prices ~3 shares
     shelf registration
     raise|raises ~4 equity|qip|shares
     convertible notes|bonds`,
  ),
  event("listing", 0.8, "ipo\ninitial public\nto list|debuts on|in|at\nuplist+\ndebut|debuts"),
];
