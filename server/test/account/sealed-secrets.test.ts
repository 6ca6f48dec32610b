import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { anyCharacter } from "../../../scoring/test/any-character.ts";
import { renewSecrets, secretState } from "../../src/account/lost-secret.ts";
import { openSealedSecrets, SealedSecrets, SecretError } from "../../src/account/sealed-secrets.ts";
import { insertAccount } from "../../src/store/accounts/accounts.ts";
import { processSeen } from "../../src/store/log/processes.ts";
import { insertWebhook } from "../../src/store/webhooks/webhooks.ts";
import { onAnyEngine, onPostgres, testDb } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { makeAccount, makeEndpoint } from "../support/webhooks.ts";

const owner = "00000000-0000-4000-8000-000000000001";
const other = "00000000-0000-4000-8000-000000000002";

test("what is sealed opens again, for its owner and with its key only", () => {
  const [sealer, opener] = [
    new SealedSecrets("the operator's secret"),
    new SealedSecrets("the operator's secret"),
  ];
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.equal(opener.open(sealer.seal(text, owner), owner), text);
    }),
  );
  const sealed = sealer.seal("whsec_x", owner);
  assert.notDeepEqual(sealer.seal("whsec_x", owner), sealed);
  assert.throws(() => sealer.open(sealed, other), SecretError);
  assert.throws(() => new SealedSecrets("the operator's Secret").open(sealed, owner), SecretError);
});

test("a sealed secret that was changed, at any byte, or cut does not open", () => {
  const sealer = new SealedSecrets("the operator's secret");
  const sealed = sealer.seal("whsec_x", owner);
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    assert.throws(() => sealer.open(changed, owner), SecretError, `byte ${index}`);
    assert.throws(() => sealer.open(sealed.subarray(0, index), owner), SecretError, `cut at ${index}`);
  }
});

onAnyEngine("a database keeps to the secret that it has something sealed with", async (_, engine) => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  await using db = await testDb(engine);
  const begin = (secret: string | null, dataDir = folder.path) =>
    openSealedSecrets({ secret, dataDir, databaseUrl: null }, db.main);
  const refused = (opening: Promise<SealedSecrets>) => assert.rejects(opening, SecretError);
  await insertAccount(db.main, { id: owner, name: "a", plan: "pro", created_at: new Date(0) });
  const insert = (secrets: SealedSecrets) => {
    const id = randomUUID();
    const secret = secrets.seal("whsec_x", id);
    const row = { id, account_id: owner, url: "", description: null, filters: {}, secret };
    return insertWebhook(db.main, row, { limit: 1, secretCheck: secrets.check });
  };

  const configured = await begin("a secret of the operator's");
  const made = await begin(null);
  const file = join(folder.path, "secret");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder.path), ["secret"]);
  assert.equal(await insert(configured), "sealed_otherwise");
  assert.equal(await insert(made), "made");
  assert.equal(await insert(made), "limit_reached");

  await refused(begin("a secret of the operator's"));
  // As after a restore, or where only the database was copied: nobody gave another secret.
  await assert.rejects(begin(null, elsewhere.path), ({ name, message }) => {
    assert.equal(name, "SecretError");
    assert.ok(message.startsWith(`${join(elsewhere.path, "secret")} is missing: `), message);
    assert.match(message, /neither sign .* nothing else is lost/);
    assert.match(message, /Copy the file .*TAPEWIRE_SECRET.*`tapewire secret renew`/);
    return true;
  });
  assert.deepEqual(readdirSync(elsewhere.path), [], "what is of no use is not kept");
  const sealed = made.seal("whsec_x", owner);
  const kept = readFileSync(file, "utf8").trim();
  for (const again of [await begin(null), await begin(kept, elsewhere.path)])
    assert.equal(again.open(sealed, owner), "whsec_x");
  writeFileSync(file, "");
  await assert.rejects(begin(null), /damaged/);
});

onAnyEngine("a lost secret is renewed, and then the service starts again", async (_, engine) => {
  using folder = temporaryFolder();
  await using db = await testDb(engine);
  const place = { secret: null, dataDir: folder.path, databaseUrl: null };
  const file = join(folder.path, "secret");
  const stateOf = async (secret: string | null = null) => (await secretState({ ...place, secret }, db)).state;
  const { id } = await makeEndpoint(db, { accountId: await makeAccount(db), url: "https://1.1.1.1/" });
  await db.main
    .updateTable("webhook_endpoints")
    .set({ previous_secret: Buffer.of(1) })
    .execute();
  assert.equal(await stateOf(), "lost");
  await assert.rejects(openSealedSecrets(place, db.main), /`tapewire secret`.*`tapewire secret renew`/);

  assert.deepEqual(
    (await renewSecrets(place, db)).map((one) => one.id),
    [id],
  );
  const row = await db.main.selectFrom("webhook_endpoints").selectAll().executeTakeFirstOrThrow();
  const seal = await openSealedSecrets(place, db.main);
  assert.match(seal.open(row.secret, id), /^whsec_.{44}$/);
  assert.deepEqual([row.status, row.previous_secret], ["enabled", null]);

  assert.deepEqual([await stateOf(), await stateOf("one of the operator's")], ["fits", "shadowed"]);
  for (const secret of [null, "one of the operator's"])
    await assert.rejects(renewSecrets({ ...place, secret }, db), SecretError);
  writeFileSync(file, "cut\n");
  assert.equal(await stateOf(), "lost");
  await renewSecrets(place, db);
  assert.equal(readFileSync(`${file}.damaged`, "utf8"), "cut\n");
  await openSealedSecrets(place, db.main);
});

onPostgres("signing secrets are not renewed under a process that runs", async () => {
  using folder = temporaryFolder();
  await using db = await testDb("postgres");
  await makeEndpoint(db, { accountId: await makeAccount(db), url: "https://1.1.1.1/" });
  await processSeen(db.main, owner);
  const place = {
    secret: "one of the operator's",
    dataDir: folder.path,
    databaseUrl: "postgres://somewhere",
  };
  await assert.rejects(renewSecrets(place, db), /stop all processes/);
  // Killed: it left no word.
  await sql`update processes set seen_at = now() - interval '2 minutes'`.execute(db.main);
  assert.equal((await renewSecrets(place, db)).length, 1);
});

onPostgres(
  "processes that share a PostgreSQL and were given no secret seal with one that it keeps",
  async () => {
    using folder = temporaryFolder();
    await using db = await testDb("postgres");
    const shared = { secret: null, dataDir: folder.path, databaseUrl: "postgres://somewhere" };
    const [one, other] = [await openSealedSecrets(shared, db.main), await openSealedSecrets(shared, db.main)];
    assert.equal(other.open(one.seal("whsec_x", owner), owner), "whsec_x");
    assert.deepEqual(readdirSync(folder.path), []);
  },
);
