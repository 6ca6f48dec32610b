import { isUtc } from "../core/settings.ts";
import { Field } from "./field.tsx";
import { useHeld } from "./held.ts";

const secondsLong = "2026-01-01T00:00:00".length;

/** A time as the browser's field has it: without a zone. */
function inField(at: string | null): string {
  if (at === null || Number.isNaN(Date.parse(at))) return "";
  const ms = Date.parse(at);
  const shiftMs = isUtc() ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - shiftMs).toISOString().slice(0, secondsLong);
}

function fromField(text: string): string | null {
  const ms = Date.parse(isUtc() ? `${text}Z` : text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** A date and time in the viewer's zone. @param value RFC 3339; null: none */
export function TimeField({
  label,
  value,
  set,
  hint,
  wrong,
}: {
  label: string;
  value: string | null;
  set: (value: string | null) => void;
  hint?: string;
  wrong?: string | null;
}) {
  const field = useHeld(inField(value));
  /** A change is told with each key, and most of what is typed until the last one is no time, or one of the year 2. */
  const take = ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const at = fromField(input.value);
    if (!input.validity.badInput && at !== fromField(inField(value))) set(at);
  };
  return (
    <Field label={isUtc() ? `${label} (UTC)` : label} wrong={wrong} hint={hint}>
      {(given) => (
        <input
          {...given}
          ref={field}
          type="datetime-local"
          step={1}
          onKeyDown={(event) => {
            if (event.key === "Enter") take(event);
          }}
          onBlur={(event) => {
            const { currentTarget: input } = event;
            // Only the window is left, as when the time is looked up elsewhere.
            if (document.activeElement === input) return;
            if (input.validity.badInput) input.value = "";
            take(event);
          }}
        />
      )}
    </Field>
  );
}
