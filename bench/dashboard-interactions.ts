/** How long a page takes to show what a key or a click has done, while items come. */
import type { Page } from "playwright-core";
import type { Bar } from "./stream-report.ts";

/** What a person does on the feed: each changes what is seen. */
const keys = ["j", "j", "k", "Escape", "f", "f", "Space", ".", "d", "d", "c", "Escape", "?", "Escape"];
const betweenMs = 150;

/** As web.dev counts it: the longest event of each interaction, from the input to the next frame. */
const observe = `
  window.took = new Map();
  window.note = ({ interactionId: id, duration, name, processingStart, processingEnd, startTime }) => {
    if (id > 0 && (took.get(id)?.duration ?? -1) < duration)
      took.set(id, { duration, name, waited: processingStart - startTime, ran: processingEnd - processingStart });
  };
  window.watcher = new PerformanceObserver((list) => list.getEntries().forEach(note));
  watcher.observe({ type: "event", durationThreshold: 16 });`;

interface Took {
  readonly duration: number;
  readonly name: string;
  readonly waited: number;
  readonly ran: number;
}

/** @param come makes items come until it is told to stop; @param rounds how often all of it is done */
export async function interactions(
  page: Page,
  come: () => () => Promise<void>,
  rounds: number,
): Promise<Bar> {
  await page.evaluate(observe);
  const stop = come();
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForTimeout(betweenMs);
      done++;
    }
    await page.mouse.click(640, 200 + 40 * round);
    await page.waitForTimeout(betweenMs);
    await page.keyboard.press("Escape");
    await page.waitForTimeout(betweenMs);
    done += 2;
  }
  // The heap is measured of a tape that follows.
  await page.keyboard.press(".");
  await stop();
  const took = await page.evaluate<Took[]>(
    "watcher.takeRecords().forEach(note), [...took.values()].sort((a, b) => b.duration - a.duration)",
  );
  for (const { name, duration, waited, ran } of took.slice(0, 3))
    console.log(
      `${name}: ${duration} ms, of which it waited ${Math.round(waited)} and its handlers took ${Math.round(ran)}`,
    );
  // Shorter ones than 16 ms are not told: they count as interactions of no length.
  const place = Math.floor(done * 0.02);
  return {
    name: `98th percentile of ${done} interactions while items come, ms`,
    value: took[place]?.duration ?? 16,
    atMost: 100,
  };
}
