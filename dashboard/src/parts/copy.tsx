import { useRef, useState } from "preact/hooks";
import { Button } from "../forms/button.tsx";

/** Copies a text. Where the clipboard is refused, the text is shown and selected instead. */
export function Copy({
  text,
  what,
  label = "Copy",
  done,
}: {
  text: string;
  what: string;
  label?: string;
  done?: () => void;
}) {
  const [state, setState] = useState<"" | "copied" | "refused">("");
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      setTimeout(() => setState(""), 1_600);
    } catch {
      setState("refused");
      setTimeout(() => field.current?.select());
    }
    done?.();
  };
  return (
    <>
      <Button look="plain small" aria-label={`${label} ${what}`} run={copy}>
        {state === "copied" ? "Copied" : label}
      </Button>
      {state === "refused" && (
        <input ref={field} class="bare-input mono" readOnly value={text} aria-label={`${what}, press copy`} />
      )}
    </>
  );
}

/** A text to run, with its button. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <Copy key={text} text={text} what={what} />
    </div>
  );
}
