import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a service by `--import`: tells on stderr of each turn of the main thread's event loop that takes more than
 * `tellAboveMs` of processor time. The thread's own time, not the wall's: what else the machine does is not in it. A
 * timer fires at most once a turn, so what lies between two firings is one turn and what fitted into `everyMs` before.
 */
const everyMs = 10;
const tellAboveMs = 50;

if (isMainThread) {
  let usedMs = threadMs();
  setInterval(() => {
    const nowMs = threadMs();
    const turnMs = nowMs - usedMs;
    usedMs = nowMs;
    if (turnMs > tellAboveMs) process.stderr.write(`turn of ${Math.round(turnMs)} ms at ${Date.now()}\n`);
  }, everyMs).unref();
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
