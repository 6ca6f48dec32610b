/** Signing in, and the screens of an account. One script has them, which is loaded with the first. */
export { default as Keys } from "../keys/keys.tsx";
export { default as SignIn } from "../sign-in/sign-in.tsx";
export { default as Use } from "../usage/usage.tsx";
export { default as Views } from "../views/views.tsx";
export { default as Account } from "./account.tsx";
