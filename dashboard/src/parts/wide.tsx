import type { ComponentChildren } from "preact";

/** What may be wider than the screen: it scrolls by itself, also by keyboard. */
export function Wide({ label = "Table", children }: { label?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a box and takes a legend
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="scroll-x" role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
