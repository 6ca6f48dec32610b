import type { Params } from "../core/address.ts";
import type { Stretch } from "./ahead.ts";
import { type Begin, fastest, slowest } from "./player.ts";

export const usualSpeed = 10;

const timeIn = (text: string | undefined): number | null => {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? null : ms;
};

export interface Asked extends Begin, Pick<Stretch, "fromMs" | "toMs"> {}

/** The replay that an address asks for; null: it names no beginning, or an end before it. */
export function askedFor(params: Params): Asked | null {
  const fromMs = timeIn(params.from);
  const toMs = timeIn(params.to) ?? Date.now();
  if (fromMs === null || toMs <= fromMs) return null;
  const atMs = timeIn(params.at) ?? fromMs;
  const speed = Number(params.speed ?? usualSpeed);
  return {
    fromMs,
    toMs,
    atMs: Math.max(fromMs, Math.min(toMs, atMs)),
    speed: speed >= slowest && speed <= fastest ? speed : usualSpeed,
    isStopped: params.stopped === "1",
  };
}
