import type { ItemEvent, StreamEvent } from "tapewire";

/**
 * The items of a stream. What else happens to it is told on stderr.
 * @param wanted items of the snapshot that the stream begins with
 */
export async function* itemsOf(
  stream: AsyncIterable<StreamEvent>,
  wanted = 0,
): AsyncGenerator<ItemEvent, void, undefined> {
  let waitsForSnapshot = wanted > 0;
  /** What was told of the connection that is missing; null: it is there, or it has not been missed yet. */
  let missing: string | null = null;
  for await (const event of stream) {
    if (event.type === "item") yield event;
    else if (event.type === "state" && event.state === "waiting") {
      // Each attempt ends so: only another reason is news.
      const reason = event.reason || "The connection was lost";
      if (missing === null) console.error(`${reason}; trying again until the service is back ...`);
      else if (reason !== missing) console.error(`${reason}; still trying ...`);
      missing = reason;
    } else if (event.type === "state" && (event.state === "live" || event.state === "replaying")) {
      if (missing !== null) console.error("Connected again.");
      missing = null;
      if (event.state === "replaying") continue;
      if (waitsForSnapshot && event.snapshot === 0)
        console.error(
          "The account has taken all its snapshots of this minute: new items follow, stored ones do not.",
        );
      waitsForSnapshot = false;
    } else if (event.type === "quota")
      console.error(`The day's cap of ${event.limit} items is reached. Items come again after 00:00 UTC.`);
    else if (event.type === "gap")
      console.error("The service could not resume from the cursor: items may be missing.");
  }
}
