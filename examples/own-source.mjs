/**
 * A source of your own, by push: notices from a file become items of the feed, scored and linked.
 *
 *   npm run -s example -- own-source [FILE.jsonl]
 *
 * Your system's id of a notice is its external_id, so the program may send everything again at any time: what has not changed is
 * a duplicate, what has is a revision. It needs the admin token (TAPEWIRE_ADMIN_TOKEN).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const { TAPEWIRE_URL: url, TAPEWIRE_ADMIN_TOKEN: token } = process.env;
const file = process.argv[2] ?? fileURLToPath(new URL("own-source.jsonl", import.meta.url));

/** A notice of your system as an item. */
const itemOf = ({ ref, when, headline, text, tickers }) => ({
  external_id: ref,
  source: "notices",
  title: headline,
  body: text,
  published_at: when,
  symbols: tickers,
});

const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
const items = lines.map((line) => JSON.stringify(itemOf(JSON.parse(line))));
const answer = await fetch(`${url}/admin/v1/items`, {
  method: "POST",
  headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/x-ndjson" },
  body: items.join("\n"),
});
const pushed = await answer.json();
if (!answer.ok) {
  console.error(`${answer.status} ${pushed.code}: ${pushed.detail}`);
  process.exit(1);
}
for (const [index, { status, id, errors }] of pushed.data.entries())
  console.log(`${status.padEnd(9)} ${id ?? JSON.stringify(errors)} ${JSON.parse(items[index]).title}`);
