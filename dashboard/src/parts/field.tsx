import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A labelled field with a hint, and what is wrong with it. */
export function Field({
  label,
  hint,
  wrong,
  children,
}: {
  label: string;
  hint?: string;
  wrong?: string | null | undefined;
  children: (given: { id: string; "aria-invalid": boolean; "aria-describedby": string }) => ComponentChildren;
}) {
  const id = useId();
  const told = `${id}-told`;
  const isWrong = wrong !== null && wrong !== undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": isWrong, "aria-describedby": told })}
      <span id={told} class={isWrong ? "wrong" : "hint"} role={isWrong ? "alert" : undefined}>
        {isWrong ? wrong : hint}
      </span>
    </div>
  );
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
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
  choices: readonly Choice<T>[];
  choose: (value: T) => void;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a box and takes a legend
    <div class="segments" role="group" aria-label={label}>
      {choices.map((one) => (
        <button
          key={one.value}
          type="button"
          aria-pressed={one.value === value}
          onClick={() => choose(one.value)}
        >
          {one.label}
        </button>
      ))}
    </div>
  );
}
