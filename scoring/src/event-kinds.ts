import { capital } from "./event-capital.ts";
import { framing } from "./event-framing.ts";
import { results } from "./event-results.ts";
import { routine } from "./event-routine.ts";
import { trouble } from "./event-trouble.ts";
import type { EventEntry } from "./event-types.ts";

/** Earlier kinds name the item where it is of several. */
export const eventKinds: readonly EventEntry[] = [...framing, ...results, ...capital, ...trouble, ...routine];
