import assert from "node:assert/strict";
import { planNames } from "@tapewire/contract/plans.ts";
import { provider, providerList } from "@tapewire/contract/reference.ts";
import { eventually } from "./eventually.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

/** The list, once it counts the run's items: a service may refresh it only every few seconds. */
const list = (live: Live) =>
  eventually(async () => {
    const { data } = (await live.get("/v1/providers")).read(providerList);
    assert.ok(
      data.some(({ id }) => id === live.name("desk-0")),
      "the run's provider is not listed",
    );
    return data;
  });

/** Checks that the service itself serves the logo. */
export async function isServedSvg(live: Live, logo: string): Promise<void> {
  const { pathname, search } = new URL(logo);
  const answer = await live.client.send({ method: "GET", path: pathname + search, headers: {}, body: null });
  assert.equal(answer.status, 200, logo);
  assert.equal(answer.mediaType, "image/svg+xml");
  assert.match(answer.text, /^(<\?xml[^>]*>\s*)?<svg\b/);
}

export const providers: Section = {
  name: "GET /v1/providers",
  rules: {
    "200 is {data} of providers with id, name and logo, each id once": async (live) => {
      const ids = (await list(live)).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(ids.includes(live.name("desk-1")));
    },
    "a provider has the number of its items and the time of the newest": async (live, items) => {
      const own = items.all.filter(({ provider_id }) => provider_id === live.name("desk-0"));
      const found = (await list(live)).find(({ id }) => id === live.name("desk-0"));
      assert.equal(found?.feed_count, own.length);
      assert.equal(found?.latest_at, own[0]?.published_at);
    },
    "{id}: 200 is the same as the entry in the list": async (live) => {
      const id = live.name("desk-1");
      const one = (await live.get(`/v1/providers/${id}`)).read(provider);
      assert.deepEqual(
        one,
        (await list(live)).find((entry) => entry.id === id),
      );
    },
    "{id}: every provider of the list can be read": async (live) => {
      for (const { id } of (await list(live)).slice(0, 20))
        assert.equal((await live.get(`/v1/providers/${encodeURIComponent(id)}`)).read(provider).id, id);
    },
    "{id}: 404 for an unknown provider": async (live) => {
      for (const id of [live.name("nobody"), "x", "%E2%82%AC", "'"])
        await live.refuses("not_found", "GET", `/v1/providers/${id}`);
    },
    "the service serves the logo": async (live) => {
      for (const { logo } of (await list(live)).slice(0, 3)) await isServedSvg(live, logo);
    },
    "on every plan": async (live) => {
      for (const plan of planNames) await live.get("/v1/providers", { key: await live.key(plan) });
    },
  },
};
