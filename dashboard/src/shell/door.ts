/** What every page may need after its first rows. One script has it, with what the screens share. */
export { keepWatch } from "../feed/watching.ts";
export { default as SignIn } from "../sign-in/sign-in.tsx";
export { default as KeysSheet } from "./keys-sheet.tsx";
export { default as Palette } from "./palette.tsx";
