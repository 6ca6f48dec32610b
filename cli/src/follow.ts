import type { EventStream, ItemEvent } from "tapewire";

/**
 * The items of a stream. What else happens to it is told on stderr.
 * @param wanted items of the snapshot that the stream begins with
 */
export async function* itemsOf(stream: EventStream, wanted = 0): AsyncGenerator<ItemEvent, void, undefined> {
  let waitsForSnapshot = wanted > 0;
  for await (const event of stream) {
    if (event.type === "item") yield event;
    else if (event.type === "state" && event.state === "live") {
      if (waitsForSnapshot && event.snapshot === 0)
        console.error(
          "The account has taken all its snapshots of this minute: new items follow, stored ones do not.",
        );
      waitsForSnapshot = false;
    } else if (event.type === "state" && event.state === "waiting")
      console.error(`${event.reason || "The connection was lost"}; reconnecting ...`);
    else if (event.type === "quota")
      console.error(`The day's cap of ${event.limit} items is reached. Items come again after 00:00 UTC.`);
    else if (event.type === "gap")
      console.error("The service could not resume from the cursor: items may be missing.");
  }
}
