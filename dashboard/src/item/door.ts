/** The screens that explain a score. One script has them, which is loaded with the first. */
export { default as Score } from "../score/score.tsx";
export { default as ItemView } from "./item.tsx";
export { default as ItemPage } from "./item-page.tsx";
