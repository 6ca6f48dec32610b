/** What one machine runs: compose.yaml, its scripts, the unit of systemd. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { settings } from "../../server/src/config/config.ts";
import { createDatabase, postgresUrl } from "../../server/test/support/db.ts";
import { temporaryFolder } from "../../server/test/support/process.ts";
import { root } from "./docker.ts";

const deploy = join(root, "deploy");
const read = (name: string) => readFileSync(join(deploy, name), "utf8");

const service = z.looseObject({
  image: z.string(),
  profiles: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
});
const compose = z
  .object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.object({})) })
  .parse(parse(read("compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);

test("compose starts the service and its database alone, the rest by profile", () => {
  const profiles = Map.groupBy(
    services,
    ([
      ,
      {
        profiles: [profile = ""],
      },
    ]) => profile,
  );
  const names = [...profiles].map(([profile, of]) => [profile, of.map(([name]) => name)]);
  assert.deepEqual(Object.fromEntries(names), {
    "": ["tapewire", "postgres"],
    scale: ["front", "deliver", "nats"],
    proxy: ["caddy"],
    backup: ["backup"],
    monitoring: ["prometheus", "grafana"],
  });
});

test("compose names a version of every image, and opens ports to this machine only, but those of the proxy", () => {
  for (const [name, { image, ports }] of services) {
    assert.match(image, /:v?\d+\.\d+(\.\d+)?(-\w+)?$/, name);
    for (const port of ports)
      if (name !== "caddy") assert.ok(port.startsWith("127.0.0.1:"), `${name}: ${port}`);
  }
});

/** Variables of OpenTelemetry that hold too, by the documentation. */
const tracing = readFileSync(join(root, "docs", "deploy.md"), "utf8").match(/\bOTEL_\w+/g) ?? [];
const known = new Set<string>([...Object.values(settings).map(({ env }) => env), ...tracing]);

test("compose mounts files and volumes that exist, and sets what the service reads", () => {
  for (const [name, { image, volumes, environment }] of services) {
    for (const volume of volumes) {
      const [from = ""] = volume.split(":");
      const exists = from.startsWith("./")
        ? existsSync(join(deploy, from))
        : Object.hasOwn(compose.volumes, from);
      assert.ok(exists, `${name}: ${volume}`);
    }
    if (!image.startsWith("tapewire:")) continue;
    assert.deepEqual(
      Object.keys(environment).filter((env) => !known.has(env)),
      [],
      name,
    );
  }
});

test("every setting of deploy/.env reaches each process, but those that compose chooses", () => {
  // The image says where to listen and where data is. TAPEWIRE_PORT in the file is the port of this machine.
  const ofImage = ["TAPEWIRE_HOST", "TAPEWIRE_PORT", "TAPEWIRE_DATA_DIR"];
  const ofCompose = ["DATABASE_URL", "TAPEWIRE_ROLES"];
  for (const [name, { image, environment }] of services) {
    if (!image.startsWith("tapewire:")) continue;
    const passed = Object.keys(environment).filter((env) => environment[env]?.startsWith(`\${${env}:`));
    const missing = [...known].filter((env) => !passed.includes(env) && !ofCompose.includes(env));
    assert.deepEqual(missing, ofImage, name);
  }
});

test("secrets.sh makes the secrets that compose asks for, once; --force makes others and keeps the old file", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, ".env");
  const run = (...args: string[]) =>
    spawnSync(join(deploy, "secrets.sh"), args, { env: { ...process.env, ENV_FILE: file } });
  writeFileSync(file, "TAPEWIRE_CONTACT=ops@example.com");
  assert.equal(run().status, 0);
  const first = readFileSync(file, "utf8");
  const asked = [...read("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  for (const name of new Set(asked)) assert.match(first, new RegExp(`^${name}=[0-9a-f]{64}$`, "m"));
  assert.match(first, /^TAPEWIRE_CONTACT=ops@example\.com$/m);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(run().status, 0);
  assert.equal(readFileSync(file, "utf8"), first);
  assert.match(String(run("--force").stderr), /warning/);
  assert.notEqual(readFileSync(file, "utf8"), first);
  const [kept] = globSync(".env.*", { cwd: folder.path });
  assert.equal(readFileSync(join(folder.path, kept ?? "none"), "utf8"), first);
  assert.equal(run("--other").status, 2);
});

const noDump =
  postgresUrl === null
    ? "no PostgreSQL"
    : spawnSync("pg_dump", ["--version"]).status !== 0 && "no pg_dump on the PATH";

