import type { Ended } from "./link.ts";

type Rarely = typeof import("./rarely/rarely.ts");

/** What most streams never need: bundlers keep it in a file of its own. */
export const rarely = (): Promise<Rarely> => import("./rarely/rarely.ts");

/** A file that does not arrive is a connection that does not come about. */
export const later = (use: (loaded: Rarely) => Promise<Ended>): Promise<Ended> =>
  rarely().then(use, (error: unknown) => ({ code: 0, reason: String(error) }));
