/** Filters as fields and as code. One script has them, which is loaded with the first. */
export { default as CodeDrawer } from "../code/code-drawer.tsx";
export { default as SaveView } from "../code/save-view.tsx";
export { FilterFields } from "./filter-fields.tsx";
export { default as FilterPanel } from "./filter-panel.tsx";
export { WouldMatch } from "./would-match.tsx";
