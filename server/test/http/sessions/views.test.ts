import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ended } from "@tapewire/contract/dashboard/people.ts";
import { viewSchemas } from "@tapewire/contract/dashboard/views.ts";
import type { Browser } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { dictionary } from "../../support/dictionary.ts";
import { peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

const { view, list } = viewSchemas(dictionary);

describe("saved views", () => {
  let service: Service;
  let path = "";
  let accountId = "";
  before(async () => {
    service = await startService(anyEngine);
    accountId = (await service.key("pro")).account_id;
    path = `/app/v1/accounts/${accountId}/views`;
  });
  after(() => service[Symbol.asyncDispose]());

  const people = peopleOf(() => service);
  const joined = async (role: string) => (await people.joined(accountId, role)).browser;
  const namesOf = async (browser: Browser) =>
    (await browser.ask(list, "GET", path)).data.map(({ name }) => name);

  test("a view is saved, changed member by member, and deleted", async () => {
    const browser = await joined("member");
    const filters = { symbols: ["aapl"], actionability: true, tags: { corp_activity: ["earnings"] } };
    const made = await browser.ask(view.strict(), "POST", path, {
      name: "Apple",
      filters,
      columns: ["title"],
    });
    assert.deepEqual(made.filters, { ...filters, symbols: ["AAPL"] });
    assert.deepEqual([made.shared, made.alert, made.columns], [false, null, ["title"]]);
    const alert = { notify: true, sound: false };
    const changed = await browser.ask(view.strict(), "PATCH", `/app/v1/views/${made.id}`, { alert });
    assert.deepEqual({ ...changed, updated_at: made.updated_at }, { ...made, alert });
    const quiet = await browser.ask(view.strict(), "PATCH", `/app/v1/views/${made.id}`, { alert: null });
    assert.equal(quiet.alert, null);
    await browser.ask(ended.strict(), "DELETE", `/app/v1/views/${made.id}`);
    assert.equal(await browser.refused("DELETE", `/app/v1/views/${made.id}`), "not_found");
  });

  test("a wrong filter is named", async () => {
    const browser = await joined("member");
    const response = await browser.send("POST", path, {
      name: "x",
      filters: { tags: { market: ["nonsense"] } },
    });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /filters\.tags\.market/);
  });

  test("own views are seen by their owner, shared ones by all; a viewer shares none", async () => {
    const [one, two, viewer] = [await joined("member"), await joined("member"), await joined("viewer")];
    await one.ask(view, "POST", path, { name: "mine" });
    const shared = await one.ask(view, "POST", path, { name: "ours", shared: true });
    assert.deepEqual(
      [await namesOf(one), await namesOf(two), await namesOf(viewer)],
      [["mine", "ours"], ["ours"], ["ours"]],
    );
    await viewer.ask(view, "POST", path, { name: "a viewer's" });
    assert.equal(await viewer.refused("POST", path, { name: "x", shared: true }), "forbidden");
    assert.equal(await two.refused("PATCH", `/app/v1/views/${shared.id}`, { name: "x" }), "forbidden");
    await (await joined("owner")).ask(ended, "DELETE", `/app/v1/views/${shared.id}`);
    assert.deepEqual(await namesOf(two), []);
  });
});
