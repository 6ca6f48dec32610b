import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { planTable } from "@tapewire/contract/plans.ts";
import { type Webhook, webhookSchemas } from "@tapewire/contract/webhooks.ts";
import { dictionary } from "../../../support/dictionary.ts";
import type { Service } from "../../../support/service.ts";

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../../config/${name}.json`, import.meta.url), "utf8"));
export const plans = planTable.parse(shipped("plans"));
const { endpoint, list } = webhookSchemas(dictionary);
export const wholeEndpoint = endpoint.strict();
const wholeList = list.strict();

export const nobody = "00000000-0000-4000-8000-000000000000";
// Of the public internet, and judged without a name server.
export const url = "https://1.1.1.1/hook";

/** Calls of one account's key. */
export function client(service: Pick<Service, "url">, key: string) {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/v1/webhooks${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const endpointOf = async (response: Response, status: number): Promise<Webhook> => {
    const text = await response.text();
    assert.equal(response.status, status, text);
    return wholeEndpoint.parse(JSON.parse(text));
  };
  return {
    call,
    create: async (body: unknown, headers?: Record<string, string>) =>
      endpointOf(await call("POST", "", body, headers), 201),
    read: async (id: string) => endpointOf(await call("GET", `/${id}`), 200),
    update: async (id: string, body: unknown) => endpointOf(await call("PATCH", `/${id}`, body), 200),
    list: async () => wholeList.parse(await (await call("GET", "")).json()).data,
    /** Status, code and the fields that are named, of a call that is refused. */
    refused: async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const response = await call(method, path, body, headers);
      const { status, code, errors = [] } = problem.parse(await response.json());
      assert.equal(response.status, status);
      return [status, code, ...errors.map(({ name }) => name)];
    },
  };
}
export type Client = ReturnType<typeof client>;
