import type { EventStream, ItemEvent } from "tapewire";

/** The items of a stream. What else happens to it is told on stderr. */
export async function* itemsOf(stream: EventStream): AsyncGenerator<ItemEvent, void, undefined> {
  for await (const event of stream) {
    if (event.type === "item") yield event;
    else if (event.type === "state" && event.state === "waiting")
      console.error(`${event.reason || "The connection was lost"}; reconnecting ...`);
    else if (event.type === "quota")
      console.error(`The day's cap of ${event.limit} items is reached. Items come again after 00:00 UTC.`);
    else if (event.type === "gap")
      console.error("The service could not resume from the cursor: items may be missing.");
  }
}
