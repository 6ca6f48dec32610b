import { at, go } from "../core/address.ts";
import { hostOf } from "../core/format.ts";
import { densities, turn } from "../core/settings.ts";
import { tell } from "../parts/toast.tsx";
import type { Shortcut } from "../shell/keyboard.ts";
import { type Moving, rowHeight } from "./tape-view.tsx";

interface OnTape {
  readonly live: Moving;
  readonly chosen: string | null;
  readonly open: (id: string | null) => void;
  readonly isHeld: { current: boolean };
  readonly scroller: { current: HTMLElement | null };
}

interface Hands extends OnTape {
  readonly follow: () => void;
  readonly toggleFilter: () => void;
  readonly openCode: () => void;
}

/** What the keys do on the feed. */
export function feedShortcuts(hands: Hands): readonly Shortcut[] {
  const { live, follow, isHeld, toggleFilter, openCode } = hands;
  return [
    ...tapeShortcuts(hands),
    {
      keys: "space",
      does: "Pause or follow",
      run: () => {
        if (live.isPaused.peek()) return follow();
        isHeld.current = true;
        live.pause();
      },
    },
    { keys: ".", does: "Newest item", run: follow },
    { keys: "f", does: "Filter", run: toggleFilter },
    { keys: "c", does: "Code for this filter", run: openCode },
  ];
}

/** What the keys do with the items of any tape. */
export function tapeShortcuts(hands: OnTape): readonly Shortcut[] {
  const { live, chosen, open } = hands;
  const item = () => (chosen === null ? undefined : live.tape.at(live.tape.placeOf(chosen))?.item);
  return [
    { keys: "j", does: "Next item", run: () => step(hands, 1) },
    { keys: "k", does: "Previous item", run: () => step(hands, -1) },
    {
      keys: "Enter",
      does: "Open the item as a page",
      run: () => chosen !== null && go(at("item", chosen)),
    },
    { keys: "Escape", does: "Close", run: () => open(null) },
    { keys: "d", does: "Row height", run: () => turn(densities) },
    {
      keys: "o",
      does: "Open the source",
      run: () => {
        const link = item()?.link ?? null;
        if (link !== null && hostOf(link) !== null) window.open(link, "_blank", "noopener,noreferrer");
      },
    },
    {
      keys: "y",
      does: "Copy the item's link",
      run: () => {
        if (chosen === null) return;
        const url = new URL(at("item", chosen), location.href).href;
        navigator.clipboard.writeText(url).then(
          () => tell("Link copied"),
          () => tell(url),
        );
      },
    },
  ];
}

/** Chooses the next item and keeps it in sight. Moving by keys pauses, like scrolling does. */
function step({ live, chosen, open, scroller, isHeld }: OnTape, by: number): void {
  const { tape } = live;
  isHeld.current = true;
  live.pause();
  const before = chosen === null ? -1 : tape.placeOf(chosen);
  const place = Math.max(0, Math.min(tape.length - 1, before + by));
  const row = tape.at(place);
  const box = scroller.current;
  if (row === undefined || box === null) return;
  const height = rowHeight(box.clientWidth);
  const top = place * height;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
  open(row.item.id);
}
