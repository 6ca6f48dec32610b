import { useParams } from "../core/address.ts";

/** One of several values, which the address holds; the first is the usual one. */
export function useChoice<T extends string>(
  param: string,
  values: readonly T[],
): readonly [T, (value: T) => void] {
  const [params, change] = useParams();
  const [usual] = values;
  const value = values.find((one) => one === params[param]) ?? usual;
  if (value === undefined) throw new Error(`${param} has no values`);
  return [value, (to) => change({ [param]: to === usual ? null : to })];
}
