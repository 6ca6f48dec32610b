import { useEffect } from "preact/hooks";
import { shortcuts } from "../core/settings.ts";

export interface Shortcut {
  /** One key, or two after each other: `g f`. */
  readonly keys: string;
  readonly does: string;
  readonly run: () => void;
}

/** Later lists come first: a screen's shortcut wins over the shell's. */
const lists: (readonly Shortcut[])[] = [];
let before: { readonly key: string; readonly at: number } | null = null;
const pairMs = 1_200;

export const allShortcuts = (): readonly Shortcut[] => lists.flat();

/** Shortcuts that hold while a component is shown. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useEffect(() => {
    lists.push(list);
    return () => {
      lists.splice(lists.indexOf(list), 1);
    };
  });
}

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox],[type=radio],[type=range])"));

/** Keys that a focused control needs for itself. */
const isForControl = (event: KeyboardEvent) =>
  (event.key === " " || event.key === "Enter") &&
  event.target instanceof HTMLElement &&
  event.target.matches("button, a, summary, input, [role=tab], [role=option]");

function onKey(event: KeyboardEvent): void {
  const isPalette = event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey);
  if (!isPalette && (event.metaKey || event.ctrlKey || event.altKey)) return;
  if (event.defaultPrevented || (!isPalette && (isWriting(event.target) || isForControl(event)))) return;
  if (!isPalette && document.querySelector("dialog[open]") !== null) return;
  if (!isPalette && shortcuts.value === "off" && event.key !== "Escape" && event.key !== "?") return;
  const key = isPalette ? "mod+k" : event.key === " " ? "space" : event.key;
  const pair = before !== null && event.timeStamp - before.at < pairMs ? `${before.key} ${key}` : null;
  const all = lists.toReversed().flat();
  const found = all.find(({ keys }) => keys === pair) ?? all.find(({ keys }) => keys === key);
  before = found === undefined ? { key, at: event.timeStamp } : null;
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

addEventListener("keydown", onKey);
