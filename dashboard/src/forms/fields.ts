import { useState } from "preact/hooks";
import { useDoing } from "../core/load.ts";

/**
 * What a form asks for, by the names that the service has for it.
 * @param path of the members in the request, such as `artifact.`
 */
export function useFields<T extends Readonly<Record<string, string>>>(initial: T, path = "") {
  const doing = useDoing();
  const [values, setValues] = useState(initial);
  /** A field's value, how it changes, and what the service finds wrong with it. */
  const field = (name: keyof T & string) => ({
    value: values[name] ?? "",
    set: (to: string) => setValues((before) => ({ ...before, [name]: to })),
    wrong: doing.failure?.field(path + name),
  });
  return { doing, values, field, reset: () => setValues(initial) };
}
