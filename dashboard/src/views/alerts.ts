import { matches } from "../core/filter.ts";
import type { StreamItem } from "../core/types.ts";
import { views } from "../feed/watchers.ts";

const leastBetweenMs = 3_000;
let lastAt = 0;

/** A short tone, made here: no file is loaded. */
function sound(): void {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = 880;
  volume.gain.setValueAtTime(0.08, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 0.25);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.25);
  tone.onended = () => void context.close();
}

/** Tells of an item that a view with an alert matches, at most every three seconds. */
export function alertFor(item: StreamItem): void {
  const view = views.value.find(({ alert, filters }) => alert?.notify && matches(filters, item));
  if (view === undefined || performance.now() - lastAt < leastBetweenMs) return;
  lastAt = performance.now();
  if (view.alert?.sound) sound();
  if (globalThis.Notification?.permission === "granted")
    new Notification(view.name, { body: item.title ?? "", tag: item.id });
}
