import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useId } from "../draw/id.ts";
import { Button } from "../forms/button.tsx";
import { Check } from "../forms/field.tsx";
import { Toast } from "./toast.tsx";

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly isSide?: boolean;
  /** It is read first: what can be filled in waits. */
  readonly isRead?: boolean;
  /** @returns false: it must stay open */
  readonly mayClose?: () => boolean;
  readonly children: ComponentChildren;
}

/** A dialog of the browser's: focus stays inside, Escape closes it, and focus returns to where it was. */
export function Dialog({
  title,
  close,
  isSide = false,
  isRead = false,
  mayClose = () => true,
  children,
}: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    // What is to be filled in comes before the button that closes.
    const first = isRead ? "[role=tab]" : ":is(input, textarea)";
    const field = box.current?.querySelector<HTMLInputElement>(`.dialog-body ${first}`);
    field?.focus();
    if (!isRead) field?.select();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const leave = () => {
    if (mayClose()) close();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog does what Escape does
    <dialog
      ref={box}
      class={isSide ? "side" : ""}
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        if (event.cancelable) leave();
      }}
      onClose={() => {
        // Of several Escapes in a row the browser closes it at one, whatever the page says.
        box.current?.showModal();
        leave();
      }}
      onClick={(event) => {
        if (event.target === box.current) leave();
      }}
    >
      <header class="dialog-head">
        <h2 id={name} class="grow">
          {title}
        </h2>
        <Button look="plain" run={leave}>
          Close
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
      <Toast />
    </dialog>
  );
}

/**
 * Asks before something that cannot be taken back.
 * @param also what may be done with it, if that is chosen
 * @param word what must be typed; null: nothing
 */
export function Confirm({
  title,
  text,
  also,
  word,
  label,
  run,
  close,
}: {
  title: string;
  text: string;
  also?: string | undefined;
  word: string | null;
  label: string;
  run: (isBoth: boolean) => unknown;
  close: () => void;
}) {
  const [typed, type] = useState("");
  const [isBoth, choose] = useState(false);
  return (
    <Dialog title={title} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          run(isBoth);
        }}
      >
        <p>{text}</p>
        {also && (
          <Check isOn={isBoth} set={choose}>
            {also}
          </Check>
        )}
        {word !== null && (
          <label class="field">
            <span>
              Type <code>{word}</code> to confirm
            </span>
            <input
              autocomplete="off"
              value={typed}
              onInput={({ currentTarget }) => type(currentTarget.value)}
            />
          </label>
        )}
        <div class="row">
          <button type="submit" class="button danger" disabled={word !== null && typed.trim() !== word}>
            {label}
          </button>
          <Button run={close}>Keep it</Button>
        </div>
      </form>
    </Dialog>
  );
}
