/** Loaded when it is needed (`later.ts`): options that few use, and what follows a refusal. */
export { type Aids, aidsOf } from "./aids.ts";
export { sse } from "./events.ts";
export { reasonOf } from "./explained.ts";
