import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { account, createdKey, sourceHealthList } from "@tapewire/contract/admin.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { z } from "zod";
import { anyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";
import { pushTests } from "./admin/pushes.ts";

const nobody = "00000000-0000-4000-8000-000000000000";
const accountList = z.strictObject({ data: z.array(account.strict()) });

describe("admin API", () => {
  let service: Service;
  let reader = "";
  before(async () => {
    service = await startService(anyEngine);
    reader = (await service.key("enterprise")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  const refused = async (response: Response, status: number) => {
    assert.equal(response.status, status);
    return problem.parse(await response.json());
  };

  test("an account is created, listed and renamed", async () => {
    const response = await service.admin("POST", "/admin/v1/accounts", { name: " Desk ", plan: "starter" });
    assert.equal(response.status, 201);
    const made = account.strict().parse(await response.json());
    assert.deepEqual([made.name, made.plan], ["Desk", "starter"]);
    const renamed = await service.admin("PATCH", `/admin/v1/accounts/${made.id}`, { name: "Desk 2" });
    assert.deepEqual(account.parse(await renamed.json()), { ...made, name: "Desk 2" });
    const { data } = accountList.parse(await (await service.admin("GET", "/admin/v1/accounts")).json());
    assert.deepEqual(
      data.filter(({ id }) => id === made.id),
      [{ ...made, name: "Desk 2" }],
    );
  });

  test("a change of plan is in force for the next request", async () => {
    const { key, account_id } = await service.key("free");
    assert.equal((await service.get("/v1/feeds", key)).status, 403);
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "starter" });
    const response = await service.get("/v1/feeds", key);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("x-page-limit"), "100");
  });

  test("an account that is not there is 404, a change of nothing 400", async () => {
    await refused(await service.admin("PATCH", `/admin/v1/accounts/${nobody}`, { plan: "pro" }), 404);
    await refused(await service.admin("PATCH", "/admin/v1/accounts/17", { plan: "pro" }), 400);
    const { account_id } = await service.key("free");
    await refused(await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, {}), 400);
  });

  test("a key is made for an account or for a plan, not for both or neither", async () => {
    const first = await service.key("pro");
    const second = await service.admin("POST", "/admin/v1/keys", {
      account_id: first.account_id,
      name: "laptop",
    });
    assert.equal(second.status, 201);
    const made = createdKey.strict().parse(await second.json());
    assert.deepEqual([made.account_id, made.name, made.plan], [first.account_id, "laptop", "pro"]);
    assert.notEqual(made.key, first.key);
    await refused(await service.admin("POST", "/admin/v1/keys", {}), 400);
    await refused(
      await service.admin("POST", "/admin/v1/keys", { account_id: first.account_id, plan: "pro" }),
      400,
    );
    await refused(await service.admin("POST", "/admin/v1/keys", { account_id: nobody }), 404);
    await refused(await service.admin("POST", "/admin/v1/keys", { plan: "pro", expires_at: "soon" }), 400);
  });

  test("revoking twice is no error and keeps the first time; an unknown key is 404", async () => {
    const { id } = await service.key("pro");
    const revoke = async () =>
      z
        .looseObject({ revoked_at: z.string() })
        .parse(await (await service.admin("DELETE", `/admin/v1/keys/${id}`)).json()).revoked_at;
    assert.equal(await revoke(), await revoke());
    await refused(await service.admin("DELETE", `/admin/v1/keys/${nobody}`), 404);
    await refused(await service.admin("DELETE", "/admin/v1/keys/17"), 400);
  });

  test("an account may be sent back as it was read", async () => {
    const { account_id } = await service.key("pro");
    const path = `/admin/v1/accounts/${account_id}`;
    const read = account.parse(await (await service.admin("PATCH", path, { name: "Desk" })).json());
    const again = await service.admin("PATCH", path, { ...read, name: "Desk 2", plan: null });
    assert.deepEqual(account.parse(await again.json()), { ...read, name: "Desk 2" });
  });

  pushTests(() => ({ service, reader }));

  test("the health of sources is listed", async () => {
    const response = await service.admin("GET", "/admin/v1/sources");
    assert.equal(response.status, 200);
    sourceHealthList.strict().parse(await response.json());
  });
});
