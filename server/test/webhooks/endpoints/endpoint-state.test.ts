import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type EndpointEvent,
  type EndpointMachine,
  type EndpointState,
  transitions,
} from "../../../src/webhooks/endpoints/endpoint-state.ts";
import { end, fail, hourMs, newMachine, startMs } from "./driven-endpoint.ts";

test("five failures in a row open it, a success among them does not", () => {
  const machine = newMachine({ random: () => 0 });
  fail(machine, 4, startMs);
  end(machine, startMs, { ok: true });
  fail(machine, 4, startMs);
  assert.equal(machine.state(startMs), "closed");
  assert.equal(machine.atOnce(startMs), 4);
  assert.equal(machine.kept, null);
  end(machine, startMs);
  assert.equal(machine.state(startMs), "open");
  assert.equal(machine.atOnce(startMs), 0);
  assert.deepEqual(machine.kept, { openings: 1, untilMs: startMs + 30_000 });
});

test("half of ten or more within a minute open it", () => {
  const outcomes = (machine: EndpointMachine, pattern: string, stepMs: number) => {
    let nowMs = startMs;
    for (const letter of pattern) {
      end(machine, nowMs, { ok: letter === "+" });
      nowMs += stepMs;
    }
    return machine.state(nowMs);
  };
  assert.equal(outcomes(newMachine(), "+-+-+-+-+", 100), "closed", "nine");
  assert.equal(outcomes(newMachine(), "+-+-+-+-+-", 100), "open");
  assert.equal(outcomes(newMachine(), "++-++-++-++-++-++-++-", 100), "closed", "a third");
  assert.equal(outcomes(newMachine(), "+-+-+-+-+-+-", 12_000), "closed", "never ten within a minute");
  assert.equal(outcomes(newMachine(), "++++++++++-+--+-", 0), "closed", "five of sixteen");
  assert.equal(outcomes(newMachine(), "++++++----+----+--", 0), "open", "ten of eighteen");
});

test("what is older than a minute does not count", () => {
  const machine = newMachine();
  for (let passed = 0; passed < 100; passed += 1) end(machine, startMs, { ok: true });
  const laterMs = startMs + 60_000;
  for (const ok of [true, false, true, false, true, false, true, false, true]) end(machine, laterMs, { ok });
  assert.equal(machine.state(laterMs), "closed");
  end(machine, laterMs);
  assert.equal(machine.state(laterMs), "open");
});

test("30 s, doubled at each opening up to 15 min, late by at most a fifth", () => {
  for (const random of [0, 1]) {
    const machine = newMachine({ random: () => random });
    fail(machine, 5, startMs);
    let nowMs = startMs;
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const untilMs = nowMs + seconds * 1_000 * (1 + 0.2 * random);
      assert.equal(machine.state(untilMs - 1), "open");
      assert.equal(machine.state(untilMs), "half_open");
      assert.equal(machine.atOnce(untilMs), 1, "a probe");
      nowMs = untilMs;
      end(machine, nowMs);
    }
  }
});

test("a wait that a clock ahead has begun ends when the clock is put back", () => {
  const aheadMs = startMs + 48 * hourMs;
  const machine = newMachine({ random: () => 0 });
  fail(machine, 5, aheadMs);
  assert.equal(machine.state(aheadMs), "open");
  assert.equal(machine.state(startMs), "half_open");
  end(machine, startMs);
  assert.equal(machine.state(startMs + 59_999), "open");
  const paused = newMachine();
  end(paused, aheadMs, { retryAfterMs: hourMs });
  assert.equal(paused.atOnce(aheadMs), 0);
  assert.equal(paused.atOnce(startMs), 4);
  end(paused, startMs, { retryAfterMs: 60_000 });
  assert.deepEqual([paused.atOnce(startMs + 59_999), paused.atOnce(startMs + 60_000)], [0, 4]);
  const restarted = newMachine({ kept: { openings: 1, untilMs: aheadMs } });
  assert.equal(restarted.state(startMs), "half_open");
});

test("two successes a step: one at a time, two, four; then it has forgotten", () => {
  const machine = newMachine({ random: () => 0 });
  fail(machine, 5, startMs);
  fail(machine, 1, startMs + 30_000);
  const nowMs = startMs + 90_000;
  const limits = [1, 1, 2, 2, 4].map((limit) => {
    assert.equal(machine.atOnce(nowMs), limit);
    end(machine, nowMs, { ok: true });
    return machine.state(nowMs);
  });
  assert.deepEqual(limits, ["half_open", "half_open", "half_open", "closed", "closed"]);
  assert.equal(machine.kept, null);
  fail(machine, 5, nowMs);
  assert.equal(machine.state(nowMs + 30_000), "half_open", "30 s again");
});

