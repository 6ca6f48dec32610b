import { capital } from "./capital.ts";
import type { EventEntry } from "./event-types.ts";
import { framing } from "./framing.ts";
import { results } from "./results.ts";
import { routine } from "./routine.ts";
import { trouble } from "./trouble.ts";

/** Earlier kinds name the item where it is of several. */
export const eventKinds: readonly EventEntry[] = [...framing, ...results, ...capital, ...trouble, ...routine];
