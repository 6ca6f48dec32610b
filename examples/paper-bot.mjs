/**
 * A paper-trading bot: it follows the stream, buys or sells on actionable items about a company, and closes after a while.
 *
 *   npm run -s example -- paper-bot
 *
 * Quotes are a random walk: put those of your broker into `quote`, and its orders into `trade`. ORDERS ends it after that many
 * orders, HOLD_S is how long a position is held, in seconds.
 */
import { Tapewire } from "tapewire";

const dollarsPerOrder = 10_000;
const leastConviction = 40;
const holdMs = Number(process.env.HOLD_S ?? 20) * 1_000;
const mostOrders = Number(process.env.ORDERS ?? Number.POSITIVE_INFINITY);

const prices = new Map();
const positions = new Map();
let orders = 0;
let earned = 0;

function quote(symbol) {
  const price = (prices.get(symbol) ?? 20 + 80 * Math.random()) * (1 + (Math.random() - 0.5) / 100);
  prices.set(symbol, price);
  return price;
}

function trade(symbol, shares, why) {
  const price = quote(symbol);
  orders += 1;
  console.log(`${shares > 0 ? "buy " : "sell"} ${Math.abs(shares)} ${symbol} at ${price.toFixed(2)}: ${why}`);
  return price;
}

function close(symbol) {
  const { shares, price, timer } = positions.get(symbol);
  clearTimeout(timer);
  positions.delete(symbol);
  earned += shares * (trade(symbol, -shares, "close") - price);
}

const tw = new Tapewire();
await using stream = tw.stream({ filters: { actionability: true, story_copies: false }, snapshot: 5 });
for await (const event of stream) {
  if (event.type === "gap") console.log(`items may be missing: ${event.reason}`);
  if (event.type !== "item") continue;
  const { scoring, status, symbols, title } = event.item;
  const symbol = symbols[0]?.symbol;
  if (symbol === undefined || scoring.locked) continue;
  // What is withdrawn was never true, and an opposite item ends the reason for a position.
  const side = status === "retracted" ? 0 : Math.sign(scoring.sentiment_short ?? 0);
  const held = positions.get(symbol);
  if (held !== undefined && side !== Math.sign(held.shares)) close(symbol);
  if (side === 0 || positions.has(symbol) || scoring.sentiment_conviction < leastConviction) continue;
  const shares = side * Math.floor(dollarsPerOrder / quote(symbol));
  const price = trade(symbol, shares, `${title} (conviction ${scoring.sentiment_conviction})`);
  positions.set(symbol, { shares, price, timer: setTimeout(close, holdMs, symbol) });
  if (orders >= mostOrders) break;
}
for (const symbol of [...positions.keys()]) close(symbol);
console.log(`${orders} orders, earned ${earned.toFixed(2)}`);
