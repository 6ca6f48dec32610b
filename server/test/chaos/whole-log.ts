import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { LogItem } from "../../src/feed/item.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { itemsAfter, logHead } from "../../src/store/log/item-reads.ts";
import type { KnownLog } from "./tape-client.ts";

/** The log as the database has it, past every service. */
export async function wholeLog(databaseUrl: string): Promise<KnownLog> {
  await using db = await openPostgres(databaseUrl, silentLog);
  const { epoch } = await logHead(db.main);
  const entries: LogItem[] = [];
  for (let more = true; more; ) {
    const page = await itemsAfter(db.main, entries.at(-1)?.seq ?? 0, 500);
    entries.push(...page);
    more = page.length > 0;
  }
  return { epoch, entries };
}

/** The list of a service, page by page, has each item of the log once. */
export async function checkList(
  { url, key }: { url: string; key: string },
  { entries }: KnownLog,
): Promise<void> {
  const found: string[] = [];
  for (let cursor = ""; ; ) {
    const answer = await fetch(`${url}/v1/feeds?limit=1000${cursor}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data, next_cursor } = feedList.parse(await answer.json());
    found.push(...data.map(({ id }) => id));
    if (next_cursor === null) break;
    cursor = `&cursor=${next_cursor}`;
  }
  const wanted = new Set(entries.map(({ item }) => item.id));
  assert.deepEqual(found.toSorted(), [...wanted].sort());
}
