import { useRef } from "preact/hooks";

/** A function that stays the same while what it does changes: what is given it is not drawn again for it. */
export function useSteady<A extends readonly unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  const latest = useRef(work);
  latest.current = work;
  return useRef((...given: A) => latest.current(...given)).current;
}
