import type { Ended } from "./link.ts";

type Rarely = typeof import("./rarely/rarely.ts");

/** What most streams never need: bundlers keep it in a file of its own. */
export const rarely = (): Promise<Rarely> => import("./rarely/rarely.ts");

/**
 * Its error is how the connection ended: a refusal has a status. A file that does not arrive is a connection that does not
 * come about.
 */
export const later = (use: (loaded: Rarely) => Promise<Ended>): Promise<Ended> =>
  rarely()
    .then(use)
    .catch((error: unknown) => {
      const { status: code = 0, message: reason = String(error), retryAfterMs } = Object(error);
      return { code, reason, retryAfterMs };
    });
