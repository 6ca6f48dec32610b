/** The operator's screens. One script has them, which is loaded with the first. */
export { default as Accounts } from "./accounts.tsx";
export { default as Overview } from "./overview.tsx";
export { default as Sources } from "./sources.tsx";
