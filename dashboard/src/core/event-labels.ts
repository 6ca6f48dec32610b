import { get } from "../api.ts";
import { signal } from "../draw/signal.ts";
import { words } from "./format.ts";
import type { EventList } from "./types.ts";

const labels = signal<ReadonlyMap<string, string>>(new Map());

/** Label of a kind of event; its name in words until the labels are there. */
export const eventLabel = (name: string): string => labels.value.get(name) ?? words(name);

export async function loadEventLabels(): Promise<void> {
  if (labels.peek().size > 0) return;
  const { data } = await get<EventList>("/v1/events");
  labels.value = new Map(data.map(({ name, label }) => [name, label]));
}
