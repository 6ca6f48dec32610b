import { useLayoutEffect } from "preact/hooks";
import { here } from "../core/address.ts";

/** How far each screen was scrolled, by its path. */
const places = new Map<string, number>();
/** What a screen shows may have to be read first. */
const mostWaitMs = 2_000;

/** A new screen begins at its top; back and forward lead to where one was. @returns goes on what scrolls */
export function useScroll(box: { readonly current: HTMLElement | null }): () => void {
  const { path, isReturn } = here();
  useLayoutEffect(() => {
    const wanted = isReturn ? (places.get(path) ?? 0) : 0;
    const until = performance.now() + mostWaitMs;
    let frame = 0;
    const move = () => {
      const main = box.current;
      if (main === null) return;
      main.scrollTop = wanted;
      if (main.scrollTop < wanted - 1 && performance.now() < until) frame = requestAnimationFrame(move);
    };
    move();
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return () => void places.set(path, box.current?.scrollTop ?? 0);
}
