import { spawnService } from "./process.ts";

const watcher = new URL("./watch-turns.ts", import.meta.url).href;
const answersWithinMs = 30_000;

/** A service whose event loop is watched, from inside and from outside. */
export async function spawnWatched(env: Record<string, string>) {
  const service = await spawnService({ ...env, NODE_OPTIONS: `--import=${watcher}` });
  const readyAt = Date.now();
  return {
    ...service,
    /** The longest turn since it was ready, in processor time; 0: none was long enough to be told. */
    longestTurnMs: () => {
      const told = service.output().matchAll(/^turn of (\d+) ms at (\d+)$/gm);
      return Math.max(0, ...[...told].filter(([, , at]) => Number(at) > readyAt).map(([, ms]) => Number(ms)));
    },
  };
}
type Watched = Awaited<ReturnType<typeof spawnWatched>>;

/**
 * Does the work while /livez is asked again and again. A loop that never ends its turn cannot tell of itself: it shows
 * by the answer that does not come. The signal ends work that would go on for ever then.
 * @throws when the service stands still
 */
export async function whileAlive<Result>(
  service: () => Pick<Watched, "url" | "child">,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const watching = (async (): Promise<never> => {
    for (;;) {
      done.signal.throwIfAborted();
      const { url, child } = service();
      const isSame = () => service().child === child && child.exitCode === null && child.signalCode === null;
      const signal = AbortSignal.timeout(answersWithinMs);
      await fetch(`${url}/livez`, { signal }).then(
        (answer) => answer.text(),
        (error: unknown) => {
          // One that was killed does not answer either.
          if (isSame() && signal.aborted) throw new Error("the service stands still", { cause: error });
        },
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  try {
    return await Promise.race([work(done.signal), watching]);
  } finally {
    done.abort();
    watching.catch(() => {});
  }
}
