/** Whether tests run with all their rounds and items, and on both engines; see CONTRIBUTING.md. */
export const isFull = process.env.TAPEWIRE_CHAOS === "full";
