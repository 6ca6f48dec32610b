import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Exception, Settled } from "../../../src/store/webhooks/exceptions.ts";
import { EndpointQueue } from "../../../src/webhooks/endpoints/endpoint-queue.ts";

const itemId = "00000000-0000-4000-8000-000000000000";
const head = 12;

function exception(seq: number, of: Partial<Exception> = {}): Exception {
  const at = new Date(0);
  const counted = { trigger: "item", counts: true, attempts: 1, order: null } as const;
  return {
    ...{ seq, itemId, state: "due", dueAt: at, firstAt: at, lastStatus: 500, lastError: null },
    ...counted,
    ...of,
  };
}

const settled: Settled = { state: "settled", counts: true, order: null };

/** An endpoint that every item is for, with what of it would be in the database. */
class Life {
  stored = { position: 0, delivered: 0, expired: 0, failed: 0, exceptions: new Map<number, Exception>() };
  queue = new EndpointQueue({ position: 0, due: 0 });
  /** Under way, in the order they began: firsts, parked, and tried again. */
  underWay: { seq: number; kind: "first" | "again" }[] = [];
  sent: number[] = [];

  send(): void {
    const seq = (this.queue.seen ?? head) + 1;
    if (seq > head || this.underWay.length >= 4 || !this.queue.hasRoom) return;
    this.queue.look(seq);
    this.queue.begin({ seq, itemId }, 0);
    this.underWay.push({ seq, kind: "first" });
    this.sent.push(seq);
  }

  skip(): void {
    const seq = (this.queue.seen ?? head) + 1;
    if (seq > head) return;
    this.queue.look(seq);
    this.queue.skip({ seq, itemId }, "expired");
  }

  end(which: number, ok: boolean): void {
    const [one] = this.underWay.splice(which % Math.max(1, this.underWay.length), 1);
    if (one === undefined) return;
    const { seq, kind } = one;
    const row = exception(seq);
    if (kind === "first" && this.queue.end(seq, ok ? "delivered" : row)) return;
    this.queue.endAgain(seq, ok ? settled : row, ok ? "delivered" : null);
  }

  takeBack(): void {
    const last = this.underWay.at(-1);
    if (last?.kind === "first" && this.queue.takeBack(last.seq)) this.underWay.pop();
  }

  retry(): void {
    for (const seq of this.stored.exceptions.keys()) {
      if (this.queue.isAgainUnderWay(seq) || this.queue.isUncommitted(seq)) continue;
      this.queue.beginAgain(seq);
      this.underWay.push({ seq, kind: "again" });
    }
  }

  commit(succeeds: boolean): void {
    const { position } = this.queue;
    const gains = this.queue.takeGains();
    if (!succeeds) return this.queue.giveBack(gains);
    const exceptions = new Map(this.stored.exceptions);
    for (const [seq, row] of gains.exceptions) {
      if (row.state === "settled") exceptions.delete(seq);
      else exceptions.set(seq, row);
    }
    const { delivered, expired, failed } = this.stored;
    this.stored = {
      position: position ?? head,
      delivered: delivered + gains.delivered,
      expired: expired + gains.expired,
      failed: failed + gains.failed,
      exceptions,
    };
  }

  crash(): void {
    const { position, exceptions } = this.stored;
    this.queue = new EndpointQueue({ position, due: exceptions.size });
    this.underWay = [];
  }

  /** Whatever is left is delivered. */
  finish(): void {
    for (let round = 0; round < 100; round++) {
      this.send();
      while (this.underWay.length > 0) this.end(0, true);
      this.commit(true);
      this.retry();
    }
  }
}

const step = fc.oneof(
  fc.constant((life: Life) => life.send()),
  fc.constant((life: Life) => life.send()),
  fc.constant((life: Life) => life.skip()),
  fc.constant((life: Life) => life.queue.park(0, ({ seq }) => exception(seq, { attempts: 0 }))),
  fc.constant((life: Life) => life.takeBack()),
  fc.constant((life: Life) => life.retry()),
  fc.constant((life: Life) => life.crash()),
  fc.boolean().map((succeeds) => (life: Life) => life.commit(succeeds)),
  fc.tuple(fc.nat(3), fc.boolean()).map(
    ([which, ok]) =>
      (life: Life) =>
        life.end(which, ok),
  ),
);

test("whatever fails, hangs or crashes: every item is settled once, and counted once", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const life = new Life();
      for (const one of steps) {
        one(life);
        // What is stored tells of every item up to the position, and of none behind it.
        const { position, delivered, expired, exceptions } = life.stored;
        assert.equal(delivered + expired + exceptions.size, position);
        for (const seq of exceptions.keys()) assert.ok(seq <= position);
      }
      life.finish();
      const { position, delivered, expired, exceptions } = life.stored;
      assert.equal(position, head);
      assert.equal(delivered + expired, head);
      assert.equal(exceptions.size, 0);
    }),
    { numRuns: 2_000 },
  );
});

test("first attempts begin in the order of the log, and one that hangs holds up nobody for long", () => {
  const life = new Life();
  for (let n = 0; n < 4; n++) life.send();
  for (let n = 0; n < 3; n++) life.end(1, true);
  assert.equal(life.queue.position, 0, "the first holds them up");
  life.queue.park(0, ({ seq }) => exception(seq, { attempts: 0 }));
  assert.equal(life.queue.position, 4);
  life.commit(true);
  assert.equal(life.stored.delivered, 3);
  life.end(0, true);
  life.commit(true);
  assert.deepEqual(
    { delivered: life.stored.delivered, left: life.stored.exceptions.size },
    { delivered: 4, left: 0 },
  );
  assert.deepEqual(life.sent, [1, 2, 3, 4]);
});

test("one that is tried again while its first attempt is under way is settled by its first attempt", () => {
  const life = new Life();
  life.send();
  life.queue.addDue(1);
  assert.equal(life.queue.isFirstUnderWay(1), true);
  life.queue.beginAgain(1);
  life.queue.endAgain(1, settled, null);
  assert.equal(life.queue.position, 0, "it is under way still");
  assert.equal(life.queue.end(1, "delivered"), true);
  const { delivered, exceptions } = life.queue.takeGains();
  assert.deepEqual([delivered, [...exceptions]], [1, [[1, settled]]]);
  assert.equal(life.queue.due, 0);
});

test("what a replay fails to send is due once, and owes the counters what its first attempt owed", () => {
  const life = new Life();
  life.send();
  life.end(0, false);
  life.queue.except(exception(1, { trigger: "replay", counts: false }));
  assert.equal(life.queue.due, 1);
  assert.equal(life.queue.takeGains().exceptions.get(1)?.counts, true);
});

test("how many are due is what is stored, and what has changed since", () => {
  const queue = new EndpointQueue({ position: 9, due: 40 });
  queue.except(exception(7));
  queue.beginAgain(3);
  queue.endAgain(3, settled, "delivered");
  queue.knowDue([3, 4]);
  assert.equal(queue.due, 2, "4 and 7");
});