test("one failure on the ramp opens it again, for longer", () => {
  const machine = newMachine({ random: () => 0 });
  fail(machine, 5, startMs);
  const probedMs = startMs + 30_000;
  for (let passed = 0; passed < 3; passed += 1) end(machine, probedMs, { ok: true });
  assert.equal(machine.atOnce(probedMs), 2);
  end(machine, probedMs);
  assert.deepEqual(machine.kept, { openings: 2, untilMs: probedMs + 60_000 });
  end(machine, probedMs + 60_000, { ok: true });
  assert.equal(machine.atOnce(probedMs + 60_000), 1, "the successes before it count no more");
});

test("what ends while it is open neither lengthens nor shortens it", () => {
  const machine = newMachine({ random: () => 0 });
  fail(machine, 8, startMs);
  for (let passed = 0; passed < 10; passed += 1) end(machine, startMs + 1, { ok: true });
  assert.deepEqual(machine.kept, { openings: 1, untilMs: startMs + 30_000 });
});

test("goes on where another process has stopped", () => {
  const kept = { openings: 3, untilMs: startMs };
  const machine = newMachine({ kept, random: () => 0 });
  assert.equal(machine.state(startMs - 1), "open");
  assert.equal(machine.atOnce(startMs), 1);
  end(machine, startMs);
  assert.deepEqual(machine.kept, { openings: 4, untilMs: startMs + 240_000 });
});

test("as long as the receiver asked for nothing begins, whatever its state", () => {
  const machine = newMachine({ random: () => 0 });
  end(machine, startMs);
  end(machine, startMs, { retryAfterMs: 60_000 });
  assert.equal(machine.atOnce(startMs + 59_999), 0);
  assert.deepEqual(machine.kept, { openings: 0, untilMs: startMs + 60_000 });
  assert.equal(machine.atOnce(startMs + 60_000), 4);
  end(machine, startMs + 60_000, { ok: true });
  assert.equal(machine.kept, null);
  fail(machine, 5, startMs + 60_000);
  end(machine, startMs + 60_000, { retryAfterMs: 3_600_000 });
  assert.deepEqual(machine.kept, { openings: 1, untilMs: startMs + 3_660_000 });
  assert.equal(machine.atOnce(startMs + 3_659_999), 0);
  assert.equal(machine.atOnce(startMs + 3_660_000), 1);
});

test("opens exactly when five failed in a row, or half of the last minute's ten or more", () => {
  const anyRun = fc.array(
    fc.record({ ok: fc.boolean(), passedMs: fc.constantFrom(0, 1_000, 10_000, 50_000) }),
  );
  fc.assert(
    fc.property(anyRun, (run) => {
      const machine = newMachine();
      const seen: { ok: boolean; bucket: number }[] = [];
      let nowMs = startMs;
      for (const { ok, passedMs } of run) {
        nowMs += passedMs;
        end(machine, nowMs, { ok });
        const bucket = Math.floor(nowMs / 10_000);
        seen.push({ ok, bucket });
        const recent = seen.filter((attempt) => attempt.bucket > bucket - 6);
        const failed = recent.filter((attempt) => !attempt.ok).length;
        const isOften = recent.length >= 10 && failed * 2 >= recent.length;
        const isRun = seen.length >= 5 && seen.slice(-5).every((attempt) => !attempt.ok);
        const opens = !ok && (isOften || isRun);
        assert.equal(machine.state(nowMs), opens ? "open" : "closed");
        if (opens) return;
      }
    }),
  );
});

/** A machine in each state, and the time at which it is in it. */
const inState: Record<EndpointState, () => { machine: EndpointMachine; nowMs: number }> = {
  joining: () => ({ machine: newMachine({ joined: false }), nowMs: startMs }),
  closed: () => ({ machine: newMachine(), nowMs: startMs }),
  open: () => {
    const machine = newMachine({ random: () => 0 });
    fail(machine, 5, startMs);
    return { machine, nowMs: startMs };
  },
  half_open: () => ({ machine: inState.open().machine, nowMs: startMs + 30_000 }),
  stopped: () => {
    const machine = newMachine();
    end(machine, startMs, { gone: true });
    return { machine, nowMs: startMs };
  },
  removed: () => {
    const machine = newMachine();
    machine.remove();
    return { machine, nowMs: startMs };
  },
};

/** What makes each event happen. */
const causes: Record<EndpointEvent, (machine: EndpointMachine, nowMs: number) => void> = {
  joined: (machine) => machine.join(),
  tripped: (machine, nowMs) => fail(machine, 5, nowMs),
  wait_over: (machine, nowMs) => machine.state(nowMs + hourMs),
  recovered: (machine, nowMs) => {
    for (let passed = 0; passed < 4; passed += 1) end(machine, nowMs, { ok: true });
  },
  refused: (machine, nowMs) => end(machine, nowMs, { gone: true }),
  reset: (machine) => machine.reset(machine.resets + 1),
  removed: (machine) => machine.remove(),
};

