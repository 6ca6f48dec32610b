import type { SourceHealth } from "./types.ts";

export const noSource = "No source is configured: items come by push only.";

/** It needs a look. */
export const isBad = ({ status }: SourceHealth): boolean => status === "failing" || status === "stale";

/** What differs between sources with one cause: the error in brackets, and the time of the next try. */
const own = / \([^)]*\)|; next try \S+?Z/g;

/** Sources that do not do well, by what is wrong with them: a machine without a network has one cause, not one for each source. */
export const causesOf = <S extends Pick<SourceHealth, "advice" | "last_error">>(
  bad: readonly S[],
): ReadonlyMap<string, readonly S[]> =>
  Map.groupBy(bad, ({ advice, last_error }) => (advice ?? last_error ?? "").replace(own, ""));
