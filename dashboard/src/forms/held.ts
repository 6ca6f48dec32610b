import { useLayoutEffect, useRef } from "preact/hooks";

/** For a field that is taken when it is left: what is being typed stays, whatever is drawn meanwhile. @returns goes on it */
export function useHeld(value: string | number): { readonly current: HTMLInputElement | null } {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (field.current !== null) field.current.value = String(value);
  }, [value]);
  return field;
}
