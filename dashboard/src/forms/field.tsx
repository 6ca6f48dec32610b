import type { ComponentChildren } from "preact";
import { useId } from "../draw/id.ts";

interface Told {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with what is in it. */
  readonly wrong?: string | null;
}

/** A labelled field with a hint, and what is wrong with it. */
export function Field({
  label,
  hint,
  wrong = null,
  children,
}: Told & {
  children: (given: { id: string; "aria-invalid": boolean; "aria-describedby": string }) => ComponentChildren;
}) {
  const id = useId();
  const told = `${id}-told`;
  const isWrong = wrong !== null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": isWrong, "aria-describedby": told })}
      <span id={told} class={isWrong ? "wrong" : "hint"} role={isWrong ? "alert" : undefined}>
        {wrong ?? hint}
      </span>
    </div>
  );
}

interface Filled extends Told {
  readonly value: string;
  readonly set: (value: string) => void;
  readonly required?: boolean;
  readonly maxLength?: number;
}

interface LineProps extends Filled {
  readonly type?: "text" | "email" | "password" | "url";
  readonly minLength?: number;
  readonly placeholder?: string;
  readonly autocomplete?: "off" | "name" | "username" | "current-password" | "new-password";
  readonly class?: string;
}

/** A line to be filled in. */
export function Input({ label, hint, wrong, set, type, ...rest }: LineProps) {
  // Preact's types know inputs by one type each, not by several.
  const kind: object = { type };
  return (
    <Field {...{ label, hint, wrong }}>
      {(given) => (
        <input {...given} {...rest} {...kind} onInput={({ currentTarget }) => set(currentTarget.value)} />
      )}
    </Field>
  );
}

/** A text to be filled in. */
export const TextArea = ({ label, hint, wrong, set, ...rest }: Filled & { rows?: number }) => (
  <Field {...{ label, hint, wrong }}>
    {(given) => <textarea {...given} {...rest} onInput={({ currentTarget }) => set(currentTarget.value)} />}
  </Field>
);

type Values = readonly (readonly [value: string | number, label: string])[];
interface Chosen {
  readonly options: Values;
  readonly value: string | number;
  readonly set: (value: string) => void;
}

/** One of several values, without a label in sight. */
export const Options = ({ options, set, ...rest }: Chosen & { class?: string; "aria-label"?: string }) => (
  <select {...rest} onChange={({ currentTarget }) => set(currentTarget.value)}>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </select>
);

/** One of several values under a label. */
export const Select = ({ label, hint, wrong, ...rest }: Told & Chosen) => (
  <Field {...{ label, hint, wrong }}>{(given) => <Options {...given} {...rest} />}</Field>
);

/** Something that is so or not. */
export function Check({
  isOn,
  set,
  children,
}: {
  isOn: boolean;
  set: (isOn: boolean) => unknown;
  children: ComponentChildren;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => void set(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** A few choices side by side. */
export function Segments<T extends string>({
  label,
  value,
  choices,
  choose,
}: {
  label: string;
  value: T;
  /** The name of each. */
  choices: Readonly<Record<T, string>>;
  choose: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a box and takes a legend
    <div class="segments" role="group" aria-label={label}>
      {keysOf(choices).map((one) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => choose(one)}>
          {choices[one]}
        </button>
      ))}
    </div>
  );
}

export const keysOf = <T extends string>(of: Readonly<Record<T, unknown>>): readonly T[] =>
  Object.keys(of).filter((key): key is T => key in of);
