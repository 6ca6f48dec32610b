import assert from "node:assert/strict";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { deliveryList } from "@tapewire/contract/webhook-deliveries.ts";
import { Webhook as Verifier } from "standardwebhooks";
import { z } from "zod";
import type { EngineName } from "../../../support/db.ts";
import type { Received } from "../../../support/receiver.ts";
import { type Service, startService } from "../../../support/service.ts";

export const endpoint = z.looseObject({
  id: z.string(),
  url: z.string(),
  secret: z.string(),
  rotation_ends_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_error: z.string().nullable(),
  last_status: z.int().nullable(),
  max_age: z.int(),
  matched_total: z.int(),
  delivered_total: z.int(),
});
export const list = deliveryList.strict();
type Headers = Readonly<Record<string, string>>;

/** Calls of one account's key; `refused` gives status and code. */
export function client({ url }: Pick<Service, "url">, key: string) {
  const call = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
    fetch(`${url}/v1/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    call,
    status: async (...args: Parameters<typeof call>) => (await call(...args)).status,
    answer: async <S extends z.ZodType>(
      schema: S,
      status: number,
      ...args: Parameters<typeof call>
    ): Promise<z.infer<S>> => {
      const response = await call(...args);
      const text = await response.text();
      assert.equal(response.status, status, text);
      assert.equal(response.headers.get("cache-control"), "no-store");
      return schema.parse(JSON.parse(text));
    },
    refused: async (...args: Parameters<typeof call>) => {
      const { status, code } = problem.parse(await (await call(...args)).json());
      return [status, code];
    },
  };
}
type Client = ReturnType<typeof client>;

/** A service that delivers to this machine and tries once more, at once. */
export const startDelivering = (engine: EngineName): Promise<Service> =>
  startService(engine, { webhookAllow: ["127.0.0.0/8"], webhookRetriesMs: [20], demo: "off" });

/** Calls of two accounts that must not see one another's endpoints. */
export const twoAccounts = async (service: Service) => ({
  mine: client(service, (await service.key("enterprise")).key),
  other: client(service, (await service.key("pro")).key),
});

export const make = (mine: Client, body: object) => mine.answer(endpoint, 201, "POST", "", body);
export const verifies = (secret: string, { headers, body }: Received) => {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    return new Verifier(secret).verify(body, sent) !== undefined;
  } catch {
    return false;
  }
};
