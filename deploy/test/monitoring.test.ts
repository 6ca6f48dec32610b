import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { temporaryFolder } from "../../server/test/support/process.ts";
import { monitoringDocuments } from "../../tools/grafana.ts";
import { root } from "./docker.ts";

const board = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ refId: z.string(), expr: z.string() })).optional(),
    }),
  ),
});

const boards = Object.entries(monitoringDocuments()).filter(([path]) => path.endsWith(".json"));

test("the panels of a board have places of their own", () => {
  assert.equal(boards.length, 4);
  for (const [path, text] of boards) {
    const { panels } = board.parse(JSON.parse(text));
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, path);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length, path);
    assert.ok(
      panels.every(({ gridPos: { x, w } }) => x + w <= 24),
      path,
    );
    assert.doesNotMatch(text, /\$(of|range)\b/);
  }
});

test("Prometheus scrapes every service of compose that has metrics, by the token for that alone", () => {
  const text = readFileSync(join(root, "deploy/prometheus/prometheus.yaml"), "utf8");
  const { scrape_configs: jobs } = parse(text);
  assert.equal(jobs.length, 1);
  assert.equal(jobs[0].job_name, "tapewire");
  assert.equal(jobs[0].authorization.credentials_file, "/run/secrets/metrics_token");
  assert.deepEqual(jobs[0].dns_sd_configs[0].names, ["tapewire", "front", "deliver"]);
});

const noPromtool = spawnSync("promtool", ["--version"]).status !== 0 && "no promtool on the PATH";

test("promtool takes the alerts, and each fires when it should and not otherwise", {
  skip: noPromtool,
}, () => {
  const cwd = join(root, "deploy", "prometheus");
  execFileSync("promtool", ["check", "rules", "alerts.yaml"], { cwd });
  execFileSync("promtool", ["test", "rules", "alerts-test.yaml"], { cwd });
  execFileSync("promtool", ["check", "config", "--syntax-only", "prometheus.yaml"], { cwd });
});

test("promtool takes every query of the boards", { skip: noPromtool }, () => {
  const exprs = boards.flatMap(([, text]) =>
    board.parse(JSON.parse(text)).panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  );
  const rules = exprs.map((expr, at) => ({
    record: `board:${at}`,
    expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*"),
  }));
  using folder = temporaryFolder();
  const file = join(folder.path, "boards.yaml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: "boards", rules }] }));
  execFileSync("promtool", ["check", "rules", file]);
});
