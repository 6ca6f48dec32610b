import type { EventStream, ItemEvent, StreamEvent } from "tapewire";

/** Everything that comes, or the first `most`, and then the source is left. */
export async function collect<T>(source: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) if (all.push(one) >= most) break;
  return all;
}

/** The next events; the stream goes on. */
export async function take(stream: EventStream, count: number): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  while (all.length < count) {
    const { done, value } = await stream.next();
    if (done === true) throw new Error(`the stream ended after ${all.length} of ${count} events`);
    all.push(value);
  }
  return all;
}

export const isItem = (event: StreamEvent): event is ItemEvent => event.type === "item";
export const titlesOf = (events: readonly StreamEvent[]) =>
  events.filter(isItem).map(({ item }) => item.title);
