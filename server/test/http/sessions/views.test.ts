import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ended } from "@tapewire/contract/dashboard/people.ts";
import { mostViews, viewSchemas } from "@tapewire/contract/dashboard/views.ts";
import { maxAccountFilterLength } from "@tapewire/contract/filter.ts";
import type { Browser } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { dictionary } from "../../support/dictionary.ts";
import { peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

const { view, list } = viewSchemas(dictionary);
/** About 200 characters as JSON for each symbol; other filters for each number. */
const large = (n: number, symbols: number) => ({
  symbols: Array.from({ length: symbols }, (_, at) => `${n}-${at}`.padEnd(197, "X")),
});
const fitting = Math.floor(maxAccountFilterLength / JSON.stringify(large(10, 300)).length);

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

  test("the operator is told that there is no such account", async () => {
    const operator = await people.operator();
    const of = "/app/v1/accounts/00000000-0000-4000-8000-000000000000";
    assert.equal(await operator.refused("POST", `${of}/views`, { name: "x" }), "not_found");
    for (const list of ["views", "keys", "people", "invites", "audit"])
      assert.equal(await operator.refused("GET", `${of}/${list}`), "not_found", list);
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

  describe("have bounds", () => {
    const emptyAccount = async () => {
      const { account_id } = await service.key("pro");
      const { browser } = await people.joined(account_id, "member");
      const views = `/app/v1/accounts/${account_id}/views`;
      const save = (filters: object) => browser.send("POST", views, { name: "one more", filters });
      return { browser, views, save };
    };
    const statuses = (answers: readonly Response[]) => {
      const counts: Record<string, number> = {};
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    };

    test("the filters of a view have at most 65,536 characters as JSON, new or changed", async () => {
      const { browser, save } = await emptyAccount();
      const refused = await save(large(0, 400));
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /"filters".*at most 65536 characters as JSON/);
      const made = view.parse(await (await save(large(0, 300))).json());
      const path = `/app/v1/views/${made.id}`;
      assert.equal(await browser.refused("PATCH", path, { filters: large(0, 400) }), "invalid_body");
    });

    test("the filters of an account's views have room together, also when they are saved at once", async () => {
      const { browser, views, save } = await emptyAccount();
      const saved = await Promise.all(Array.from({ length: fitting + 5 }, (_, n) => save(large(n, 300))));
      assert.deepEqual(statuses(saved), { 201: fitting, 400: 5 });
      const refused = saved.find(({ status }) => status === 400);
      assert.match((await refused?.text()) ?? "", /"filters".*2,097,152 characters/);
      const [first, second] = (await browser.ask(list, "GET", views)).data;
      const small = view.parse(await (await save({})).json());
      const change = (id: string | undefined, filters: object) =>
        browser.send("PATCH", `/app/v1/views/${id}`, { filters });
      assert.equal((await change(small.id, large(98, 300))).status, 400);
      assert.equal((await change(first?.id, large(98, 300))).status, 200, "in its own place");
      assert.equal((await change(second?.id, {})).status, 200);
      const widened = await Promise.all([small.id, second?.id].map((id) => change(id, large(99, 300))));
      assert.deepEqual(statuses(widened), { 200: 1, 400: 1 });
      const renamed = await browser.ask(view, "PATCH", `/app/v1/views/${first?.id}`, { name: "renamed" });
      assert.deepEqual(renamed.filters.symbols, large(98, 300).symbols.toSorted());
    });

    test("an account has 200 views, also when they are saved at once", async () => {
      const { save } = await emptyAccount();
      const saved = await Promise.all(Array.from({ length: mostViews + 10 }, () => save({})));
      assert.deepEqual(statuses(saved), { 201: mostViews, 409: 10 });
    });
  });
});
