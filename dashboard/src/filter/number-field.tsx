import { type Bound, boundLabels, isSentiment, neutral, withBound } from "../core/filter.ts";
import type { Filters } from "../core/types.ts";
import { Field } from "../forms/field.tsx";
import { useHeld } from "../forms/held.ts";

interface NumberProps {
  readonly name: Bound;
  readonly filter: Filters;
  readonly setFilter: (filter: Filters) => void;
}

/** A bound of a filter, as the screens count it. */
export function NumberField({ name, filter, setFilter }: NumberProps) {
  const zero = isSentiment(name) ? neutral : 0;
  const set = filter[name];
  const field = useHeld(typeof set === "number" ? set - zero : "");
  return (
    <Field label={boundLabels[name]}>
      {(given) => (
        <input
          {...given}
          ref={field}
          type="number"
          min={-zero}
          max={zero || 100}
          onChange={({ currentTarget: { value, validity } }) => {
            if (validity.valid)
              setFilter(withBound(filter, name, value === "" ? null : Number(value) + zero));
          }}
        />
      )}
    </Field>
  );
}
