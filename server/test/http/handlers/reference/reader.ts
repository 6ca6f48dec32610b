import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { z } from "zod";
import { providersFile } from "../../../../src/config/providers.ts";
import { systemClock } from "../../../../src/runtime/clock.ts";
import type { Service } from "../../../support/service.ts";

const configured = <T extends z.ZodType>(name: string, schema: T): z.infer<T> =>
  schema.parse(JSON.parse(readFileSync(new URL(`../../../../../config/${name}`, import.meta.url), "utf8")));
export const { providers } = configured("providers.json", providersFile);

export const hourMs = 3_600_000;
/** Older than any list that is kept. */
export const laterMs = 60_000;

/** The clock of the service, which a test may put on. */
export const ahead = { ms: 0 };
export const clock = {
  now: () => new Date(Date.now() + ahead.ms),
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal),
};

/** Reads, checked by their schemas: no member is missing, none is more. */
export class Reader {
  readonly #service: Service;
  readonly #key: string;

  constructor(service: Service, key: string) {
    this.#service = service;
    this.#key = key;
  }

  async read<T extends z.ZodObject>(path: string, schema: T): Promise<z.infer<T>> {
    const response = await this.#service.get(path, this.#key);
    const text = await response.text();
    assert.equal(response.status, 200, `${path}: ${text}`);
    const body: unknown = JSON.parse(text);
    schema.strict().parse(body);
    return schema.parse(body);
  }

  async refusal(path: string, status: 400 | 404) {
    const response = await this.#service.get(path, this.#key);
    const body = problem.strict().parse(await response.json());
    assert.equal(response.status, status, `${path}: ${body.detail}`);
    assert.equal(body.code, status === 400 ? "invalid_parameter" : "not_found", path);
    return body;
  }

  /** Items that the list finds by a filter. */
  async found(filter: string): Promise<number> {
    const response = await this.#service.get(`/v1/feeds?limit=200&${filter}`, this.#key);
    return feedList.parse(await response.json()).data.length;
  }
}

/** @returns the id of the first item */
export async function seed(service: Service): Promise<string> {
  const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * hourMs).toISOString();
  const pushed = await service.push(
    { title: "First words", symbols: ["AAPL"], tags: ["earnings"], published_at: at(1), external_id: "1" },
    { title: "Second words", symbols: ["NASDAQ:AAPL", "BRK.B"], tags: ["dividends"], published_at: at(48) },
    { title: "Third words", source: "brandmoor", provider: "harbor-post", symbols: ["DEMO:OBTX"] },
    { title: "Fourth words", symbols: ["FOO:ZZQXJ", "AMEX:NVA/W"] },
    { title: "Fifth words", symbols: ["BAR:ZZQXJ"] },
    { title: "Sixth words", symbols: ["BAR:ZZQXJ", "QXJZW"], provider: "harbor-post" },
    { title: "Seventh words", symbols: ["NYSE:TWTR"], published_at: "2020-03-02T14:30:00.000Z" },
    { title: "Eighth words", symbols: ["ASX:BHP"], tags: ["ipo"], external_id: "8" },
  );
  assert.ok(
    pushed.every(({ status }) => status === "created"),
    JSON.stringify(pushed),
  );
  return pushed[0]?.id ?? "";
}
