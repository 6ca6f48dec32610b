import type { ComponentChildren } from "preact";
import type { Doing } from "../core/load.ts";
import { Problem } from "../parts/states.tsx";

interface FormProps {
  /** Sends what was filled in, one at a time; absent: `send` waits for nothing. */
  readonly doing?: Doing;
  readonly send: () => unknown;
  /** What the button says. */
  readonly label: string;
  readonly isOff?: boolean;
  readonly look?: string;
  /** What went wrong is told elsewhere. */
  readonly isTold?: boolean | undefined;
  /** Beside the button. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields, what went wrong when they were sent, and the button that sends them. */
export const Form = ({ doing, send, label, isOff, look = "stack", isTold, aside, children }: FormProps) => (
  <form
    class={look}
    onSubmit={(event) => {
      event.preventDefault();
      if (doing === undefined) send();
      else void doing.run(async () => send());
    }}
  >
    {children}
    {!isTold && <Problem failure={doing?.failure ?? null} />}
    <div class="row">
      <button type="submit" class="button main" disabled={doing?.isBusy || isOff}>
        {label}
      </button>
      {aside}
    </div>
  </form>
);
