import { closeCodes, type ServerFrame } from "@tapewire/contract/stream.ts";
import type { Authenticator, Caller } from "../account/keys/auth.ts";
import type { Log } from "../runtime/log.ts";
import type { Connection } from "./connection.ts";

/** Ends the streams of revoked or expired keys, and of accounts that changed their plan. */
export async function endRefused(
  open: Iterable<Connection>,
  { auth, log }: { auth: Authenticator; log: Log },
): Promise<void> {
  const byKey = Map.groupBy(open, ({ key }) => key);
  try {
    await auth.refresh([...byKey.keys()]);
    for (const [key, connections] of byKey) {
      const caller = await auth.authenticate(key);
      for (const connection of connections) check(connection, caller);
    }
  } catch (error) {
    // While the database is away nothing is known to have changed.
    log.warn({ err: error }, "checking the keys of open streams failed");
  }
}

/** @param caller whose the key is now; null: the key is not valid */
function check(connection: Connection, caller: Caller | null): void {
  if (caller === null)
    connection.close(
      closeCodes.key_revoked,
      "key revoked or expired",
      fatal("key_revoked", "The key is no longer valid"),
    );
  else if (caller.tier !== connection.caller.tier)
    connection.close(
      closeCodes.plan_changed,
      "plan changed",
      fatal("plan_changed", `The account is now on the ${caller.tier} plan`),
    );
}

function fatal(code: "key_revoked" | "plan_changed", message: string): ServerFrame {
  return { type: "error", code, message, fatal: true };
}
