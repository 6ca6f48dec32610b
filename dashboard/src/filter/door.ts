/** What stands beside the feed. One script has it, which is loaded with the first of it. */
export { default as CodeDrawer } from "../code/code-drawer.tsx";
export { default as SaveView } from "../code/save-view.tsx";
export { default as FilterPanel } from "./filter-panel.tsx";