test("backup.sh keeps 7 days, 4 weeks and 6 months of dumps that restore", { skip: noDump }, async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase({ migrated: false });
  const psql = (sql: string) => execFileSync("psql", ["-qtA", "-d", database.url, "-c", sql]);
  psql("create table kept (word text); insert into kept values ('brandmoor')");
  const { hostname: PGHOST, port: PGPORT, username: PGUSER, password, pathname } = new URL(database.url);
  const server = { PGHOST, PGPORT, PGUSER, PGPASSWORD: decodeURIComponent(password) };
  const env = { ...process.env, ...server, PGDATABASE: pathname.slice(1), BACKUP_DIR: folder.path };
  const backUp = (day: string, more: object = {}) =>
    spawnSync(join(deploy, "backup.sh"), ["once"], {
      env: { ...env, BACKUP_NOW: `${day}T03:00:00Z`, ...more },
    });
  const march = Array.from({ length: 9 }, (_, at) => `2026-03-${String(at + 20)}`);
  for (const day of [
    "2025-09-30",
    "2025-10-01",
    "2025-11-01",
    "2025-12-01",
    "2026-01-01",
    "2026-02-01",
    ...march,
  ])
    assert.equal(backUp(day).status, 0, day);
  const names = (of: string) => globSync("*", { cwd: join(folder.path, of) }).sort();
  assert.equal(names("daily").length, 7);
  assert.equal(names("daily")[0], "tapewire-20260322T030000Z.dump");
  assert.deepEqual(
    names("weekly"),
    ["2026-W01", "2026-W05", "2026-W12", "2026-W13"].map((week) => `tapewire-${week}.dump`),
  );
  assert.deepEqual(
    names("monthly"),
    ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03"].map(
      (month) => `tapewire-${month}.dump`,
    ),
  );
  psql("drop table kept");
  execFileSync("pg_restore", [
    ...["--no-owner", "-d", database.url],
    join(folder.path, "monthly", "tapewire-2025-10.dump"),
  ]);
  assert.equal(String(psql("select word from kept")).trim(), "brandmoor");

  // A database that is away leaves nothing that looks like a backup.
  const before = names("daily");
  assert.notEqual(backUp("2026-04-01", { PGPORT: "9" }).status, 0);
  assert.deepEqual(
    names("daily").filter((name) => name.endsWith(".dump")),
    before,
  );
});

test("a nightly backup that fails is told, and takes the place of none before it", () => {
  using folder = temporaryFolder();
  const commands = join(folder.path, "commands");
  const daily = join(folder.path, "daily");
  for (const made of [commands, daily]) mkdirSync(made);
  // A night passes at once, and the second one is never reached.
  const stubs = {
    pg_dump: `echo half >"\${2#--file=}"; exit 1`,
    pg_restore: "exit 0",
    sleep: `[ -e ${daily}/slept ] && kill -TERM $PPID; : >${daily}/slept`,
  };
  for (const [name, text] of Object.entries(stubs))
    writeFileSync(join(commands, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const before = Array.from({ length: 7 }, (_, at) => `tapewire-2026032${at}T030000Z.dump`);
  for (const name of before) writeFileSync(join(daily, name), "whole");
  const { status, stderr } = spawnSync(join(deploy, "backup.sh"), ["nightly"], {
    env: { ...process.env, PATH: `${commands}:${process.env.PATH}`, BACKUP_DIR: folder.path },
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.deepEqual([status, stderr], [0, "the backup failed\n"]);
  assert.deepEqual(
    globSync("*/*.dump", { cwd: folder.path }).sort(),
    before.map((name) => `daily/${name}`),
  );
});

const noSystemd =
  spawnSync("systemd-analyze", ["--version"]).status !== 0 && "no systemd-analyze on the PATH";

test("systemd takes the unit as it is, and finds little that it is exposed to", { skip: noSystemd }, () => {
  using folder = temporaryFolder();
  const unit = join(folder.path, "tapewire.service");
  mkdirSync(dirname(unit), { recursive: true });
  writeFileSync(unit, read("tapewire.service").replaceAll("/opt/tapewire", root));
  const verified = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  assert.deepEqual([verified.status, verified.stderr], [0, ""]);
  const args = ["security", "--offline=true", "--threshold=20", "--no-pager", unit];
  assert.equal(spawnSync("systemd-analyze", args).status, 0, "its exposure is at most 2.0 of 10");
});

test("the unit does not start again after exit code 2, and gives a stop longer than the service takes", () => {
  const unit = read("tapewire.service");
  assert.match(unit, /^RestartPreventExitStatus=2$/m);
  const drainMs = /const drainMs = ([\d_]+);/.exec(
    readFileSync(join(root, "server/src/main.ts"), "utf8"),
  )?.[1];
  const stopS = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  assert.ok(stopS * 1_000 > Number(drainMs?.replaceAll("_", "")));
  const script: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts.start;
  const [, flags = ""] = /node (--.+) server/.exec(script) ?? [];
  assert.ok(unit.includes(`node ${flags} server/src/main.ts`));
});
