import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Query, queryText } from "../api.ts";
import { useSteady } from "../draw/steady.ts";
import { type Failure, failureOf } from "./failure.ts";

export interface Loaded<T> {
  readonly data: T | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  /** When the data was read; null: there is none. */
  readonly readAt: number | null;
  readonly again: () => void;
}

interface State<T> {
  readonly key: string | null;
  readonly data: T | null;
  readonly failure: Failure | null;
  readonly readAt: number | null;
}

/** What was read before is shown at once when one comes back to a screen, while it is read again. */
const kept = new Map<string, { readonly data: unknown; readonly readAt: number }>();
const mostKept = 60;

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, { data, readAt: Date.now() });
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

/** What could not be drawn is not drawn again, nor what was read for another account. */
export const forgetAll = (): void => kept.clear();

function startOf<T>(key: string | null): State<T> {
  const known = key === null ? undefined : kept.get(key);
  const data = known !== undefined && isOf<T>(known.data) ? known.data : null;
  return { key, data, failure: null, readAt: known?.readAt ?? null };
}

/** The caller of useLoad says of which type the data of its key is. */
const isOf = <T>(data: unknown): data is T => data !== undefined;

/**
 * Reads data of the service for a screen.
 * @param key names the data; another key reads anew, null reads nothing
 * @param everyMs reads again this often while the page is visible
 */
export function useLoad<T>(
  key: string | null,
  read: (signal: AbortSignal) => Promise<T>,
  everyMs: number | null = null,
): Loaded<T> {
  const [state, setState] = useState<State<T>>(() => startOf(key));
  const [round, setRound] = useState(0);
  const current = state.key === key ? state : startOf<T>(key);
  const reading = useSteady(read);
  const again = useSteady(() => setRound((before) => before + 1));
  useEffect(() => {
    if (key === null) return;
    const aborter = new AbortController();
    reading(aborter.signal).then(
      (data) => {
        if (aborter.signal.aborted) return;
        keep(key, data);
        setState({ key, data, failure: null, readAt: Date.now() });
      },
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        setState((before) => ({
          ...(before.key === key ? before : startOf<T>(key)),
          failure: failureOf(error),
        }));
      },
    );
    return () => aborter.abort();
  }, [key, round]);
  useEffect(() => {
    if (everyMs === null || key === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, everyMs);
    return () => clearInterval(timer);
  }, [key, everyMs]);
  const { data, failure, readAt } = current;
  return { data, failure, readAt, again, isLoading: key !== null && data === null && failure === null };
}

/** What a path of the service answers; null: nothing is asked. */
export const useGet = <T>(path: string | null, query: Query = {}, everyMs: number | null = null): Loaded<T> =>
  useLoad(
    path === null ? null : path + queryText(query),
    (signal) => get<T>(path ?? "", query, signal),
    everyMs,
  );

export interface Doing {
  readonly isBusy: boolean;
  readonly failure: Failure | null;
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

/** A change that a person asked for: one at a time, its failure beside what was clicked. @returns run: whether it succeeded */
export function useDoing(): Doing {
  const [state, setState] = useState<{ isBusy: boolean; failure: Failure | null }>({
    isBusy: false,
    failure: null,
  });
  const busy = useRef(false);
  const run = useSteady(async (work: () => Promise<unknown>) => {
    if (busy.current) return false;
    busy.current = true;
    setState({ isBusy: true, failure: null });
    try {
      await work();
      setState({ isBusy: false, failure: null });
      return true;
    } catch (error) {
      setState({ isBusy: false, failure: failureOf(error) });
      return false;
    } finally {
      busy.current = false;
    }
  });
  return { ...state, run };
}
