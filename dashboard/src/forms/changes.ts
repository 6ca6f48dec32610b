import { send } from "../api.ts";
import { type Doing, useDoing } from "../core/load.ts";
import { tell } from "../parts/toast.tsx";

export interface Changes extends Doing {
  /** Asks the service for a change; tells of it when it is made, and reads again what it concerns. */
  readonly change: (
    said: string,
    ...asked: readonly [method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown]
  ) => Promise<boolean>;
}

/** @param again reads what the changes concern */
export function useChanges(...again: readonly (() => void)[]): Changes {
  const doing = useDoing();
  return {
    ...doing,
    change: (said, ...asked) =>
      doing.run(async () => {
        await send(...asked);
        tell(said);
        for (const read of again) read();
      }),
  };
}
