/**
 * What a page may need after its first rows: filters as fields and as code, the palette, watching, gaps. One script has it, which is
 * loaded when the page has stood for two seconds, or earlier when it is asked for.
 */
export { default as CodeDrawer } from "../code/code-drawer.tsx";
export { default as SaveView } from "../code/save-view.tsx";
export { default as ScoreCode } from "../code/score-code.tsx";
export { fillGap } from "../feed/gap.ts";
export { keepWatch } from "../feed/watching.ts";
export { FilterFields } from "../filter/filter-fields.tsx";
export { default as FilterPanel } from "../filter/filter-panel.tsx";
export { WouldMatch } from "../filter/would-match.tsx";
export { default as KeysSheet } from "./keys-sheet.tsx";
export { default as Palette } from "./palette.tsx";
