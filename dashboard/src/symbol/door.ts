/** Symbols and replays. One script has them, which is loaded with the first. */
export { default as Replay } from "../replay/replay.tsx";
export { default as OneSymbol } from "./symbol.tsx";
export { default as Symbols } from "./symbols.tsx";
