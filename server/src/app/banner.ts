import { join } from "node:path";
import { type Config, settings, webhookRanges } from "../config/config.ts";
import { version } from "../runtime/version.ts";
import type { App } from "./app.ts";

type Started = Pick<App, "baseUrl" | "wsUrl" | "engine" | "demo" | "sources" | "firstKey" | "signInLink">;

/**
 * What a start prints.
 * @param isSeen whether a person reads it on a terminal. Else no secret is in it: the output of a service ends up in files
 *   that others read
 */
export function banner(app: Started, config: Config, { isSeen }: { isSeen: boolean }): string {
  const enabled = app.sources.filter((source) => source.enabled);
  const lines = [
    `Tapewire ${version}`,
    "",
    `  base_url  ${app.baseUrl}`,
    ...(config.roles.includes("stream") ? [`  ws_url    ${app.wsUrl}`] : []),
    ...(config.roles === settings.roles.fallback ? [] : [`  roles     ${config.roles.join(", ")}`]),
    `  database  ${app.engine === "pglite" ? "embedded (for production set DATABASE_URL)" : "PostgreSQL"}`,
    ...(config.roles.includes("ingest")
      ? [`  sources   ${enabled.length} enabled${app.demo ? ", and the demo wire (invented news)" : ""}`]
      : []),
  ];
  if (config.webhookAllow === null && webhookRanges(config).length > 0)
    lines.push("  webhooks  may be sent to this machine (TAPEWIRE_WEBHOOK_ALLOW=none prevents this)");
  if (config.roles.includes("api"))
    lines.push(
      ...(isSeen ? secretLines(app) : placesOfSecrets(app, config)),
      ...example(app, config, isSeen),
    );
  else lines.push("", "Try:", `  curl '${app.baseUrl}/readyz'`, "");
  return `${lines.join("\n")}\n`;
}

function secretLines({ firstKey, signInLink, baseUrl }: Started): string[] {
  const opening =
    signInLink === null
      ? ["", `  dashboard  ${baseUrl}/app/`]
      : ["", "  Open the dashboard with this link, once and within an hour:", `  ${signInLink}`];
  if (firstKey === null) return opening;
  return [
    ...opening,
    "",
    "  Your API key, shown only now (stored in the data directory as first-key):",
    `  ${firstKey}`,
  ];
}

function placesOfSecrets({ firstKey, signInLink, baseUrl }: Started, { dataDir }: Config): string[] {
  return [
    "",
    `  dashboard  ${baseUrl}/app/`,
    ...(signInLink === null
      ? []
      : [`  sign-in    by the link in ${join(dataDir, "sign-in-link")}, or: npm run -s tapewire -- open`]),
    ...(firstKey === null ? [] : [`  API key    in ${join(dataDir, "first-key")}`]),
  ];
}

function example({ firstKey, baseUrl }: Started, { dataDir }: Config, isSeen: boolean): string[] {
  const key = firstKey === null ? "<API_KEY>" : isSeen ? firstKey : `$(cat ${join(dataDir, "first-key")})`;
  const quote = firstKey === null || isSeen ? "'" : '"';
  return [
    "",
    "Try:",
    `  curl -H ${quote}Authorization: Bearer ${key}${quote} '${baseUrl}/v1/feeds?limit=3'`,
    "",
  ];
}
