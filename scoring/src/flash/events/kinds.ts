import { capital } from "./capital.ts";
import type { EventEntry } from "./event-types.ts";
import { framing } from "./framing.ts";
import { results } from "./results.ts";
import { routine } from "./routine.ts";
import { trouble } from "./trouble.ts";

/** The earliest of several matching kinds names the item. */
export const eventKinds: readonly EventEntry[] = [...framing, ...results, ...capital, ...trouble, ...routine];
