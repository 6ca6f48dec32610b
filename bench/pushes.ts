/** Pushing items through the admin API at an even rate, and when each was pushed and received. */
import { setTimeout as pause } from "node:timers/promises";
import { pushAnswer } from "@tapewire/contract/admin.ts";
import { request } from "undici";
import { itemAt } from "./rest-items.ts";

/** Opens the admin API of a measured service. */
export const adminToken = "tw_admin_for_benches_only";

/** Without fetch, whose own time would be a part of the measured time. */
export async function admin(base: string, path: string, content: unknown): Promise<unknown> {
  const { statusCode, body } = await request(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(content),
  });
  if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${await body.text()}`);
  return body.json();
}

/**
 * Pushes at an even rate, each item in a request of its own, whose number ends its title.
 * @param pushedAt gets the time of each push; items go on where it ends, since a database knows those of before
 * @returns items pushed and accepted
 */
export async function pushEvenly(
  base: string,
  { perSecond, forMs }: { perSecond: number; forMs: number },
  pushedAt: number[],
): Promise<number> {
  const began = performance.now();
  const first = pushedAt.length;
  const answers: Promise<unknown>[] = [];
  for (let now = began; now - began < forMs; now = performance.now()) {
    const due = first + Math.floor(((now - began) / 1000) * perSecond);
    while (pushedAt.length < due) {
      const n = pushedAt.push(wallMs()) - 1;
      answers.push(admin(base, "/admin/v1/items", [itemOf(n)]));
    }
    await pause(2);
  }
  const results = (await Promise.all(answers)).flatMap((answer) => pushAnswer.parse(answer).data);
  const refused = results.find(({ status }) => status !== "created");
  if (refused !== undefined) throw new Error(`an item was not taken: ${JSON.stringify(refused)}`);
  return results.length;
}

function itemOf(n: number) {
  const { title, symbols, scoring } = itemAt(n, 1_000_000);
  return {
    title: `${title} (no. ${n})`,
    body: `${scoring.actionability_comment}. ${scoring.sentiment_comment}. `.repeat(4),
    external_id: `bench-${n}`,
    symbols: symbols.map(({ symbol }) => symbol),
  };
}

/** The number of a pushed item. */
export function numberOf(title: string | null): number {
  return Number(/\(no\. (\d+)\)$/.exec(title ?? "")?.[1]);
}

export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
