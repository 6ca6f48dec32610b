import assert from "node:assert/strict";
import { operatorStats, processList } from "@tapewire/contract/operator/process-stats.ts";
import type { Section } from "./section.ts";

const minuteMs = 60_000;

/** Calls for the operator about the service itself, which the service adds to the interface. */
export const operator: Section = {
  name: "Operator",
  rules: {
    "GET /admin/v1/processes lists the process that answers, and it is running": async (live) => {
      const { data } = (await live.get("/admin/v1/processes")).read(processList);
      const answering = data.filter((one) => one.answering);
      assert.deepEqual(
        answering.map(({ running }) => running),
        [true],
      );
      assert.equal(new Set(data.map(({ id }) => id)).size, data.length);
    },
    "GET /admin/v1/stats has a value of each series for each minute, the current one last": async (live) => {
      for (const minutes of ["60", "1440"] as const) {
        const stats = (await live.get("/admin/v1/stats", { query: { minutes } })).read(operatorStats);
        assert.equal(stats.minutes.length, Number(minutes));
        const times = stats.minutes.map((minute) => Date.parse(minute));
        assert.ok(times.every((time, n) => n === 0 || time - (times[n - 1] ?? 0) === minuteMs));
        const answering = stats.processes.find((one) => one.answering);
        assert.ok(answering !== undefined && answering.cpu.at(-1) !== null);
        for (const one of stats.processes) {
          const { items, streams, cpu, rss_bytes: memory, deliveries, sources } = one;
          for (const series of [items, streams, cpu, memory, deliveries, ...sources.map((of) => of.items)])
            assert.equal(series.length, Number(minutes));
          assert.ok(sources.length <= 9);
        }
        const { bytes, parts } = stats.database;
        assert.equal(
          bytes,
          parts.reduce((sum, part) => sum + part.bytes, 0),
        );
      }
    },
    "GET /admin/v1/stats has the last 60 minutes by default, and refuses other numbers": async (live) => {
      assert.equal((await live.get("/admin/v1/stats")).read(operatorStats).minutes.length, 60);
      for (const minutes of ["0", "59", "1441", "x", ""])
        await live.refuses("invalid_parameter", "GET", "/admin/v1/stats", {
          query: { minutes },
          fields: ["minutes"],
        });
    },
    "401 for a key": async (live) => {
      for (const path of ["/admin/v1/stats", "/admin/v1/processes"])
        await live.refuses("unauthorized", "GET", path, { key: await live.key("enterprise") });
    },
  },
};
