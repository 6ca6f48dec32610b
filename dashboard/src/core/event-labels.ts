import { get } from "../api.ts";
import { signal } from "../draw/signal.ts";
import { words } from "./format.ts";
import type { EventKind, EventList } from "./types.ts";

const kinds = signal<ReadonlyMap<string, EventKind>>(new Map());

/** What is known of a kind of event; its name in words until the labels are there. */
export const eventKind = (name: string): Partial<EventKind> & Pick<EventKind, "label"> =>
  kinds.value.get(name) ?? { label: words(name) };
export const eventLabel = (name: string): string => eventKind(name).label;

export async function loadEventLabels(): Promise<void> {
  if (kinds.peek().size > 0) return;
  const { data } = await get<EventList>("/v1/events");
  kinds.value = new Map(data.map((kind) => [kind.name, kind]));
}
