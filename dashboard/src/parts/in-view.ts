import { useEffect, useRef } from "preact/hooks";

/**
 * A row of tabs or places that scrolls on narrow screens.
 * @returns goes on the row: what is chosen in it is moved into sight when `chosen` changes, or the room for it
 */
export function useInView<T extends HTMLElement>(chosen: string): { readonly current: T | null } {
  const row = useRef<T>(null);
  useEffect(() => {
    const box = row.current;
    if (box === null) return;
    const watcher = new ResizeObserver(() => {
      const one = box.querySelector('[aria-selected="true"], [aria-current="page"]');
      if (one === null) return;
      const seen = box.getBoundingClientRect();
      const place = one.getBoundingClientRect();
      box.scrollLeft += place.left + place.width / 2 - seen.left - seen.width / 2;
    });
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [chosen]);
  return row;
}