const states: readonly EndpointState[] = ["joining", "closed", "open", "half_open", "stopped", "removed"];
const events: readonly EndpointEvent[] = [
  ...(["joined", "tripped", "wait_over", "recovered", "refused", "reset", "removed"] as const),
];

for (const state of states)
  test(`${state}: every event leads where the table says, and attempts begin only as it allows`, () => {
    for (const event of events) {
      const { machine, nowMs } = inState[state]();
      assert.equal(machine.state(nowMs), state);
      causes[event](machine, nowMs);
      const next = machine.state(nowMs);
      assert.equal(next, transitions[state][event] ?? state, event);
      const atOnce = { closed: 4, half_open: 1, joining: 0, open: 0, stopped: 0, removed: 0 };
      assert.equal(machine.atOnce(nowMs), atOnce[next], event);
    }
  });

test("whatever happens, in whatever order: removed is for good, and only what its owner decides revives it", () => {
  const anyRun = fc.array(fc.record({ event: fc.constantFrom(...events), passedMs: fc.nat(60_000) }));
  fc.assert(
    fc.property(fc.boolean(), anyRun, (joined, run) => {
      const machine = newMachine({ joined, random: () => 0 });
      let nowMs = startMs;
      for (const { event, passedMs } of run) {
        nowMs += passedMs;
        const before = machine.state(nowMs);
        causes[event](machine, nowMs);
        const after = machine.state(nowMs);
        if (before === "removed") assert.equal(after, "removed");
        if (before === "stopped" && event !== "reset" && event !== "removed") assert.equal(after, "stopped");
        assert.equal(after === "stopped", machine.isStopped && after !== "removed");
        if (after !== "closed" && after !== "half_open") assert.equal(machine.atOnce(nowMs), 0);
      }
    }),
  );
});

test("an endpoint that waits as it is loaded waits on when all it is owed is counted", () => {
  const kept = { openings: 2, untilMs: startMs + 1 };
  const machine = newMachine({ joined: false, kept });
  machine.join();
  assert.equal(machine.state(startMs), "open");
  assert.equal(machine.state(startMs + 1), "half_open");
});

test("410, and nothing but failures for so long, are reasons to disable it; one success begins anew", () => {
  const gone = newMachine();
  end(gone, startMs, { gone: true });
  assert.match(gone.disabledReason ?? "", /410/);

  const dead = newMachine();
  end(dead, startMs);
  end(dead, startMs + 100 * hourMs, { ok: true });
  end(dead, startMs + 101 * hourMs);
  end(dead, startMs + 220 * hourMs);
  assert.equal(dead.disabledReason, null);
  end(dead, startMs + 221 * hourMs);
  assert.match(dead.disabledReason ?? "", /failing_since/);
  assert.equal(dead.isStopped, true);
  assert.deepEqual(dead.failingSince, new Date(startMs + 101 * hourMs));
});

test("when its owner decides anew nothing of before holds, and what was under way tells nothing", () => {
  const { machine } = inState.stopped();
  machine.reset(1);
  assert.deepEqual([machine.failingSince, machine.disabledReason, machine.kept], [null, null, null]);
  const resets = 0;
  for (let late = 0; late < 10; late += 1)
    end(machine, startMs, { resets, gone: true, retryAfterMs: 60_000 });
  assert.equal(machine.state(startMs), "closed");
  assert.equal(machine.atOnce(startMs), 4);
  machine.reset(1);
  fail(machine, 5, startMs);
  machine.reset(1);
  assert.equal(machine.state(startMs), "open", "the same decision resets nothing");
});

test("a failed delivery is tried again by the schedule, never before Retry-After, and not when it would be too old", () => {
  const machine = newMachine();
  const retry = (waitMs: number) => ({ do: "retry", atMs: startMs + waitMs });
  assert.deepEqual(end(machine, startMs, { ok: true }), { do: "settle" });
  assert.deepEqual(end(machine, startMs), retry(5_000));
  assert.deepEqual(end(machine, startMs, { failedBefore: 1 }), retry(300_000));
  assert.deepEqual(end(machine, startMs, { retryAfterMs: 60_000 }), retry(60_000));
  assert.deepEqual(end(machine, startMs, { failedBefore: 6 }), { do: "give_up", expired: false });
  const expiry = { madeAtMs: startMs - 60_000, maxAgeMs: 65_000 };
  assert.deepEqual(end(machine, startMs, { expiry }), retry(5_000));
  assert.deepEqual(end(machine, startMs, { expiry, failedBefore: 1 }), { do: "give_up", expired: true });
});
