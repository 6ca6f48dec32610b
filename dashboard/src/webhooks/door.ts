/** The screens of webhooks. One script has them, which is loaded with the first. */
export { default as OneWebhook } from "./webhook.tsx";
export { default as Webhooks } from "./webhooks.tsx";
