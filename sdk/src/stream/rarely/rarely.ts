/** Loaded when it is needed (`later.ts`): options that few use, and what follows a refusal. */
export { Aids } from "./aids.ts";
export { serverSentEvents } from "./events.ts";
export { explained } from "./explained.ts";
