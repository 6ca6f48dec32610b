/**
 * Loaded before all else in a process of tests. node:test follows every promise and socket of its process, to tell which test
 * an error that nobody caught belongs to; awaiting takes nine times as long by that. Here it hears of its own tests only: such
 * an error fails the process instead, and says what it is.
 */
import { isMainThread } from "node:worker_threads";

const hooks = process.getBuiltinModule("node:async_hooks");
const { AsyncResource, createHook } = hooks;
type Callbacks = Parameters<typeof createHook>[0];

/** node:test takes both from this module while it loads, and makes its only hook when the first test is registered. */
if (isMainThread) {
  let follow: Callbacks["init"];
  class FollowedResource extends AsyncResource {
    constructor(...[type, options]: ConstructorParameters<typeof AsyncResource>) {
      super(type, options);
      follow?.(this.asyncId(), type, this.triggerAsyncId(), this);
    }
  }
  const createItsHook = ({ init }: Callbacks) => {
    follow = init;
    return createHook({});
  };
  Object.assign(hooks, { AsyncResource: FollowedResource, createHook: createItsHook });
  await import("node:test");
  Object.assign(hooks, { AsyncResource, createHook });
}
